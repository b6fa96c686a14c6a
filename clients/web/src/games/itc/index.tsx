// I.T.C.: routes, continents and hand, and the acts of clicks on them.

import type { VNode } from "preact";
import {
  type About,
  type Act,
  type BoardProps,
  defineBoard,
  number,
  type SeatFacts,
  type Slots,
  Tabs,
  whyNot,
} from "../../board/index.ts";
import { byKind, hasLine, joined, legalPick, Scroll } from "../../board/parts.ts";
import { listIn } from "../../board/picks.ts";
import { lanes, world } from "./drawings.ts";
import { Routes } from "./routes.tsx";
import {
  type At,
  actionAct,
  DICE,
  type Fixed,
  justHappened,
  linesOn,
  loadOf,
  ON_CARD,
  ON_LOAD,
  placeAct,
  placeSlot,
  tabOf,
  WIDE,
} from "./selectors.ts";
import { loadPhrases, strings, verbs } from "./strings.ts";
import { AllPlayers, AsText } from "./text.tsx";
import { Below, Hand, helpFor } from "./tray.tsx";
import type { Event, View } from "./view.gen.ts";
import "./board.css";

/** Below this width the drawing for phones is used. */
const PHONE = 600;

function Drawing({ position, act }: BoardProps<View, Event, Fixed>): VNode {
  const { area, lang, since } = position;
  const labels = strings(lang);
  const { World } = world.get();
  const just = justHappened(since);
  if (area.width >= WIDE) {
    const height = Math.max(area.height, 300);
    // The page has a margin of its own within the area.
    const width = area.width - 26;
    const right = Math.min(Math.max(600, height * 0.9), width * 0.47);
    const left = Math.min(width - right - 14, Math.max(760, height * 1.1));
    return (
      <div class="fit both">
        <div>
          <Routes position={position} just={just} width={left} height={height} />
        </div>
        <div>
          <World position={position} just={just} width={right} height={height} />
        </div>
      </div>
    );
  }
  const tab = tabOf(position);
  const hand = position.seat === undefined ? labels.allPlayers : labels.hand;
  const height = Math.max(area.height - 48, 276);
  const Section = tab === "continents" ? World : Routes;
  return (
    <>
      <Tabs
        label={labels.tabs}
        tabs={[
          { key: "routes", label: labels.routes, shows: "on" },
          { key: "continents", label: labels.continents, shows: "place" },
          { key: "hand", label: hand },
        ]}
        open={tab}
        onOpen={(key) => act({ act: "look", look: { tab: key } })}
      />
      {tab === "hand" ? (
        <Scroll class="fit scroll">
          <Hand position={position} small={false} />
          <AllPlayers position={position} />
        </Scroll>
      ) : (
        <Scroll class={`fit scroll ${tab}`}>
          <Section position={position} just={just} width={area.width} height={height} />
        </Scroll>
      )}
    </>
  );
}

function Tray({ position }: BoardProps<View, Event, Fixed>): VNode {
  return <Below position={position} small={position.area.width < PHONE} />;
}

/** Dice are listed in the line; the complete roll is typed, so that either order works. */
function pressDie(position: At, die: string): Act {
  const { moves, draft, area } = position;
  const used = legalPick(position, "use", { die });
  if (used !== undefined) return used;
  if (!hasLine(moves, {}, "dice")) return { act: "why", line: `/use ${die}` };
  const { picks: typed, may, lineOf } = listIn(position, "dice");
  if (typed.includes(die)) {
    if (draft.complete !== undefined && area.touch) {
      return { act: "type", text: draft.text, send: true };
    }
    const fewer = typed.filter((each) => each !== die);
    return fewer.length === 0
      ? { act: "clear" }
      : { act: "type", text: `/dice ${fewer.join(" ")}` };
  }
  const more = DICE.filter((each) => each === die || typed.includes(each));
  const dice = may(more) ? more : [die];
  const roll = lineOf(dice);
  if (roll === undefined) return { act: "type", text: `/dice ${dice.join(" ")}` };
  return { act: "type", text: roll.text, send: !area.touch };
}

function pressCard(position: At, card: string): Act {
  const { moves, draft, fixed } = position;
  const { card: first = card } = draft.slots;
  const pair =
    draft.verb === "mega" && first !== card
      ? (legalPick(position, "mega", { card: first, other: card }) ??
        legalPick(position, "mega", { card, other: first }))
      : undefined;
  if (pair !== undefined) return pair;
  const able = ON_CARD.filter((each) => hasLine(moves, { card }, each));
  const verb = able.find((each) => each === draft.verb) ?? able[0];
  const isOpen = draft.verb === verb && draft.slots.card === card && draft.complete === undefined;
  if (verb !== undefined) return isOpen ? { act: "clear" } : { act: "pick", verb, slots: { card } };
  return (
    legalPick(position, "mega", { other: card }) ?? {
      act: "why",
      line: `/load ${card} ${fixed.transports[card]?.routes[0]} 1`,
    }
  );
}

