// A city: nine sites, towers in bands of all players' floors, and the majority of buildings.

import type { VNode } from "preact";
import { letterOf, Piece, Place, Plus, Still, Tag } from "../../board/index.ts";
import type { Layout } from "./layout.ts";
import {
  type At,
  type Building,
  buildable,
  buildingAt,
  fitting,
  handSites,
  type Just,
  leadIn,
  mayBuild,
  playerName,
  SITES,
  siteLabel,
  type Tallest,
} from "./selectors.ts";
import { cityName, SHORT, strings } from "./strings.ts";

/**
 * As a share of the tallest tower's height; it fills its site, lower ones are drawn to the same
 * scale.
 */
const FLOORS_LEAST = 22;
/** The row of signs above the towers. */
const SIGNS = 25;
/** From this size on a site has room for pieces beside its numbers. */
const WIDE = 100;

interface Shape {
  readonly left: number;
  readonly width: number;
  readonly slant: number;
  readonly roof: number;
  readonly unit: number;
}

function shapeFor(layout: Layout, tallest: number): Shape {
  const { width, height } = layout.site;
  const roof = layout.full ? Math.min(22, height * 0.23) : 15;
  const wide = width >= WIDE;
  const free = height - roof - (layout.full ? SIGNS : 18);
  // Without room for floors, the roofs still show owner and height.
  const unit = Math.max(
    0,
    Math.min(layout.full ? 2.85 : 1.2, free / Math.max(FLOORS_LEAST, tallest)),
  );
  if (!layout.full) {
    const face = Math.min(width - 9, 44);
    return { left: (width - face - 4) / 2, width: face, slant: 4, roof, unit };
  }
  const left = wide ? 6 : 3;
  const slant = wide ? 7 : 5;
  return { left, width: Math.min(width - left - slant - (wide ? 34 : 29), 70), slant, roof, unit };
}

/** Front in bands, the owner's on top; the roof shows owner and height. */
function Tower(props: { readonly building: Building; readonly shape: Shape; readonly y: number }) {
  const { building, shape, y } = props;
  const { left, width, slant, roof, unit } = shape;
  const bands = [...building.shares].reverse();
  let top = y;
  const fronts = bands.map(({ seat, floors }) => {
    top -= floors * unit;
    return (
      <rect
        key={seat}
        class={`wall seat-${seat}`}
        x={left}
        y={top}
        width={width}
        height={floors * unit}
      />
    );
  });
  const total = y - top;
  return (
    <g class="tower" aria-hidden="true">
      <path
        class="side"
        d={`M${left + width} ${top}l${slant} ${-roof}v${total}l${-slant} ${roof}z`}
      />
      {fronts}
      <path
        class={`roof seat-${building.owner}`}
        d={`M${left} ${top}l${slant} ${-roof}h${width}l${-slant} ${roof}z`}
      />
    </g>
  );
}

/** Owner and height, on the roof. */
function RoofText(props: {
  readonly building: Building;
  readonly shape: Shape;
  readonly y: number;
}) {
  const { building, shape, y } = props;
  const { left, width, slant, roof, unit } = shape;
  const top = y - building.height * unit;
  return (
    <text
      class={`on on-${building.owner}`}
      x={left + width / 2 + slant / 2}
      y={top - roof / 2 + (roof > 16 ? 5.4 : 4.3)}
      font-size={width < 40 ? 12 : Math.min(16, roof * 0.76)}
    >
      {letterOf(building.owner)}
      {building.height}
    </text>
  );
}

/** The floors of all players beside a tower, the owner's uppermost. */
function Shares({ building, x, y }: { building: Building; x: number; y: number }): VNode {
  const step = 14.5;
  const first = y - (building.shares.length - 1) * step;
  return (
    <g class="shares" aria-hidden="true">
      {building.shares.map(({ seat, floors }, at) => (
        <g key={seat} transform={`translate(${x} ${first + at * step})`}>
          <Piece seat={seat} r={4.8} text="" />
          <text x={7.5} y={4.3} class={seat === building.owner ? "strong" : ""}>
            {floors}
          </text>
        </g>
      ))}
    </g>
  );
}

