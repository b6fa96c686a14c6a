// The task line: every recorded position of every game has a sentence, every legal line a label for
// its button, and no chip speaks in slashes or in the other language.

import { describe, expect, it } from "vitest";
import type { Board, Lang, Position } from "../src/board/contract.ts";
import { verbLabel } from "../src/board/index.ts";
import { boardOf, DRAWN } from "../src/board/registry.ts";
import { nextValues } from "../src/line/nextValues.ts";
import { taskOf } from "../src/screens/task.tsx";
import type { RoomView } from "../src/sdk/mirror.ts";
import { at, KEYS, names } from "./recorded.ts";
import { visitor } from "./visitor.ts";

const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff]/;

/** What a person should not have to read: commands, keys, slots that stayed open. */
function isRaw(text: string): boolean {
  return text === "" || /[/_{}]/.test(text);
}

function wrongIn(lang: Lang, text: string): boolean {
  return isRaw(text) || (lang === "en") === JAPANESE.test(text);
}

/** The board's own chips, else the page's. */
function chipsOf(board: Board, position: Position): readonly string[] {
  const { draft, moves, game, lang } = position;
  const boardChips = board.chips?.(position) ?? [];
  if (boardChips.length > 0) return boardChips.map(({ label, text }) => label ?? text);
  const chips = nextValues(draft, moves, game.verbs, game.words, lang);
  return chips.map(({ label, insertion }) => label ?? insertion);
}

const BOARDS = DRAWN.filter((key) => KEYS.includes(key)).flatMap((key) =>
  (["en", "ja"] as const).map((lang) => [key, lang] as const),
);

describe.each(BOARDS)("%s in %s", (key, lang) => {
  it("says what to do wherever there is something to do", async () => {
    const board = await boardOf(key);
    const mute = names(key).filter((name) => {
      const position = at(key, name, { lang });
      return position.moves.length > 0 && wrongIn(lang, board.task?.(position) ?? "");
    });
    expect(mute).toEqual([]);
  });

  it("names what each legal line does", async () => {
    const board = await boardOf(key);
    const wrong = names(key).flatMap((name) => {
      const { moves } = at(key, name, { lang });
      const first = new Map(moves.map((line) => [line.verb, line.text]));
      return [...first.values()].flatMap((text) => {
        const label = verbLabel(at(key, name, { lang, text }), board.verbs);
        return label === undefined || wrongIn(lang, label) ? [`${text}: ${label}`] : [];
      });
    });
    expect(wrong).toEqual([]);
  });

  it("has chips in words", async () => {
    const board = await boardOf(key);
    const wrong = names(key).flatMap((name) => {
      const start = at(key, name, { lang });
      const begun = [...new Set(start.moves.map((line) => `/${line.verb} `))];
      const all = ["", ...begun].flatMap((text) => chipsOf(board, at(key, name, { lang, text })));
      return all.filter((chip) => /[/_]/.test(chip) || (lang === "en" && JAPANESE.test(chip)));
    });
    expect([...new Set(wrong)]).toEqual([]);
  });
});

describe("who is waited for", () => {
  const seats = {
    1: { name: "Ayu", human: true },
    2: { name: "Ben", human: true, deadline: 151_000 },
    3: { name: "Cleo", human: true, deadline: 40_000 },
    4: { name: "Dan", human: true },
  };
  const task = (lang: Lang, turn: readonly number[], away: readonly string[]) => {
    const view = { room: { phase: "playing", turn, seats, votes: {} }, game: {} };
    const room = { id: "1", view, eyes: [1], here: ["Ayu"], away } as unknown as RoomView;
    const state = visitor(lang, "Ayu");
    const { text, left } =
      taskOf({ state, inputKey: "1", room, board: undefined, position: undefined, touch: false }) ??
      {};
    return [text, left];
  };

  it.each([
    ["en", [2], [], "Waiting for Ben.", ""],
    ["en", [4], ["Dan"], "Waiting for Dan (away).", ""],
    ["en", [2], ["Ben", "Dan"], "Waiting for Ben (away).", "2:31 left"],
    [
      "en",
      [2, 3, 4],
      ["Cleo", "Ben"],
      "Waiting for Ben (away), Cleo (away), Dan.",
      "2:31 left · 0:40 left",
    ],
    ["ja", [2, 4], ["Ben"], "Ben (離席)、Danの手番です。", "残り 2:31"],
  ] as const)("in %s with %j to move, %j away", (lang, turn, away, ...told) => {
    expect(task(lang, turn, away)).toEqual(told);
  });
});
