// The analysis of a finished game, as its panel shows it.

import type { GameBody, Lang } from "../board/contract.ts";
import { lineLabel } from "../line/valueNames.ts";
import type { Analysis, TurningPoint } from "../protocol/answers.gen.ts";
import type { Branch } from "../sdk/tree.ts";

/** Rounded chances of all seats, which add up to 100: the largest one takes what is missing. */
export function toHundred(chances: readonly number[]): readonly number[] {
  const largest = chances.indexOf(Math.max(...chances));
  const missing = chances.reduce((rest, chance) => rest - chance, 100);
  return chances.map((chance, seat) => chance + (seat === largest ? missing : 0));
}

/** The analysis in an answer, each row of chances rounded to 100. */
export function analysisIn(body: Branch): Analysis {
  const shown = body as Analysis;
  return { ...shown, chances: shown.chances.map(toHundred) };
}

/** Lines in words, in the order in which they are played. */
export function localizedLines(
  game: GameBody | undefined,
  lines: readonly string[],
  lang: Lang,
): string {
  return lines.map((line) => lineLabel(game?.verbs ?? [], game?.words, line, lang)).join(", ");
}

/** The reason of a turning point with its lines in words; Japanese ones are, but for their slash. */
export function pointText(game: GameBody | undefined, point: TurningPoint, lang: Lang): string {
  const listed = [...point.lines, ...point.better].toSorted((a, b) => b.length - a.length);
  return listed
    .reduce((text, line) => text.replaceAll(line, localizedLines(game, [line], lang)), point[lang])
    .replace(/(^|[\s:、。(])\/(?=\S)/g, "$1");
}
