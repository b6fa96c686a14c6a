// The phrases of Tokugawa's board, and the names of its pieces.

import { localValue, type Position } from "../../board/index.ts";
import { phraseBook } from "../../board/parts.ts";
import type en from "./phrases.en.json";

const book = phraseBook<typeof en>({
  en: () => import("./phrases.en.json"),
  ja: () => import("./phrases.ja.json"),
});
export const { load: loadPhrases, strings, verbs } = book;
export const weatherName = book.names("weather");
export const sideName = book.names("side");

type Named = Pick<Position, "game" | "lang">;

/** A samurai or the capital. */
export function kindName({ game, lang }: Named, kind: string): string {
  return kind === "capital" ? strings(lang).capital : localValue(game.words, "weapon", kind, lang);
}

export function buildingName({ game, lang }: Named, building: string): string {
  return localValue(game.words, "building", building, lang);
}
