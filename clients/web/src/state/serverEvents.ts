// What the server makes happen, and what follows from it on the page.

import type { AnyEvent } from "../board/contract.ts";
import type { Happening, Reply, RoomId } from "../sdk/clientEvents.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { type Branch, isBranch, type Tree } from "../sdk/tree.ts";
import * as analysing from "./analysis.ts";
import { minutesArrived, recordArrived } from "./downloads.ts";
import type { Context, Effect, Stepped } from "./events.ts";
import { deskOf, withDesk } from "./lineInput.ts";
import { goOnScript, replied, sayLine, sending } from "./lineSubmit.ts";
import { mergedLog, updatedLog, withLine } from "./logLines.ts";
import { ask, atTheDoor, inTurn, staleCatalogue, staleUndo } from "./queries.ts";
import { ownArrived, topArrived } from "./ratings.ts";
import { ofThisGame, openedHere, arrived as replayArrived, turnedDown } from "./replaySteps.ts";
import {
  type Companion,
  EMPTY_DESK,
  type Here,
  type Item,
  LOBBY,
  type OwnRoom,
  type State,
} from "./state.ts";

/** One happening. */
export function heard(state: State, happening: Happening, context: Context): Stepped<State> {
  switch (happening.type) {
    case "welcomed":
      return welcomed(state, happening.name, context);
    case "hello_refused":
      return helloRefused(state, happening);
    case "entered":
    case "synced":
      return entered(state, happening, context);
    case "updated":
      return updated(state, happening, context);
    case "your_turn":
      return yourTurn(state);
    case "noted":
      return noted(state, happening, context);
    case "replied":
      return replied(state, happening.reply, context);
    case "answered":
      return answered(state, happening.id, happening.body);
    case "not_answered":
      return notAnswered(state, happening.reply);
    case "left":
      return left(state, happening.room, happening.text, context);
    case "farewell":
      return farewell(state, happening);
    case "slowed":
      return [state, [{ type: "wait", timer: "go_on", ms: 1000 }]];
    default:
      // Views, presence, lobby and games stand in the mirror; they are drawn from there.
      return [state, []];
  }
}

function welcomed(state: State, name: string, context: Context): Stepped<State> {
  const { welcome } = state.session.mirror;
  const known: State = {
    ...state,
    name,
    refused: undefined,
    proposal: undefined,
    entry: undefined,
    link: { phase: "open" },
    skew: (welcome?.now ?? context.now) - context.now,
  };
  const kept: readonly Effect[] = [
    { type: "keep", key: "token", value: welcome?.token },
    { type: "keep", key: "name", value: name },
  ];
  const [after, effects] = inTurn(known, (now) =>
    now.script === undefined ? comeIn(now, context) : goOnScript(now, context),
  );
  const [next, more] = inTurn(after, atTheDoor, openedHere);
  return [next, [...kept, ...effects, ...more]];
}

/** Who opens a room's address and is known goes straight in; and to the lobby who has asked for it. */
function comeIn(state: State, context: Context): Stepped<State> {
  const { place, session } = state;
  if (state.toLobby) {
    const lobby = { at: "lobby" } as const;
    const after = { ...state, toLobby: false, place: lobby };
    return [after, place.at === "lobby" ? [] : [{ type: "navigate", place: lobby }]];
  }
  if (place.at !== "room" || session.rooms.includes(place.id)) return [state, []];
  return sayLine(state, LOBBY, `/room ${place.id}`, context, deskOf(state, LOBBY).text);
}

function withoutToken(state: State): State {
  const { token: _, ...hello } = state.session.hello;
  return { ...state, session: { ...state.session, hello } };
}

/** The server ends the connection, and says why. */
function farewell(
  state: State,
  { why, text, retryMs }: Extract<Happening, { type: "farewell" }>,
): Stepped<State> {
  const after: State = { ...state, goodbye: { text, retryMs } };
  if (why !== "logged_out") return [after, []];
  return [withoutToken(after), [{ type: "keep", key: "token", value: undefined }]];
}

function helloRefused(
  state: State,
  { code, text, candidates }: Extract<Happening, { type: "hello_refused" }>,
): Stepped<State> {
  if (code === "unauthorized" || code === "token_replaced") {
    // The token is too old: say hello with a name instead.
    const after: State = { ...withoutToken(state), script: undefined, link: { phase: "off" } };
    return [after, [{ type: "keep", key: "token", value: undefined }, { type: "disconnect" }]];
  }
  const { name: _, password: __, ...hello } = state.session.hello;
  const asked = code === "entry_password" || code === "wrong_entry_password";
  const [name] = candidates;
  const proposal = name === undefined ? undefined : { name, lines: state.script?.lines ?? [] };
  // The lobby is nobody's without a name: what is shown then is the start page.
  const back = state.place.at === "lobby";
  const after: State = {
    ...state,
    place: back ? { at: "start" } : state.place,
    entry: asked ? "" : state.entry,
    session: { ...state.session, hello },
    script: undefined,
    refused: text,
    proposal,
    link: { phase: "off" },
  };
  const effects: Effect[] = [{ type: "disconnect" }, { type: "announce", text }];
  if (back) effects.push({ type: "navigate", place: after.place, replace: true });
  if (proposal !== undefined) effects.push({ type: "focus", on: "proposal" });
  return [after, effects];
}

