// The turning points of an analysis in a replay: their sentences above the board, and on it what was
// played and what would have been better. Loaded with the first analysis.

import type { VNode } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { GameBody, Position } from "../board/contract.ts";
import { COLOURED_SEATS, SeatMark } from "../board/index.ts";
import type { TurningPoint } from "../protocol/answers.gen.ts";
import type { Branch } from "../sdk/tree.ts";
import type { Trial } from "../state/selectors.ts";
import { analysisStrings } from "../strings/analysis.ts";
import { analysisIn, localizedLines } from "./analysisData.ts";
import type { ViewProps } from "./viewProps.ts";
import "../style/turningPoints.css";

export interface TurningPointsProps extends ViewProps {
  /** The body of the answer. */
  readonly body: Branch;
  readonly about: GameBody | undefined;
  readonly position: Position | undefined;
  /** The step that is shown, and what happened in it. */
  readonly shown: number;
  readonly text: readonly string[];
  /** Draws the board with a line in the input; undefined: without. */
  readonly onTrial: (trial: Trial | undefined) => void;
  readonly onStep: (step: number) => void;
}

type Kind = "played" | "better";

function chosenTargets(): readonly string[] {
  const chosen = document.querySelectorAll("[data-board] [data-target].chosen");
  return [...chosen].map((target) => target.getAttribute("data-place") ?? "");
}

/** Marks places, and takes the marks from all others. */
function mark(kinds: ReadonlyMap<string, Kind>): void {
  for (const target of document.querySelectorAll("[data-board] [data-target]")) {
    const kind = kinds.get(target.getAttribute("data-place") ?? "");
    if (kind === undefined) target.removeAttribute("data-turn");
    else target.setAttribute("data-turn", kind);
  }
}

/** After the drawing that a change of state has requested, and before the browser paints. */
const drawn = (): Promise<void> => Promise.resolve().then(() => undefined);

/**
 * Which places the lines of a turning point have, the board itself says: it is drawn with each of
 * them in the input, as for a person who types it, and then without again.
 */
async function targetsOf(
  { seat, lines, better }: TurningPoint,
  onTrial: TurningPointsProps["onTrial"],
): Promise<ReadonlyMap<string, Kind>> {
  const kinds = new Map<string, Kind>();
  const moves = [...lines, ...better];
  for (const text of moves) {
    onTrial({ seat, text, moves });
    await drawn();
    const kind = lines.includes(text) ? "played" : "better";
    for (const target of chosenTargets()) {
      if (!kinds.has(target)) kinds.set(target, kind);
    }
  }
  onTrial(undefined);
  await drawn();
  return kinds;
}

/** Marks the places of a turning point as long as it is shown. */
function useMarks(point: TurningPoint | undefined, props: TurningPointsProps): void {
  const { position, onTrial } = props;
  const { view, lang, area } = position ?? {};
  useEffect(() => {
    const board = document.querySelector("[data-board]");
    if (point === undefined || board === null) return;
    let kinds: ReadonlyMap<string, Kind> = new Map();
    // A map that is moved or zoomed draws its places anew.
    const observer = new MutationObserver(() => mark(kinds));
    let wanted = true;
    targetsOf(point, onTrial).then((found) => {
      if (!wanted) return;
      kinds = found;
      mark(kinds);
      observer.observe(board, { childList: true, subtree: true });
    });
    return () => {
      wanted = false;
      observer.disconnect();
      mark(new Map());
    };
  }, [point, view, lang, area?.width, area?.height]);
}

export function TurningPoints(props: TurningPointsProps): VNode | null {
  const { state, body, about, shown, text, onStep } = props;
  const { lang } = state.settings;
  const strings = analysisStrings(lang);
  const { points, names } = useMemo(() => analysisIn(body), [body]);
  // A step may have turned the game twice: by the decision, and by what was drawn.
  const here = points.filter((each) => each.step === shown);
  const point = here.find((each) => each.better.length > 0) ?? here[0];
  useMarks(point, props);
  const before = points.findLast((each) => each.step < shown);
  const after = points.find((each) => each.step > shown);
  if (points.length === 0) return null;
  const step = (label: string, to: TurningPoint | undefined, sign: string): VNode => (
    <button
      type="button"
      class="btn"
      aria-label={label}
      disabled={to === undefined}
      onClick={() => to && onStep(to.step)}
    >
      {sign}
    </button>
  );
  return (
    <section class="task turning-point" aria-label={strings.turningPoints}>
      {point !== undefined && (
        <SeatMark seat={point.seat} size={28} many={names.length > COLOURED_SEATS} />
      )}
      <p class="task-text" role="status">
        <b>
          {point === undefined
            ? strings.points(points.length)
            : `${strings.pointOf(points.indexOf(point) + 1, points.length)}: ${text.join(" ")}`}
        </b>
        {point !== undefined && (
          <small>
            <span class="played">
              {strings.played}: {localizedLines(about, point.lines, lang)}
            </span>{" "}
            {point.better.length > 0 && (
              <span class="better">
                {strings.better}: {localizedLines(about, point.better, lang)}
              </span>
            )}
          </small>
        )}
      </p>
      {step(strings.previousPoint, before, "‹")}
      {step(strings.nextPoint, after, "›")}
    </section>
  );
}
