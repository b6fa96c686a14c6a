// The layout of the map: computed once for a size, zoom and language, and cached.
//
// All in pixels of the screen at that zoom. Names take the cheapest of sixteen positions each, the
// most important first, and are left out rather than drawn over another.

import type { Lang } from "../../board/index.ts";
import { around, type Box, crosses, LabelGrid, type Spot, widthOf } from "../../board/index.ts";
import {
  between,
  distance,
  isWithin,
  type Label,
  labelBeside,
  labelBox,
  layoutsOf,
  lineThrough,
  nearest,
} from "../../board/mapLayout.ts";
import { atlasOf, type Fixed, pathsOf, type Railway, shortName } from "./selectors.ts";
import sides from "./sides.json";

export interface Station extends Spot {
  readonly id: string;
  readonly r: number;
  readonly destination: boolean;
  readonly label: Label | undefined;
  /** The radius in which a tap hits it. */
  readonly reach: number;
}

export interface Track extends Railway {
  readonly d: string;
  /** The positions of the owner's pieces. */
  readonly badges: readonly Spot[];
  /** The position of the name, at a zoom that shows it. */
  readonly pill: (Spot & { readonly text: string; readonly width: number }) | undefined;
  /** The position of the price while lines are chosen. */
  readonly tag: Spot;
}

export interface Layout {
  readonly big: boolean;
  /** Whether the map is so small that only the most important names have room. */
  readonly tiny: boolean;
  readonly lineWidth: number;
  readonly font: number;
  readonly stations: ReadonlyMap<string, Station>;
  readonly tracks: readonly Track[];
  /** From the coordinates of the map to the screen. */
  readonly put: (x: number, y: number) => Spot;
  /** Where a flag covers least: right (1) or left (-1) of its station, below (1) or above it. */
  readonly flagSide: (point: string) => Spot;
  /** The side of a station where a pawn covers least. */
  readonly pawnAt: (point: string, count: number, taken: Box[]) => Spot;
}

/** The largest factor by which the map is stretched in width. */
const STRETCH_MAX = 1.46;
const MARGIN = 30;
const FLAG_SIDES: readonly [Spot, ...Spot[]] = [
  { x: 1, y: -1 },
  { x: -1, y: -1 },
  { x: 1, y: 1 },
  { x: -1, y: 1 },
];
const NARROW = 600;
/** Pixels per unit, from which on every station has its name; and at the third step. */
const BIG = 1.4;
const CLOSE = 1.5;

/** The weights of what a label may cover, the highest last. */
const WEIGHT = { line: 0.35, station: 4, badge: 5, pill: 20, tag: 60, name: 30 } as const;

/** The cost limit of names, by area: destinations are worth more. */
const LIMIT = { destination: 1.1, other: 0.5, tiny: 0.42 } as const;

interface Plan {
  readonly fixed: Fixed;
  readonly lang: Lang;
  readonly size: Spot;
  readonly big: boolean;
  readonly tiny: boolean;
  readonly font: number;
  readonly spot: ReadonlyMap<string, Spot>;
  readonly grid: LabelGrid;
}

/** The offset of a line from the middle of each of its sections, so that all lines are visible. */
function asides(fixed: Fixed, step: number): ReadonlyMap<string, number> {
  const users = new Map<string, Set<string>>();
  for (const line of fixed.lines) {
    for (const path of pathsOf(line)) {
      for (const [at, point] of path.slice(1).entries()) {
        const key = [path[at] ?? "", point].sort().join(" ");
        users.set(key, (users.get(key) ?? new Set()).add(line.id));
      }
    }
  }
  const counts = new Map<string, number>();
  for (const [key, lines] of users) {
    const sorted = [...lines].sort();
    for (const [at, line] of sorted.entries()) {
      counts.set(`${key} ${line}`, (at - (sorted.length - 1) / 2) * step);
    }
  }
  return counts;
}

