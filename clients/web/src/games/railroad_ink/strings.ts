// The phrases of Railroad Ink's board, and the names of its pieces.

import type { Lang } from "../../board/index.ts";
import { phraseBook } from "../../board/parts.ts";
import type en from "./phrases.en.json";
import { type Arms, armOn, SIDES, sidesOf } from "./piecePaths.ts";

const book = phraseBook<typeof en>({
  en: () => import("./phrases.en.json"),
  ja: () => import("./phrases.ja.json"),
});
export const { load: loadPhrases, strings, verbs } = book;
export const sideName = book.names("side");
const facePiece = book.names("piece");

export function pieceName(piece: string, lang: Lang): string {
  const special = piece.startsWith("special_");
  return special ? strings(lang).specialRoute(piece.slice(8)) : facePiece(piece, lang);
}

/** "road north, railway east"; only the sides if all arms are of a kind. */
export function armsText(arms: Arms, lang: Lang): string {
  const labels = strings(lang);
  const roads = sidesOf(arms, "H");
  const rails = sidesOf(arms, "R");
  const mixed = roads.length > 0 && rails.length > 0;
  return [...roads, ...rails]
    .toSorted((a, b) => SIDES.indexOf(a) - SIDES.indexOf(b))
    .map((side) => {
      const name = sideName(side, lang);
      if (!mixed) return name;
      const kind = armOn(arms, side) === "H" ? labels.road_one : labels.rail_one;
      return lang === "ja" ? `${name}に${kind}` : `${kind} ${name}`;
    })
    .join(labels.and);
}
