// The map: land and roads, banks, pieces, and the arrows of the draft and of battles.

import type { VNode } from "preact";
import {
  type Camera,
  LeveledMap,
  MapButton,
  Piece,
  Place,
  type Sized,
  type Spot,
  Still,
  Tag,
} from "../../board/index.ts";
import { between, distance, lineThrough, moveTo } from "../../board/mapLayout.ts";
import { cameraOn, MapName } from "../../board/mapParts.tsx";
import { bankLabel, mayTax, townLabels } from "./ariaLabels.ts";
import { art } from "./drawings.ts";
import { Weapon } from "./icons.tsx";
import { type Bank, type Layout, layoutFor, type Place as Spotted, stepsFor } from "./layout.ts";
import {
  type At,
  attackTyped,
  chosenTowns,
  mayChoose,
  newsOf,
  type Stander,
  standerOn,
  strengthOf,
  targetsOf,
} from "./selectors.ts";
import { strings } from "./strings.ts";

const NARROW = 600;

/** Lines in the sea along the coast, shore and land, from the outside in: class and width. */
const SHORES = [
  ["sea-line", 37],
  ["sea", 34],
  ["sea-line", 20],
  ["sea", 17],
  ["shore", 5],
  ["land", 0],
] as const;

/** The layer that is static at a size and language: sea, provinces, roads. */
function Ground({
  layout,
  fixed,
}: {
  readonly layout: Layout;
  readonly fixed: At["fixed"];
}): VNode {
  const { roads, scale, coast } = layout;
  const soft = Math.max(0.55, scale);
  const lands = Object.entries(art.get().COAST);
  return (
    <g aria-hidden="true">
      <g transform={coast}>
        {SHORES.map(([shore, width]) =>
          // By province: the browser strokes only those that cross what it paints.
          lands.map(([province, d]) => (
            <path
              key={province}
              class={`coast ${shore}`}
              stroke-width={width * soft || undefined}
              style={`--side:var(--${fixed.provinces[province]?.side})`}
              d={d}
            />
          )),
        )}
      </g>
      {roads.map(({ a, b, from, to, terrain, strait }) => {
        const { x, y } = between(from, to, 0.5);
        return (
          <g key={`${a} ${b}`} class={strait ? `road ${terrain} strait` : `road ${terrain}`}>
            <path d={`M${from.x} ${from.y}L${to.x} ${to.y}`} stroke-width={3.4 * soft} />
            {terrain !== "plain" && (
              <path
                class="sign"
                transform={`translate(${x} ${y}) scale(${soft})`}
                d={terrain === "forest" ? "M0-9 6 1H3L7 8H-7L-3 1H-6Z" : "M-10 6-3-7 1 0 4-4 10 6Z"}
              />
            )}
          </g>
        );
      })}
      {[...layout.places.values()].map((place) => (
        <Harbour key={place.id} place={place} layout={layout} />
      ))}
    </g>
  );
}

/** A port is an anchor beside the town, of a shipyard on a filled disc. */
function Harbour({ place, layout }: { place: Spotted; layout: Layout }): VNode | null {
  if (!place.port) return null;
  const size = Math.max(0.6, Math.min(1, layout.scale));
  const x = place.x - layout.r - 2 * size;
  const y = place.y + layout.r - 2 * size;
  return (
    <g
      class={place.shipyard ? "harbour shipyard" : "harbour"}
      transform={`translate(${x} ${y}) scale(${size})`}
    >
      <circle r={7} />
      <path d="M0-4v8M-2-2h4M-4 1q0 3 4 3t4-3" />
    </g>
  );
}

function Names({ layout }: { readonly layout: Layout }): VNode {
  return (
    <g class="names" aria-hidden="true">
      {[...layout.places.values()].map(({ id, label, capital }) => (
        <MapName
          key={id}
          label={label}
          font={layout.font}
          class={capital ? "capital" : undefined}
        />
      ))}
    </g>
  );
}

