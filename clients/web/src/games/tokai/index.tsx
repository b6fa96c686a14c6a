// Tokai: a railway map, and the acts of clicks on it.

import type { VNode } from "preact";
import {
  type About,
  type Act,
  aimed,
  type BoardKey,
  type BoardProps,
  defineBoard,
  linesWith,
  type SeatFacts,
  whyNot,
} from "../../board/index.ts";
import { useQuestion } from "../../board/mapParts.tsx";
import { Openers } from "../../board/overPanel.tsx";
import { byKind, joined, legalPick } from "../../board/parts.ts";
import { listIn } from "../../board/picks.ts";
import { ownerLabel } from "./ariaLabels.ts";
import { shownBid } from "./auction.tsx";
import { art } from "./drawings.ts";
import { RailwayMap } from "./map.tsx";
import { answersTo, Panel, shownAnswer } from "./panels.tsx";
import {
  type At,
  bidOf,
  bidsOf,
  type Fixed,
  farthest,
  lineName,
  myRouteQuery,
  owned,
  placeOfPawn,
  pointName,
  priceOf,
} from "./selectors.ts";
import { loadPhrases, strings, turnText, verbs, yen } from "./strings.ts";
import { AsText } from "./text.tsx";
import { endedText, phaseText, TurnTray } from "./tray.tsx";
import type { Event, View } from "./view.gen.ts";
import "./board.css";

function Drawing({ position, act }: BoardProps<View, Event, Fixed>): VNode {
  const { area, lang, look, view } = position;
  const labels = strings(lang);
  const question = myRouteQuery(position);
  useQuestion(act, question, [view.turns, view.extra, view.legs.length]);
  return (
    <div class="fit map">
      <RailwayMap position={position} width={area.width} height={area.height} />
      <Openers look={look} act={act} panels={{ lines: labels.lines, players: labels.players }} />
      <Panel position={position} act={act} />
    </div>
  );
}

/** Sends a query, or shows its earlier answer. */
function asking(line: string, { answers }: At): Act {
  if (answers[line] === undefined) return { act: "ask", line };
  const lastThen = answersTo({ answers }).at(-1);
  return { act: "look", look: { again: line, lastThen, panel: undefined } };
}

/** A complete line of `moves`, typed by its slots if it can be parsed. */
function saying(text: string, position: At): Act | undefined {
  const line = position.moves.find((each) => each.text === text);
  if (line === undefined) return undefined;
  const { verb, slots } = line;
  return Object.keys(slots).length > 0 ? { act: "pick", verb, slots } : typing(text, position);
}

/** A first tap types, a second one sends; with a mouse the first one sends. */
function typing(text: string, { area, draft }: At): Act {
  return { act: "type", text, send: !area.touch || draft.text === text };
}

function pressStation(point: string, position: At): Act | undefined {
  const { fixed, view, seat, draft } = position;
  const { region = "" } = fixed.points[point] ?? {};
  const act =
    legalPick(position, "go", { point }) ??
    legalPick(position, "dest", { destination: point }) ??
    legalPick(position, "region", { region }) ??
    whyNot(position, draft.slots.line ? { point } : { destination: point });
  if (act !== undefined) return act;
  const at = placeOfPawn(view, seat ?? view.active);
  if (at === undefined || at === point || view.phase === "over") return undefined;
  return asking(`/route ${point}`, position);
}

/** The basket with a value added or removed, in the order of the map. */
function pressPick(value: string, position: At): Act {
  const { picks, may, lineOf } = listIn(position, "prebuy");
  const next = picks.includes(value) ? picks.filter((each) => each !== value) : [...picks, value];
  if (next.length === 0) return { act: "clear" };
  const order = [...position.fixed.lines.map((line) => line.id), "express"];
  const sorted = next.toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
  const text = `/prebuy ${sorted.join(" ")}`;
  if (!may(next)) return { act: "why", line: text };
  return { act: "type", text: lineOf(next)?.text ?? text };
}

function pressLine(line: string, position: At): Act | undefined {
  const { moves, seat, view } = position;
  if (moves.some((each) => each.verb === "prebuy")) {
    const hand = seat === undefined ? [] : (view.seats[seat]?.hand ?? []);
    return hand.includes(line) ? pressPick(line, position) : asking(`/look ${line}`, position);
  }
  return (
    legalPick(position, "buy", { item: line }) ??
    legalPick(position, "sell", { line }) ??
    legalPick(position, "go", { line }) ??
    asking(`/look ${line}`, position)
  );
}

/** A line to ride on; the same one again allows any line. */
function pressTake(line: string, { draft }: At): Act {
  const alone = draft.verb === "go" && draft.slots.line === line && draft.complete === undefined;
  if (alone) return { act: "clear" };
  return { act: "pick", verb: "go", slots: { line }, send: false };
}

/** A card of a route: its first leg, as far as this turn leads. */
function pressPlan(line: string, to: string, position: At): Act | undefined {
  const point = farthest(position, line, to);
  return point === undefined
    ? undefined
    : { act: "pick", verb: "go", slots: { line, point }, send: false };
}

