// A vehicle of each route, with crates of its goods.

import type { VNode } from "preact";

interface Body {
  /** Where its crates stand: the left edge and the top of the first. */
  readonly left: number;
  readonly deck: number;
  /** Class and path of each layer, in a box of 60 by 44. */
  readonly layers: readonly (readonly [string, string])[];
}

const BODIES: Readonly<Record<string, Body>> = {
  grey: {
    left: 4,
    deck: 22,
    layers: [
      ["truck", "M2 30h40v6H2zM43 20h9l5 8v8H43z"],
      ["glass", "M46 22h5l3.5 6H46z"],
      ["wheels", "M11 38h0M32 38h0M50 38h0"],
    ],
  },
  red: {
    left: 5,
    deck: 20,
    layers: [
      ["wagon", "M2 28v-6h3v6h48v-6h3v14H2z"],
      ["wheels", "M12 38h0M22 38h0M36 38h0M46 38h0"],
    ],
  },
  blue: {
    left: 4,
    deck: 20,
    layers: [
      ["glass", "M46 18h8v10h-8z"],
      ["hull", "M0 28h58l-6 12H8z"],
      ["stripe", "M3 31h52"],
    ],
  },
  green: {
    left: 5,
    deck: 19,
    layers: [
      ["fuselage", "M0 32q6-5 18-5h26q10 0 13 5-3 5-13 5H16Q6 37 0 32z"],
      ["wing", "M22 37l8 7h7l-4-7zM2 30l-1-9h5l6 7z"],
    ],
  },
};

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
      {body.layers.map(([layer, d]) => (
        <path key={layer} class={layer} d={d} />
      ))}
      {goods.slice(0, 12).map((good, at) => (
        <rect
          key={at}
          class={`crate good-${good}`}
          x={body.left + (at % 4) * 10}
          y={body.deck - Math.floor(at / 4) * 8.6}
          width="10"
          height="8"
        />
      ))}
    </g>
  );
}
