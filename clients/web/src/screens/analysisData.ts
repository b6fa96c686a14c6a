// The analysis of a finished game, as its panel shows it.

import type { GameBody, Lang, Seat } from "../board/contract.ts";
import { lineLabel } from "../line/valueNames.ts";
import { type Branch, isBranch, type Tree } from "../sdk/tree.ts";

/** A turning point of a game: the step of its replay, and the reason. */
export interface TurningPoint {
  readonly step: number;
  readonly text: string;
  /** What this seat played, and what would have been better: nothing where a draw turned the game. */
  readonly seat: Seat;
  readonly lines: readonly string[];
  readonly better: readonly string[];
}

export interface Analysis {
  readonly names: readonly string[];
  /** Whether single decisions could be judged. */
  readonly decisions: boolean;
  /** Whether chances are shown as numbers in any stage of the game. */
  readonly numbers: boolean;
  /**
   * Steps of the replay, and each seat's chance after each of them, in percent; no chances in a
   * stage of the game without numbers.
   */
  readonly steps: readonly number[];
  readonly chances: readonly (readonly number[])[];
  /** For each seat, in percent: lost by decisions, gained by draws, the error of that. */
  readonly sums: readonly (readonly number[])[];
  /**
   * For each seat: how many further decisions were worse than another, in stages without numbers.
   */
  readonly worse: readonly number[];
  readonly points: readonly TurningPoint[];
}

/** Rounded chances of all seats, which add up to 100: the largest one takes what is missing. */
export function toHundred(chances: readonly number[]): readonly number[] {
  const largest = chances.indexOf(Math.max(...chances));
  const missing = chances.reduce((rest, chance) => rest - chance, 100);
  return chances.map((chance, seat) => chance + (seat === largest ? missing : 0));
}

/** The analysis in an answer; what is missing in it is empty. */
export function analysisIn(body: Branch): Analysis {
  return {
    names: list(body.names).map(String),
    decisions: body.decisions === true,
    numbers: body.numbers === true,
    steps: list(body.steps).map(Number),
    chances: list(body.chances).map((each) => toHundred(list(each).map(Number))),
    sums: list(body.sums).map((each) => list(each).map(Number)),
    worse: list(body.worse).map(Number),
    points: list(body.points)
      .filter(isBranch)
      .map(({ step, text, seat, lines, better }) => ({
        step: Number(step),
        text: String(text),
        seat: Number(seat),
        lines: list(lines).map(String),
        better: list(better).map(String),
      })),
  };
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
export function pointText(
  game: GameBody | undefined,
  { text, lines, better }: TurningPoint,
  lang: Lang,
): string {
  const listed = [...lines, ...better].toSorted((a, b) => b.length - a.length);
  return listed
    .reduce((sentence, line) => sentence.replaceAll(line, localizedLines(game, [line], lang)), text)
    .replace(/(^|[\s:、。(])\/(?=\S)/g, "$1");
}

function list(tree: Tree | undefined): readonly Tree[] {
  return Array.isArray(tree) ? tree : [];
}
