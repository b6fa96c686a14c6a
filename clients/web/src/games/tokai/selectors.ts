// Selectors of Tokai's view and static data: names, owners, positions, the route of a leg.

import type { Answer } from "../../board/contract.ts";
import { type Lang, type Line, linesWith, type Position, slotValues } from "../../board/index.ts";
import { hasLine, once, seatsOf } from "../../board/parts.ts";
import { listIn } from "../../board/picks.ts";
import type { Answers, Event, Fixed, View, Way } from "./view.gen.ts";

export type { Fixed };

/** A railway line; a fork is a second path. */
export type Railway = Fixed["lines"][number];

export type At = Position<View, Event, Fixed>;

/** Lookup tables, computed once for the static data of a game. */
export interface Atlas {
  readonly line: ReadonlyMap<string, Railway>;
  /** The lines at a station, in the order of the map. */
  readonly at: ReadonlyMap<string, readonly string[]>;
  readonly destinations: readonly string[];
}

export const atlasOf = once((fixed: Fixed): Atlas => {
  const at = new Map<string, string[]>();
  for (const { id, paths } of fixed.lines) {
    for (const point of new Set(paths.flat())) at.set(point, [...(at.get(point) ?? []), id]);
  }
  return {
    line: new Map(fixed.lines.map((line) => [line.id, line])),
    at,
    destinations: fixed.regions.flatMap((region) => region.destinations),
  };
});

/** The paths of a line as drawn: a loop returns to its start. */
export function pathsOf(line: Railway): readonly (readonly string[])[] {
  if (!line.loop) return line.paths;
  return line.paths.map((path) => [...path, ...path.slice(0, 1)]);
}

export function pointName(fixed: Fixed, point: string, lang: Lang): string {
  return fixed.points[point]?.[lang] ?? point;
}

export function lineName(fixed: Fixed, line: string, lang: Lang): string {
  return atlasOf(fixed).line.get(line)?.[lang] ?? line;
}

/** What a line costs, or the express ticket. */
export function priceOf(fixed: Fixed, item: string): number {
  return item === "express"
    ? fixed.express_ticket_price
    : (atlasOf(fixed).line.get(item)?.price ?? 0);
}

/** A line's name without its company, for a small map. */
export function shortName(line: Railway, lang: Lang): string {
  if (lang === "ja") return line.ja.replace("地下鉄", "");
  return line.en
    .replace(/ (Main )?Line$/, "")
    .replace("Subway ", "")
    .replace("Meitetsu ", "M. ");
}

export function regionName(fixed: Fixed, region: string, lang: Lang): string {
  return fixed.regions.find((each) => each.id === region)?.[lang] ?? region;
}

/** The position of a seat's pawn: the end of its trail, or of its declared legs. */
export function placeOfPawn(view: View, seat: number): string | undefined {
  const declared =
    seat === view.active && view.phase === "move" ? view.legs.at(-1)?.[1] : undefined;
  return declared ?? view.seats[seat]?.trail.at(-1);
}

/** The station of my pawn. */
export function myStop({ view, seat }: Pick<At, "view" | "seat">): string | undefined {
  return seat === undefined ? undefined : placeOfPawn(view, seat);
}

export function myGoal({ view, seat }: Pick<At, "view" | "seat">): string | undefined {
  return view.seats[seat ?? 0]?.destination;
}

/** The seats by a station. */
function seatsBy(view: View, stationOf: (seat: number) => string | undefined) {
  const result = new Map<string, number[]>();
  for (const seat of seatsOf(view)) {
    const station = stationOf(seat);
    if (station !== undefined) result.set(station, [...(result.get(station) ?? []), seat]);
  }
  return result;
}

/** The seats by the station of their pawns. */
export function pawns(view: View) {
  return seatsBy(view, (seat) => placeOfPawn(view, seat));
}

/** The seats by the station of their destinations. */
export function flags(view: View) {
  return seatsBy(view, (seat) => view.seats[seat]?.destination);
}

/** The lines that a seat owns, or that have no owner, dearest first. */
export function owned({ fixed, view }: At, seat?: number): readonly Railway[] {
  return fixed.lines
    .filter((line) => view.owners[line.id] === seat)
    .toSorted((a, b) => b.price - a.price);
}

/** The payment for a trip between two destinations, by the table. */
export function payoffOf(fixed: Fixed, one: string, other: string): number | undefined {
  const { destinations } = atlasOf(fixed);
  const [low = -1, high = -1] = [destinations.indexOf(one), destinations.indexOf(other)].sort(
    (a, b) => a - b,
  );
  return low < 0 || low === high ? undefined : fixed.payoffs[low]?.[high - low - 1];
}

