// The pictures of Railroad Ink's rules: the pieces of the dice, and the special routes.

import type { GameBody, Lang, RulePictures } from "../../board/index.ts";
import { CELL } from "./piecePaths.ts";
import { armsOf, type Fixed } from "./selectors.ts";
import { Ink } from "./sheet.tsx";
import { pieceName } from "./strings.ts";

const HALF = CELL / 2 + 2;
const BOX = `${-HALF} ${-HALF} ${2 * HALF} ${2 * HALF}`;

export function picturesIn(lang: Lang, { static: fixed }: GameBody<Fixed>): RulePictures {
  const all = Object.entries(fixed.pieces).map(([piece, { station, turns }]) => ({
    piece,
    name: pieceName(piece, lang),
    box: BOX,
    drawing: (
      <Ink
        arms={armsOf(fixed, piece, Object.keys(turns)[0] ?? "0")}
        station={station}
        class="pen"
      />
    ),
  }));
  const isSpecial = ({ piece }: { readonly piece: string }): boolean => piece.startsWith("special");
  return { 2: all.filter((each) => !isSpecial(each)), 7: all.filter(isSpecial) };
}