/** The bid that is shown, or the next one up or down. */
function pressBid(position: At, step = 0): Act | undefined {
  const bids = bidsOf(position);
  const bid = shownBid(position);
  if (bid === undefined) return undefined;
  if (step === 0) return typing(`/bid ${bid}`, position);
  const wanted = bids[bids.indexOf(bid) + step] ?? bidOf(position);
  return wanted === undefined ? undefined : { act: "type", text: `/bid ${wanted}` };
}

function shut(position: At): Act {
  return { act: "look", look: { again: undefined, shut: answersTo(position).at(-1) } };
}

/** Buys what is picked; tells why not where that is no legal choice. */
function pressDone(position: At): Act | undefined {
  const { picks, lineOf } = listIn(position, "prebuy");
  const line = lineOf(picks);
  if (line !== undefined) return typing(line.text, position);
  return picks.length === 0 ? undefined : { act: "why", line: `/prebuy ${picks.join(" ")}` };
}

const press = byKind<At, Act>({
  station: (position, point = "") => pressStation(point, position),
  line: (position, line = "") => pressLine(line, position),
  pill: (position, line = "") => pressLine(line, position),
  pick: (position, line = "") => pressLine(line, position),
  take: (position, line = "") => pressTake(line, position),
  say: (position, ...words) => saying(words.join(" "), position),
  ask: (position, ...words) => asking(words.join(" "), position),
  plan: (position, line = "", to = "") => pressPlan(line, to, position),
  journey: (position, point = "") => typing(`/go ${point}`, position),
  express: (position) => pressPick("express", position),
  done: pressDone,
  lower: (position) => pressBid(position, -1),
  higher: (position) => pressBid(position, 1),
  bid: (position) => pressBid(position),
  shut: (position) => (shownAnswer(position) === undefined ? undefined : shut(position)),
});

function seat(seat: number, position: At): SeatFacts {
  const seatView = position.view.seats[seat];
  if (seatView === undefined) return {};
  const labels = strings(position.lang);
  const note = joined(
    labels.and,
    labels.count(owned(position, seat).length),
    seatView.express && labels.expressShort,
    position.view.fallen.includes(seat) && labels.out,
  );
  return { score: seatView.cash * 1000, note };
}

function progress({ view, lang }: At): string {
  const labels = strings(lang);
  if (view.phase === "prebuy" || view.phase === "start") return labels.prebuyPhase;
  return turnText(view, lang);
}

function hint(position: At): string {
  const { draft, lang, fixed } = position;
  const labels = strings(lang);
  const { line, point, item } = draft.complete?.slots ?? {};
  if (draft.verb === "go" && line !== undefined && point !== undefined) {
    const isMyLine = position.view.owners[line] === position.seat && position.seat !== undefined;
    const owner = isMyLine ? labels.hintMyLine : ownerLabel(position, line);
    return labels.hintRide(pointName(fixed, point, lang), lineName(fixed, line, lang), owner);
  }
  const price = item === undefined ? 0 : priceOf(fixed, item);
  return price === 0 ? "" : `−${yen(price, lang)}`;
}

/** Lines to the chosen station, with their owners; else the stations in reach. */
function chips(position: At) {
  const { lang, fixed, draft, moves } = position;
  if (draft.complete !== undefined || (draft.verb === undefined && draft.text !== "")) return [];
  const rides = draft.verb === undefined ? linesWith(moves, {}, "go") : draft.lines;
  return rides
    .filter(({ verb }) => verb === "go")
    .map(({ text, slots }) => {
      const point = pointName(fixed, slots.point ?? "", lang);
      const line = lineName(fixed, slots.line ?? "", lang);
      const turn = slots.cw ?? slots.ccw ?? "";
      const isChosen = draft.slots.point !== undefined;
      const label = `${isChosen ? line : point} ${turn}`.trim();
      const effect = isChosen ? ownerLabel(position, slots.line ?? "") : line;
      return isChosen || draft.slots.line === undefined ? { text, label, effect } : { text, label };
    });
}

const ABOUT =
  /^(?:station|line|pill|pick|take|plan|journey|say \/(?:buy|sell|go|region|dest)) (?!none$)(\w+)/;

/** A station, a line or the express ticket: of a button what it would buy, sell or ride. */
function about(place: string): About | undefined {
  if (place === "express") return { things: [place] };
  const thing = ABOUT.exec(place)?.[1];
  return thing === undefined ? undefined : { things: [thing] };
}

const KEYS: readonly BoardKey<View, Event, Fixed>[] = [
  { key: "0", label: { en: "Whole map", ja: "地図の全体" }, press: aimed("all") },
  { key: "m", label: { en: "To my pawn", ja: "自分の駒へ" }, press: aimed("me") },
  { key: "d", label: { en: "To my destination", ja: "目的地へ" }, press: aimed("flag") },
];

export const board = defineBoard<View, Event, Fixed>({
  pictures: () => import("./pictures.tsx"),
  load: async (lang) => void (await Promise.all([art.load(), loadPhrases(lang)])),
  Drawing,
  Tray: TurnTray,
  AsText,
  press,
  about,
  seat,
  progress,
  points: (points, lang) => strings(lang).yen(yen(points, lang)),
  ended: endedText,
  hint,
  task: phaseText,
  chips,
  keys: KEYS,
  verbs,
});
