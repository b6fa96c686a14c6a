// The map: lines with their owners, stations with names, pawns, and the planned route.

import type { VNode } from "preact";
import type { Box, Sized, Spot } from "../../board/index.ts";
import {
  type Camera,
  LeveledMap,
  letterOf,
  MapButton,
  Piece,
  Place,
  Still,
  slotValues,
  Tag,
} from "../../board/index.ts";
import { lineThrough, moveTo } from "../../board/mapLayout.ts";
import { cameraOn, MapName } from "../../board/mapParts.tsx";
import { pointLabels } from "./ariaLabels.ts";
import { art } from "./drawings.ts";
import { type Layout, layoutFor, pawnRadius, type Station, stepsFor } from "./layout.ts";
import {
  type At,
  chosenLines,
  chosenPoint,
  declaredRoute,
  draftRoute,
  flags,
  lastRoute,
  mayChoose,
  myGoal,
  myStop,
  pawns,
  ridden,
} from "./selectors.ts";
import { strings } from "./strings.ts";

const NARROW = 600;
/** A lower map has no room beside a pawn. */
const LOW = 400;
/** How far from the middle a pawn stands at the beginning of a ride, as a share of the width. */
const PAWN_SHIFT = 0.14;

/** The layer that changes only with owners, size and language: tracks, and their owners. */
function Tracks({ position, layout }: { position: At; layout: Layout }): VNode {
  const { owners } = position.view;
  const { lineWidth, tracks, big, tiny } = layout;
  const r = big ? 8.5 : tiny ? 4.8 : 6.4;
  return (
    <g aria-hidden="true">
      {tracks.map(({ id, d, colour, shinkansen }) => (
        <g key={id} class="track" fill="none" stroke-linejoin="round" stroke-linecap="round">
          <path class="case" d={d} stroke-width={lineWidth + 2.4} />
          <path class="rail" d={d} style={{ "--line": colour }} stroke-width={lineWidth} />
          {owners[id] === undefined && (
            <path class="hollow" d={d} stroke-width={lineWidth * 0.42} />
          )}
          {shinkansen && (
            <path class="express" d={d} stroke-width={lineWidth * 0.4} stroke-dasharray="10 10" />
          )}
        </g>
      ))}
      {tracks.map(({ id, badges }) => {
        const owner = owners[id];
        if (owner === undefined) return null;
        return badges.map(({ x, y }) => (
          <Piece key={`${id} ${x}`} seat={owner} x={x} y={y} r={r} />
        ));
      })}
    </g>
  );
}

function Band(props: {
  layout: Layout;
  route: readonly string[];
  class: string;
  wide: number;
  seat?: number | undefined;
}): VNode {
  const { layout, route, wide, seat } = props;
  const spots = route.flatMap((point) => layout.stations.get(point) ?? []);
  return (
    <path
      class={props.class}
      d={lineThrough(spots)}
      style={`--seat:var(--p${seat})`}
      stroke-width={layout.lineWidth + wide}
    />
  );
}

/** Routes, below the lines: ridden by other players, declared by me, typed in the input. */
function Routes({ position, layout }: { position: At; layout: Layout }): VNode {
  const declared = declaredRoute(position);
  const draft = draftRoute(position);
  const picked = draft.length > 0 ? [] : chosenLines(position);
  const { seat, view } = position;
  const trail = seat === undefined ? [] : (view.seats[seat]?.trail ?? []);
  return (
    <g class="ways" aria-hidden="true">
      {[...ridden(position)].map(([seat, routes]) =>
        routes.map((route, at) => (
          <g key={`${seat} ${route[0]} ${at}`}>
            <Band layout={layout} route={route} class="ridden-edge" wide={7.5} />
            <Band layout={layout} route={route} class="ridden" seat={seat} wide={5} />
          </g>
        )),
      )}
      {trail.length > 1 && (
        <Band layout={layout} route={trail} class="trail" seat={seat} wide={6} />
      )}
      {declared.length > 0 && (
        <>
          <Band layout={layout} route={declared} class="planned-edge" wide={12} />
          <Band layout={layout} route={declared} class="planned" wide={8} />
        </>
      )}
      {layout.tracks
        .filter(({ id }) => picked.includes(id))
        .map(({ id, d }) => (
          <path key={id} class="picked" d={d} stroke-width={layout.lineWidth + 6} />
        ))}
      {draft.length > 0 && <Band layout={layout} route={draft} class="draft" wide={12} />}
    </g>
  );
}

function Dot({ station }: { station: Station }): VNode {
  const { r, destination } = station;
  if (!destination) return <circle class="dot" r={r} />;
  return <rect class="dot goal" x={-r} y={-r} width={2 * r} height={2 * r} rx={1.5} />;
}

