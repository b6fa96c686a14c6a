// What the map draws around the lines: two bays and the hills below them, and above them the
// numbered steps of this turn.

import type { VNode } from "preact";
import type { Lang, Spot } from "../../board/index.ts";
import { between, distance, moveTo } from "../../board/mapLayout.ts";
import land from "./land.json";
import type { Layout } from "./layout.ts";
import { type At, stepsAhead } from "./selectors.ts";
import { strings } from "./strings.ts";
import "./scenery.css";

const written = ({ x, y }: Spot): string => `${x.toFixed(0)} ${y.toFixed(0)}`;

/** A closed curve through the middles of the sides of a polygon. */
function curve(spots: readonly Spot[]): string {
  const last = spots.at(-1);
  if (last === undefined) return "";
  const next = (at: number): Spot => spots[(at + 1) % spots.length] ?? last;
  const start = between(last, spots[0] ?? last, 0.5);
  const sides = spots.map(
    (spot, at) => `Q${written(spot)} ${written(between(spot, next(at), 0.5))}`,
  );
  return `M${written(start)}${sides.join("")}z`;
}

/** Hills by middle and radius, bays by their shore, in the coordinates of the stations. */
export function Land({ layout, lang }: { readonly layout: Layout; readonly lang: Lang }): VNode {
  const { put } = layout;
  const labels = strings(lang);
  return (
    <g class="scenery" aria-hidden="true">
      {land.hills.map(([x = 0, y = 0, r = 0]) => {
        const [at, edge] = [put(x, y), put(x + r, y + r * 0.7)];
        return (
          <ellipse key={`${x} ${y}`} cx={at.x} cy={at.y} rx={edge.x - at.x} ry={edge.y - at.y} />
        );
      })}
      {land.bays.map(({ shore, name: [left = 0, top = 0], label }) => {
        const at = put(left, top);
        return (
          <g key={label}>
            <path d={curve(shore.map(([x = 0, y = 0]) => put(x, y)))} />
            {!layout.tiny && (
              <text x={at.x} y={at.y}>
                {label === "iseBay" ? labels.iseBay : labels.mikawaBay}
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
        if (spot === undefined || (last !== undefined && distance(spot, last) < APART)) return null;
        last = spot;
        return (
          <g key={spot.id} transform={moveTo(spot)}>
            <circle r={layout.big ? 10 : 6.5} />
            <text class="strong middle" y={layout.big ? 4.2 : 3.2} font-size={layout.big ? 12 : 9}>
              {at + 1}
            </text>
          </g>
        );
      })}
    </g>
  );
}