/** The bends of a line's path, beside the lines that share its section. */
function bends(
  plan: Plan,
  line: string,
  path: readonly string[],
  offsets: ReadonlyMap<string, number>,
): readonly Spot[] {
  return path.map((point, at) => {
    const here = plan.spot.get(point) ?? { x: 0, y: 0 };
    let x = 0;
    let y = 0;
    let count = 0;
    for (const from of [at - 1, at]) {
      const ends = [path[from] ?? "", path[from + 1] ?? ""].sort();
      const off = offsets.get(`${ends.join(" ")} ${line}`) ?? 0;
      const [a, b] = [plan.spot.get(ends[0] ?? ""), plan.spot.get(ends[1] ?? "")];
      if (off === 0 || a === undefined || b === undefined) continue;
      const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
      x -= ((b.y - a.y) / length) * off;
      y += ((b.x - a.x) / length) * off;
      count += 1;
    }
    const n = Math.max(count, 1);
    return { x: here.x + x / n, y: here.y + y / n };
  });
}

/** Points every few pixels of a path, as obstacles for labels. */
function fill(grid: LabelGrid, spots: readonly Spot[], width: number): void {
  for (const [at, to] of spots.slice(1).entries()) {
    const from = spots[at] ?? to;
    const parts = Math.max(1, Math.floor(distance(from, to) / 8));
    for (let i = 0; i <= parts; i += 1) {
      const { x, y } = between(from, to, i / parts);
      grid.add(around(x, y, width / 2), WEIGHT.line);
    }
  }
}

function middles(spots: readonly Spot[]): readonly Spot[] {
  return spots.slice(1).map((to, at) => between(spots[at] ?? to, to, 0.5));
}

/** The positions of the owner's pieces on a path: evenly spread, and away from all others. */
function badgesOn(plan: Plan, spots: readonly Spot[], used: Spot[]): readonly Spot[] {
  const free = middles(spots);
  const wanted = Math.max(1, Math.floor(free.length / (plan.big ? 6 : 11)));
  const apart = plan.big ? 26 : 18;
  const result: Spot[] = [];
  for (let i = 0; i < wanted; i += 1) {
    const ideal = ((i + 0.5) / wanted) * free.length;
    const near = [...free.entries()]
      .sort(([a], [b]) => Math.abs(a - ideal) - Math.abs(b - ideal))
      .map(([, spot]) => spot);
    const alone = near
      .slice(0, 6)
      .find((spot) => used.every((other) => distance(other, spot) > apart));
    const spot = alone ?? near[0];
    if (spot === undefined || (alone === undefined && result.length > 0)) continue;
    used.push(spot);
    result.push(spot);
    plan.grid.add(around(spot.x, spot.y, plan.big ? 8.5 : 6.5), WEIGHT.badge);
  }
  return result;
}

/** The cheapest position on a line for a box, with its cost. */
function cheapest(
  plan: Plan,
  spots: readonly Spot[],
  width: number,
  height: number,
): { readonly spot: Spot; readonly cost: number } {
  let best = { spot: spots[0] ?? { x: 0, y: 0 }, cost: Number.POSITIVE_INFINITY };
  for (const spot of spots) {
    const box = around(spot.x, spot.y, width / 2, height / 2);
    if (!isWithin(box, plan.size)) continue;
    const cost = plan.grid.cost(box);
    if (cost < best.cost) best = { spot, cost };
  }
  return best;
}

/** Positions along a path, a few pixels apart. */
function steps(spots: readonly Spot[]): readonly Spot[] {
  return spots.slice(1).flatMap((to, at) => {
    const from = spots[at] ?? to;
    const count = Math.max(1, Math.ceil(distance(from, to) / 7));
    return Array.from({ length: count }, (_, i) => between(from, to, (i + 0.5) / count));
  });
}

function pillOf(plan: Plan, line: Railway, spots: readonly Spot[]): Track["pill"] {
  const text = shortName(line, plan.lang);
  const width = widthOf(text, 11.5) + 14;
  const { spot, cost } = cheapest(plan, spots, width, 17);
  if (cost > 460) return undefined;
  plan.grid.add(around(spot.x, spot.y, width / 2, 8.5), WEIGHT.pill);
  return { ...spot, text, width };
}

/** How a name is written, and the least that it must be worth. */
function writing(plan: Plan, text: string, destination: boolean) {
  const size = plan.font + (destination && plan.big ? 1.5 : 0);
  const width = widthOf(text, size) * (destination && plan.lang === "en" ? 1.07 : 1);
  const worth = plan.tiny ? LIMIT.tiny : destination ? LIMIT.destination : LIMIT.other;
  return { size, width, most: width * size * worth, gap: plan.big ? 9 : 6 };
}

