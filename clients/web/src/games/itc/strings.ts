// The phrases of I.T.C.'s board, and the names of its material.

import type { Lang } from "../../board/index.ts";
import { phraseBook } from "../../board/parts.ts";
import letters from "./letters.json";
import type en from "./phrases.en.json";

const book = phraseBook<typeof en>({
  en: () => import("./phrases.en.json"),
  ja: () => import("./phrases.ja.json"),
});
export const { load: loadPhrases, strings, verbs } = book;
export const routeName = book.names("route");
export const kindName = book.names("action");
export const timeName = book.names("time");

/** Short names of places, as in a line. */
export const SHORT: Readonly<Record<string, string>> = letters.places;
/** Letters of the goods. */
export const LETTER: Readonly<Record<string, string>> = letters.goods;

export function verbName(verb: string, lang: Lang): string {
  return verbs(lang)[verb]?.[0] ?? verb;
}
