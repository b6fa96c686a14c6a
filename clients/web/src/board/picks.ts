// Lists that grow by presses: a line names some values, and a legal line exactly so many, in any order.

import { lineTokens } from "../line/parse.ts";
import type { Position } from "./contract.ts";

const listOf = ({ text }: { readonly text: string }): readonly string[] =>
  lineTokens(text).slice(1);

/** How many of a value are in a list. */
export function countOf(list: readonly string[], value: string): number {
  return list.filter((each) => each === value).length;
}

/** The list of a verb: what the line names so far, and the legal lines with some values. */
export function listIn({ draft, moves }: Pick<Position, "draft" | "moves">, verb: string) {
  const legal = moves.filter((line) => line.verb === verb);
  const linesWith = (picks: readonly string[]) =>
    legal.filter((line) =>
      picks.every((pick) => countOf(listOf(line), pick) >= countOf(picks, pick)),
    );
  const typed = draft.verb === verb ? listOf(draft) : [];
  return {
    picks: typed.filter((pick) => linesWith([pick]).length > 0),
    /** Whether a legal line has these values, and possibly more. */
    may: (picks: readonly string[]): boolean => linesWith(picks).length > 0,
    /** The legal line with these values and no more. */
    lineOf: (picks: readonly string[]) =>
      linesWith(picks).find((line) => listOf(line).length === picks.length),
  };
}
