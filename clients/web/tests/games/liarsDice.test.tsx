// A game that is a package of its own, played to its result by presses: on the generic board, and
// on the one that the package brings.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { board as packaged } from "../../../../examples/liars_dice/liars_dice/board.js";
import { applyAct } from "../../src/board/applyAct.ts";
import type { Board, GameBody, Lang, Position } from "../../src/board/contract.ts";
import { generic, inOrder } from "../../src/board/generic.tsx";
import { type Parts, positionOf } from "../../src/board/position.ts";
import { DESKTOP, drawn } from "../recorded.ts";

interface Seen {
  readonly seat: number;
  readonly view: Parts["view"];
}

interface Recording {
  readonly game: GameBody;
  readonly decisions: readonly (Seen & {
    readonly lines: readonly string[];
    readonly line: string;
  })[];
  readonly end: Seen;
}

const { game, decisions, end }: Recording = JSON.parse(
  readFileSync(new URL("liarsDice.json", import.meta.url), "utf8"),
);

function at(seen: Seen & { readonly lines?: readonly string[] }, lang: Lang, text = ""): Position {
  const { seat, view, lines = [] } = seen;
  return positionOf({
    game,
    view,
    eyes: [seat],
    moves: { [seat]: lines },
    text,
    since: [],
    lang,
    look: {},
    answers: {},
    area: DESKTOP,
  });
}

function pressable(board: Board, position: Position): readonly string[] {
  return [...drawn(board, position).matchAll(/data-place="([^"]*)"/g)].map(([, id]) => id ?? "");
}

/** The texts of the line after each press. */
function pressed(board: Board, position: Position): readonly string[] {
  return pressable(board, position).flatMap((place) => {
    const act = board.press(place, position);
    const applied = act === undefined ? null : applyAct(act, position, "at once");
    return applied === null ? [] : [applied.text];
  });
}

/** The text that is read or shown: of elements, and of attributes that screen readers read. */
function shownText(html: string): string {
  const spoken = [...html.matchAll(/aria-label="([^"]*)"/g)].map(([, label]) => label);
  return [...spoken, html.replace(/<[^>]*>/g, " ")].join(" ");
}

const BOARDS: readonly (readonly [string, Board])[] = [
  ["the generic board", generic],
  ["the board of the package", packaged],
];

describe.each(BOARDS)("%s", (_, board) => {
  it("reaches every legal line of a whole game in two presses", () => {
    const late = decisions.flatMap((decision) => {
      const first = pressed(board, at(decision, "en"));
      const second = first.flatMap((text) => pressed(board, at(decision, "en", text)));
      const reached = new Set([...first, ...second]);
      return decision.lines.filter((line) => !reached.has(line));
    });
    expect(decisions.length).toBeGreaterThan(5);
    expect(late).toEqual([]);
  });

  it("has no word of English on a Japanese page", () => {
    const seen = [...decisions, end].map((each) => {
      const position = at(each, "ja");
      return `${shownText(drawn(board, position))} ${board.task?.(position) ?? ""}`;
    });
    // Seats have letters.
    expect(seen.filter((text) => /[A-Za-z]{2}/.test(text))).toEqual([]);
    expect(seen[1]).toContain("ダウト");
  });

  it("has nothing to press at the end", () => {
    expect(pressable(board, at(end, "en"))).toEqual([]);
  });
});

describe("the generic board", () => {
  it("shows what the view has of each seat: my dice, and that the others' are hidden", () => {
    const [first] = decisions;
    const text = first === undefined ? "" : shownText(drawn(generic, at(first, "en")));
    expect(text).toContain("under the cup");
    expect(text).toContain("hidden");
  });

  it("asks for what is open only", () => {
    const [, second] = decisions;
    if (second === undefined) throw new Error("the recording is too short");
    expect(generic.task?.(at(second, "en"))).toBe("Bid or Doubt?");
    const face = at(second, "en").moves.find((line) => line.verb === "bid")?.slots.face;
    expect(generic.task?.(at(second, "ja", `/bid _ ${face}`))).toBe("宣言: 個数を選んでください。");
  });

  it("sorts numbers by their size, and leaves words as the lines have them", () => {
    expect(inOrder(["1", "10", "2"])).toEqual(["1", "2", "10"]);
    expect(inOrder(["sea", "land"])).toEqual(["sea", "land"]);
  });
});