/** The box of a name, with some space before and after it. */
function boxOf(label: Label, size: number, width: number): Box {
  const { left, top, right } = labelBox(label, width, size);
  return { left: left - 2.5, top, right: right + 2.5, bottom: top + size * 1.08 };
}

function labelOf(plan: Plan, at: Spot, text: string, destination: boolean): Label | undefined {
  const { size, width, most, gap } = writing(plan, text, destination);
  let best: Label | undefined;
  let least = most;
  for (const [order, side] of sides.names.entries()) {
    const label = labelBeside(at, side, gap, text, size);
    const box = boxOf(label, size, width);
    if (!isWithin(box, plan.size)) continue;
    const cost = plan.grid.cost(box) + order * 1.5;
    if (cost >= least) continue;
    least = cost;
    best = label;
  }
  if (best !== undefined) plan.grid.add(boxOf(best, size, width), WEIGHT.name);
  return best;
}

function radiusOf(plan: Plan, destination: boolean, junction: boolean): number {
  if (plan.tiny) return destination ? 2.6 : 1.3;
  const base = plan.big ? 4.6 : 2.2;
  const more = plan.big ? 1.6 : 1;
  return base + (junction ? more : 0) + (destination ? 1.2 : 0);
}

function stationsOf(plan: Plan): ReadonlyMap<string, Station> {
  const { fixed, spot, big, grid, lang } = plan;
  const atlas = atlasOf(fixed);
  const destinations = new Set(atlas.destinations);
  const radius = (id: string): number =>
    radiusOf(plan, destinations.has(id), (atlas.at.get(id)?.length ?? 0) > 1);
  for (const [id, { x, y }] of spot) grid.add(around(x, y, radius(id)), WEIGHT.station);
  const rank = (id: string): number =>
    (destinations.has(id) ? 100 : 0) + (atlas.at.get(id)?.length ?? 0);
  const labels = new Map<string, Label | undefined>();
  for (const id of [...spot.keys()].sort((a, b) => rank(b) - rank(a))) {
    const at = spot.get(id);
    const name = fixed.points[id]?.[lang];
    const wanted = big || rank(id) > 2;
    if (at === undefined || name === undefined || !wanted) continue;
    labels.set(id, labelOf(plan, at, name, destinations.has(id)));
  }
  const all = [...spot.values()];
  return new Map(
    [...spot].map(([id, at]) => {
      const reach = Math.min(Math.max(nearest(at, all) / 2, 6), 22);
      const label = labels.get(id);
      return [id, { id, ...at, r: radius(id), destination: destinations.has(id), label, reach }];
    }),
  );
}

interface NamedLine extends Pick<Track, "pill"> {
  readonly line: Railway;
  readonly paths: readonly (readonly Spot[])[];
}

/** The position of each line's price; the shortest lines choose first. */
function tagsOf(plan: Plan, lines: readonly NamedLine[]): ReadonlyMap<string, Spot> {
  const tags = new Map<string, Spot>();
  const places = lines.map((each) => ({ ...each, spots: each.paths.flatMap(steps) }));
  for (const { line, pill, spots } of places.sort((a, b) => a.spots.length - b.spots.length)) {
    const spot = pill ?? cheapest(plan, spots, 32, 22).spot;
    tags.set(line.id, spot);
    if (pill === undefined) plan.grid.add(around(spot.x, spot.y, 16, 11), WEIGHT.tag);
  }
  return tags;
}

const PAWN_RADIUS = { big: 13, small: 10, tiny: 8 } as const;

/** Pixels per unit of the map, and the space left free at the lower edge. */
function scales(fixed: Fixed, mapWidth: number, mapHeight: number, zoom: number) {
  const [columns, rows] = fixed.canvas;
  const margin = MARGIN * zoom ** 0.5;
  // The buttons of a narrow map are above its lower edge.
  const below = mapWidth < NARROW ? 40 * zoom : 0;
  const wide = (mapWidth * zoom - 2 * margin) / columns;
  const high = (mapHeight * zoom - 2 * margin - below) / rows;
  const sx = Math.min(wide, high * STRETCH_MAX);
  return { sx, sy: Math.min(high, sx * 1.3), below };
}

