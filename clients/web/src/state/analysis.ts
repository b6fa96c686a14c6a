// Analyses of finished games: requested once, and shown wherever the game is shown.

import { type Branch, isBranch, type Tree } from "../sdk/tree.ts";
import type { Analysis, AnalysisRequest } from "./analysisData.ts";
import type { StepResult } from "./events.ts";
import { ask } from "./queries.ts";
import type { State } from "./state.ts";

function withAnalysis(state: State, game: string, analysed: AnalysisRequest): State {
  return { ...state, analyses: { ...state.analyses, [game]: analysed } };
}

/** Request the analysis of a game, unless it is requested or here already. */
export function requestAnalysis(state: State, game: string): StepResult<State> {
  const request = state.analyses[game];
  if (request?.is === "asked" || request?.is === "there") return [state, []];
  const about = { about: "analysis", game } as const;
  return ask(withAnalysis(state, game, { is: "asked" }), "analysis", { id: game }, about);
}

/** The analysis has arrived. */
export function analysisArrived(state: State, game: string, body: Branch): State {
  const analysis: Analysis = {
    names: list(body.names).map(String),
    decisions: body.decisions === true,
    numbers: body.numbers === true,
    steps: list(body.steps).map(Number),
    chances: list(body.chances).map((each) => list(each).map(Number)),
    sums: list(body.sums).map((each) => list(each).map(Number)),
    worse: list(body.worse).map(Number),
    points: list(body.points)
      .filter(isBranch)
      .map((each) => ({ step: Number(each.step), text: String(each.text) })),
  };
  return withAnalysis(state, game, { is: "there", analysis });
}

/** The server refused the analysis with a reason; it may be requested again. */
export function analysisRefused(state: State, game: string, text: string): State {
  return withAnalysis(state, game, { is: "refused", text });
}

/** The sentences of an analysis are in one language: after a change it is requested again. */
export function forgetAnalyses(state: State): State {
  const waiting = Object.entries(state.analyses).filter(([, each]) => each?.is === "asked");
  return { ...state, analyses: Object.fromEntries(waiting) };
}

function list(tree: Tree | undefined): readonly Tree[] {
  return Array.isArray(tree) ? tree : [];
}
