// Selectors of I.T.C.'s view, for drawing. No rules: an action is legal if it has a line.

import {
  type Line,
  linesWith,
  localValue,
  number,
  type Position,
  type Seat,
  slotValues,
} from "../../board/index.ts";
import { hasLine, joined, once, youOrName } from "../../board/parts.ts";
import { countOf } from "../../board/picks.ts";
import { strings } from "./strings.ts";
import type { Event, Fixed, View } from "./view.gen.ts";

export type { Fixed };

export type At = Position<View, Event, Fixed>;

/** A load on a route. */
export interface Load {
  readonly route: string;
  readonly row: number;
  readonly column: number;
  /** Its ids in a line: `195`, `n07`. */
  readonly cards: readonly string[];
  readonly owner: Seat;
  readonly under: string;
  readonly fresh: boolean;
  readonly goods: readonly string[];
  readonly to: string | undefined;
}

/** From this width on routes and continents are side by side. */
export const WIDE = 860;

export const DICE = ["blue", "green", "red"] as const;

export function loadsOf({ view, fixed }: At): readonly Load[] {
  const result: Load[] = [];
  for (const { route } of fixed.routes) {
    for (const [key, load] of Object.entries(view.routes[route] ?? {})) {
      const [cards, owner, under, fresh] = load;
      const forms = cards.map((card) => fixed.transports[card]);
      const names = cards.map((card) =>
        owner === 0 ? `n${String(card).padStart(2, "0")}` : `${card}`,
      );
      result.push({
        route,
        row: Number(key[0]),
        column: Number(key[1]),
        cards: names,
        owner,
        under,
        fresh,
        goods: forms.flatMap((form) => form?.goods ?? []),
        to: forms[0]?.to,
      });
    }
  }
  return result;
}

export function loadOf(position: At, card: string): Load | undefined {
  return loadsOf(position).find((load) => load.cards.includes(card));
}

/** The legal lines for a load, with any of its cards. */
export function linesOn(position: At, load: Load, verb?: string): readonly Line[] {
  return load.cards.flatMap((card) => linesWith(position.moves, { card }, verb));
}

/** Verbs that act on a load of the board, the most likely one first. */
export const ON_LOAD = ["land", "move", "express", "keep"] as const;
/** Verbs that act on a card of the hand. */
export const ON_CARD = ["load", "hide", "mega", "discard"] as const;

/** Whether a press on a load does something: what the line asks of it, or else what may be done. */
export function mayTouch(position: At, load: Load): boolean {
  const verbs = position.draft.verb === "obstacle" ? ["obstacle"] : ON_LOAD;
  return verbs.some((verb) => linesOn(position, load, verb).length > 0);
}

/** The slot of the draft's verb that a continent would fill now. */
export function placeSlot(position: At): "place" | "origin" | undefined {
  const { draft, game } = position;
  const form = game.verbs.find((verb) => verb.verb === draft.verb);
  const open = form?.slots.filter((slot) => slot.name === "place" || slot.name === "origin") ?? [];
  const slot = open.find((each) => draft.slots[each.name] === undefined) ?? open.at(-1);
  return slot?.name as "place" | "origin" | undefined;
}

/** The lines of the draft's verb with one slot left free. */
export function alternatives(position: At, slot: string): readonly Line[] {
  const { [slot]: _, ...rest } = position.draft.slots;
  return linesWith(position.moves, rest, position.draft.verb);
}

/** The open slots of the line: those with more than one value left. */
export function openSlots(position: At): readonly { name: string; values: readonly string[] }[] {
  const { draft, game } = position;
  const form = game.verbs.find((verb) => verb.verb === draft.verb);
  if (form === undefined || draft.verb === "dice") return [];
  return form.slots
    .map((slot) => ({
      name: slot.name,
      values: slotValues(alternatives(position, slot.name), slot.name),
    }))
    .filter((slot) => slot.values.length > 0);
}

export type PlaceAct = { readonly verb: string; readonly slot: string };

/** The text that a click on a continent would type. */
export function placeAct(position: At, place: string): PlaceAct | undefined {
  const { draft, moves } = position;
  const slot = placeSlot(position);
  if (draft.verb !== undefined && slot !== undefined) {
    if (hasLine(alternatives(position, slot), { [slot]: place }, draft.verb)) {
      return { verb: draft.verb, slot };
    }
    // A click replaces a complete line; an incomplete one continues.
    if (draft.complete === undefined && draft.verb !== "sell") return undefined;
  }
  for (const [verb, slot] of [
    ["stone", "place"],
    ["fetch", "origin"],
  ] as const) {
    if (hasLine(moves, { [slot]: place }, verb)) return { verb, slot };
  }
  return undefined;
}

/** The open tab of the board: the one with the decision, until the person selects another. */
export function tabOf({ look, moves }: At): string {
  if (look.tab !== undefined) return String(look.tab);
  const stones = moves.length > 0 && moves.every(({ verb }) => verb === "stone");
  return stones ? "continents" : "routes";
}

