// A die with its pips.

import type { VNode } from "preact";

type Pip = readonly [number, number];

const MIDDLE: readonly Pip[] = [[0, 0]];
/** A die has one of these, and its opposite, for each two of its value. */
const HALVES: readonly Pip[] = [
  [-1, -1],
  [1, -1],
  [-1, 0],
];

function pipsOf(value: number): readonly Pip[] {
  const pairs = HALVES.slice(0, Math.floor(value / 2)).flatMap(([x, y]): Pip[] => [
    [x, y],
    [-x, -y],
  ]);
  return value % 2 === 1 ? [...MIDDLE, ...pairs] : pairs;
}

/** A die; a question mark until it is thrown. */
export function Die(props: { readonly value: number | undefined; readonly size?: number }): VNode {
  const { value, size = 28 } = props;
  return (
    <svg
      class="die"
      viewBox="-15 -15 30 30"
      width={size}
      height={size}
      aria-hidden="true"
      data-piece="die"
      data-state={value}
    >
      <rect x={-13} y={-13} width={26} height={26} rx={6} />
      {value === undefined ? (
        <text y={5}>?</text>
      ) : (
        pipsOf(value).map(([x, y]) => <circle key={`${x} ${y}`} cx={x * 7} cy={y * 7} r={2.6} />)
      )}
    </svg>
  );
}
