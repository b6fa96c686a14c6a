// Selectors of Tokugawa's view and moves by town: pieces, the draft, legal actions.

import {
  type Line,
  linesWith,
  type Position,
  type Seat,
  type Slots,
  slotValues,
} from "../../board/index.ts";
import { hasLine } from "../../board/parts.ts";
import type { Event, Fixed, View } from "./view.gen.ts";

export type { Fixed };

export type Weapon = "archer" | "spear" | "sword";
export type Kind = Weapon | "capital";
export type Building = "ship" | "garden" | "smithy" | "castle" | "shrine" | "wall";

export type Road = Fixed["roads"][number];
export type Contract = Fixed["contracts"][string];
export type Side = Contract["side"];

export type At = Position<View, Event, Fixed>;

export const WEAPONS: readonly Weapon[] = ["archer", "spear", "sword"];
export const BUILDINGS: readonly Building[] = [
  "ship",
  "garden",
  "smithy",
  "castle",
  "shrine",
  "wall",
];
export const SIDES: readonly Side[] = ["west", "centre", "east"];

/** The piece on a town. */
export interface Stander {
  readonly owner: Seat;
  readonly kind: Kind;
  /** A samurai that was forged; a capital that was hit. */
  readonly back: boolean;
  readonly weak: boolean;
}

export function standerOn({ view }: At, town: string): Stander | undefined {
  const result = view.pieces[town];
  if (result === undefined) return undefined;
  const [owner, kind, back, weak] = result;
  return { owner, kind, back, weak };
}

/** The round of a turn; each seat has a turn in it. */
export function roundOf({ number, seats }: View): number {
  return Math.ceil(number / Object.keys(seats).length);
}

/** The strength printed on a samurai; a capital has lives instead. */
export function strengthOf(fixed: Fixed, { kind, back }: Stander): number | undefined {
  return fixed.samurai[kind]?.strength[back ? 1 : 0];
}

/** The number of successful attacks that a capital still withstands. */
export function livesOf(piece: Stander): number {
  return piece.back ? 1 : 2;
}

export interface Works {
  readonly owner: Seat;
  /** 1: being built. */
  readonly castle: number;
  /** 1: not usable yet. */
  readonly shrine: number;
  readonly wall: boolean;
  readonly smithy: boolean;
  readonly garden: boolean;
  readonly ships: number;
}

export function worksOn({ view }: At, town: string): Works | undefined {
  const result = view.sites[town];
  if (result === undefined) return undefined;
  const [owner, castle, shrine, wall, smithy, garden, ships] = result;
  return { owner, castle, shrine, wall, smithy, garden, ships };
}

/** One kind of building on a town. */
interface Built {
  readonly building: Building;
  /** Whether it can be used. */
  readonly ready: boolean;
  readonly count: number;
}

/** The buildings of a town. */
export function builtOf(works: Works): readonly Built[] {
  const { castle, shrine, wall, smithy, garden, ships } = works;
  const built: readonly (readonly [Building, boolean, number])[] = [
    ["wall", true, Number(wall)],
    ["castle", castle === 2, Math.min(castle, 1)],
    ["shrine", shrine === 2, Math.min(shrine, 1)],
    ["smithy", true, Number(smithy)],
    ["garden", true, Number(garden)],
    ["ship", true, ships],
  ];
  return built
    .filter(([, , count]) => count > 0)
    .map(([building, ready, count]) => ({ building, ready, count }));
}

export function townName({ fixed, lang }: At, town: string): string {
  return fixed.towns[town]?.[lang] ?? town;
}

export function provinceName({ fixed, lang }: At, province: string): string {
  return fixed.provinces[province]?.[lang] ?? province;
}

/** A seat's letter is that of its capital: K and Y. */
export function letterOfSeat({ view, fixed }: Pick<At, "view" | "fixed">, seat: Seat): string {
  const capital = view.seats[seat]?.capital ?? "";
  return fixed.towns[capital]?.en.slice(0, 1) ?? "";
}

function has({ moves }: At, slots: Slots, verb: string): boolean {
  return hasLine(moves, slots, verb);
}

/** The verbs that a town of mine can be the subject of, the most likely first. */
const OF_TOWN = [
  ["move", "origin"],
  ["attack", "origin"],
  ["build", "town"],
  ["forge", "town"],
  ["dismiss", "town"],
] as const;

/** The act of a press on a town, as verb and slots; undefined: none is legal. */
export interface Choice {
  readonly verb: string;
  readonly slots: Slots;
  /** Whether a complete line is sent immediately. */
  readonly send: boolean;
}

/** The decisions in which a town is the complete answer. */
const AT_ONCE = [
  ["support", "supporter"],
  ["retreat", "town"],
  ["place", "town"],
] as const;

function answerOf(position: At, town: string): Choice | undefined {
  for (const [verb, slot] of AT_ONCE) {
    if (has(position, { [slot]: town }, verb)) return { verb, slots: { [slot]: town }, send: true };
  }
  return undefined;
}

