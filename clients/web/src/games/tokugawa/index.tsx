// Tokugawa: a map of Japan at war, and the acts of clicks on it.

import type { VNode } from "preact";
import {
  type About,
  type Act,
  aimed,
  type BoardProps,
  defineBoard,
  type SeatFacts,
  whyNot,
} from "../../board/index.ts";
import { useQuestion } from "../../board/mapParts.tsx";
import { Openers } from "../../board/overPanel.tsx";
import { byKind, legalPick } from "../../board/parts.ts";
import { worksText } from "./ariaLabels.ts";
import { Decide, endedText, taskText } from "./card.tsx";
import { art } from "./drawings.ts";
import { layoutFor } from "./layout.ts";
import { WarMap } from "./map.tsx";
import {
  type At,
  attackTyped,
  builtOf,
  choiceOf,
  chosenTowns,
  type Fixed,
  letterOfSeat,
  questionOf,
  roundOf,
  standerOn,
  townName,
  worksOn,
} from "./selectors.ts";
import { loadPhrases, strings, verbs } from "./strings.ts";
import { Contracts, TablePanel } from "./tables.tsx";
import { AsText } from "./text.tsx";
import type { Event, View } from "./view.gen.ts";
import "./board.css";

/** From this width on the card is above the sea; otherwise it is below the map. */
const WIDE = 600;
/** The space that the card may need in a corner, with the ring and the name of a town beside it. */
const CARD = { x: 380, y: 380 } as const;

/** Whether the card has to leave the corner at the top left, which is sea, as the fight is there. */
function isFightAtTopLeft(position: At): boolean {
  const { view, fixed, area, lang } = position;
  const fight = view.battle ?? attackTyped(position);
  if (fight === undefined) return false;
  const { places } = layoutFor(fixed, Math.round(area.width), Math.round(area.height), 1, lang);
  return [fight.origin, fight.town].some((town) => {
    const { x, y } = places.get(town) ?? CARD;
    return x < CARD.x && y < CARD.y;
  });
}

function Drawing({ position, act }: BoardProps<View, Event, Fixed>): VNode {
  const { area, lang, look, view } = position;
  const labels = strings(lang);
  const wide = area.width >= WIDE;
  const question = questionOf(position);
  useQuestion(act, question, [view.number, view.actions, view.phase, view.battle]);
  const open = look.panel === "table";
  return (
    <div class="fit map">
      <WarMap position={position} width={area.width} height={area.height} />
      <Openers look={look} act={act} panels={{ table: labels.table }} />
      {wide && <Decide position={position} below={isFightAtTopLeft(position)} />}
      {open && <TablePanel position={position} act={act} />}
    </div>
  );
}

/** The card where the sea has no room for it, else the open contracts. */
function Tray({ position }: BoardProps<View, Event, Fixed>): VNode {
  const wide = position.area.width >= WIDE;
  const labels = strings(position.lang);
  return wide ? (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="contract-tray" aria-label={labels.contracts} tabIndex={0}>
      <Contracts position={position} brief />
    </section>
  ) : (
    <Decide position={position} />
  );
}

/** A complete line; a first tap types it, a second one sends, with a mouse the first one. */
function pressTown(town: string, position: At): Act | undefined {
  const { draft } = position;
  const begun =
    draft.slots.origin === town || (draft.verb === "build" && draft.slots.town === town);
  const choice = choiceOf(position, town);
  if (begun && chosenTowns(position).has(town)) return { act: "clear" };
  if (choice === undefined)
    return whyNot(position, { town }) ?? { act: "ask", line: `/look ${town}` };
  // Its target is open even if there is only one: the other actions of the town are shown first.
  const { town: target, origin } = choice.slots;
  if (choice.verb === "attack" && target === undefined) {
    return { act: "type", text: `/attack ${origin}` };
  }
  return { act: "pick", ...choice };
}

function pressBank(province: string, position: At): Act {
  const tax = legalPick(position, "tax", { province });
  return tax ?? whyNot(position, { province }) ?? { act: "ask", line: `/look ${province}` };
}

