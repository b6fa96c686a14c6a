// The sky of a city: its skyline, its name, and the majority of buildings.

import type { VNode } from "preact";
import { Piece } from "../../board/index.ts";
import type { Layout } from "./layout.ts";
import { type At, leadIn } from "./selectors.ts";
import { SKYLINES } from "./skylines.ts";
import { cityName, strings } from "./strings.ts";

/** From this size on a city has room for a word beside its majority. */
const ROOMY = 290;
/** Below this size the name begins at the left edge, before the skyline. */
const NARROW = 150;

/** Who has most buildings of a city, in a pill at the right end of its sky. */
function Lead({ position, city, layout }: { position: At; city: string; layout: Layout }): VNode {
  const labels = strings(position.lang);
  const { seats, count } = leadIn(position.view, city);
  const { sky, full } = layout;
  const { width } = layout.city;
  const roomy = width >= ROOMY && seats.length < 3;
  const [step, high, r, edge] = full ? [17, 24, 6.4, 8] : [12, 17, 4.8, 4];
  const pill = step * seats.length + (roomy ? 68 : full ? 26 : 20);
  const first = roomy ? 57 : edge + 6;
  return (
    <g class="lead" transform={`translate(${width - pill - edge} ${(sky - high) / 2})`}>
      <rect width={pill} height={high} rx={high / 2} />
      {roomy && (
        <text class="soft" x={10} y={16.5} font-size={12}>
          {seats.length > 1 ? labels.tie : labels.most}
        </text>
      )}
      {seats.map((seat, at) => (
        <Piece key={seat} seat={seat} x={first + at * step} y={high / 2} r={r} text="" />
      ))}
      <text class="strong end" x={pill - edge} y={high / 2 + 4.8} font-size={full ? 14 : 12}>
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
  const { lang, view } = position;
  const { sky, full } = layout;
  const { width } = layout.city;
  const [indent, size] =
    width >= ROOMY ? [0.36, 17] : full ? [0.3, 15] : width < NARROW ? [0.05, 11] : [0.24, 12];
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
      <text class="city-name" x={width * indent} y={sky / 2 + size * 0.36} font-size={size}>
        {cityName(city, lang)}
      </text>
      {leadIn(view, city).count > 0 && <Lead position={position} city={city} layout={layout} />}
    </g>
  );
}
