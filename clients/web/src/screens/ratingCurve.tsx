// The curve of a rating over its newest games.

import type { VNode } from "preact";
import type { PeopleStrings } from "../strings/people.ts";

/** The drawing, in its own units. */
const WIDTH = 640;
const HEIGHT = 190;
const LEFT = 48;
const RIGHT = 14;
const TOP = 14;
const BOTTOM = 10;
const LINES = 4;
/** Points between two lines of the scale are a multiple of this. */
const ROUND = 20;

export interface Scale {
  readonly low: number;
  readonly high: number;
}

/** Bounds around all points, so that each line of the scale stands at a round number. */
export function scaleOf(points: readonly number[]): Scale {
  const [least, most] = [Math.min(...points), Math.max(...points)];
  const low = Math.floor(least / ROUND) * ROUND;
  const step = Math.ceil(Math.max(1, most - low) / ROUND / (LINES - 1)) * ROUND;
  return { low, high: low + step * (LINES - 1) };
}

export function RatingCurve(props: {
  readonly points: readonly number[];
  readonly strings: PeopleStrings;
}): VNode {
  const { points, strings } = props;
  const [first, last] = [points[0], points.at(-1)];
  if (points.length < 2 || first === undefined || last === undefined) {
    return <p class="quiet">{strings.fewGames}</p>;
  }
  const { low, high } = scaleOf(points);
  const x = (at: number): number => LEFT + ((WIDTH - LEFT - RIGHT) * at) / (points.length - 1);
  const y = (value: number): number =>
    TOP + ((HEIGHT - TOP - BOTTOM) * (high - value)) / (high - low);
  const line = points.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  const rules = Array.from({ length: LINES }, (_, at) => low + ((high - low) * at) / (LINES - 1));
  return (
    <svg
      class="rating-curve"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={strings.curve(first, last, points.length)}
    >
      {rules.map((value) => (
        <g key={value}>
          <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(value)} y2={y(value)} />
          <text x={LEFT - 8} y={y(value) + 4}>
            {value}
          </text>
        </g>
      ))}
      <polygon points={`${LEFT},${HEIGHT - BOTTOM} ${line} ${WIDTH - RIGHT},${HEIGHT - BOTTOM}`} />
      <polyline points={line} />
      <circle cx={x(points.length - 1)} cy={y(last)} r={5} />
    </svg>
  );
}