function Samurai({ piece, layout }: { piece: Stander; layout: Layout }): VNode {
  const { owner, kind, weak } = piece;
  const { Capital } = art.get();
  if (kind === "capital") return <Capital piece={piece} r={layout.capitalR} />;
  const { r } = layout;
  return (
    <g class={weak ? "samurai weak" : "samurai"} aria-hidden="true">
      <Piece seat={owner} r={r} text="" />
      <Weapon kind={kind} seat={owner} size={r * 1.2} />
      {weak && <path class="broken" d={`M${-r} ${r}L${r} ${-r}`} />}
    </g>
  );
}

function Strength({ piece, r, fixed }: { piece: Stander; r: number; fixed: At["fixed"] }) {
  const strength = strengthOf(fixed, piece);
  if (strength === undefined) return null;
  return (
    <g class="disc" transform={`translate(${r * 0.88} ${r * 0.8})`}>
      <circle r={8} />
      <text class="strong middle" y={4} font-size={11}>
        {piece.back ? `${strength}+` : strength}
      </text>
    </g>
  );
}

/** The texts beside the pieces. Not inside the places: these have their own labels. */
function Signs({ position, layout }: { position: At; layout: Layout }): VNode | null {
  const { Built } = art.get();
  if (!layout.discs) return null;
  return (
    <g class="signs" aria-hidden="true">
      {[...layout.places.values()].map(({ id, ...at }) => {
        const piece = standerOn(position, id);
        return (
          <g key={id} transform={moveTo(at)}>
            {piece !== undefined && <Strength piece={piece} r={layout.r} fixed={position.fixed} />}
            <Built town={id} position={position} layout={layout} />
          </g>
        );
      })}
    </g>
  );
}

function Towns({ position, layout }: { position: At; layout: Layout }): VNode {
  const { area, view } = position;
  const may = mayChoose(position);
  const chosen = chosenTowns(position);
  const { towns: fresh } = newsOf(position);
  const label = townLabels(position);
  const fight = view.battle ?? attackTyped(position);
  const town = (place: Spotted): VNode => {
    const { id } = place;
    // Its part in the battle or in the typed attack.
    const role = id === fight?.origin ? "attacking" : id === fight?.town ? "attacked" : undefined;
    const marks = { may: may.has(id), just: fresh.has(id), label: label(id) };
    const picked = chosen.has(id);
    const piece = standerOn(position, id);
    const full = piece !== undefined && place.capital ? layout.capitalR : layout.r;
    const ring = full * 1.3 + 2;
    const reach = Math.max(place.reach, area.touch && marks.may ? 16 : 10);
    const fact = [layout, view.pieces[id], area.touch, picked, role, ...Object.values(marks)];
    return (
      <Still key={id} of={fact}>
        {() => (
          <Place
            id={`town ${id}`}
            {...marks}
            {...(picked && { chosen: true })}
            transform={moveTo(place)}
          >
            <circle class="reach" r={reach} />
            {marks.just && <circle class="fresh" r={ring + 2} />}
            <circle class="mark" r={ring} />
            {piece === undefined ? (
              <circle class="dot" r={layout.r * 0.46} />
            ) : (
              <g data-piece={id} data-state={`${piece.owner} ${piece.kind}`}>
                <Samurai piece={piece} layout={layout} />
              </g>
            )}
            {role !== undefined && <circle class={`fight ${role}`} r={ring + 3} />}
            <circle class="ring" r={ring + 3} />
          </Place>
        )}
      </Still>
    );
  };
  return <>{[...layout.places.values()].map(town)}</>;
}