/** All stations; the ones that may be chosen are on top, so that a tap hits them first. */
function Stations({ position, layout }: { position: At; layout: Layout }): VNode {
  const { moves, area, draft, fixed } = position;
  const may = mayChoose(position);
  const chosen = chosenPoint(position);
  // By the moves and not by the draft: the list of stations is stable while one is chosen.
  const top = new Set([...slotValues(moves, "point"), ...slotValues(moves, "destination")]);
  const region = moves.some((line) => line.verb === "region");
  const label = pointLabels(position);
  const named = draft.slots.region;
  const stop = (station: Station): VNode => {
    const { id, destination } = station;
    const ringed = may.has(id) || (region && destination && !layout.tiny);
    const picked = id === chosen || (named !== undefined && fixed.points[id]?.region === named);
    const text = label(id);
    const reach = Math.max(station.reach, ringed ? (area.touch ? 16 : 11) : 0);
    return (
      <Still key={id} of={[layout, ringed, picked, area.touch, text]}>
        {() => (
          <Place
            id={`station ${id}`}
            label={text}
            may={ringed}
            {...(picked && { chosen: true })}
            transform={moveTo(station)}
          >
            <circle class="reach" r={reach} />
            <Dot station={station} />
            <circle class="mark" r={layout.big ? 12 : 8} />
          </Place>
        )}
      </Still>
    );
  };
  const all = [...layout.stations.values()];
  return (
    <>
      {all.filter(({ id }) => !top.has(id)).map(stop)}
      <Still of={[layout]}>
        {() => (
          <g class="names" aria-hidden="true">
            {all.map(({ id, label, destination }) => (
              <MapName
                key={id}
                label={label}
                font={layout.font + (destination && layout.big ? 1.5 : 0)}
                class={destination ? "strong" : undefined}
              />
            ))}
          </g>
        )}
      </Still>
      {all.filter(({ id }) => top.has(id)).map(stop)}
    </>
  );
}

function Flag(props: {
  readonly at: Spot;
  readonly seat: number;
  readonly isMoving: boolean;
  /** Of several flags on one station. */
  readonly order: number;
  readonly side: Spot;
}): VNode {
  const { at, seat, isMoving, order, side } = props;
  const high = (isMoving ? 24 : 17) * side.y;
  const wide = (isMoving ? 19 : 13) * side.x;
  const notch = -4 * side.x;
  const cloth = isMoving ? 12 : 8;
  const top = side.y < 0 ? high : high - cloth;
  const x = at.x + order * (wide + 3 * side.x);
  return (
    <g class={`flag piece seat-${seat}`} transform={moveTo({ x, y: at.y })}>
      <path class="pole" d={`M0 0v${high}`} />
      <path d={`M0 ${top}h${wide}l${notch} ${cloth / 2} ${-notch} ${cloth / 2}h${-wide}z`} />
      {isMoving && (
        <text x={wide / 2 - side.x} y={top + 9.3} font-size={9.5}>
          {letterOf(seat)}
        </text>
      )}
    </g>
  );
}

function Pawns({ position, layout }: { position: At; layout: Layout }): VNode {
  const { view, seat: mySeat } = position;
  const r = pawnRadius(layout);
  const placed: VNode[] = [];
  const taken: Box[] = [];
  for (const [point, seats] of pawns(view)) {
    const foot = layout.stations.get(point);
    if (foot === undefined) continue;
    const middle = layout.pawnAt(point, seats.length, taken);
    for (const [at, seat] of seats.entries()) {
      const x = middle.x + (at - (seats.length - 1) / 2) * r * 1.95;
      const angle = Math.atan2(foot.y - middle.y, foot.x - x);
      const side = { x: Math.sin(angle) * r * 0.5, y: -Math.cos(angle) * r * 0.5 };
      const tip = { x: foot.x - x, y: foot.y - middle.y };
      placed.push(
        <g
          key={seat}
          class={seat === view.active ? "pawn active" : "pawn"}
          transform={moveTo({ x, y: middle.y })}
        >
          <g
            data-piece={`pawn ${seat}`}
            data-state={seat}
            data-route={offsetsTo(layout, lastRoute(position, seat))}
          >
            <path class="foot" d={`${lineThrough([side, tip, { x: -side.x, y: -side.y }])}z`} />
            <circle class="disc" r={r + 3} />
            <Piece seat={seat} r={r - 1.5} />
          </g>
        </g>,
      );
    }
  }
  const planted = [...flags(view)].flatMap(([point, seats]) => {
    const at = layout.stations.get(point);
    if (at === undefined) return [];
    return seats.map((seat, order) => (
      <Flag
        key={`flag ${seat}`}
        at={at}
        seat={seat}
        isMoving={seat === mySeat}
        order={order}
        side={layout.flagSide(point)}
      />
    ));
  });
  const paid = [...arrivals(position)].map(([seat, { point, payoff }]) => {
    const { x, y } = layout.pawnAt(point, 2, taken);
    return <Tag key={`paid ${seat}`} x={x} y={y} text={`+${payoff}`} seat={seat} />;
  });
  return (
    <g class="pawns" aria-hidden="true">
      {planted}
      {placed}
      {paid}
    </g>
  );
}

