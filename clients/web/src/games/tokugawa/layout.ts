// The layout of the map: computed once for a size, zoom and language, and cached.
//
// All in pixels of the screen at that zoom. Names take the cheapest of some positions each,
// capitals first, and are left out rather than drawn over a piece or another name.

import {
  around,
  type Box,
  crosses,
  LabelGrid,
  type Lang,
  type Spot,
  widthOf,
} from "../../board/index.ts";
import {
  between,
  distance,
  isWithin,
  type Label,
  labelBeside,
  labelBox,
  layoutsOf,
  nearest,
} from "../../board/mapLayout.ts";
import banks from "./banks.json";
import type { Fixed, Road } from "./selectors.ts";
import sides from "./sides.json";

type Town = Fixed["towns"][string];

export interface Place extends Town {
  readonly id: string;
  readonly label: Label | undefined;
  /** The radius in which a tap hits it. */
  readonly reach: number;
}

export interface DrawnRoad extends Road {
  readonly from: Spot;
  readonly to: Spot;
}

export interface Bank extends Spot {
  readonly province: string;
  readonly side: string;
  /** Empty if there is room for the number alone. */
  readonly text: string;
  readonly width: number;
}

export interface Layout {
  /** Pixels per unit of the canvas. */
  readonly scale: number;
  readonly font: number;
  /** Of a samurai, of a capital. */
  readonly r: number;
  readonly capitalR: number;
  /** Whether a piece is big enough for its strength beside it. */
  readonly discs: boolean;
  readonly places: ReadonlyMap<string, Place>;
  readonly roads: readonly DrawnRoad[];
  /** The transform of the coast, whose paths are on a canvas of their own. */
  readonly coast: string;
  readonly banks: readonly Bank[];
}

/** The section of the canvas that is land. */
const LEFT = 30;
const TOP = 28;
const WIDTH = 985 - LEFT;
const HEIGHT = 962 - TOP;
/** From these scales on: all names and discs; distinguishable pieces. */
export const CLEAR = 0.68;
const SMALL = 0.5;

/** The canvas of the coast is as many times as wide as that of the towns. */
const STRETCH = 1.32;

/** The map is stretched in width as far as there is room, so that the names have space. */
function stretchOf(width: number, height: number): number {
  return Math.min(STRETCH, Math.max(1.05, (width / height) * (HEIGHT / WIDTH)));
}

/** The positions of the banks: above sea or empty land of their province, on the canvas. */
const BANKS: Readonly<Record<string, readonly number[]>> = banks;

/** Names of towns within this distance are in each other's way. */
const NEAR = 100;

const WEIGHT = { road: 0.3, port: 1.5, works: 2, lives: 4, piece: 9, bank: 30, name: 30 } as const;
const LIMIT = 2.4;

function banksOf(fixed: Fixed, lang: Lang, at: (x: number, y: number) => Spot, scale: number) {
  return Object.entries(fixed.provinces).map(([province, named]): Bank => {
    const [x = 0, y = 0] = BANKS[province] ?? [];
    const text = scale < SMALL ? "" : named[lang];
    const width = text === "" ? 26 : widthOf(text, 12.6) + 50;
    return { province, side: named.side, ...at(x, y), text, width };
  });
}

/** Boxes of everything except names. */
function labelGridOf(
  layout: Omit<Layout, "places">,
  spots: ReadonlyMap<string, Spot>,
  fixed: Fixed,
) {
  const grid = new LabelGrid();
  for (const { from, to } of layout.roads) {
    const steps = Math.max(2, Math.round(distance(from, to) / 8));
    for (let n = 1; n < steps; n += 1) {
      const { x, y } = between(from, to, n / steps);
      grid.add(around(x, y, 4), WEIGHT.road);
    }
    const sign = between(from, to, 0.5);
    grid.add(around(sign.x, sign.y, 9 * Math.min(1, layout.scale + 0.1)), WEIGHT.works);
  }
  for (const bank of layout.banks)
    grid.add(around(bank.x, bank.y, bank.width / 2, 13), WEIGHT.bank);
  for (const [id, { x, y }] of spots) {
    const town = fixed.towns[id];
    const r = town?.capital ? layout.capitalR : layout.r;
    grid.add(around(x, y, r * 1.12), WEIGHT.piece);
    if (layout.discs) grid.add(around(x + r * 0.85, y + r * 0.8, 8), WEIGHT.piece);
    if (layout.discs) grid.add(around(x - r - 16, y, 15, 8), WEIGHT.works);
    if (town?.port) grid.add(around(x - r, y + r, 8, 6), WEIGHT.port);
    if (town?.capital) grid.add(around(x, y - r - 9, 18, 6), WEIGHT.lives);
  }
  return grid;
}