function Crown({ x, y, alone }: { x: number; y: number; alone: boolean }): VNode {
  return (
    <path
      class={alone ? "crown" : "crown shared"}
      transform={`translate(${x} ${y})`}
      d="M-6 4.5l-2-9 5 4 3-6 3 6 5-4-2 9z"
      aria-hidden="true"
    />
  );
}

interface SiteProps {
  readonly position: At;
  readonly city: string;
  readonly site: number;
  readonly layout: Layout;
  readonly shape: Shape;
  readonly tallest: Tallest;
  readonly just: Just | undefined;
  /** Whether I have a card for it. */
  readonly hasCard: boolean;
  /** The number of different blocks that I could build with. */
  readonly kinds: number;
}

type SignsProps = SiteProps & { readonly building: Building | undefined; readonly may: boolean };

/**
 * The row above a tower, left: whether it is legal and with which block, whether it is the tallest.
 */
function LeftSigns(props: SignsProps): VNode {
  const { position, city, site, layout, building, may, tallest } = props;
  const blocks = may ? fitting(position, city, site) : [];
  const some = blocks.length < props.kinds ? blocks.join(" ") : "";
  const crowned = building !== undefined && building.height === tallest.height;
  const left = may ? 26 : 6;
  const shown = crowned && layout.site.width < WIDE ? "" : some;
  return (
    <>
      {may && <Plus x={13} y={13} r={8} />}
      {shown !== "" && (
        <text class="fits" x={left} y={17}>
          {shown}
        </text>
      )}
      {crowned && (
        <Crown
          x={left + 9 + (shown === "" ? 0 : shown.length * 6 + 5)}
          y={11}
          alone={tallest.alone}
        />
      )}
    </>
  );
}

/** The row above a tower, right: the number of the site, or the block that was just built. */
function RightSign(props: SignsProps): VNode | null {
  const { site, layout, just, building, hasCard } = props;
  const { width } = layout.site;
  if (building === undefined) return null;
  if (just === undefined) {
    return (
      <text class={hasCard ? "number held" : "number"} x={width - 6} y={16}>
        {site}
      </text>
    );
  }
  const wide = width >= WIDE;
  return (
    <Tag
      x={width - (wide ? 25 : 17)}
      y={13.5}
      text={`+${just.block}`}
      {...(wide ? { seat: just.seat } : {})}
    />
  );
}

