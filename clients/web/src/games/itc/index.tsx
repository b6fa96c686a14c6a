// I.T.C.: routes, continents and hand, and the acts of clicks on them.

import type { VNode } from "preact";
import {
  type About,
  type Act,
  type BoardProps,
  defineBoard,
  linesWith,
  number,
  type SeatFacts,
  type Slots,
  Tabs,
  whyNot,
} from "../../board/index.ts";
import { lanes, world } from "./drawings.ts";
import { Routes } from "./routes.tsx";
import {
  type At,
  actionAct,
  DICE,
  diceTyped,
  type Fixed,
  justHappened,
  linesOn,
  loadOf,
  ON_CARD,
  ON_LOAD,
  placeAct,
  placeSlot,
  rollsOf,
  tabOf,
  WIDE,
} from "./selectors.ts";
import { strings, VERB_LABELS } from "./strings.ts";
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
          { key: "routes", label: labels.routes },
          { key: "continents", label: labels.continents },
          { key: "hand", label: hand },
        ]}
        open={tab}
        onOpen={(key) => act({ act: "look", look: { tab: key } })}
      />
      {tab === "hand" ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <div class="fit scroll" tabIndex={0}>
          <Hand position={position} small={false} />
          <AllPlayers position={position} />
        </div>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <div class={`fit scroll ${tab}`} tabIndex={0}>
          <Section position={position} just={just} width={area.width} height={height} />
        </div>
      )}
    </>
  );
}

function Tray({ position }: BoardProps<View, Event, Fixed>): VNode {
  return <Below position={position} small={position.area.width < PHONE} />;
}

/** Dice are listed in the line; the complete roll is typed, so that either order works. */
function pressDie(position: At, die: string): Act | undefined {
  const { moves, draft, area } = position;
  if (linesWith(moves, { die }, "use").length > 0) {
    return { act: "pick", verb: "use", slots: { die } };
  }
  const typed = diceTyped(position);
  const rolls = rollsOf(position);
  if (rolls.length === 0) return { act: "why", line: `/use ${die}` };
  const isComplete = draft.complete?.verb === "dice";
  if (typed.includes(die)) {
    if (isComplete && area.touch) return { act: "type", text: draft.text, send: true };
    const fewer = typed.filter((each) => each !== die);
    return fewer.length === 0
      ? { act: "clear" }
      : { act: "type", text: `/dice ${fewer.join(" ")}` };
  }
  const more = DICE.filter((each) => each === die || typed.includes(each));
  const fitting = rolls.filter((roll) => more.every((each) => roll.includes(each)));
  if (fitting.length === 0) return { act: "type", text: `/dice ${die}` };
  const text = `/dice ${more.join(" ")}`;
  const complete = fitting.find((roll) => roll.length === more.length);
  if (complete === undefined) return { act: "type", text };
  return { act: "type", text: `/dice ${complete.join(" ")}`, send: !area.touch };
}

function pressCard(position: At, card: string): Act | undefined {
  const { moves, draft, fixed } = position;
  if (draft.verb === "mega" && draft.slots.card !== undefined && draft.slots.card !== card) {
    const first = draft.slots.card;
    for (const slots of [
      { card: first, other: card },
      { card, other: first },
    ]) {
      if (linesWith(moves, slots, "mega").length > 0) return { act: "pick", verb: "mega", slots };
    }
  }
  const order = ON_CARD.includes(draft.verb as (typeof ON_CARD)[number])
    ? [draft.verb as string, ...ON_CARD]
    : ON_CARD;
  const verb = order.find((each) => linesWith(moves, { card }, each).length > 0);
  if (verb !== undefined) {
    if (draft.verb === verb && draft.slots.card === card && draft.complete === undefined) {
      return { act: "clear" };
    }
    return { act: "pick", verb, slots: { card } };
  }
  if (linesWith(moves, { other: card }, "mega").length > 0) {
    return { act: "pick", verb: "mega", slots: { other: card } };
  }
  return { act: "why", line: `/load ${card} ${fixed.transports[card]?.routes[0]} 1` };
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

function pick(position: At, verb: string, slots: Slots): Act | undefined {
  if (linesWith(position.moves, slots, verb).length === 0) return undefined;
  return { act: "pick", verb, slots };
}

function pressSpace(position: At, slots: Slots): Act | undefined {
  const { draft, moves } = position;
  const verb = [draft.verb, "load"].find(
    (each) => each !== undefined && linesWith(moves, slots, each).length > 0,
  );
  return verb === undefined ? undefined : { act: "pick", verb, slots };
}

function press(place: string, position: At): Act | undefined {
  const [kind = "", first = "", second = ""] = place.split(" ");
  const { draft } = position;
  switch (kind) {
    case "die":
      return pressDie(position, first);
    case "card":
      return pressCard(position, first);
    case "on":
      return pressLoad(position, first);
    case "act": {
      const act = actionAct(position, first);
      return act === undefined ? undefined : { act: "pick", ...act };
    }
    case "space":
      return pressSpace(position, { route: first, column: second });
    case "side":
      return draft.verb === undefined ? undefined : pick(position, draft.verb, { side: first });
    case "top":
      return pick(position, "express", { column: first });
    case "place": {
      const act = placeAct(position, first);
      if (act !== undefined) return pick(position, act.verb, { [act.slot]: first });
      return whyNot(position, { [placeSlot(position) ?? "place"]: first });
    }
    case "sell":
      return pick(position, "sell", { place: first, good: second });
    case "do":
      return pick(position, first, {});
    case "drop":
      return pick(position, "drop", { card: first, good: second });
    case "way": {
      const load = loadOf(position, second);
      const lines = load === undefined ? [] : linesOn(position, load, first);
      return pick(position, first, { card: lines[0]?.slots.card ?? second });
    }
    case "slot":
      return draft.verb === undefined ? undefined : pick(position, draft.verb, { [first]: second });
    default:
      return undefined;
  }
}

/** What explains a place: a card, a load, a die, a place, or the goods that lie there. */
function about(place: string, { fixed }: At): About | undefined {
  const [kind, first = "", good] = place.split(" ");
  let thing: string | number | undefined;
  if (kind === "act") thing = fixed.actions[first]?.number;
  else if (kind === "die") thing = `${first}_die`;
  else if (kind === "sell" || kind === "drop") thing = `${good}_goods`;
  else if (kind === "card" || kind === "on" || kind === "place") thing = first;
  return thing ? { things: [`${thing}`] } : undefined;
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
  return [
    view.round > 0 ? labels.round(view.round) : "",
    view.last ? labels.lastRound : "",
    labels.goal(number(view.goal, lang)),
  ]
    .filter(Boolean)
    .join(" · ");
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
  load: async () => void (await Promise.all([lanes.load(), world.load()])),
  Drawing,
  Tray,
  AsText,
  press,
  about,
  seat,
  progress,
  hint,
  task: helpFor,
  verbs: VERB_LABELS,
});
