// The request for the analysis of a finished game.

/** The event that requests an analysis, and the key of its answer. */
export function analysisRequest(game: string) {
  return {
    type: "requested",
    key: `analysis ${game}`,
    what: "analysis",
    args: { id: game },
  } as const;
}