function entered(
  state: State,
  happening: Extract<Happening, { type: "entered" | "synced" }>,
  context: Context,
): Stepped<State> {
  const { room, log } = happening;
  const mirrored = state.session.mirror.rooms[room];
  if (mirrored === undefined) return [state, []];
  const desk = deskOf(state, room);
  const merged = mergedLog(desk, log);
  const events = log.flatMap((entry) =>
    entry.event == null ? [] : [{ version: entry.version, event: entry.event as unknown }],
  );
  const mine = events.findLastIndex(({ event }) => isOurs(event, mirrored.eyes));
  const since = events.slice(mine + 1).map(({ event }) => event as AnyEvent);
  const moved = events[mine]?.version ?? desk.moved;
  const after = withDesk(ofThisGame(state, room, mirrored.view), room, {
    log: merged,
    since,
    moved,
    answers: {},
  });
  const { place } = after;
  const elsewhere = happening.type === "entered" && !(place.at === "room" && place.id === room);
  const known = after.session.mirror.games[mirrored.game]?.hash === mirrored.hash;
  const [next, effects] = inTurn(
    elsewhere ? { ...after, place: { at: "room", id: room }, about: undefined } : after,
    (now) => staleCatalogue(now, room),
    (now) => (playedByMe(mirrored) ? staleUndo(now, room) : [now, []]),
    (now) =>
      known ? [now, []] : ask(now, "game", { key: mirrored.game }, { about: "game" }, undefined),
    (now) => goOnScript(now, context),
  );
  const went: readonly Effect[] = elsewhere
    ? [
        { type: "navigate", place: { at: "room", id: room } },
        { type: "focus", on: "line" },
      ]
    : [];
  return [next, [...went, ...effects]];
}

/** Whether an event tells of a move of ours: talk and sitting down are none. */
function isOurs(event: unknown, eyes: readonly number[]): boolean {
  if (!isBranch(event)) return false;
  return typeof event.seat === "number" && eyes.includes(event.seat) && event.event !== "joined";
}

function updated(
  state: State,
  happening: Extract<Happening, { type: "updated" }>,
  context: Context,
): Stepped<State> {
  const { room, version, text, events, done } = happening;
  const desk = deskOf(state, room);
  const mirrored = state.session.mirror.rooms[room];
  const mine = done !== undefined && events.some((event) => isOurs(event, mirrored?.eyes ?? []));
  const since = mine ? [] : [...desk.since, ...(events as readonly unknown[] as AnyEvent[])];
  const after = withDesk(state, room, {
    log: updatedLog(desk, version, context.now, text, events),
    since,
    moved: mine ? version : desk.moved,
    answers: {},
  });
  const talked = events.some(isTalk) && done === undefined;
  const voted = events.some((event) => event.event === "vote_opened") && done === undefined;
  const effects: Effect[] = text.map((sentence) => ({ type: "announce", text: sentence }));
  if (voted) effects.push({ type: "sound", sound: "vote" });
  else if (talked) effects.push({ type: "sound", sound: "talk" });
  const moved = mirrored !== undefined && playedByMe(mirrored) && !events.every(isTalk);
  const [asked, more] = inTurn(
    after,
    (now) => (changesCatalogue(events) ? staleCatalogue(now, room) : [now, []]),
    (now) => (moved ? staleUndo(now, room) : [now, []]),
  );
  return [asked, [...effects, ...more]];
}

function isTalk(event: Branch): boolean {
  return event.event === "said";
}

/** Whether a game goes on here in which I have a seat: then there may be something to undo. */
function playedByMe(room: RoomView): boolean {
  const table = room.view.room;
  return room.eyes.length > 0 && isBranch(table) && table.phase === "playing";
}

/** Talk and moves leave the commands as they are; anything of the room may change them. */
function changesCatalogue(events: readonly Branch[]): boolean {
  return events.some((event) => ROOM_EVENTS.has(String(event.event)));
}

/** Events of the room after which other commands are offered. */
const ROOM_EVENTS: ReadonlySet<string> = new Set([
  "joined",
  "left",
  "vacated",
  "stood_in",
  "came_back",
  "took_over",
  "ready",
  "started",
  "vote_opened",
  "balloted",
  "vote_ended",
  "resigned",
  "game_ended",
  "aborted",
  "cleared",
  "paused",
  "resumed",
  "host_is",
  "froze_up",
]);

function yourTurn(state: State): Stepped<State> {
  const effects: Effect[] = [{ type: "sound", sound: "turn" }];
  if (!state.visible && state.settings.notify) effects.push({ type: "notify", text: "turn" });
  return [state, effects];
}

