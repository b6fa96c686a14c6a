// Analyses of finished games, as the state stores them.

/** A turning point of a game: the step of its replay, and the reason. */
export interface TurningPoint {
  readonly step: number;
  readonly text: string;
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

/** The progress of a request for an analysis. */
export type AnalysisRequest =
  | { readonly is: "asked" }
  | { readonly is: "there"; readonly analysis: Analysis }
  | { readonly is: "refused"; readonly text: string };