/** A route for the started line; an attack waits for its button. */
function pressRoute(slot: "way" | "approach", value: string, position: At): Act | undefined {
  const { verb, slots } = position.draft;
  if (verb === undefined) return undefined;
  const { origin, town } = slots;
  if (origin === undefined || town === undefined) return undefined;
  return legalPick(position, verb, { origin, town, [slot]: value }, slot === "way");
}

const press = byKind<At, Act>({
  town: (position, town = "") => pressTown(town, position),
  bank: (position, province = "") => pressBank(province, position),
  weapon: (position, verb = "", weapon = "") => legalPick(position, verb, { weapon }),
  build: (position, building = "", town = "") => legalPick(position, "build", { building, town }),
  forge: (position, town = "") => legalPick(position, "forge", { town }),
  dismiss: (position, town = "") => legalPick(position, "dismiss", { town }),
  retreat: (position, town = "") => legalPick(position, "retreat", { town }),
  support: (position, supporter = "") => legalPick(position, "support", { supporter }),
  way: (position, way = "") => pressRoute("way", way, position),
  approach: (position, approach = "") => pressRoute("approach", approach, position),
  do: (position, verb = "") => legalPick(position, verb, {}),
  go: ({ draft }) => draft.complete && { act: "type", text: draft.complete.text, send: true },
  no: () => ({ act: "clear" }),
});

const thing = (_: At, name = ""): About => ({ things: [name] });

/** A contract, who stands and what is built in a town, what may be levied or built, and what a move is over. */
const about = byKind<At, About>({
  contract: thing,
  build: thing,
  weapon: (position, _, weapon) => thing(position, weapon),
  way: (position, way) => (way === "land" ? undefined : thing(position, way)),
  town: (position, town = "") => {
    const works = worksOn(position, town);
    const built = works === undefined ? [] : builtOf(works).map(({ building }) => building);
    const text = works && `${townName(position, town)}: ${worksText(position, works)}`;
    const stander = standerOn(position, town);
    const things = [...(stander === undefined ? [] : [stander.kind]), ...built];
    return things.length === 0 ? undefined : { ...(text && { text }), things };
  },
});

function seat(seat: number, position: At): SeatFacts {
  const { view, fixed, lang } = position;
  const seatView = view.seats[seat];
  if (seatView === undefined) return {};
  const capital = fixed.towns[seatView.capital]?.[lang] ?? seatView.capital;
  return {
    score: seatView.koku,
    note: strings(lang).note(capital, seatView.contracts.length),
    letter: letterOfSeat(position, seat),
  };
}

function progress({ view, lang }: At): string {
  const labels = strings(lang);
  if (view.phase === "placing") return labels.placing;
  if (view.phase === "over") return labels.over;
  return [labels.phaseOf(roundOf(view)), labels.actions(view.actions)].join(" · ");
}

/** The cost of the line in the input. */
function hint({ draft, fixed, lang }: At): string {
  const { weapon, building } = draft.slots;
  const labels = strings(lang);
  if (draft.verb === "levy" && weapon !== undefined) {
    return labels.minus(fixed.samurai[weapon]?.cost ?? 0);
  }
  if (draft.verb === "build" && building !== undefined) {
    return labels.minus(fixed.buildings[building]?.cost ?? 0);
  }
  return "";
}

export const board = defineBoard<View, Event, Fixed>({
  pictures: () => import("./pictures.tsx"),
  load: async (lang) => void (await Promise.all([art.load(), loadPhrases(lang)])),
  Drawing,
  Tray,
  AsText,
  press,
  about,
  seat,
  progress,
  ended: endedText,
  hint,
  task: taskText,
  keys: [
    { key: "0", label: { en: "Whole map", ja: "地図の全体" }, press: aimed("all") },
    { key: "m", label: { en: "To my capital", ja: "自分の首都へ" }, press: aimed("me") },
  ],
  verbs,
});