/** The stations that a press may choose now, by the lines that fit the draft. */
export function mayChoose(position: At): ReadonlySet<string> {
  const { moves, draft } = position;
  const { line } = draft.verb === "go" ? draft.slots : {};
  const rides = linesWith(moves, line === undefined ? {} : { line }, "go");
  const named = linesWith(moves, {}, "dest");
  return new Set([...slotValues(rides, "point"), ...slotValues(named, "destination")]);
}

export function chosenPoint({ draft }: At): string | undefined {
  return draft.slots.point ?? draft.slots.destination;
}

/** The legal legs to the chosen station, while there is more than one. */
export function rivals({ draft }: At): readonly Line[] {
  return draft.verb === "go" && draft.slots.point !== undefined ? draft.lines : [];
}

/** The stations along a line between two of its own, both included; empty if there is no route. */
export function along(line: Railway, from: string, to: string): readonly string[] {
  const before = new Map<string, string>([[from, from]]);
  const waiting = [from];
  for (let here = waiting.shift(); here !== undefined; here = waiting.shift()) {
    if (here === to) break;
    for (const next of neighbours(line, here)) {
      if (before.has(next)) continue;
      before.set(next, here);
      waiting.push(next);
    }
  }
  const route: string[] = [];
  let here = before.has(to) ? to : undefined;
  while (here !== undefined) {
    route.unshift(here);
    here = here === from ? undefined : before.get(here);
  }
  return route;
}

function neighbours(line: Railway, point: string): readonly string[] {
  return pathsOf(line).flatMap((path) =>
    path.flatMap((each, at) =>
      each === point ? [path[at - 1], path[at + 1]].filter((next) => next !== undefined) : [],
    ),
  );
}

/** The route round a loop; `cw` is clockwise on the map. */
function around(
  fixed: Fixed,
  line: Railway,
  from: string,
  to: string,
  turn: string,
): readonly string[] {
  const ring = line.paths[0] ?? [];
  const area = ring.reduce((sum, point, at) => {
    const a = fixed.points[point];
    const b = fixed.points[ring[(at + 1) % ring.length] ?? ""];
    return a === undefined || b === undefined ? sum : sum + (b.x - a.x) * (b.y + a.y);
  }, 0);
  const ordered = area < 0 === (turn === "cw") ? ring : ring.toReversed();
  const start = ordered.indexOf(from);
  const turned = [...ordered.slice(start), ...ordered.slice(0, start)];
  return turned.slice(0, turned.indexOf(to) + 1);
}

/** The stations of a leg. */
export function routeOf(
  fixed: Fixed,
  line: string,
  from: string,
  to: string,
  turn = "",
): readonly string[] {
  const railway = atlasOf(fixed).line.get(line);
  if (railway === undefined) return [];
  if (turn !== "" && railway.loop) return around(fixed, railway, from, to, turn);
  return along(railway, from, to);
}

/** The stations of the legs declared on this ride, from where the pawn set off. */
export function declaredRoute({ fixed, view }: At): readonly string[] {
  let here = view.seats[view.active]?.trail.at(-1);
  const route = here === undefined ? [] : [here];
  for (const [line, point, turn] of view.legs) {
    if (here !== undefined) route.push(...routeOf(fixed, line, here, point, turn).slice(1));
    here = point;
  }
  return route.length > 1 ? route : [];
}

/** The stations of the leg in the input. */
export function draftRoute(position: At): readonly string[] {
  const { draft, fixed } = position;
  const only = draft.lines.length === 1 ? draft.lines[0] : draft.complete;
  const from = myStop(position);
  if (only?.verb !== "go" || from === undefined) return [];
  const { line = "", point = "", cw, ccw } = only.slots;
  return routeOf(fixed, line, from, point, cw ?? ccw ?? "");
}

/** The routes of an answer to `/route`: none if none is left. */
export function routeOptionsOf(answer: Answer | undefined): readonly (readonly [RouteKind, Way])[] {
  const { routes = [] } = (answer?.data ?? {}) as Partial<Answers["route"]>;
  return routes.map((route, at) => {
    const kind = at > 0 ? "routeCheapest" : routes.length > 1 ? "routeShortest" : "routeBest";
    return [kind, route];
  });
}

type RouteKind = "routeBest" | "routeShortest" | "routeCheapest";

