// The result of an analysis: the curve of chances, its turning points, and the same as a table. A
// turning point links to the replay at that step. Loaded with the first result.

import { Fragment, type VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { GameBody } from "../board/contract.ts";
import { COLOURED_SEATS, letterOf, SeatMark } from "../board/index.ts";
import type { Analysis } from "../protocol/answers.gen.ts";
import type { Branch } from "../sdk/tree.ts";
import { analysisStrings } from "../strings/analysis.ts";
import { analysisIn, pointText } from "./analysisData.ts";
import type { ViewProps } from "./viewProps.ts";
import "../style/analysis.css";

/** The drawing, in its own units; a margin keeps the marks inside. */
const WIDTH = 352;
const HEIGHT = 120;
const MARGIN = 10;
/** Room for the letter of each seat after its curve, and above the curves for the numbers of turning points. */
const RIGHT = 20;
const TOP = 22;
/** The numbers stand at least this far apart: 26 px in the narrowest column. */
const APART = 29;
/** The curves of seats differ in more than colour. */
const DASHES = ["", "6 3", "2 3", "8 3 2 3", "1 4", "10 4"];
/**
 * The largest number of rows in the table; long games are thinned out, as the curve is by its
 * width.
 */
const ROWS = 24;

interface Props extends ViewProps {
  /** The body of the answer. */
  readonly body: Branch;
  readonly about: GameBody | undefined;
  /** The step of the replay that is shown. */
  readonly shown?: number;
  readonly onStep: (step: number) => void;
}

function across(analysis: Analysis, step: number): number {
  const first = analysis.steps[0] ?? 0;
  const last = analysis.steps.at(-1) ?? 1;
  return MARGIN + ((WIDTH - MARGIN - RIGHT) * (step - first)) / Math.max(1, last - first);
}

function up(chance: number): number {
  return HEIGHT - MARGIN - ((HEIGHT - 2 * MARGIN) * chance) / 100;
}

/** Ranges of steps that have chances, as indices into `chances`; each is one curve. */
function stretches(chances: Analysis["chances"]): number[][] {
  const made: number[][] = [];
  chances.forEach((row, at) => {
    if (row.length === 0) return;
    const latest = made.at(-1);
    if (latest?.at(-1) === at - 1) latest.push(at);
    else made.push([at]);
  });
  return made;
}

/** Where numbers stand whose places are wanted: in this order, `APART`, and inside. */
export function spread(wanted: readonly number[]): readonly number[] {
  const placed: number[] = [];
  for (const x of wanted) placed.push(Math.max(x, (placed.at(-1) ?? -APART) + APART));
  let bound = WIDTH - MARGIN;
  for (let at = placed.length - 1; at >= 0; at -= 1) {
    placed[at] = Math.min(placed[at] ?? 0, bound);
    bound = (placed[at] ?? 0) - APART;
  }
  return placed;
}

function Curve({
  analysis,
  shown,
}: {
  readonly analysis: Analysis;
  readonly shown: number | undefined;
}): VNode {
  const { steps, chances, names, points } = analysis;
  const drawn = stretches(chances);
  const last = drawn.at(-1)?.at(-1) ?? 0;
  const wanted = points.map((point) => across(analysis, point.step));
  const numbers = spread(wanted);
  return (
    <svg class="chances" viewBox={`0 ${-TOP} ${WIDTH} ${TOP + HEIGHT}`} aria-hidden="true">
      {[0, 50, 100].map((chance) => (
        <line key={chance} x1={MARGIN} x2={WIDTH - RIGHT} y1={up(chance)} y2={up(chance)} />
      ))}
      {points.map((point, at) => (
        <g
          key={`${point.step} ${point.en}`}
          class={point.step === shown ? "turn on" : "turn"}
          data-turn={at + 1}
        >
          <path d={`M${numbers[at]} 0 ${wanted[at]} ${MARGIN}V${HEIGHT - MARGIN}`} />
          <circle cx={numbers[at]} cy={-TOP / 2} r="9" />
          <text x={numbers[at]} y={-TOP / 2 + 4}>
            {at + 1}
          </text>
        </g>
      ))}
      {names.map((name, seat) => {
        const lines = drawn.map((stretch) =>
          stretch
            .map((at) => `${across(analysis, steps[at] ?? 0)},${up(chances[at]?.[seat] ?? 0)}`)
            .join(" "),
        );
        const dashes = DASHES[seat % DASHES.length];
        return (
          <g key={`${seat} ${name}`}>
            {lines.map((line) => (
              <Fragment key={line}>
                <polyline class="edge" points={line} stroke-dasharray={dashes} />
                <polyline
                  class={`chance seat-${(seat % 6) + 1}`}
                  points={line}
                  stroke-dasharray={dashes}
                />
              </Fragment>
            ))}
            <text
              x={across(analysis, steps[last] ?? 0) + RIGHT / 2}
              y={up(chances[last]?.[seat] ?? 0) + 3}
            >
              {letterOf(seat + 1)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

function Sums({
  state,
  analysis,
}: Pick<ViewProps, "state"> & { readonly analysis: Analysis }): VNode {
  const strings = analysisStrings(state.settings.lang);
  const { names, sums, worse, decisions, numbers } = analysis;
  return (
    <ul class="sums">
      {names.map((name, at) => {
        const [lost = 0, luck = 0, error = 0] = sums[at] ?? [];
        const more = worse[at] ?? 0;
        if (!numbers && more === 0) return null;
        return (
          <li key={`${at} ${name}`}>
            <SeatMark seat={at + 1} size={16} many={names.length > COLOURED_SEATS} />
            <bdi>{name}</bdi>{" "}
            {numbers && (
              <span>{strings.lostAndLuck(decisions ? lost : undefined, luck, error)}</span>
            )}
            {more > 0 && <span>{strings.worseMoves(more)}</span>}
          </li>
        );
      })}
    </ul>
  );
}

function Figures({
  state,
  analysis,
}: Pick<ViewProps, "state"> & { readonly analysis: Analysis }): VNode {
  const strings = analysisStrings(state.settings.lang);
  const { names, steps, chances } = analysis;
  const judged = steps
    .map((step, at) => [step, chances[at] ?? []] as const)
    .filter(([, row]) => row.length > 0);
  const every = Math.max(1, Math.ceil(judged.length / ROWS));
  const shown = judged.filter((_, at) => at % every === 0 || at === judged.length - 1);
  return (
    <details>
      <summary>{strings.chancesTable}</summary>
      <div class="scroll">
        <table class="facts">
          <thead>
            <tr>
              <th scope="col">{strings.stepColumn}</th>
              {names.map((name, at) => (
                <th key={`${at} ${name}`} scope="col">
                  <bdi>{name}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(([step, row]) => (
              <tr key={step}>
                <th scope="row">{step}</th>
                {row.map((chance, at) => (
                  <td key={`${step} ${names[at]}`}>{chance} %</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

export function AnalysisResult(props: Props): VNode {
  const { state, body, about, shown, onStep } = props;
  const analysis = useMemo(() => analysisIn(body), [body]);
  const strings = analysisStrings(state.settings.lang);
  if (analysis.steps.length === 0) return <p>{strings.nothingJudged}</p>;
  const hasAllNumbers = analysis.chances.every((row) => row.length > 0);
  return (
    <>
      {!hasAllNumbers && (
        <p class="quiet">{analysis.numbers ? strings.someNumbers : strings.noNumbers}</p>
      )}
      {analysis.numbers && (
        <>
          <p class="quiet">{strings.chancesBy}</p>
          <Curve analysis={analysis} shown={shown} />
        </>
      )}
      <Sums {...props} analysis={analysis} />
      {!analysis.decisions && <p class="quiet">{strings.onlyDraws}</p>}
      <ol class="turns" aria-label={strings.turningPoints}>
        {analysis.points.map((point, at) => (
          <li key={`${point.step} ${point.en}`}>
            <button
              type="button"
              class="btn flat"
              aria-current={point.step === shown ? "step" : undefined}
              onClick={() => onStep(point.step)}
            >
              <b class="turn-number">{at + 1}</b>
              <SeatMark
                seat={point.seat}
                size={16}
                text=""
                many={analysis.names.length > COLOURED_SEATS}
              />
              <span>{pointText(about, point, state.settings.lang)}</span>
            </button>
          </li>
        ))}
      </ol>
      {analysis.numbers && <Figures {...props} analysis={analysis} />}
    </>
  );
}