/** The zoom steps of a map: the third one shows every station's name. */
export function stepsFor(fixed: Fixed, mapWidth: number, mapHeight: number): readonly number[] {
  const { sx, sy } = scales(fixed, mapWidth, mapHeight, 1);
  const close = Math.max(2.6, Math.round((CLOSE / Math.sqrt(sx * sy)) * 10) / 10);
  return [1, Math.round(Math.sqrt(close) * 10) / 10, close, Math.round(close * 17) / 10];
}

/** The size of a pawn. */
export function pawnRadius({ big, tiny }: Pick<Layout, "big" | "tiny">): number {
  return PAWN_RADIUS[big ? "big" : tiny ? "tiny" : "small"];
}

function made(fixed: Fixed, mapWidth: number, mapHeight: number, zoom: number, lang: Lang): Layout {
  const [columns, rows] = fixed.canvas;
  const { sx, sy, below } = scales(fixed, mapWidth, mapHeight, zoom);
  const size = { x: mapWidth * zoom, y: mapHeight * zoom };
  const left = (size.x - sx * columns) / 2;
  const top = (size.y - below - sy * rows) / 2;
  const scale = Math.sqrt(sx * sy);
  const big = scale > BIG;
  const tiny = scale < 0.5;
  const lineWidth = big ? 6 : tiny ? 2.8 : 4;
  const font = big ? 13 : 12;
  const put = (x: number, y: number): Spot => ({ x: left + x * sx, y: top + y * sy });
  const spot = new Map(Object.entries(fixed.points).map(([id, { x, y }]) => [id, put(x, y)]));
  const plan: Plan = { fixed, lang, size, big, tiny, font, spot, grid: new LabelGrid() };
  const offsets = asides(fixed, lineWidth + 1.5);
  const lines = fixed.lines.map((line) => ({
    line,
    paths: pathsOf(line).map((path) => bends(plan, line.id, path, offsets)),
  }));
  for (const path of lines.flatMap(({ paths }) => paths)) fill(plan.grid, path, lineWidth);
  const used: Spot[] = [];
  const badged = lines.map((each) => ({
    ...each,
    badges: each.paths.flatMap((path) => badgesOn(plan, path, used)),
  }));
  const named = badged.map((each) => ({
    ...each,
    pill: big ? pillOf(plan, each.line, each.paths.flatMap(middles)) : undefined,
  }));
  const stations = stationsOf(plan);
  const tags = tagsOf(plan, named);
  const tracks = named.map(({ line, paths, badges, pill }): Track => {
    const tag = tags.get(line.id) ?? { x: 0, y: 0 };
    return { ...line, d: paths.map(lineThrough).join(""), badges, pill, tag };
  });
  const radius = pawnRadius({ big, tiny });
  const pawnAt = (point: string, count: number, taken: Box[]): Spot => {
    const at = spot.get(point) ?? { x: 0, y: 0 };
    const half = radius * (1 + 0.95 * (count - 1)) + 3;
    const spots = sides.pawns.map(([dx = 0, dy = 0]) => ({
      x: at.x + dx * (half + 5),
      y: at.y + dy * (radius + 8),
    }));
    const costs = spots.map(({ x, y }, order) => {
      const box = around(x, y, half, radius + 3);
      const crossed = taken.filter((other) => crosses(box, other)).length;
      return plan.grid.cost(box) + order * 20 + crossed * 1e5 + (isWithin(box, size) ? 0 : 1e6);
    });
    const best = spots[costs.indexOf(Math.min(...costs))] ?? at;
    taken.push(around(best.x, best.y, half, radius + 3));
    return best;
  };
  const flagSide = (point: string): Spot => {
    const { x, y } = spot.get(point) ?? { x: 0, y: 0 };
    const cost = (side: Spot): number =>
      plan.grid.cost(around(x + 11 * side.x, y + 17 * side.y, 9, 8));
    return FLAG_SIDES.reduce((best, side) => (cost(side) < cost(best) ? side : best));
  };
  return { put, flagSide, big, tiny, lineWidth, font, stations, tracks, pawnAt };
}

/** The layout of a map of a given size on the screen, at a given zoom. */
export const layoutFor = layoutsOf(made);