/** The offsets of a route's stations from its last one. */
function offsetsTo({ stations }: Layout, route: readonly string[]): string {
  const end = stations.get(route.at(-1) ?? "");
  if (end === undefined) return "";
  const offset = (point: string): string => {
    const { x, y } = stations.get(point) ?? end;
    return `${(x - end.x).toFixed(1)}px,${(y - end.y).toFixed(1)}px`;
  };
  return route.map(offset).join(" ");
}

/** The payments to other players on arrival since my last move, by station. */
function arrivals({ since, seat }: At) {
  const arrived = since.filter((event) => event.event === "arrived");
  return new Map(arrived.flatMap((each) => (each.seat === seat ? [] : [[each.seat, each]])));
}

function Layers(props: Sized<At> & { readonly level: number }): VNode {
  const { position, width, height, level } = props;
  const { fixed, lang, view, draft, moves, area, since, room, seat, look, answers } = position;
  const layout = layoutFor(fixed, width, height, level, lang);
  const { Land, Pills, Steps } = art.get();
  return (
    <g transform={`scale(${1 / level})`} class={layout.big ? "big" : "small"}>
      <Still of={[layout]}>{() => <Land layout={layout} lang={lang} />}</Still>
      <Still of={[layout, view, draft, since, look]}>
        {() => <Routes position={position} layout={layout} />}
      </Still>
      <Still of={[layout, view.owners]}>
        {() => <Tracks position={position} layout={layout} />}
      </Still>
      <Still of={[layout, view, moves, draft, area.touch, room]}>
        {() => <Stations position={position} layout={layout} />}
      </Still>
      <Still of={[layout, view, moves, draft, since, room, seat, answers]}>
        {() => (
          <>
            <Steps position={position} layout={layout} />
            <Pills position={position} layout={layout} />
            <Pawns position={position} layout={layout} />
          </>
        )}
      </Still>
    </g>
  );
}

/** The camera above a station; without one the whole map. */
function cameraAt({ fixed, lang }: At, point: string | undefined, size: Spot, zoom: number) {
  const { stations } = layoutFor(fixed, size.x, size.y, 1, lang);
  return cameraOn(stations.get(point ?? ""), size, zoom);
}

/** The camera at the first zoom step, with the pawn on the side away from its destination. */
function ahead(position: At, size: Spot, zoom: number): Camera {
  const at = cameraAt(position, myStop(position), size, zoom);
  const goal = myGoal(position);
  if (goal === undefined) return at;
  const to = cameraAt(position, goal, size, zoom);
  return { ...at, x: at.x + (Math.sign(to.x - at.x) * PAWN_SHIFT * size.x) / zoom };
}

/**
 * The aim of the camera: the target of a key, else the whole map, but for my own ride: a phone is
 * above the pawn, a larger map has it aside.
 */
function aimOf(position: At, size: Spot, [, first = 1, close = 1]: readonly number[]) {
  const { look, seat, view, area } = position;
  const on = (point?: string): Camera => cameraAt(position, point, size, close);
  if (typeof look.aim === "string") {
    const [what = ""] = look.aim.split(" ");
    const targets = new Map([
      ["me", myStop(position)],
      ["flag", myGoal(position)],
    ]);
    return { key: look.aim, camera: on(targets.get(what)) };
  }
  const isMoving = seat === view.active && view.phase === "move";
  const isSmall = area.width < NARROW;
  const point = myStop(position);
  if (!isMoving || point === undefined || (!isSmall && area.height < LOW)) {
    return { key: "whole", camera: on() };
  }
  const camera = isSmall ? on(point) : ahead(position, size, first);
  return { key: `turn ${view.turns} ${view.extra}`, camera };
}

export function RailwayMap(props: Sized<At>): VNode {
  const { position } = props;
  const { lang, area, fixed } = position;
  const { Overview } = art.get();
  const labels = strings(lang);
  return (
    <LeveledMap
      width={props.width}
      height={props.height}
      steps={(width, height) => stepsFor(fixed, width, height)}
      labels={labels}
      few={area.width < NARROW}
      aim={(size, steps) => aimOf(position, size, steps)}
      over={(sight) => <Overview position={position} sight={sight} />}
      buttons={(camera, go, size, steps) => {
        const close = Math.max(camera.zoom, steps[2] ?? 1);
        const button = (icon: "me" | "flag", point: string | undefined) =>
          point !== undefined && (
            <MapButton
              label={labels[icon]}
              icon={icon}
              onClick={() => go(cameraAt(position, point, size, close))}
            />
          );
        return (
          <>
            {button("me", myStop(position))}
            {button("flag", myGoal(position))}
          </>
        );
      }}
    >
      {(size, level) => <Layers position={position} width={size.x} height={size.y} level={level} />}
    </LeveledMap>
  );
}