/** The town as the target of the started line. */
function goingOn(position: At, town: string): Choice | undefined {
  const { verb, slots, complete } = position.draft;
  const { origin, town: goal } = slots;
  if (origin !== undefined && origin !== town) {
    for (const end of ["attack", "move"]) {
      const both = { origin, town };
      if (!has(position, both, end)) continue;
      // An attack waits for its button beside the odds; pressing the same town again presses it.
      const again = verb === end && complete !== undefined && goal === town;
      return { verb: end, slots: both, send: end === "move" || again };
    }
  }
  if (goal === undefined || (verb !== "attack" && verb !== "move")) return undefined;
  const both = { origin: town, town: goal };
  return has(position, both, verb) ? { verb, slots: both, send: verb === "move" } : undefined;
}

function begun(position: At, town: string): Choice | undefined {
  const result = OF_TOWN.find(([verb, slot]) => has(position, { [slot]: town }, verb));
  if (result !== undefined) return { verb: result[0], slots: { [result[1]]: town }, send: false };
  const { verb: typed, slots } = position.draft;
  for (const verb of ["attack", "levy", "move"]) {
    if (!has(position, { town }, verb)) continue;
    // The kind was chosen first: the town is the last value. A ship sails immediately.
    const last = verb === "move" || (typed === "levy" && slots.weapon !== undefined);
    return { verb, slots: { town }, send: last };
  }
  return undefined;
}

export function choiceOf(position: At, town: string): Choice | undefined {
  return answerOf(position, town) ?? goingOn(position, town) ?? begun(position, town);
}

/** The town of mine that the line acts on. */
export function subjectOf({ draft }: At): string | undefined {
  const { verb, slots } = draft;
  if (verb === "move" || verb === "attack") return slots.origin;
  if (verb === "build" || verb === "forge" || verb === "dismiss") return slots.town;
  return undefined;
}

const TOWN_SLOTS = ["origin", "town", "supporter"] as const;

/** The towns in the line. */
export function chosenTowns({ draft }: At): ReadonlySet<string> {
  const values = TOWN_SLOTS.map((slot) => draft.slots[slot]);
  return new Set(values.filter((value) => value !== undefined));
}

/** The ringed towns: without a started line mine that can act, else those that fit the line. */
export function mayChoose(position: At): ReadonlySet<string> {
  const { draft, moves } = position;
  const result = new Set<string>();
  const add = (lines: readonly Line[], slot: string): void => {
    for (const value of slotValues(lines, slot)) result.add(value);
  };
  if (draft.verb === undefined) {
    for (const [verb, slot] of AT_ONCE) add(linesWith(moves, {}, verb), slot);
    for (const verb of ["move", "attack"]) add(linesWith(moves, {}, verb), "origin");
    if (position.view.phase === "sailing") add(linesWith(moves, {}, "move"), "town");
  } else {
    const { origin } = draft.slots;
    for (const slot of TOWN_SLOTS) {
      const { [slot]: _, way: __, approach: ___, ...rest } = draft.slots;
      add(linesWith(moves, rest, draft.verb), slot);
    }
    if (origin !== undefined) {
      for (const verb of ["move", "attack"]) add(linesWith(moves, { origin }, verb), "town");
    }
  }
  result.delete("done");
  return result;
}

/** The targets of the chosen samurai, by road and by sea. */
export function targetsOf(position: At): readonly { town: string; sea: boolean }[] {
  const origin = position.draft.slots.origin;
  if (origin === undefined) return [];
  return linesWith(position.moves, { origin }, "attack").map(({ slots }) => ({
    town: slots.town ?? "",
    sea: slots.approach === "sea",
  }));
}

/** The attack in the line, once its route is typed. */
export function attackTyped({ draft }: At) {
  const line = draft.verb === "attack" ? draft.complete : undefined;
  const { origin, town, approach } = line?.slots ?? {};
  if (origin === undefined || town === undefined) return undefined;
  return { origin, town, sea: approach === "sea" };
}

/** The query that the board sends automatically: the chances of the typed or current battle. */
export function questionOf(position: At): string | undefined {
  if (position.view.battle !== undefined) return "/battle";
  const attack = attackTyped(position);
  if (attack === undefined) return undefined;
  return `/odds ${attack.origin} ${attack.town}${attack.sea ? " sea" : ""}`;
}

/** An attack of the other side since my last move, with its result. */
export interface Fought {
  readonly seat: Seat;
  readonly origin: string;
  readonly town: string;
  readonly result: string | undefined;
}

/** The changes on the map. */
export interface News {
  readonly towns: ReadonlySet<string>;
  readonly taxed: ReadonlyMap<string, { readonly seat: Seat; readonly koku: number }>;
  readonly fought: readonly Fought[];
}

/** The changes since my last move, by place. */
export function newsOf({ since }: At): News {
  const towns = new Set<string>();
  const taxed = new Map<string, { seat: Seat; koku: number }>();
  const fought: { seat: Seat; origin: string; town: string; result: string | undefined }[] = [];
  for (const event of since) {
    if (event.event === "taxed") {
      const before = taxed.get(event.province)?.koku ?? 0;
      taxed.set(event.province, { seat: event.seat, koku: before + event.koku });
    } else if (event.event === "attacked") {
      const { seat, origin, town } = event;
      fought.push({ seat, origin, town, result: undefined });
    } else if (event.event === "won" || event.event === "lost") {
      const last = fought.at(-1);
      const sign = event.event === "won" ? "✓" : "×";
      if (last !== undefined) last.result = `${event.total} : ${event.against} ${sign}`;
    } else if ("town" in event && event.event !== "failed") {
      towns.add(event.town);
    }
  }
  return { towns, taxed, fought };
}
