// A vehicle of each route, with crates of its goods.

import type { VNode } from "preact";
import bodies from "./vehicles.json";

interface Body {
  /** Where its crates stand: the left edge and the top of the first. */
  readonly left: number;
  readonly deck: number;
  /** Name, path and colour of each layer, in a box of 60 by 44; a layer without one is lines. */
  readonly layers: readonly (readonly string[])[];
}

const BODIES: Readonly<Record<string, Body>> = bodies;

/** A vehicle with crates of its goods, at most twelve, in a box `width` wide that ends at `y`. */
export function Vehicle(props: {
  readonly route: string;
  readonly goods: readonly string[];
  readonly width: number;
  readonly y: number;
}): VNode | null {
  const { route, goods, width, y } = props;
  const body = BODIES[route];
  if (body === undefined) return null;
  const scale = width / 60;
  return (
    <g
      class="vehicle"
      transform={`translate(2 ${(y - 44 * scale).toFixed(1)}) scale(${scale.toFixed(3)})`}
    >
      {body.layers.map(([layer, d, fill]) => (
        <path key={layer} class={layer} d={d} fill={fill} />
      ))}
      {goods.slice(0, 12).map((good, at) => (
        <rect
          key={at}
          class="crate"
          fill={`var(--g-${good})`}
          x={body.left + (at % 4) * 10}
          y={body.deck - Math.floor(at / 4) * 8.6}
          width="10"
          height="8"
        />
      ))}
    </g>
  );
}
