// The task line: every recorded position of every game has a sentence, every legal line a label for
// its button, and no chip speaks in slashes or in the other language.

import { describe, expect, it } from "vitest";
import type { Board, Lang, Position } from "../src/board/contract.ts";
import { verbLabel } from "../src/board/index.ts";
import { boardOf, DRAWN } from "../src/board/registry.ts";
import { nextValues } from "../src/line/nextValues.ts";
import { at, KEYS, names } from "./recorded.ts";

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
