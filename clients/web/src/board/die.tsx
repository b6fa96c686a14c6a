// A die with its pips.

import type { VNode } from "preact";

const PIPS: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  1: [[0, 0]],
  2: [
    [-1, -1],
    [1, 1],
  ],
  3: [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  4: [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  5: [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  6: [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
};

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
        PIPS[value]?.map(([x, y]) => <circle key={`${x} ${y}`} cx={x * 7} cy={y * 7} r={2.6} />)
      )}
    </svg>
  );
}
