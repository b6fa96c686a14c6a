// Manhattan: six cities to scale, and the acts of clicks on them.

import type { VNode } from "preact";
import {
  type About,
  type Act,
  type BoardProps,
  defineBoard,
  type SeatFacts,
  type Slots,
  writeDraft,
} from "../../board/index.ts";
import { byKind, hasLine, legalPick } from "../../board/parts.ts";
import { listIn } from "../../board/picks.ts";
import { Cities } from "./city.tsx";
import { towers } from "./drawings.ts";
import { layoutFor } from "./layout.ts";
import {
  type At,
  buildingAt,
  type Fixed,
  fitting,
  isTableOpen,
  justBuilt,
  roundsOf,
  siteSentence,
  sizesText,
  takeCount,
  takeText,
  tallestIn,
} from "./selectors.ts";
import { cityName, loadPhrases, strings, verbs } from "./strings.ts";
import { AsText } from "./text.tsx";
import { AllPlayers, Below, Played } from "./tray.tsx";
import type { Event, View } from "./view.gen.ts";
import "./board.css";

/** From this width on the blocks of all players are shown beside my own. */
const WIDE = 960;

function Drawing({ position }: BoardProps<View, Event, Fixed>): VNode {
  const { area, lang, view } = position;
  const labels = strings(lang);
  const asTable = isTableOpen(position) && area.width < WIDE;
  const layout = layoutFor(Math.max(area.width, 240), Math.max(area.height, 180));
  return (
    <div class={asTable ? "board-text fit" : "fit"}>
      {asTable ? (
        <>
          <AllPlayers position={position} />
          <h2>{labels.played}</h2>
          <Played position={position} />
        </>
      ) : (
        <Cities
          position={position}
          layout={layout}
          tallest={tallestIn(view.cities)}
          just={justBuilt(position.since)}
        />
      )}
    </div>
  );
}

function Tray({ position }: BoardProps<View, Event, Fixed>): VNode {
  return <Below position={position} wide={position.area.width >= WIDE} />;
}

function Summary({ position }: Pick<BoardProps<View, Event, Fixed>, "position">): VNode {
  return <AllPlayers position={position} />;
}

/** Chooses a value of a slot; if it is chosen already and the line is still open, removes it. */
function choose(position: At, slot: string, value: string, send: boolean): Act {
  const { draft, game } = position;
  const form = game.verbs.find((verb) => verb.verb === "build");
  if (draft.slots[slot] === value && draft.complete === undefined && form !== undefined) {
    const { [slot]: _, ...rest } = draft.slots;
    if (Object.keys(rest).length === 0) return { act: "clear" };
    return { act: "type", text: writeDraft(form, rest) };
  }
  return { act: "pick", verb: "build", slots: { [slot]: value }, send };
}

function pressSite(position: At, slots: Slots): Act | undefined {
  const { city = "", site = "" } = slots;
  const built = legalPick(position, "build", slots);
  if (built !== undefined) return built;
  const { block } = position.draft.slots;
  if (block !== undefined) return { act: "why", line: `/build ${block} ${city} ${site}` };
  // If the floors of all players are not beside the towers, they are shown below.
  if (position.area.width >= WIDE) return undefined;
  return { act: "look", look: { site: `${city} ${site}` } };
}

/** The blocks in the line with one more, or with one put back. */
function typeTaking(blocks: readonly string[]): Act {
  return blocks.length === 0 ? { act: "clear" } : { act: "type", text: takeText(blocks) };
}

function pressDone(position: At): Act | undefined {
  const { picks } = listIn(position, "take");
  const isFull = picks.length === takeCount(position);
  return isFull ? { act: "type", text: takeText(picks), send: true } : undefined;
}

function pressBlock(position: At, block: string): Act | undefined {
  if (!hasLine(position.moves, { block }, "build")) return undefined;
  const { city, site } = position.draft.slots;
  return choose(position, "block", block, city !== undefined && site !== undefined);
}

const press = byKind<At, Act>({
  site: (position, city = "", site = "") => pressSite(position, { city, site }),
  card: (position, _, site = "") =>
    !hasLine(position.moves, { site }, "build") ? undefined : choose(position, "site", site, false),
  block: (position, block = "") => pressBlock(position, block),
  take: (position, block = "") => {
    const { picks, may } = listIn(position, "take");
    return may([...picks, block]) ? typeTaking([...picks, block]) : undefined;
  },
  put: (position, _, block = "") => {
    const { picks } = listIn(position, "take");
    return typeTaking(picks.toSpliced(picks.indexOf(block), 1));
  },
  done: pressDone,
  table: (position) => ({
    act: "look",
    look: { table: isTableOpen(position) ? undefined : position.draft.text },
  }),
});

function seat(seat: number, position: At): SeatFacts {
  const seatView = position.view.seats[seat];
  if (seatView === undefined) return {};
  const blocks = sizesText(seatView.chosen);
  const labels = strings(position.lang);
  return { score: seatView.score, ...(blocks === "" ? {} : { note: labels.toBuildNote(blocks) }) };
}

function progress({ view, lang }: At): string {
  return strings(lang).round(view.round, roundsOf(view));
}

function hint(position: At): string {
  const { draft, lang, view, seat: mySeat } = position;
  const labels = strings(lang);
  const { block, city = "", site = "" } = draft.complete?.slots ?? {};
  if (block === undefined) return "";
  const building = buildingAt(view, city, Number(site));
  if (building === undefined) return labels.hintNew(cityName(position, city), site);
  const myFloors = building.shares.find((share) => share.seat === mySeat)?.floors ?? 0;
  return labels.hintOn(cityName(position, city), site, building.height, myFloors, Number(block));
}

function task(position: At): string {
  const { draft, lang, moves } = position;
  const labels = strings(lang);
  if (moves.some((line) => line.verb === "take")) {
    const left = takeCount(position) - listIn(position, "take").picks.length;
    return left > 0 ? labels.taskTake(left) : "";
  }
  const { block, site } = draft.slots;
  if (site === undefined) return block === undefined ? labels.taskBuild : labels.taskSite;
  return block === undefined ? labels.taskBlock : labels.taskCity(site, block);
}

/** The task asks for the block if a site was chosen first. */
function chips(position: At) {
  const { city, site, block } = position.draft.slots;
  if (city === undefined || site === undefined || block !== undefined) return [];
  return fitting(position, city, Number(site)).map((floors) => ({
    text: `/build ${floors} ${city} ${site}`,
    label: strings(position.lang).floors(Number(floors)),
  }));
}

const block = (_: At, floors = ""): About => ({ things: [`block${floors}`] });

/** A card or a block; of a site what stands there, and its city. */
const about = byKind<At, About>({
  site: (position, city = "", site) => ({
    text: siteSentence(position, city, Number(site)),
    things: [city],
  }),
  card: (_, __, site) => ({ things: [`card${site}`] }),
  put: (position, _, floors) => block(position, floors),
  block,
  take: block,
});

export const board = defineBoard<View, Event, Fixed>({
  pictures: () => import("./pictures.tsx"),
  load: async (lang) => void (await Promise.all([towers.load(), loadPhrases(lang)])),
  Drawing,
  Tray,
  Summary,
  AsText,
  press,
  about,
  seat,
  progress,
  hint,
  task,
  chips,
  verbs,
});
