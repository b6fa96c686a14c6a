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

/** The texts that presses lead to. */
function reachable(board: Board, key: string, name: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const seen = new Set<string>();
  const waiting: State[] = [{ text: "", look: {} }];
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    const id = JSON.stringify(state);
    if (seen.has(id)) continue;
    seen.add(id);
    reached.add(state.text);
    if (seen.size > STATES_MAX) throw new Error(`${name}: more than ${STATES_MAX} states`);
    const position = at(key, name, state);
    if (state.text !== "" && position.draft.verb === undefined) continue;
    for (const spot of new Set(spots(board, position))) {
      const act = board.press(spot, position);
      const next = act === undefined ? null : after(act, position, state);
      if (next !== null) waiting.push(next);
    }
  }
  return reached;
}

/** A list of values in any order is the same move. */
function canonical(position: Position, text: string): string {
  const form = position.game.verbs.find((verb) => verb.verb === lineTokens(text)[0]);
  const list = form?.slots.length === 1 && form.slots[0]?.most !== undefined;
  return list ? lineTokens(text).toSorted().join(" ") : text;
}

function unreached(board: Board, key: string, name: string): readonly string[] {
  const position = at(key, name);
  const reached = new Set(
    [...reachable(board, key, name)].map((text) => canonical(position, text)),
  );
  return position.moves
    .map((line) => line.text)
    .filter((text) => !reached.has(canonical(position, text)));
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