function Arrow(props: { from: Spot; to: Spot; r: number; class: string; bold?: boolean }): VNode {
  const { from, to, r, bold = false } = props;
  const far = distance(from, to) || 1;
  const ux = (to.x - from.x) / far;
  const uy = (to.y - from.y) / far;
  // Between neighbours there is little room: the arrow head shrinks, and is never left out.
  const head = Math.max(3, Math.min(bold ? 11 : 7, (far - r * 2.6) / 1.7));
  const start = { x: from.x + ux * r * 1.2, y: from.y + uy * r * 1.2 };
  const tip = { x: to.x - ux * r * 1.35, y: to.y - uy * r * 1.35 };
  const neck = { x: tip.x - ux * head * 1.4, y: tip.y - uy * head * 1.4 };
  const line = lineThrough([start, neck]);
  // Measured as 1, a bold one grows from its foot.
  const growing = bold ? { pathLength: 1 } : {};
  const wing = (side: number): Spot => ({
    x: neck.x - side * uy * head,
    y: neck.y + side * ux * head,
  });
  return (
    <g class={`arrow ${props.class}${bold ? " bold" : ""}`}>
      <path class="case" d={line} {...growing} />
      <path class="shaft" d={line} {...growing} />
      <path class="head" d={`${lineThrough([tip, wing(1), wing(-1)])}Z`} />
    </g>
  );
}

/** Below the towns: last attacks as bands; possible attacks; the draft; the battle. */
function Arrows({ position, layout }: { position: At; layout: Layout }): VNode {
  const { battle } = position.view;
  const typed = attackTyped(position);
  const spot = (town = ""): Spot => layout.places.get(town) ?? { x: 0, y: 0 };
  const { origin } = position.draft.slots;
  const helping = battle === undefined ? [] : [...battle.allies, ...battle.guards];
  const arrows = [
    ...targetsOf(position)
      .filter(({ town }) => town !== typed?.town)
      .map(({ town, sea }) => ({ from: origin, to: town, kind: sea ? "sea" : "road" })),
    ...helping.map((from) => ({ from, to: battle?.town, kind: "help" })),
  ];
  const bold = battle ?? typed;
  return (
    <g class="arrows" aria-hidden="true">
      {newsOf(position).fought.map(({ origin: from, town }, n) => (
        <path
          key={`${n} ${from} ${town}`}
          class="fought"
          d={`M${spot(from).x} ${spot(from).y}L${spot(town).x} ${spot(town).y}`}
        />
      ))}
      {arrows.map(({ from, to, kind }) => (
        <Arrow
          key={`${from} ${to} ${kind}`}
          from={spot(from)}
          to={spot(to)}
          r={layout.r}
          class={kind}
        />
      ))}
      {bold !== undefined && (
        <Arrow from={spot(bold.origin)} to={spot(bold.town)} r={layout.r} class="now" bold />
      )}
    </g>
  );
}

function BankPill({ position, bank }: { position: At; bank: Bank }): VNode {
  const { province, text, width } = bank;
  const koku = position.view.banks[province] ?? 0;
  const may = mayTax(position, province);
  return (
    <Place
      id={`bank ${province}`}
      label={bankLabel(position, province)}
      may={may}
      {...(position.draft.slots.province === province ? { chosen: true } : {})}
      transform={moveTo(bank)}
      class="bank"
    >
      <g class="said" aria-hidden="true">
        <rect class="pill" x={-width / 2} y={-13} width={width} height={26} rx={13} />
        {text !== "" && (
          <text class="strong" x={-width / 2 + 12} y={4.5}>
            {text}
          </text>
        )}{" "}
        <rect
          class="coin"
          x={width / 2 - 25}
          y={-9}
          width={text === "" ? 24 : 21}
          height={18}
          rx={9}
        />
        <text class="koku strong middle" x={width / 2 - (text === "" ? 13 : 14.5)} y={4}>
          {koku}
        </text>
      </g>
      <rect class="mark" x={-width / 2 - 3} y={-16} width={width + 6} height={32} rx={16} />
    </Place>
  );
}