function Site(props: SiteProps & { readonly label: string; readonly may: boolean }): VNode {
  const { position, city, site, layout, shape, tallest, just, hasCard, label, may } = props;
  const { draft, view } = position;
  const { width, height } = layout.site;
  const building = buildingAt(view, city, site);
  const x = ((site - 1) % 3) * width;
  const y = Math.floor((site - 1) / 3) * height;
  const transform = `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
  return (
    <>
      <Place
        id={`site ${city} ${site}`}
        label={label}
        may={may}
        chosen={draft.slots.city === city && draft.slots.site === String(site)}
        just={just !== undefined}
        transform={transform}
      >
        <rect class="field" x="1" y="1" width={width - 2} height={height - 2} rx="4" />
        {building !== undefined && <Tower building={building} shape={shape} y={height - 5} />}
        <rect class="mark" x="3" y="3" width={width - 6} height={height - 6} rx="4" />
      </Place>
      {/* Text is drawn above the place, not in it: the label names the place. */}
      <g class="writing" transform={transform} aria-hidden="true">
        {building === undefined ? (
          <text
            class={hasCard ? "site held" : "site"}
            x={width / 2}
            y={height / 2 + 5}
            font-size={layout.full ? 14 : 12}
          >
            {site}
          </text>
        ) : (
          <RoofText building={building} shape={shape} y={height - 5} />
        )}
        {building !== undefined && layout.full && (
          <Shares building={building} x={width - (width >= WIDE ? 26 : 22)} y={height - 11} />
        )}
        {layout.full && <LeftSigns {...props} building={building} may={may} />}
        {layout.full && <RightSign {...props} building={building} may={may} />}
        {!layout.full && building !== undefined && building.height === tallest.height && (
          <Crown x={9} y={7} alone={tallest.alone} />
        )}
      </g>
    </>
  );
}

/** Above a city: its name and letter, and the majority of buildings. */
function Head({ position, city, layout }: { position: At; city: string; layout: Layout }): VNode {
  const { lang, view } = position;
  const labels = strings(lang);
  const lead = leadIn(view, city);
  const width = layout.site.width * 3;
  const tie = lead.seats.length > 1;
  const size = layout.full ? 14 : 11.5;
  const step = layout.full ? 17 : 10;
  const y = -7;
  const pieces = lead.seats.toReversed();
  const end = width - 3 - (lead.count > 9 ? 16 : 9);
  return (
    <g class="head">
      <text x={1} y={y} font-size={size} class="strong">
        {cityName(city, lang)}
        {layout.full && (
          <tspan class="letter" dx={6} font-size={12}>
            {SHORT[city]}
          </tspan>
        )}
      </text>
      {lead.count > 0 && (
        <g aria-hidden="true">
          <text class="strong end" x={width - 2} y={y} font-size={12}>
            {lead.count}
          </text>
          {pieces.map((seat, at) => (
            <Piece
              key={seat}
              seat={seat}
              x={end - 6 - at * step}
              y={y - 4.5}
              r={layout.full ? 6 : 4.8}
              text=""
            />
          ))}
          {/* Several pieces beside a number are a tie; if there is room, a text says so as well. */}
          {layout.full && (
            <text class="end soft" x={end - 4 - lead.seats.length * step} y={y} font-size={12}>
              {tie ? labels.tie : labels.most}
            </text>
          )}
        </g>
      )}
    </g>
  );
}

function headLabel(position: At, city: string): string {
  const labels = strings(position.lang);
  const name = cityName(city, position.lang);
  const { seats, count } = leadIn(position.view, city);
  const names = seats.map((seat) => playerName(position, seat)).join(labels.and);
  if (count === 0) return name;
  return `${name}${labels.clause}${seats.length > 1 ? labels.tieOf(names, count) : labels.mostOf(names, count)}`;
}

/** All cities, to scale. */
export function Cities(props: {
  readonly position: At;
  readonly cities: readonly string[];
  readonly layout: Layout;
  readonly tallest: Tallest;
  readonly just: ReadonlyMap<string, Just>;
}): VNode {
  const { position, cities, layout, tallest, just } = props;
  const { site, head, gap, columns } = layout;
  const shape = shapeFor(layout, tallest.height);
  const kinds = buildable(position).length;
  const hasCard = handSites(position);
  const { draft, view } = position;
  /** A site; the previous node if none of its inputs has changed. */
  const siteOf = (city: string, each: number): VNode => {
    const place = `${city} ${each}`;
    const fresh = just.get(place);
    const label = siteLabel(position, city, each, fresh);
    const may = mayBuild(position, city, each);
    const chosen = draft.slots.city === city && draft.slots.site === String(each);
    const building = view.cities[city]?.[String(each)];
    // The tallest tower sets the scale of all; the label has owner, floors and usable blocks.
    const { height, alone } = tallest;
    const fact = [layout.full, site.width, site.height, height, alone, kinds, hasCard.has(each)];
    return (
      <Still key={each} of={[...fact, label, may, chosen, building, fresh?.seat]}>
        {() => (
          <Site
            position={position}
            city={city}
            site={each}
            layout={layout}
            shape={shape}
            tallest={tallest}
            just={fresh}
            kinds={kinds}
            hasCard={hasCard.has(each)}
            label={label}
            may={may}
          />
        )}
      </Still>
    );
  };
  return (
    <svg
      viewBox={`0 0 ${layout.width.toFixed(1)} ${layout.height.toFixed(1)}`}
      role="group"
      aria-label={strings(position.lang).cities}
    >
      {cities.map((city, at) => (
        // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a g is no control
        <g
          key={city}
          role="group"
          aria-label={headLabel(position, city)}
          transform={`translate(${(1 + (at % columns) * (3 * site.width + gap)).toFixed(1)} ${(
            head + Math.floor(at / columns) * (3 * site.height + head)
          ).toFixed(1)})`}
        >
          <Head position={position} city={city} layout={layout} />
          {SITES.map((each) => siteOf(city, each))}
        </g>
      ))}
    </svg>
  );
}
