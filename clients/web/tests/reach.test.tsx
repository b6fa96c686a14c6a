// Every legal line can be clicked. The test walks every drawing of every recorded position: from
// the empty line it presses every drawn place, and so on from each resulting line.

import { describe, expect, it } from "vitest";
import { applyAct } from "../src/board/applyAct.ts";
import type { Act, Board, Look, Position } from "../src/board/contract.ts";
import { generic } from "../src/board/generic.tsx";
import { boardOf, DRAWN } from "../src/board/registry.ts";
import { lineTokens } from "../src/line/parse.ts";
import { at, drawn, KEYS, names } from "./recorded.ts";

/** Enough for the widest position; a board that needs more is in a loop. */
const STATES_MAX = 6000;

interface State {
  readonly text: string;
  readonly look: Look;
}

function spots(board: Board, position: Position): readonly string[] {
  const html = drawn(board, position);
  return [...html.matchAll(/data-place="([^"]*)"/g)].map((match) =>
    (match[1] ?? "").replaceAll("&amp;", "&"),
  );
}

function after(act: Act, position: Position, state: State): State | null {
  if (act.act === "look") return { ...state, look: { ...state.look, ...act.look } };
  const typed = applyAct(act, position, "at once");
  return typed === null ? null : { ...state, text: typed.text };
}

/** A list of values in any order is the same move. */
function canonical(position: Position, text: string): string {
  const form = position.game.verbs.find((verb) => verb.verb === lineTokens(text)[0]);
  const list = form?.slots.length === 1 && form.slots[0]?.most !== undefined;
  return list ? lineTokens(text).toSorted().join(" ") : text;
}

/** The states that one press leads to. */
function presses(board: Board, position: Position, state: State): readonly State[] {
  if (state.text !== "" && position.draft.verb === undefined) return [];
  return [...new Set(spots(board, position))].flatMap((spot) => {
    const act = board.press(spot, position);
    const next = act === undefined ? null : after(act, position, state);
    return next === null ? [] : [next];
  });
}

/**
 * The legal lines that no presses lead to. From a complete line one presses on only where other
 * lines are left: few lines lead to another one.
 */
function unreached(board: Board, key: string, name: string): readonly string[] {
  const start = at(key, name);
  const left = new Map(start.moves.map((line) => [canonical(start, line.text), line.text]));
  const legal = new Set(left.keys());
  const seen = new Set<string>();
  const open: State[] = [{ text: "", look: {} }];
  const complete: State[] = [];
  for (let state = open.pop(); state !== undefined; state = open.pop() ?? complete.pop()) {
    if (left.size === 0) break;
    for (const next of presses(board, at(key, name, state), state)) {
      const id = JSON.stringify(next);
      if (seen.has(id)) continue;
      seen.add(id);
      const move = canonical(start, next.text);
      left.delete(move);
      (legal.has(move) ? complete : open).push(next);
    }
    if (seen.size > STATES_MAX) throw new Error(`${name}: more than ${STATES_MAX} states`);
  }
  return [...left.values()];
}

/** The names of a game's recorded positions, one of each: a set-up is also where a verb comes first. */
function positions(key: string): readonly string[] {
  const byPosition = new Map(
    names(key).map((name) => {
      const { view, eyes, moves } = at(key, name);
      return [JSON.stringify([view, [...eyes], moves]), name];
    }),
  );
  return [...byPosition.values()];
}

describe.each(DRAWN.filter((key) => KEYS.includes(key)))("%s", (key) => {
  it.each(positions(key))("%s: every legal line can be clicked", async (name) => {
    expect(unreached(await boardOf(key), key, name)).toEqual([]);
  });
});

describe("the board of a game without a drawing", () => {
  it.each(["2-start", "4-middle"])("%s: every legal line can be clicked", (name) => {
    expect(unreached(generic, "manhattan", name)).toEqual([]);
  });
});
