// The log by turns.

import { describe, expect, it } from "vitest";
import { blockKey, blocksOf, nameFirst } from "../src/screens/logBlocks.ts";
import type { LogLine } from "../src/state/state.ts";

let count = 0;
function line(version: number, text: string, event = "built", seat?: number): LogLine {
  count += 1;
  const made: LogLine = { key: `${count}`, kind: "event", version, at: 0, text, event: { event } };
  return seat === undefined ? made : { ...made, seat };
}

/** Blocks as seat and texts of their actions: a action's sentences are joined. */
function shape(lines: readonly LogLine[]) {
  return blocksOf(lines).map((block) =>
    block.kind === "turn"
      ? [
          block.seat ?? "room",
          ...block.actions.map((action) => action.map((each) => each.text).join(" ")),
        ]
      : [block.kind, block.line.text],
  );
}

describe("the log by turns", () => {
  it("has a block for a seat's moves in a row, each with what follows from it", () => {
    const lines = [
      line(7, "Turn 60: Ken.", "turn_began", 2),
      line(7, "Ken rolls 8.", "rolled", 2),
      line(8, "Ken rides to Hotei.", "rode", 2),
      line(8, "The bank gets 1,000.", "paid"),
      line(9, "Ayu builds.", "built", 1),
    ];
    expect(shape(lines)).toEqual([
      [2, "Turn 60: Ken. Ken rolls 8.", "Ken rides to Hotei. The bank gets 1,000."],
      [1, "Ayu builds."],
    ]);
  });

  it("tells of the steps that a piece goes in a row the last one", () => {
    const step = (version: number, card: string, row: number): LogLine => {
      const text = `Ken moves ${card} to row ${row}.`;
      const event = { event: "stepped", card };
      return { ...line(version, text, "stepped", 2), event };
    };
    const lines = [
      step(1, "195", 2),
      step(2, "195", 3),
      step(3, "165", 2),
      step(4, "195", 4),
      line(4, "The jam is gone.", "cleared"),
      step(5, "195", 5),
      line(6, "Ken plays card 9.", "played", 2),
      step(6, "101", 1),
      step(7, "101", 2),
    ];
    expect(shape(lines)).toEqual([
      [
        2,
        "Ken moves 195 to row 3.",
        "Ken moves 165 to row 2.",
        "Ken moves 195 to row 4. The jam is gone.",
        "Ken moves 195 to row 5.",
        "Ken plays card 9. Ken moves 101 to row 1.",
        "Ken moves 101 to row 2.",
      ],
    ]);
  });

  it("begins another one with each turn, and has what others suffer in the block of the move", () => {
    const lines = [
      line(3, "Ken attacks.", "attacked", 2),
      line(3, "Ayu throws 4.", "struck", 1),
      line(4, "Ken attacks again.", "attacked", 2),
      line(5, "Ken again.", "turn_began", 2),
    ];
    expect(shape(lines)).toEqual([
      [2, "Ken attacks. Ayu throws 4.", "Ken attacks again."],
      [2, "Ken again."],
    ]);
  });

  it("has one block for what happens to the room, and headings for rounds", () => {
    const lines = [
      line(1, "Ayu made a room.", "made"),
      line(2, "Ken took a seat.", "joined", 2),
      line(3, "Round 1.", "round_began"),
      line(4, "Option hints is on now.", "option_set"),
      line(5, "Ken builds.", "built", 2),
      line(6, "The game is over.", "game_over"),
    ];
    expect(shape(lines)).toEqual([
      ["room", "Ayu made a room.", "Ken took a seat."],
      ["heading", "Round 1."],
      ["room", "Option hints is on now."],
      [2, "Ken builds."],
      ["room", "The game is over."],
    ]);
  });

  it("leaves talk, answers and typed lines by themselves, in their order", () => {
    const talk: LogLine = { key: "t", kind: "talk", version: 5, at: 0, text: "nice", name: "Ken" };
    const lines = [line(5, "Ken builds.", "built", 2), talk, line(6, "Ken builds.", "built", 2)];
    expect(shape(lines)).toEqual([
      [2, "Ken builds."],
      ["single", "nice"],
      [2, "Ken builds."],
    ]);
    expect(blocksOf(lines).map(blockKey)).toEqual([lines[0]?.key, "t", lines[2]?.key]);
  });

  it("shows the name with which a sentence begins in bold, in both languages", () => {
    expect(nameFirst("けんが建てました。", "けん")).toEqual(["けん", "が建てました。"]);
    expect(nameFirst("You draw card 4.", "Ayu")).toEqual(["", "You draw card 4."]);
    expect(nameFirst("It is over.", undefined)).toEqual(["", "It is over."]);
  });
});
