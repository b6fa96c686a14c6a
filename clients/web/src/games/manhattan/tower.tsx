// A tower: bands of all players' floors, the owner's on top, and the sign above the roof.

import type { VNode } from "preact";
import { Piece } from "../../board/index.ts";
import type { Layout } from "./layout.ts";
import type { Building } from "./selectors.ts";
import "./towers.css";

export { Sky } from "./sky.tsx";

/** Towers are drawn to the scale of the tallest one, or of this many floors if it is lower. */
const FLOORS_LEAST = 22;

/** The measures that all towers of a board share. */
export interface Shape {
  /** Of the front wall. */
  readonly left: number;
  readonly width: number;
  /** How far the side wall goes to the right, and up. */
  readonly depth: number;
  readonly rise: number;
  /** The height of a floor. */
  readonly floor: number;
  /** The ground, from the top of a site. */
  readonly ground: number;
}

export function shapeFor({ site, full }: Layout, tallest: number): Shape {
  const { width, height } = site;
  const floors = Math.max(FLOORS_LEAST, tallest);
  if (!full) {
    const front = Math.min(26, width - 12);
    const left = width >= 50 ? 7 : (width - front - 5) / 2;
    // A tower may be higher than its site: it stands before the one behind it.
    const floor = Math.min(height / 21, (height * 0.85 + 6) / floors);
    return { left, width: front, depth: 5, rise: 4, floor, ground: height - 5 };
  }
  const front = Math.min(46, width * 0.42);
  const floor = Math.min(height / 19, (height * 0.86 + 36) / floors);
  return {
    left: Math.min(12, width * 0.1),
    width: front,
    depth: 9,
    rise: 7,
    floor,
    ground: height - 9,
  };
}

/** Patterns of all towers. */
export function TowerPatterns(): VNode {
  return (
    <defs>
      <pattern id="manhattan-windows" width="8" height="6" patternUnits="userSpaceOnUse">
        <path class="window" d="M2 1.6h2v2.8h-2zM5.5 1.6h1.6v2.8h-1.6z" />
      </pattern>
      <linearGradient id="manhattan-dusk" x2="0" y2="1">
        <stop stop-color="var(--dusk-1)" />
        <stop stop-color="var(--dusk-2)" offset=".62" />
        <stop stop-color="var(--dusk-3)" offset="1" />
      </linearGradient>
    </defs>
  );
}

/** Both walls of some floors of one player. */
function Band(props: { shape: Shape; top: number; height: number; class: string }): VNode {
  const { left, width, depth, rise } = props.shape;
  const { top, height } = props;
  return (
    <path
      class={props.class}
      d={`M${left} ${top}h${width}l${depth}-${rise}v${height}l-${depth} ${rise}h-${width}z`}
    />
  );
}

/** The floors that I would build, dashed, above `base`. */
export function GhostFloors(props: {
  readonly shape: Shape;
  readonly seat: number;
  readonly base: number;
  readonly floors: number;
}): VNode {
  const { shape, seat, base, floors } = props;
  const { left, width, depth, rise, floor } = shape;
  const height = Math.max(4, floors * floor);
  const top = base - height;
  return (
    <path
      class={`ghost seat-${seat}`}
      d={`M${left} ${base}V${top}l${depth}-${rise}h${width}v${height}l-${depth} ${rise}zM${left} ${top}h${width}l${depth}-${rise}M${left + width} ${top}V${base}`}
    />
  );
}

export function Tower({ building, shape }: { building: Building; shape: Shape }): VNode {
  const { left, width, depth, rise, floor, ground } = shape;
  let top = ground;
  // The smallest share is at the bottom, the owner's at the top.
  const bands = building.shares.toReversed().map(({ seat, floors }) => {
    const height = floors * floor;
    top -= height;
    return <Band key={seat} shape={shape} top={top} height={height} class={`wall seat-${seat}`} />;
  });
  const height = ground - top;
  const right = left + width;
  return (
    <>
      <path
        class="ground"
        d={`M${left - 3} ${ground}l${depth + 6}-${rise}h${width + 8}l-8 ${rise + 3}h-${width}z`}
      />
      {bands}
      <path class="shade" d={`M${right} ${top}l${depth}-${rise}v${height}l-${depth} ${rise}z`} />
      {height > 7 && (
        <rect
          fill="url(#manhattan-windows)"
          x={left + 1.5}
          y={top + 1}
          width={width - 3}
          height={height - 1}
        />
      )}
      <path
        class={`roof seat-${building.owner}`}
        d={`M${left} ${top}l${depth}-${rise}h${width}l-${depth} ${rise}z`}
      />
    </>
  );
}

/** Above the roof: the owner's piece and the height; of the tallest tower with a crown. */
export function Sign(props: {
  /** The site, by "city site". */
  readonly site: string;
  readonly seat: number;
  readonly height: number;
  readonly full: boolean;
  readonly crown: "alone" | "shared" | false;
}): VNode {
  const { seat, height, full, crown } = props;
  const tall = full ? 19 : 16;
  const wide = (full ? 27 : 22) + (full ? 7.5 : 6.6) * String(height).length;
  return (
    <g
      class="sign"
      data-piece={`sign ${props.site}`}
      data-state={`sign ${props.site} ${seat}`}
      data-turns=""
    >
      <path class="mast" d="M0 0v5" />
      <rect x={-wide / 2} y={-tall} width={wide} height={tall} rx={tall / 2} />
      <Piece
        seat={seat}
        x={-wide / 2 + (full ? 11 : 9)}
        y={-tall / 2}
        r={full ? 6.4 : 5.2}
        text=""
      />
      <text x={-wide / 2 + (full ? 20 : 16)} y={full ? -4.5 : -3.8} font-size={full ? 14 : 12}>
        {height}
      </text>
      {crown && (
        <path
          class={crown === "alone" ? "crown" : "crown shared"}
          transform={`translate(0 ${-5 - tall})${full ? "" : " scale(.8)"}`}
          d="M-9 4l-2-11 6 4 5-7 5 7 6-4-2 11z"
        />
      )}
    </g>
  );
}