function noted(
  state: State,
  happening: Extract<Happening, { type: "noted" }>,
  context: Context,
): Stepped<State> {
  const key = happening.room ?? LOBBY;
  const { code, text, name, said } = happening;
  const version = state.session.mirror.rooms[key]?.version ?? 0;
  const at = context.now;
  const desk = withLine(
    deskOf(state, key),
    name === undefined || said === undefined
      ? { kind: "note", version, at, text, code }
      : { kind: "talk", version, at, text: said, name, code },
  );
  const after = withDesk(state, key, { log: desk.log, lines: desk.lines });
  const effects: Effect[] = [{ type: "announce", text }];
  if (name !== undefined && name !== state.name) effects.push({ type: "sound", sound: "talk" });
  if (code !== "lang") return [after, effects];
  const speaking = spoken(after, said);
  const kept: Effect = { type: "keep", key: "settings", value: speaking.settings };
  return relabelled(speaking, [...effects, kept]);
}

/** The page speaks what the server speaks, whoever has asked for it. */
function spoken(state: State, lang: string | undefined): State {
  if (lang !== "ja" && lang !== "en") return state;
  return { ...state, settings: { ...state.settings, lang } };
}

/** Everything that the server words comes again, in the new language. */
function relabelled(state: State, effects: readonly Effect[]): Stepped<State> {
  const { mirror } = state.session;
  const syncs = Object.entries(mirror.ids).map(
    ([number]) => ({ type: "sync", room: Number(number) }) as const,
  );
  const [after, more] = inTurn(
    state,
    (now) => staleCatalogue(now, LOBBY),
    ...state.session.rooms.map((room) => (now: State) => staleCatalogue(now, room)),
  );
  return [after, [...effects, ...sending(syncs), ...more]];
}

function notAnswered(state: State, reply: Reply): Stepped<State> {
  const asked = state.asked[reply.id];
  const after = forgetAsked(state, reply.id);
  if (asked?.about === "analysis")
    return [analysing.turnedDown(after, asked.game, reply.text ?? ""), []];
  if (asked?.about !== "replay") return [after, []];
  return turnedDown(after, asked.key, reply.text ?? "", reply.retryMs);
}

function forgetAsked(state: State, id: string): State {
  const { [id]: _, ...asked } = state.asked;
  return { ...state, asked };
}

function answered(state: State, id: string, body: Branch): Stepped<State> {
  const asked = state.asked[id];
  const after = forgetAsked(state, id);
  switch (asked?.about) {
    case "catalogue": {
      const key = asked.room ?? LOBBY;
      if (asked.room !== undefined && !after.session.rooms.includes(asked.room)) return [after, []];
      // The hash alone: it is the one that is here already.
      if (body.commands === undefined) return [after, []];
      const catalogue = list<Item>(body.commands);
      return [withDesk(after, key, { catalogue, catalogueHash: String(body.hash ?? "") }), []];
    }
    case "query": {
      const desk = deskOf(after, asked.room);
      const { text, data } = body;
      const answer = { text: String(text ?? ""), ...(isBranch(data) ? { data } : {}) };
      const answers = { ...desk.answers, [asked.line]: answer };
      return [withDesk(after, asked.room, { answers }), []];
    }
    case "record":
      return recordArrived(after, asked.room, body);
    case "minutes":
      return minutesArrived(after, asked.room, body);
    case "replay":
      return replayArrived(after, asked.key, body);
    case "analysis":
      return [analysing.arrived(after, asked.game, body), []];
    case "own_ratings":
      return [ownArrived(after, body), []];
    case "top":
      return [topArrived(after, asked.game, body), []];
    case "people":
      return [{ ...after, lobby: { ...after.lobby, here: hereIn(body) } }, []];
    case "undo": {
      if (!after.session.rooms.includes(asked.room)) return [after, []];
      const undo = { can: body.can === true, asks: body.asks === true };
      return [withDesk(after, asked.room, { undo }), []];
    }
    case "rooms":
      return [{ ...after, lobby: { ...after.lobby, mine: list<OwnRoom>(body.rooms) } }, []];
    default:
      return [after, []];
  }
}

/** Who is online, as the answer to `/wwho` has it. */
function hereIn({ data }: Branch): Here {
  const { people, more } = isBranch(data) ? data : {};
  return { people: list<Companion>(people), more: Number(more ?? 0) };
}

/** A list of the server's, whose shape is that of its documentation. */
function list<T>(tree: Tree | undefined): readonly T[] {
  return Array.isArray(tree) ? (tree as unknown as readonly T[]) : [];
}

function left(state: State, room: RoomId, text: string, context: Context): Stepped<State> {
  const { [room]: _, ...desks } = state.desks;
  const lobby = withLine(deskOf(state, LOBBY), {
    kind: "note",
    version: 0,
    at: context.now,
    text,
    code: "left",
  });
  const inIt = state.place.at === "room" && state.place.id === room;
  const after: State = {
    ...state,
    desks: { ...desks, [LOBBY]: { ...EMPTY_DESK, ...lobby } },
    place: inIt ? { at: "lobby" } : state.place,
  };
  const effects: readonly Effect[] = inIt
    ? [
        { type: "navigate", place: { at: "lobby" } },
        { type: "announce", text },
      ]
    : [{ type: "announce", text }];
  const [next, more] = ask(after, "rooms", {}, { about: "rooms" });
  return [next, [...effects, ...more]];
}
