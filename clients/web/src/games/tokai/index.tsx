// Tokai: a railway map, and the acts of clicks on it.

import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
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
import { hasLine, pressTable } from "../../board/parts.ts";
import { ownerLabel } from "./ariaLabels.ts";
import { shownBid } from "./auction.tsx";
import { art } from "./drawings.ts";
import { RailwayMap } from "./map.tsx";
import { answersTo, Panel, shownAnswer } from "./panels.tsx";
import {
  type At,
  basketLine,
  bidOf,
  bidsOf,
  type Fixed,
  farthest,
  lineName,
  mayPick,
  myRouteQuery,
  owned,
  picksOf,
  placeOfPawn,
  pointName,
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
  useEffect(() => {
    if (question !== undefined) act({ act: "ask", line: question });
  }, [question, view.turns, view.extra, view.legs.length]);
  return (
    <div class="fit map">
      <RailwayMap position={position} width={area.width} height={area.height} />
      <div class="openers">
        {(["lines", "players"] as const).map((panel) => (
          <button
            key={panel}
            type="button"
            class="btn"
            aria-expanded={look.panel === panel}
            onClick={() =>
              act({ act: "look", look: { panel: look.panel === panel ? undefined : panel } })
            }
          >
            {labels[panel]}
          </button>
        ))}
      </div>
      <Panel position={position} act={act} />
    </div>
  );
}

function Tray({ position }: BoardProps<View, Event, Fixed>): VNode {
  return (
    <div class="below">
      <TurnTray position={position} />
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
  if (Object.keys(line.slots).length > 0) {
    return { act: "pick", verb: line.verb, slots: line.slots };
  }
  return typing(text, position);
}

/** A first tap types, a second one sends; with a mouse the first one sends. */
function typing(text: string, { area, draft }: At): Act {
  return { act: "type", text, send: !area.touch || draft.text === text };
}

function pressStation(point: string, position: At): Act | undefined {
  const { moves, fixed, view, seat, draft } = position;
  if (hasLine(moves, { point }, "go")) {
    return { act: "pick", verb: "go", slots: { point } };
  }
  if (hasLine(moves, { destination: point }, "dest")) {
    return { act: "pick", verb: "dest", slots: { destination: point } };
  }
  const region = fixed.points[point]?.region;
  if (region !== undefined && hasLine(moves, { region }, "region")) {
    return { act: "pick", verb: "region", slots: { region } };
  }
  const why = whyNot(position, draft.slots.line ? { point } : { destination: point });
  if (why !== undefined) return why;
  const at = placeOfPawn(view, seat ?? view.active);
  if (at === undefined || at === point || view.phase === "over") return undefined;
  return asking(`/route ${point}`, position);
}

/**
 * The typed basket with a value added or removed, in the order of the legal line if there is one.
 */
function pressPick(value: string, position: At): Act | undefined {
  const picks = picksOf(position);
  const next = picks.includes(value) ? picks.filter((each) => each !== value) : [...picks, value];
  if (next.length === 0) return { act: "clear" };
  const order = ["prebuy", ...position.fixed.lines.map((line) => line.id), "express"];
  const sorted = next.toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
  const typed = `/prebuy ${sorted.join(" ")}`;
  if (!mayPick(position, next)) return { act: "why", line: typed };
  return { act: "type", text: basketLine(position, next)?.text ?? typed };
}

function pressLine(line: string, position: At): Act | undefined {
  const { moves, seat, view } = position;
  if (moves.some((each) => each.verb === "prebuy")) {
    const hand = seat === undefined ? [] : (view.seats[seat]?.hand ?? []);
    return hand.includes(line) ? pressPick(line, position) : asking(`/look ${line}`, position);
  }
  if (hasLine(moves, { item: line }, "buy")) {
    return { act: "pick", verb: "buy", slots: { item: line } };
  }
  for (const verb of ["sell", "go"]) {
    if (hasLine(moves, { line }, verb)) return { act: "pick", verb, slots: { line } };
  }
  return asking(`/look ${line}`, position);
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

function pressBid(kind: string, position: At): Act | undefined {
  const bids = bidsOf(position);
  const bid = shownBid(position);
  if (bid === undefined) return undefined;
  if (kind === "bid") return typing(`/bid ${bid}`, position);
  const typed = bidOf(position);
  const next = bids[bids.indexOf(bid) + (kind === "higher" ? 1 : -1)];
  const wanted = next ?? typed;
  return wanted === undefined ? undefined : { act: "type", text: `/bid ${wanted}` };
}

function shut(position: At): Act {
  return { act: "look", look: { again: undefined, shut: answersTo(position).at(-1) } };
}

/** Buys what is picked; tells why not where that is no legal choice. */
function pressDone(position: At): Act | undefined {
  const picks = picksOf(position);
  const line = basketLine(position, picks);
  if (line !== undefined) return typing(line.text, position);
  return picks.length === 0 ? undefined : { act: "why", line: `/prebuy ${picks.join(" ")}` };
}

const press = pressTable<At>({
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
  lower: (position) => pressBid("lower", position),
  higher: (position) => pressBid("higher", position),
  bid: (position) => pressBid("bid", position),
  shut: (position) => (shownAnswer(position) === undefined ? undefined : shut(position)),
});

function seat(seat: number, position: At): SeatFacts {
  const seatView = position.view.seats[seat];
  if (seatView === undefined) return {};
  const labels = strings(position.lang);
  const parts = [labels.count(owned(position, seat).length)];
  if (seatView.express) parts.push(labels.expressShort);
  if (position.view.fallen.includes(seat)) parts.push(labels.out);
  return { score: seatView.cash * 1000, note: parts.join(labels.and) };
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
  const price = fixed.lines.find((each) => each.id === item)?.price;
  return price === undefined ? "" : `−${yen(price, lang)}`;
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
      if (draft.slots.point !== undefined) {
        const label = [line, turn].join(" ").trim();
        return { text, label, effect: ownerLabel(position, slots.line ?? "") };
      }
      const label = [point, turn].join(" ").trim();
      return draft.slots.line === undefined ? { text, label, effect: line } : { text, label };
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
  Tray,
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