function Results({ position, layout }: { position: At; layout: Layout }): VNode {
  const { taxed, fought } = newsOf(position);
  const last = new Map(
    fought.flatMap(({ town, seat, result }) => (result ? [[town, { seat, result }] as const] : [])),
  );
  return (
    <>
      {layout.banks.map(({ province, x, y, width }) => {
        const tax = taxed.get(province);
        if (tax === undefined) return null;
        const { seat, koku } = tax;
        return (
          <Tag key={province} x={x + width / 2 - 12} y={y - 22} text={`−${koku}`} seat={seat} />
        );
      })}
      {[...last].map(([town, { seat, result }]) => {
        const { x, y } = layout.places.get(town) ?? { x: 0, y: 0 };
        return <Tag key={town} x={x} y={y + layout.r + 15} text={result} seat={seat} />;
      })}
    </>
  );
}

function Layers(props: Sized<At> & { readonly level: number }): VNode {
  const { position, width, height, level } = props;
  const { fixed, lang, view, draft, moves, since, area, room } = position;
  const layout = layoutFor(fixed, width, height, level, lang);
  return (
    <g transform={`scale(${1 / level})`}>
      <Still of={[layout]}>{() => <Ground layout={layout} fixed={fixed} />}</Still>
      <Still of={[layout, view, draft, moves, since, area.touch, room]}>
        {() => (
          <>
            {layout.banks.map((bank) => (
              <BankPill key={bank.province} position={position} bank={bank} />
            ))}
            <Arrows position={position} layout={layout} />
            <Towns position={position} layout={layout} />
            <Signs position={position} layout={layout} />
          </>
        )}
      </Still>
      <Still of={[layout]}>{() => <Names layout={layout} />}</Still>
      <Results position={position} layout={layout} />
    </g>
  );
}

/** The town that a small screen shows: the battle, else my capital. */
function townInSight({ view, seat, draft, fixed }: At): string | undefined {
  const typed = draft.slots.town ?? draft.slots.origin;
  if (view.battle !== undefined) return view.battle.town;
  if (typed !== undefined && fixed.towns[typed] !== undefined && draft.complete) return typed;
  return seat === undefined ? undefined : view.seats[seat]?.capital;
}

/** The camera above a town; without one the whole map. */
function cameraAt({ fixed, lang }: At, town: string | undefined, size: Spot, zoom?: number) {
  return cameraOn(layoutFor(fixed, size.x, size.y, 1, lang).places.get(town ?? ""), size, zoom);
}

function myCapital({ view, seat }: At): string | undefined {
  return view.seats[seat ?? 0]?.capital;
}

/** The aim of the camera: the target of a key; on a phone my region of the map. */
function aimOf(position: At, size: Spot, [, close]: readonly number[]) {
  const { look, view, area } = position;
  const on = (town?: string): Camera => cameraAt(position, town, size, close);
  if (typeof look.aim === "string") {
    return { key: look.aim, camera: on(look.aim.startsWith("me") ? myCapital(position) : "") };
  }
  if (area.width >= NARROW) return undefined;
  // A player who places a capital chooses among all provinces.
  if (view.phase === "placing") return { key: "placing", camera: on() };
  const town = townInSight(position);
  return town === undefined
    ? undefined
    : { key: `at ${view.battle?.town ?? ""}`, camera: on(town) };
}

export function WarMap(props: Sized<At>): VNode {
  const { position } = props;
  const labels = strings(position.lang);
  const home = myCapital(position);
  return (
    <LeveledMap
      width={props.width}
      height={props.height}
      steps={stepsFor}
      labels={labels}
      aim={(size, steps) => aimOf(position, size, steps)}
      buttons={(_, go, size, [, close]) =>
        home !== undefined && (
          <MapButton
            label={labels.home}
            icon="me"
            onClick={() => go(cameraAt(position, home, size, close))}
          />
        )
      }
    >
      {(size, level) => <Layers position={position} width={size.x} height={size.y} level={level} />}
    </LeveledMap>
  );
}
