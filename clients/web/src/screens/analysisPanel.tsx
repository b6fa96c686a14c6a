// The analysis of a finished game: the button that requests it, then its result.

import type { VNode } from "preact";
import type { GameBody } from "../board/contract.ts";
import type { Branch } from "../sdk/tree.ts";
import { analysisRequest } from "./analysisRequest.ts";
import { lazy } from "./lazy.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

interface Props extends ViewProps {
  /** The id of the game, and its static data. */
  readonly game: string;
  readonly about: GameBody | undefined;
  /** The step of the replay that is shown. */
  readonly shown?: number;
  readonly onStep: (step: number) => void;
}

const AnalysisResult = lazy<Props & { readonly body: Branch }>(() =>
  import("./analysisResult.tsx").then((loaded) => loaded.AnalysisResult),
);

/** The button that requests an analysis, then the analysis, or the reason why there is none. */
export function AnalysisPanel(props: Props): VNode {
  const { state, emit, game } = props;
  const strings = stringsOf(state);
  const event = analysisRequest(game);
  const request = state.requests[event.key];
  return (
    <section class="analysis" aria-label={strings.analysis}>
      {request?.body !== undefined ? (
        <AnalysisResult {...props} body={request.body} />
      ) : (
        <>
          {request?.is === "asked" ? (
            // In the place of the button, as what is below it may be out of sight.
            <p role="status" ref={(line) => line?.scrollIntoView({ block: "nearest" })}>
              {strings.analysing}
            </p>
          ) : (
            <button
              type="button"
              class="btn"
              title={`/analyse ${game}`}
              onClick={() => emit(event)}
            >
              {strings.analyse}
            </button>
          )}
          {request?.is === "refused" && (
            <p class="refused" role="alert">
              {request.text}
            </p>
          )}
        </>
      )}
    </section>
  );
}
