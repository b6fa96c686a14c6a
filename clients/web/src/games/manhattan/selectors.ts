// Selectors of Manhattan's view: sites, blocks and the draft. Reading only.

import { type Line, linesWith, type Position, type Seat, slotValues } from "../../board/index.ts";
import { joined, once, youOrName } from "../../board/parts.ts";
import { cityName, strings } from "./strings.ts";
import type { Event, View } from "./view.gen.ts";

export type Fixed = Readonly<Record<string, never>>;
export type At = Position<View, Event, Fixed>;

export interface Share {
  readonly seat: Seat;
  readonly floors: number;
}

export interface Building {
  readonly owner: Seat;
  readonly height: number;
  /** The owner first, then by floors. */
  readonly shares: readonly Share[];
}

export const SITES = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

export function buildingAt(view: View, city: string, site: number): Building | undefined {
  const result = view.cities[city]?.[String(site)];
  if (result === undefined) return undefined;
  const [floors, owner] = result;
  const shares = floors
    .map((count, at) => ({ seat: at + 1, floors: count }))
    .filter((share) => share.floors > 0)
    .sort((a, b) => Number(b.seat === owner) - Number(a.seat === owner) || b.floors - a.floors);
  return { owner, height: floors.reduce((sum, each) => sum + each, 0), shares };
}

export interface Tallest {
  readonly height: number;
  readonly alone: boolean;
}

/** The height of the tallest building, and whether it is the only one of that height. */
export const tallestIn = once((cities: View["cities"]): Tallest => {
  const heights = Object.values(cities)
    .flatMap((city) => Object.values(city))
    .map(([floors]) => floors.reduce((sum, each) => sum + each, 0));
  const height = Math.max(0, ...heights);
  return { height, alone: heights.filter((each) => each === height).length === 1 };
});

export interface Lead {
  readonly seats: readonly Seat[];
  readonly count: number;
}

/** The seats with most buildings of a city; several in a tie. */
export function leadIn(view: View, city: string): Lead {
  const counts = new Map<Seat, number>();
  for (const [, owner] of Object.values(view.cities[city] ?? {})) {
    counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  const count = Math.max(0, ...counts.values());
  const seats = [...counts.keys()].filter((seat) => counts.get(seat) === count);
  return { seats: seats.sort((a, b) => a - b), count };
}

/** Who has most buildings of a city, in words; nothing while it is empty. */
export function leadText(position: At, city: string): string {
  const { tieOf, mostOf, and } = strings(position.lang);
  const { seats, count } = leadIn(position.view, city);
  const names = seats.map((seat) => youOrName(position, seat)).join(and);
  return count === 0 ? "" : (seats.length > 1 ? tieOf : mostOf)(names, count);
}

export interface Just {
  readonly seat: Seat;
  readonly block: number;
}

/** The last block built on each site since my last move, by "city site". */
export function justBuilt(since: readonly Event[]): ReadonlyMap<string, Just> {
  const result = new Map<string, Just>();
  for (const event of since) {
    if (event.event === "built" || event.event === "captured") {
      result.set(`${event.city} ${event.site}`, { seat: event.seat, block: event.block });
    }
  }
  return result;
}

/** The site of a card: with turned cards it is a quarter turn further for each seat. */
export function siteOfCard(card: number, position: At): number {
  const { view, seat } = position;
  if (!view.turned_cards || seat === undefined) return card;
  let row = Math.floor((card - 1) / 3);
  let column = (card - 1) % 3;
  for (let turn = 1; turn < seat; turn += 1) [row, column] = [column, 2 - row];
  return row * 3 + column + 1;
}

/** The sites of my cards, also while other players are to move. */
export function handSites(position: At): ReadonlySet<number> {
  const { seat, view } = position;
  const hand = seat === undefined ? undefined : view.seats[seat]?.hand;
  return new Set((hand ?? []).map((card) => siteOfCard(card, position)));
}

/** Whether this site may be chosen next: it has a line with the chosen block. */
export function mayBuild(position: At, city: string, site: number): boolean {
  const { block, city: town, site: spot } = position.draft.slots;
  if (town !== undefined && spot === undefined && town !== city) return false;
  if (spot !== undefined && town === undefined && spot !== String(site)) return false;
  const blocks = fitting(position, city, site);
  return block === undefined ? blocks.length > 0 : blocks.includes(block);
}

/** The blocks that may be built on each site, by "city site". */
const fittingIn = once((moves: readonly Line[]): ReadonlyMap<string, readonly string[]> => {
  const result = new Map<string, Set<string>>();
  for (const { verb, slots } of moves) {
    if (verb !== "build" || slots.block === undefined) continue;
    const place = `${slots.city} ${slots.site}`;
    result.set(place, (result.get(place) ?? new Set()).add(slots.block));
  }
  return new Map([...result].map(([place, blocks]) => [place, [...blocks].toSorted()]));
});

/** My blocks that may be built on a site. */
export function fitting(position: At, city: string, site: number): readonly string[] {
  return fittingIn(position.moves).get(`${city} ${site}`) ?? [];
}

/** The different blocks that I could build with now. */
export function buildable(position: At): readonly string[] {
  return slotValues(linesWith(position.moves, {}, "build"), "block");
}

/** The content of a site, in one sentence. */
export function siteSentence(position: At, city: string, site: number): string {
  const { view, lang } = position;
  const labels = strings(lang);
  const name = cityName(position, city);
  const building = buildingAt(view, city, site);
  if (building === undefined) return labels.empty(name, site);
  const shares = building.shares.map(({ seat, floors }) =>
    seat === building.owner
      ? labels.onTop(youOrName(position, seat), floors)
      : labels.share(youOrName(position, seat), floors),
  );
  return labels.built(name, site, building.height, shares.join(labels.and));
}

/** The same with its peculiarities and the legal actions. */
export function siteLabel(position: At, city: string, site: number, just: Just | undefined) {
  const labels = strings(position.lang);
  const { height, alone } = tallestIn(position.view.cities);
  const blocks = fitting(position, city, site);
  return joined(
    labels.clause,
    siteSentence(position, city, site),
    buildingAt(position.view, city, site)?.height === height &&
      (alone ? labels.tallest : labels.tallestTie),
    just && labels.just(youOrName(position, just.seat), just.block),
    blocks.length > 0 && labels.fits(blocks.join(labels.and)),
  );
}

// Taking blocks: the list in the line, largest first as in the server's lines.

/** How many blocks are to be taken. */
export function takeCount(position: At): number {
  const line = position.moves.find((each) => each.verb === "take");
  return line?.slots.blocks?.split(" ").length ?? 0;
}

export function takeText(blocks: readonly string[]): string {
  const sorted = blocks.toSorted((a, b) => Number(b) - Number(a));
  return ["/take", ...sorted].join(" ");
}

/** Whether the table of all players is open: until the line changes, as its cities are to be pressed. */
export function isTableOpen({ look, draft }: At): boolean {
  return look.table === draft.text;
}

/** The number of rounds of the game. */
export function roundsOf(view: View): number {
  return view.sixrounds ? 6 : 4;
}

/** The sizes of blocks, the largest first: "4 3 2". */
export function sizesText(blocks: readonly number[]): string {
  return blocks.toSorted((a, b) => b - a).join(" ");
}

/** The sizes among some blocks, the largest first, each with its count. */
export function byCount(blocks: readonly number[]): readonly (readonly [number, number])[] {
  return [4, 3, 2, 1]
    .map((size) => [size, blocks.filter((each) => each === size).length] as const)
    .filter(([, count]) => count > 0);
}
