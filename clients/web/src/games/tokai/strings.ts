// The phrases of Tokai's board.

import { type Lang, number } from "../../board/index.ts";
import { phraseBook } from "../../board/parts.ts";
import type en from "./phrases.en.json";
import type { View } from "./view.gen.ts";

const book = phraseBook<typeof en>({
  en: () => import("./phrases.en.json"),
  ja: () => import("./phrases.ja.json"),
});
export const { load: loadPhrases, strings, verbs } = book;

/** Which turn it is, of how many. */
export function turnText({ turns, turnlimit, phase }: View, lang: Lang): string {
  const at = phase === "over" ? turns : turns + 1;
  return turnlimit > 0 ? strings(lang).turnOf(at, turnlimit) : strings(lang).turn(at);
}

/** Money of a view, which counts in thousands, in whole yen. */
export function yen(thousands: number, lang: Lang): string {
  return number(thousands * 1000, lang);
}
