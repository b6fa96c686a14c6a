// The sky of a city: its skyline, its name, and the majority of buildings.

import type { VNode } from "preact";
import { Piece, widthOf } from "../../board/index.ts";
import type { Layout } from "./layout.ts";
import { type At, leadIn } from "./selectors.ts";
import skylines from "./skylines.json";
import { cityName, strings } from "./strings.ts";

/** The skyline of each city: a path in a box 150 wide, whose ground is at y = 40. */
const SKYLINES: Readonly<Record<string, string>> = skylines;
/** From this size on a city has room for a word beside its majority. */
const ROOMY = 290;
/** Below this size the name begins at the left edge, before the skyline. */
const NARROW = 150;

/** The pill of a majority: its label, the middle of its first piece, and its width. */
function pillOf({ lang, view }: At, city: string, { city: { width }, full }: Layout) {
  const { seats, count } = leadIn(view, city);
  const { tie, most } = strings(lang);
  const label = width < ROOMY ? "" : seats.length > 1 ? tie : most;
  const first = label === "" ? (full ? 14 : 10) : 21 + widthOf(label, 12);
  const pill = count === 0 ? 0 : first + (full ? 17 : 12) * (seats.length + 0.7);
  return { seats, count, label, first, pill };
}

/** Who has most buildings of a city, in a pill at the right end of its sky. */
function Lead({ position, city, layout }: { position: At; city: string; layout: Layout }): VNode {
  const { seats, count, label, first, pill } = pillOf(position, city, layout);
  const { sky, full } = layout;
  const { width } = layout.city;
  const [step, high, r, edge] = full ? [17, 24, 6.4, 8] : [12, 17, 4.8, 4];
  return (
    <g class="lead" transform={`translate(${width - pill - edge} ${(sky - high) / 2})`}>
      <rect width={pill} height={high} rx={high / 2} />
      <text class="soft" x={10} y={16.5} font-size={12}>
        {label}
      </text>
      {seats.map((seat, at) => (
        <Piece key={seat} seat={seat} x={first + at * step} y={high / 2} r={r} text="" />
      ))}
      <text
        class="strong"
        x={pill - edge}
        y={high / 2 + 4.8}
        font-size={full ? 14 : 12}
        text-anchor="end"
      >
        {count}
      </text>
    </g>
  );
}

/** The sky of a city: its skyline, its name, and the majority of buildings. */
export function Sky({
  position,
  city,
  layout,
}: {
  position: At;
  city: string;
  layout: Layout;
}): VNode {
  const { sky, full } = layout;
  const { width } = layout.city;
  const [indent, size] =
    width >= ROOMY ? [0.36, 17] : full ? [0.3, 15] : width < NARROW ? [0.05, 11] : [0.24, 12];
  const name = cityName(position, city);
  const { pill } = pillOf(position, city, layout);
  // The name makes way for the pill, over the skyline.
  const free = width - pill - 14 - widthOf(name, size);
  const x = Math.max(6, Math.min(width * indent, free));
  const scale = full ? sky / 44 : sky / 34;
  return (
    <g class="sky" aria-hidden="true">
      <path
        fill="url(#manhattan-dusk)"
        d={`M0 ${sky}V12q0-12 12-12h${width - 24}q12 0 12 12v${sky - 12}z`}
      />
      <path
        class="skyline"
        transform={`translate(${full ? 6 : 3} ${sky - 40 * scale}) scale(${scale})`}
        d={SKYLINES[city] ?? ""}
      />
      <text class="city-name" x={x} y={sky / 2 + size * 0.36} font-size={size}>
        {name}
      </text>
      {pill > 0 && <Lead position={position} city={city} layout={layout} />}
    </g>
  );
}