/** A load does what the line asks of it, else its most likely action. */
function pressLoad(position: At, name: string): Act | undefined {
  const load = loadOf(position, name);
  if (load === undefined) return undefined;
  const { draft } = position;
  const { verb } = draft;
  if (verb === "obstacle") {
    const [line] = linesOn(position, load, verb);
    if (line === undefined) return whyNot(position, { card: name });
    return { act: "pick", verb, slots: { card: line.slots.card ?? name } };
  }
  const able = ON_LOAD.filter((each) => linesOn(position, load, each).length > 0);
  const requested = able.find((each) => each === verb) ?? able[0];
  if (requested === undefined) return { act: "why", line: `/move ${name} straight` };
  const card = linesOn(position, load, requested)[0]?.slots.card ?? name;
  // An action with several variants (a step, or an express ride) is chosen below the map.
  const several = able.length > 1 && !(verb === requested && draft.slots.card === card);
  return { act: "pick", verb: requested, slots: { card }, send: !several };
}

function pressSpace(position: At, slots: Slots): Act | undefined {
  const { verb = "load" } = position.draft;
  return legalPick(position, verb, slots) ?? legalPick(position, "load", slots);
}

function pressAction(position: At, name: string): Act | undefined {
  const act = actionAct(position, name);
  return act && { act: "pick", ...act };
}

function pressPlace(position: At, place: string): Act | undefined {
  const act = placeAct(position, place);
  if (act !== undefined) return legalPick(position, act.verb, { [act.slot]: place });
  return whyNot(position, { [placeSlot(position) ?? "place"]: place });
}

function pressVerb(position: At, verb: string, card: string): Act | undefined {
  const load = loadOf(position, card);
  const [line] = load === undefined ? [] : linesOn(position, load, verb);
  return legalPick(position, verb, { card: line?.slots.card ?? card });
}

/** A value for a slot of the line. */
function pressSlot(position: At, slot: string, value: string): Act | undefined {
  return legalPick(position, position.draft.verb ?? "", { [slot]: value });
}

const press = byKind<At, Act>({
  die: pressDie,
  card: pressCard,
  on: pressLoad,
  act: pressAction,
  space: (position, route = "", column = "") => pressSpace(position, { route, column }),
  side: (position, side = "") => pressSlot(position, "side", side),
  top: (position, column = "") => legalPick(position, "express", { column }),
  place: pressPlace,
  sell: (position, place = "", good = "") => legalPick(position, "sell", { place, good }),
  do: (position, verb = "") => legalPick(position, verb, {}),
  drop: (position, card = "", good = "") => legalPick(position, "drop", { card, good }),
  verb: pressVerb,
  slot: pressSlot,
});

/** What explains a place: a card, a load, a die, a place, or the goods that lie there. */
function about(place: string, { fixed }: At): About | undefined {
  const [kind = "", first = "", second = ""] = place.split(" ");
  const things: Readonly<Record<string, string | number | undefined>> = {
    act: fixed.actions[first]?.number,
    die: `${first}_die`,
    sell: `${second}_goods`,
    drop: `${second}_goods`,
    card: first,
    on: first,
    place: first,
    space: first,
    verb: second,
    slot: /^(place|origin|route)$/.test(first) ? second : undefined,
  };
  const thing = things[kind];
  return thing === undefined ? undefined : { things: [`${thing}`] };
}

function seat(seat: number, position: At): SeatFacts {
  const seatView = position.view.seats[seat];
  if (seatView === undefined) return {};
  return {
    score: seatView.money,
    note: strings(position.lang).note(seatView.transports, seatView.actions),
  };
}

function progress({ view, lang }: At): string {
  const labels = strings(lang);
  return joined(
    " · ",
    view.round > 0 && labels.round(view.round),
    view.last && labels.lastRound,
    labels.goal(number(view.goal, lang)),
  );
}

function hint(position: At): string {
  const { draft, fixed, lang } = position;
  const { card = "" } = draft.slots;
  const route = loadOf(position, card)?.route ?? "";
  const full = fixed.transports[card]?.full[route];
  const robbed = fixed.transports[card]?.robbed[route];
  if (draft.verb === "land" && full !== undefined && robbed !== undefined) {
    return strings(lang).pays(number(full, lang), number(robbed, lang));
  }
  return "";
}

export const board = defineBoard<View, Event, Fixed>({
  pictures: () => import("./pictures.tsx"),
  load: async (lang) => void (await Promise.all([lanes.load(), world.load(), loadPhrases(lang)])),
  Drawing,
  Tray,
  AsText,
  press,
  about,
  seat,
  progress,
  hint,
  task: helpFor,
  verbs,
});