interface Written {
  readonly cost: number;
  readonly box: Box;
  readonly label: Label;
}

/** How far a spot is from a box. */
function farFrom({ left, top, right, bottom }: Box, { x, y }: Spot): number {
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}

/** The cheapest free side of a spot for a text, nearer to it than to any other; undefined: none. */
function cheapest(
  grid: LabelGrid,
  taken: readonly Box[],
  neighbours: readonly Spot[],
  spot: Spot,
  r: number,
  text: string,
  font: number,
  size: Spot,
): Written | undefined {
  // Some fonts that a system may have are wider than neighbours.
  const width = widthOf(text, font) * 1.05;
  const written = sides.map((side, n): Written => {
    const label = labelBeside(spot, side, r, text, font);
    const box = labelBox(label, width, font);
    const out = isWithin(box, size) ? 0 : LIMIT;
    return { cost: grid.cost(box) / (width * font) + n * 0.05 + out, box, label };
  });
  return written
    .filter(({ box, cost }) => cost <= LIMIT && !taken.some((other) => crosses(other, box)))
    .filter(({ box }) => neighbours.every((other) => farFrom(box, spot) < farFrom(box, other)))
    .sort((a, b) => a.cost - b.cost)[0];
}

/** The order in which names are placed: capitals, then towns with many towns around. */
function crowded(fixed: Fixed, town: Town): number {
  const near = Object.values(fixed.towns).filter((other) => distance(other, town) < NEAR);
  return town.capital ? 1000 : near.length;
}

function namesOf(
  fixed: Fixed,
  lang: Lang,
  layout: Omit<Layout, "places">,
  spots: ReadonlyMap<string, Spot>,
  size: Spot,
): ReadonlyMap<string, Label> {
  const grid = labelGridOf(layout, spots, fixed);
  const placed = new Map<string, Label>();
  const taken: Box[] = [];
  const wanted = Object.entries(fixed.towns)
    .filter(([, { capital }]) => capital || layout.scale >= SMALL)
    .sort(([, a], [, b]) => crowded(fixed, b) - crowded(fixed, a));
  for (const [id, town] of wanted) {
    const r = town.capital ? layout.capitalR : layout.r;
    const spot = spots.get(id) ?? { x: 0, y: 0 };
    const neighbours = [...spots.values()].filter((other) => other !== spot);
    const best = cheapest(grid, taken, neighbours, spot, r, town[lang], layout.font, size);
    if (best === undefined) continue;
    placed.set(id, best.label);
    taken.push(best.box);
    grid.add(best.box, WEIGHT.name);
  }
  return placed;
}

function made(fixed: Fixed, width: number, height: number, level: number, lang: Lang): Layout {
  const scale = scaleOf(width, height) * level;
  const wide = stretchOf(width, height);
  const left = (width * level - WIDTH * wide * scale) / 2;
  const top = (height * level - HEIGHT * scale) / 2;
  const at = (x: number, y: number): Spot => ({
    x: left + (x - LEFT) * wide * scale,
    y: top + (y - TOP) * scale,
  });
  const spots = new Map(Object.entries(fixed.towns).map(([id, { x, y }]) => [id, at(x, y)]));
  const spot = (id: string): Spot => spots.get(id) ?? { x: 0, y: 0 };
  const r = Math.min(16, Math.max(7, 17.5 * scale));
  const layout = {
    scale,
    font: scale < CLEAR ? 11 : 12,
    r,
    capitalR: r * 1.27,
    discs: scale >= CLEAR,
    roads: fixed.roads.map((road) => ({ ...road, from: spot(road.a), to: spot(road.b) })),
    coast: `translate(${left - LEFT * wide * scale} ${top - TOP * scale}) scale(${(wide / STRETCH) * scale} ${scale})`,
    banks: banksOf(fixed, lang, at, scale),
  };
  const names = namesOf(fixed, lang, layout, spots, { x: width * level, y: height * level });
  const places = new Map<string, Place>();
  for (const [id, town] of Object.entries(fixed.towns)) {
    const here = spot(id);
    const reach = Math.min(24, nearest(here, [...spots.values()]) / 2);
    places.set(id, { ...town, ...here, id, label: names.get(id), reach });
  }
  return { ...layout, places };
}

/** Pixels per unit when the whole map is shown. */
export function scaleOf(width: number, height: number): number {
  return Math.min(width / (WIDTH * stretchOf(width, height)), height / HEIGHT);
}

/** The zooms: the whole map, all names, and close. */
export function stepsFor(width: number, height: number): readonly number[] {
  const fullScale = scaleOf(width, height);
  const clear = Math.max(1.5, 0.86 / fullScale);
  return [1, clear, clear * 1.6];
}

/** The layout of a map of this size at a zoom. */
export const layoutFor = layoutsOf(made);
