// Capitals and buildings: on the map, in lists and on buttons.

import type { VNode } from "preact";
import { Piece } from "../../board/index.ts";
import buildings from "./buildings.json";
import type { Layout } from "./layout.ts";
import { type At, type Building, builtOf, livesOf, type Stander, worksOn } from "./selectors.ts";

/** In a box of 14 around 0, 0; an open shape is drawn as lines. */
const BUILDING_SHAPES: Readonly<Record<Building, string>> = buildings;

export function BuildingShape({ building }: { readonly building: Building }): VNode {
  return <path class={`building ${building}`} d={BUILDING_SHAPES[building]} />;
}

/** A building, for lists and buttons. */
export function BuildingMark({ building }: { readonly building: Building }): VNode {
  return (
    <svg class="building-mark" viewBox="-9 -9 18 18" width={18} height={18} aria-hidden="true">
      <BuildingShape building={building} />
    </svg>
  );
}

/** The castle of a capital, its roofs in the colour of the seat; middle at 0, 0. */
export function Castle({ size }: { readonly size: number }): VNode {
  return (
    <g class="castle-keep" transform={`scale(${(size / 46).toFixed(3)})`}>
      <path class="stone" d="M-20 17l4-9h32l4 9z" />
      <path class="plaster" d="M-13-1h26v9h-26zM-9-13h18v7h-18z" />
      <path class="tiles" d="M-20 1q6-1 8-7h24q2 6 8 7zM-15-11q4-1 5-5l10-7 10 7q1 4 5 5z" />
    </g>
  );
}

export function Capital({ piece, r }: { piece: Stander; r: number }): VNode {
  const lives = livesOf(piece);
  return (
    <g class={`samurai keep seat-${piece.owner}`} aria-hidden="true">
      <circle class="yard" r={r} />
      <Castle size={r * 1.9} />
      <Piece seat={piece.owner} x={r} y={-r * 0.85} r={r * 0.42} text="" />
      {[0, 1].map((n) => (
        <path
          key={n}
          class={n < lives ? "life" : "life gone"}
          transform={`translate(${(n - 0.5) * r * 1.1} ${r * 1.15}) scale(${r / 20})`}
          d="M0-6l2 4h4l-3 3 1 5-4-2-4 2 1-5-3-3h4z"
        />
      ))}
    </g>
  );
}

/** The buildings of a town, as icons in a sign above it. */
export function Built({ town, position, layout }: { town: string; position: At; layout: Layout }) {
  const works = worksOn(position, town);
  if (works === undefined) return null;
  const built = builtOf(works);
  if (built.length === 0) return null;
  const place = layout.places.get(town);
  const r = place?.capital ? layout.capitalR : layout.r;
  const step = 17;
  const width = built.length * step + 4;
  return (
    <g class={`built seat-${works.owner}`} transform={`translate(${-width / 2} ${-r - 21})`}>
      <rect width={width} height={17} rx={5} />
      {built.map(({ building, ready, count }, at) => (
        <g
          key={building}
          class={ready ? "" : "unready"}
          transform={`translate(${at * step + 10.5} 8.5)`}
        >
          <BuildingShape building={building} />
          {count > 1 && (
            <text class="strong middle" x={6} y={6} font-size={11}>
              {count}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}
