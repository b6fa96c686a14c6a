// What the map draws around the lines: two bays and the hills below them, and above them the
// numbered steps of this turn.

import type { VNode } from "preact";
import type { Lang, Spot } from "../../board/index.ts";
import type { Layout } from "./layout.ts";
import { type At, stepsAhead } from "./selectors.ts";
import { strings } from "./strings.ts";
import "./scenery.css";

type Point = readonly [x: number, y: number];

interface Bay {
  readonly shore: readonly Point[];
  readonly name: Point;
  readonly label: "iseBay" | "mikawaBay";
}

/** The coasts, in the coordinates of the stations. */
const BAYS: readonly Bay[] = [
  {
    label: "iseBay",
    name: [290, 850],
    // biome-ignore format: a coast is a line
    shore: [[205, 640], [188, 700], [186, 760], [200, 810], [198, 860], [182, 920], [190, 1060],
      [420, 1060], [470, 1000], [446, 980], [404, 930], [408, 890], [418, 850], [436, 790],
      [436, 720], [400, 752], [352, 745], [345, 700], [300, 690], [250, 668]],
  },
  {
    label: "mikawaBay",
    name: [660, 985],
    // biome-ignore format: a coast is a line
    shore: [[492, 985], [490, 930], [524, 914], [546, 905], [550, 935], [590, 950], [640, 935],
      [700, 915], [758, 894], [800, 905], [850, 930], [930, 1060], [480, 1060]],
  },
];

/** Middle and radius. */
const HILLS: readonly (readonly [x: number, y: number, r: number])[] = [
  [840, 250, 130],
  [930, 420, 150],
  [720, 120, 120],
  [420, 60, 90],
  [60, 330, 80],
  [20, 560, 90],
  [960, 620, 110],
];

const middle = (a: Spot, b: Spot): Spot => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
const written = ({ x, y }: Spot): string => `${x.toFixed(0)} ${y.toFixed(0)}`;

/** A closed curve through the middles of the sides of a polygon. */
function curve(spots: readonly Spot[]): string {
  const last = spots.at(-1);
  if (last === undefined) return "";
  const next = (at: number): Spot => spots[(at + 1) % spots.length] ?? last;
  const start = middle(last, spots[0] ?? last);
  const sides = spots.map((spot, at) => `Q${written(spot)} ${written(middle(spot, next(at)))}`);
  return `M${written(start)}${sides.join("")}z`;
}

export function Land({ layout, lang }: { readonly layout: Layout; readonly lang: Lang }): VNode {
  const { put } = layout;
  const labels = strings(lang);
  return (
    <g class="scenery" aria-hidden="true">
      {HILLS.map(([x, y, r]) => {
        const [at, edge] = [put(x, y), put(x + r, y + r * 0.7)];
        return (
          <ellipse key={`${x} ${y}`} cx={at.x} cy={at.y} rx={edge.x - at.x} ry={edge.y - at.y} />
        );
      })}
      {BAYS.map(({ shore, name, label }) => {
        const at = put(...name);
        return (
          <g key={label}>
            <path d={curve(shore.map(([x, y]) => put(x, y)))} />
            {!layout.tiny && (
              <text x={at.x} y={at.y}>
                {labels[label]}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

/** Closer together the numbers would cover each other. */
const APART = 13;

/** The stations that this turn's steps lead to, numbered where they have room. */
export function Steps({ position, layout }: { position: At; layout: Layout }): VNode | null {
  const spots = stepsAhead(position).map((point) => layout.stations.get(point));
  if (spots.length === 0) return null;
  let last: Spot | undefined;
  return (
    <g class="steps" aria-hidden="true">
      {spots.map((spot, at) => {
        const near =
          last !== undefined &&
          spot !== undefined &&
          Math.hypot(spot.x - last.x, spot.y - last.y) < APART;
        if (spot === undefined || near) return null;
        last = spot;
        return (
          <g key={spot.id} transform={`translate(${spot.x.toFixed(1)} ${spot.y.toFixed(1)})`}>
            <circle r={layout.big ? 10 : 6.5} />
            <text y={layout.big ? 4.2 : 3.2} font-size={layout.big ? 12 : 9}>
              {at + 1}
            </text>
          </g>
        );
      })}
    </g>
  );
}
