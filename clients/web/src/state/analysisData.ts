// Analyses of finished games, as the state holds them.

/** Where a game turned: the step of its replay, and why. */
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
  /** Steps of the replay, and the chance of each seat after each of them, of 100; in a stage of
   * the game without numbers there are none. */
  readonly steps: readonly number[];
  readonly chances: readonly (readonly number[])[];
  /** For each seat, of 100: given away by decisions, brought by draws, the error of that. */
  readonly sums: readonly (readonly number[])[];
  /** How many decisions more of each seat were worse than another, in stages without numbers. */
  readonly worse: readonly number[];
  readonly points: readonly TurningPoint[];
}

/** What has become of a question for an analysis. */
export type AnalysisRequest =
  | { readonly is: "asked" }
  | { readonly is: "there"; readonly analysis: Analysis }
  | { readonly is: "refused"; readonly text: string };
