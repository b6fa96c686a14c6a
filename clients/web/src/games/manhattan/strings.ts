// The phrases of Manhattan's board.

import { localValue, type Position } from "../../board/index.ts";
import { phraseBook } from "../../board/parts.ts";
import type en from "./phrases.en.json";

const book = phraseBook<typeof en>({
  en: () => import("./phrases.en.json"),
  ja: () => import("./phrases.ja.json"),
});
export const { load: loadPhrases, strings, verbs } = book;
export const siteName = book.names("site");

/** The letter of a city in short lines (`/3F5`). */
export const SHORT: Readonly<Record<string, string>> = {
  newyork: "N",
  saopaulo: "P",
  frankfurt: "F",
  cairo: "C",
  hongkong: "H",
  sydney: "S",
};

/** The cities in the order of the board. */
export const CITIES: readonly string[] = Object.keys(SHORT);

export function cityName({ game, lang }: Pick<Position, "game" | "lang">, city: string): string {
  return localValue(game.words, "city", city, lang);
}
