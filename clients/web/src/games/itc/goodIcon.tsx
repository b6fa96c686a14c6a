// Icons: a good as a square with its letter, a route as a vehicle.

import type { VNode } from "preact";
import type { IconName } from "../../board/index.ts";
import { LETTER } from "./strings.ts";

export const ICONS: Readonly<Record<string, IconName>> = {
  grey: "truck",
  red: "train",
  blue: "ship",
  green: "plane",
};

/** A good: a coloured square, with its letter if there is room. */
export function Good(props: { good: string; x: number; y: number; size: number }): VNode {
  const { good, x, y, size } = props;
  return (
    <g
      class={`good good-${good}`}
      fill={`var(--g-${good})`}
      transform={`translate(${x} ${y})`}
      aria-hidden="true"
    >
      <rect width={size} height={size} rx={size / 7} />
      {size >= 14 && (
        <text class="strong middle" x={size / 2} y={size * 0.78} font-size={size * 0.8}>
          {LETTER[good]}
        </text>
      )}
    </g>
  );
}