/** The lines and prices that a press may choose now, by the first slots of the moves. */
export function onOffer({ moves }: At): ReadonlySet<string> {
  const result = new Set<string>();
  for (const { verb, slots, text } of moves) {
    if (verb === "buy" && slots.item !== undefined) result.add(slots.item);
    if (verb === "sell" && slots.line !== undefined) result.add(slots.line);
    if (verb === "prebuy") for (const value of text.split(" ").slice(1)) result.add(value);
  }
  return result;
}

/** The lines that the line in the input names, and the one in an auction. */
export function chosenLines(position: At): readonly string[] {
  const { slots } = position.draft;
  const sold = position.view.auction?.line;
  return [slots.item, slots.line, sold, ...listIn(position, "prebuy").picks].filter(
    (line) => line !== undefined,
  );
}

/** The stations of a ride's steps in their order, without the one where it begins. */
export function stepsAhead(position: At): readonly string[] {
  return position.draft.complete === undefined ? [] : draftRoute(position).slice(1);
}

/** The last station on a line towards another one that can be reached now. */
export function farthest(position: At, line: string, to: string): string | undefined {
  const { fixed, moves } = position;
  const from = myStop(position);
  if (from === undefined) return undefined;
  const route = routeOf(fixed, line, from, to).slice(1);
  return route.findLast((point) => hasLine(moves, { line, point }, "go"));
}

/**
 * The routes that other players rode since my last move, as far as trails and events contain them.
 */
export function ridden({ fixed, view, since, seat: mySeat }: At): ReadonlyMap<number, string[][]> {
  const result = new Map<number, string[][]>();
  const last = new Map<number, string>();
  for (const event of since) {
    if (event.event === "started" || event.event === "arrived") last.set(event.seat, event.point);
    if (event.event !== "rode") continue;
    const { seat, line, point } = event;
    const from = last.get(seat) ?? boarded(fixed, view.seats[seat]?.trail ?? [], event);
    last.set(seat, point);
    if (seat === mySeat || from === undefined) continue;
    const route = [...routeOf(fixed, line, from, point)];
    if (route.length > 1) result.set(seat, [...(result.get(seat) ?? []), route]);
  }
  return result;
}

/** The stations of the last ride of a seat, if its pawn stands at their end. */
export function lastRoute(position: At, seat: number): readonly string[] {
  const { fixed, view } = position;
  const [line, point = "", turn] = view.legs.at(-1) ?? [];
  const from = view.legs.at(-2)?.[1] ?? view.seats[seat]?.trail.at(-1) ?? "";
  const isDeclared = seat === view.active && view.phase === "move" && line !== undefined;
  const route = isDeclared
    ? routeOf(fixed, line, from, point, turn)
    : (ridden(position).get(seat)?.at(-1) ?? []);
  return route.at(-1) === placeOfPawn(view, seat) ? route : [];
}

/** Where the first ride in the events started: in the trail, unless the trip is over. */
function boarded(
  fixed: Fixed,
  trail: readonly string[],
  { line, point }: { readonly line: string; readonly point: string },
): string | undefined {
  const at = trail.indexOf(point);
  const railway = atlasOf(fixed).line.get(line);
  if (at < 1 || railway === undefined) return undefined;
  let first = at;
  while (first > 0 && neighbours(railway, trail[first] ?? "").includes(trail[first - 1] ?? "")) {
    first -= 1;
  }
  return trail[first];
}

/** Lines that found an owner since my last move. */
export function justSold({ since }: At): ReadonlySet<string> {
  return new Set(
    since.flatMap((event) =>
      event.event === "bought" || event.event === "auction_won" || event.event === "sold_to_bank"
        ? event.line
        : [],
    ),
  );
}

/** The legal bids, lowest first, in yen. */
export function bidsOf({ moves }: At): readonly number[] {
  return moves.flatMap((line) => yenOf(line) ?? []).sort((a, b) => a - b);
}

/** The bid in the input, if it is legal. */
export function bidOf({ draft }: At): number | undefined {
  return draft.complete && yenOf(draft.complete);
}

/** The yen of a bid; not of "/bid pass". */
function yenOf({ text }: Line): number | undefined {
  const bid = /^\/bid (\d+)$/.exec(text)?.[1];
  return bid === undefined ? undefined : Number(bid);
}

/** From this width on the tray has room for the route to the destination. */
const ROOMY = 880;

/**
 * The query for the route to my destination, while I ride: sent automatically if the tray has room
 * for the answer.
 */
export function myRouteQuery(position: At): string | undefined {
  const { view, seat, moves, area } = position;
  if (area.width < ROOMY || seat !== view.active) return undefined;
  const to = myGoal(position);
  const riding = view.phase === "move" && moves.length > 0;
  return riding && to !== undefined && to !== myStop(position) ? `/route ${to}` : undefined;
}