/** The text that an A card of the hand types. */
export function actionAct({ fixed, moves }: At, key: string) {
  const form = fixed.actions[key];
  if (form === undefined) return undefined;
  if (hasLine(moves, { card: key }, "discard")) {
    return { verb: "discard", slots: { card: key } };
  }
  const [place] = form.places;
  const named: Readonly<Record<string, { verb: string; slots: Record<string, string> }>> = {
    smuggling: { verb: "hide", slots: { under: "smuggling" } },
    express: { verb: "hide", slots: { under: "express" } },
    mega: { verb: "mega", slots: {} },
    relocate_rival: { verb: "transfer", slots: {} },
    relocate_own: { verb: "shift", slots: {} },
    obstacle: { verb: "obstacle", slots: {} },
    new_location: { verb: "resettle", slots: {} },
    organization: { verb: "organize", slots: {} },
    robbery: { verb: "rob", slots: place === undefined ? {} : { place } },
    unrest: { verb: "unrest", slots: place === undefined ? {} : { place } },
  };
  const act = named[form.kind] ?? { verb: "play", slots: { kind: String(form.number) } };
  return hasLine(moves, act.slots, act.verb) ? act : undefined;
}

export interface Just {
  readonly cards: ReadonlySet<string>;
  readonly places: ReadonlyMap<string, number>;
}

/** Changes since I last moved: loads that moved, and goods that were added or removed. */
export const justHappened = once((since: readonly Event[]): Just => {
  const cards = new Set<string>();
  const places = new Map<string, number>();
  const add = (place: string, count: number) => places.set(place, (places.get(place) ?? 0) + count);
  const note = (card: number) =>
    cards.add(card < 100 ? `n${String(card).padStart(2, "0")}` : `${card}`);
  for (const event of since) {
    switch (event.event) {
      case "stepped":
      case "jumped":
      case "loaded":
      case "loaded_over":
      case "neutral_entered":
      case "set_back":
        note(event.card);
        break;
      case "loaded_mega":
      case "neutrals_advanced":
        event.cards.forEach(note);
        break;
      case "arrived":
        add(event.place, event.goods.length);
        break;
      case "went_to_market":
        add("market", event.goods.length);
        break;
      case "delivered":
        add(event.place, event.count);
        break;
      case "sold":
        add(event.place, -event.count);
        break;
      case "robbed":
        add(event.place, -1);
        break;
      default:
    }
  }
  return { cards, places };
});

/** The name of a continent, a good, a route, a side or a card below a load. */
export function named({ game: { words }, lang }: At, value: string): string {
  if (value === "market" || value === "hidden") return strings(lang)[value];
  const names = ["place", "good", "side", "under", "route"].map((slot) =>
    localValue(words, slot, value, lang),
  );
  return names.find((name) => name !== value) ?? value;
}

/** 21500 as "21.5". */
export function thousands(euro: number): string {
  return String(euro / 1000);
}

/** "black ×2, red". */
export function goodsText(position: At, goods: readonly string[]): string {
  const { fixed, lang } = position;
  return fixed.goods
    .map(({ good }) => ({ good, count: countOf(goods, good) }))
    .filter(({ count }) => count > 0)
    .map(({ good, count }) => named(position, good) + (count > 1 ? ` ×${count}` : ""))
    .join(strings(lang).and);
}

/** One sentence about a load. */
export function loadLabel(position: At, load: Load, just: boolean): string {
  const { lang, fixed, view } = position;
  const labels = strings(lang);
  const cards = load.cards.join("+");
  const pays = load.cards.map((card) => {
    const form = fixed.transports[card];
    const full = form?.full[load.route];
    const robbed = form?.robbed[load.route];
    if (full === undefined || robbed === undefined) return "";
    return labels.pays(number(full, lang), number(robbed, lang));
  });
  const jam = (view.turn.duties[load.route] ?? []).includes(load.row);
  return joined(
    labels.and,
    labels.space(named(position, load.route), load.row, load.column),
    load.owner === 0
      ? labels.neutral(cards, named(position, load.to ?? ""))
      : labels.load(cards, youOrName(position, load.owner)),
    goodsText(position, load.goods),
    ...pays,
    load.under !== "none" && labels.under(named(position, load.under)),
    load.fresh && labels.thisTurn,
    jam && labels.jamRow,
    just && labels.justNow,
  );
}

/** One sentence about a continent. */
export function placeLabel(position: At, place: string): string {
  const { lang, fixed, view } = position;
  const labels = strings(lang);
  const [goods = [], fresh = [], stones = []] = view.places[place] ?? [];
  const there = fixed.goods
    .map(({ good }, at) => {
      const count = goods[at] ?? 0;
      const newly = fresh[at] ?? 0;
      if (count === 0) return "";
      return `${named(position, good)} ${count}${newly > 0 ? ` (${labels.fresh(newly)})` : ""}`;
    })
    .filter(Boolean);
  const who = stones
    .map((count, at) => (count > 0 ? labels.stonesOf(youOrName(position, at + 1), count) : ""))
    .filter(Boolean);
  const accepts = fixed.places.find((each) => each.place === place)?.accepts ?? [];
  const refuses = fixed.goods.filter(({ good }) => !accepts.includes(good));
  return [
    named(position, place),
    there.length > 0 ? there.join(labels.and) : `${labels.goods} ${labels.nothing}`,
    ...refuses.map(({ good }) => `${named(position, good)} ${labels.refused}`),
    who.length > 0 ? `${labels.stones} ${who.join(labels.and)}` : labels.noStones,
  ].join(labels.clause);
}

/** One sentence about a T card. */
export function cardLabel(position: At, index: string): string {
  const { fixed, lang } = position;
  const labels = strings(lang);
  const form = fixed.transports[index];
  if (form === undefined) return index;
  return [
    labels.card(index, goodsText(position, form.goods)),
    labels.risk(named(position, form.at_risk)),
    ...form.routes.map((route) =>
      labels.route(
        named(position, route),
        number(form.full[route] ?? 0, lang),
        number(form.robbed[route] ?? 0, lang),
      ),
    ),
  ].join(labels.and);
}
