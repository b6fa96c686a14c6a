// The log over a new snapshot: events and typed lines stay in their order.

import { describe, expect, it } from "vitest";
import { mergedLog, readableLines, updatedLog } from "../src/state/logLines.ts";
import type { LineInput, LogLine } from "../src/state/state.ts";

const line = (kind: LogLine["kind"], version: number, text: string): LogLine => ({
  key: text,
  kind,
  version,
  at: 0,
  text,
});

describe("a snapshot in another language", () => {
  const log = [
    line("event", 1, "Ayu made a room."),
    line("sent", 1, "/join"),
    line("event", 2, "Ayu takes a seat."),
    line("sent", 2, "/lang ja"),
    line("note", 2, "日本語"),
  ];

  it("replaces what was told, and leaves what was typed behind it", () => {
    const lines = [
      { version: 1, at: 0, text: "Ayuが部屋を作りました。" },
      { version: 2, at: 0, text: "Ayuが席に着きました。" },
    ];
    expect(
      mergedLog({ log } as unknown as LineInput, lines as never).map(({ text }) => text),
    ).toEqual(["Ayuが部屋を作りました。", "/join", "Ayuが席に着きました。", "/lang ja", "日本語"]);
  });
});

it("an end is told once: the standing is the result's", () => {
  const text = [
    "資産491,000円で@greedy2の優勝です。",
    "最終順位(最後まで対局):",
    "1位 @greedy2(491)",
  ];
  const events = ["game_over", "game_ended", "ranked"].map((event) => ({ event }));
  const empty = { log: [] as readonly LogLine[] } as LineInput;
  const live = updatedLog(empty, 7, 0, text, events);
  const loaded = mergedLog(
    empty,
    text.map((each, at) => ({ version: 7, at: 0, text: each, event: events[at] })) as never,
  );
  for (const log of [live, loaded]) expect(log.map((each) => each.text)).toEqual(text.slice(0, 1));
});

describe("a log that is cut", () => {
  const talk = (from: number, to: number): readonly LogLine[] =>
    Array.from({ length: to - from }, (_, at) => line("talk", from + at, `line ${from + at}`));

  it("retains above what is read the lines that were cut", () => {
    const read = talk(0, 600);
    expect(readableLines(talk(201, 601), read)).toEqual(talk(0, 601));
    expect(readableLines(talk(0, 601), read)).toEqual(talk(0, 601));
    expect(readableLines(talk(201, 601))).toEqual(talk(201, 601));
  });

  it("retains none where the newer log has nothing of it, and is bounded", () => {
    expect(readableLines(talk(900, 910), talk(0, 600))).toEqual(talk(900, 910));
    expect(readableLines(talk(2900, 3300), talk(0, 3299))).toEqual(talk(300, 3300));
  });
});
