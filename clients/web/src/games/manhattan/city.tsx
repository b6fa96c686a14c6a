// A city: its sky with the majority of buildings, nine sites, and the towers before them.

import type { VNode } from "preact";
import { Piece, Place, Still, Tag } from "../../board/index.ts";
import { joined } from "../../board/parts.ts";
import { towers } from "./drawings.ts";
import type { Layout } from "./layout.ts";
import {
  type At,
  type Building,
  buildable,
  buildingAt,
  fitting,
  handSites,
  type Just,
  leadText,
  mayBuild,
  SITES,
  siteLabel,
  type Tallest,
} from "./selectors.ts";
import { CITIES, cityName, strings } from "./strings.ts";
import type { Shape } from "./tower.tsx";

/** From this size on a site has room for pieces beside its numbers. */
const WIDE = 100;
const SHARE_STEP = 14.5;

/** The floors of all players beside a tower, the owner's uppermost. */
function Shares({ building, x, y }: { building: Building; x: number; y: number }): VNode {
  const first = y - (building.shares.length - 1) * SHARE_STEP;
  return (
    <g class="shares">
      {building.shares.map(({ seat, floors }, at) => (
        <g key={seat} transform={`translate(${x} ${first + at * SHARE_STEP})`}>
          <Piece seat={seat} r={4.8} text="" />
          <text x={8} y={4.3} class={seat === building.owner ? "strong" : ""}>
            {floors}
          </text>
        </g>
      ))}
    </g>
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
  readonly building: Building | undefined;
  readonly label: string;
  readonly may: boolean;
  readonly chosen: boolean;
  readonly transform: string;
}

/** The ground of a site, which is the target of clicks. */
function Lot(props: SiteProps): VNode {
  const { city, site, layout, shape, just, hasCard, label, may, chosen, transform } = props;
  const { width, height } = layout.site;
  const { left, width: front, depth, ground } = shape;
  return (
    <>
      <Place
        id={`site ${city} ${site}`}
        label={label}
        may={may}
        chosen={chosen}
        just={just !== undefined}
        transform={transform}
      >
        <rect class="field" x="1.5" y="1.5" width={width - 3} height={height - 3} rx="5" />
        {layout.full && props.building === undefined && (
          <path
            class="plot"
            d={`M${left - 2} ${ground}l${depth + 3}-9h${front + 4}l-${depth + 3} 9z`}
          />
        )}
        <rect class="mark" x="3.5" y="3.5" width={width - 7} height={height - 7} rx="4.5" />
      </Place>
      {/* Text is drawn above the place, not in it: the label names the place. */}
      {props.building === undefined && (
        <text
          class={hasCard ? "site held" : "site"}
          transform={transform}
          x={width / 2}
          y={height / 2 + 5}
          font-size={layout.full ? 15 : 12.5}
          aria-hidden="true"
        >
          {site}
        </text>
      )}
    </>
  );
}

/** Beside a tower: which of my blocks fit, the site's number, and what was just built there. */
function Notes(props: SiteProps): VNode {
  const { position, city, site, layout, just, hasCard, may, kinds, building } = props;
  const { width } = layout.site;
  const wide = width >= WIDE;
  // The lines of shares reach up to its usual height.
  const isCrowded = layout.site.height < 45 + (building?.shares.length ?? 0) * SHARE_STEP;
  const blocks = may ? fitting(position, city, site) : [];
  return (
    <>
      {layout.full && blocks.length > 0 && blocks.length < kinds && (
        <text class="fits" x={8} y={17}>
          {blocks.join(" ")}
        </text>
      )}
      {building && width >= 50 && (
        <text
          class={hasCard ? "number held" : "number"}
          x={width - (layout.full ? 9 : 6)}
          y={layout.full ? 18 : 14}
        >
          {site}
        </text>
      )}
      {layout.full && just !== undefined && (
        <Tag
          x={width - (wide ? 25 : 18) - (isCrowded ? 14 : 0)}
          y={isCrowded ? 13 : 30}
          text={`+${just.block}`}
          {...(wide ? { seat: just.seat } : {})}
        />
      )}
    </>
  );
}

/** What stands on a site: above all sites, as a tower is higher than its site. */
function Upright(props: SiteProps): VNode {
  const { position, layout, shape, tallest, building, chosen, transform } = props;
  const { full, site } = layout;
  const { GhostFloors, Sign, Tower } = towers.get();
  const block = Number(position.draft.slots.block ?? 0);
  const ghost = chosen && block > 0 ? Math.max(4, block * shape.floor) : 0;
  const roof = shape.ground - (building?.height ?? 0) * shape.floor;
  const isTallest = building?.height === tallest.height;
  return (
    <g transform={transform}>
      {building && (
        <g class="tower" data-piece={`${props.city} ${props.site}`} data-state={building.height}>
          <Tower building={building} shape={shape} />
        </g>
      )}
      {ghost > 0 && (
        <GhostFloors shape={shape} seat={position.seat ?? 1} base={roof} floors={block} />
      )}
      {building && full && (
        <Shares
          building={building}
          x={site.width - (site.width >= WIDE ? 26 : 21)}
          y={site.height - 14}
        />
      )}
      {building && (
        <g
          transform={`translate(${shape.left + (shape.width + shape.depth) / 2} ${
            roof - ghost - shape.rise + (full ? 1 : 2)
          })`}
        >
          <Sign
            site={`${props.city} ${props.site}`}
            seat={building.owner}
            height={building.height}
            full={full}
            crown={isTallest && (tallest.alone ? "alone" : "shared")}
          />
        </g>
      )}
      <Notes {...props} />
    </g>
  );
}

function cityLabel(position: At, city: string): string {
  const { clause } = strings(position.lang);
  return joined(clause, cityName(position, city), leadText(position, city));
}

/** All cities, to scale. */
export function Cities(props: {
  readonly position: At;
  readonly layout: Layout;
  readonly tallest: Tallest;
  readonly just: ReadonlyMap<string, Just>;
}): VNode {
  const { position, layout, tallest, just } = props;
  const { site, city: size, sky, margin, gap, columns } = layout;
  const { Sky, TowerPatterns, shapeFor } = towers.get();
  const shape = shapeFor(layout, tallest.height);
  const kinds = buildable(position).length;
  const myCards = handSites(position);
  const { draft, view } = position;
  const propsOf = (city: string, each: number): SiteProps => {
    const fresh = just.get(`${city} ${each}`);
    const x = margin + ((each - 1) % 3) * site.width;
    const y = sky + margin + Math.floor((each - 1) / 3) * site.height;
    return {
      position,
      city,
      site: each,
      layout,
      shape,
      tallest,
      just: fresh,
      hasCard: myCards.has(each),
      kinds,
      building: buildingAt(view, city, each),
      label: siteLabel(position, city, each, fresh),
      may: mayBuild(position, city, each),
      chosen: draft.slots.city === city && draft.slots.site === String(each),
      transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
    };
  };
  /** A layer of a site; the previous node if none of its inputs has changed. */
  const still = (layer: (props: SiteProps) => VNode, city: string, each: number): VNode => {
    const given = propsOf(city, each);
    const { label, may, chosen, just: fresh, hasCard } = given;
    // The tallest tower sets the scale of all; the label has owner, floors and usable blocks.
    const fact = [site.width, site.height, shape.floor, tallest.height, tallest.alone];
    const building = view.cities[city]?.[String(each)];
    const block = chosen ? draft.slots.block : "";
    return (
      <Still
        key={each}
        of={[
          ...fact,
          label,
          may,
          chosen,
          block,
          building,
          fresh?.seat,
          fresh?.block,
          kinds,
          hasCard,
        ]}
      >
        {() => layer(given)}
      </Still>
    );
  };
  return (
    <svg
      viewBox={`0 0 ${layout.width.toFixed(1)} ${layout.height.toFixed(1)}`}
      role="group"
      aria-label={strings(position.lang).cities}
    >
      <TowerPatterns />
      {CITIES.map((city, at) => (
        // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a g is no control
        <g
          key={city}
          role="group"
          aria-label={cityLabel(position, city)}
          transform={`translate(${(1 + (at % columns) * (size.width + gap)).toFixed(1)} ${(
            1 + Math.floor(at / columns) * (size.height + gap)
          ).toFixed(1)})`}
        >
          <rect class="asphalt" width={size.width} height={size.height} rx="12" />
          <Sky position={position} city={city} layout={layout} />
          {SITES.map((each) => still(Lot, city, each))}
          <g class="upright" aria-hidden="true">
            {SITES.map((each) => still(Upright, city, each))}
          </g>
        </g>
      ))}
    </svg>
  );
}
