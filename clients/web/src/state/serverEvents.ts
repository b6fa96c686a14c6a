// Handles the client events of the session: changes of the state, and effects.

import type { AnyEvent } from "../board/contract.ts";
import type {
  Catalogue,
  MyRoom,
  OnlinePeople,
  OnlinePerson,
  UndoAhead,
} from "../protocol/answers.gen.ts";
import type { ClientEvent, Reply, RoomId } from "../sdk/clientEvents.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { type Branch, isBranch, type Tree } from "../sdk/tree.ts";
import { stringsIn } from "../strings/index.ts";
import { minutesArrived, recordArrived } from "./downloads.ts";
import type { Context, Effect, StepResult } from "./events.ts";
import { currentInputKey, inputOf, isTalkText, withInput } from "./lineInput.ts";
import {
  beginScript,
  chooseLine,
  continueScript,
  pausedScript,
  replied,
  sendEffects,
} from "./lineSubmit.ts";
import { mergedLog, updatedLog, withLine } from "./logLines.ts";
import { ask, inSequence, markCatalogueStale, markUndoStale, requestLobbyData } from "./queries.ts";
import {
  closeStaleReplay,
  openReplay,
  openReplayHere,
  dataArrived as replayArrived,
  requestFailed,
} from "./replaySteps.ts";
import { requestAnswered, requestRefused } from "./requests.ts";
import { EMPTY_INPUT, type LineInput, LOBBY, type State } from "./state.ts";

/** Handle one client event. */
export function serverEvent(
  state: State,
  clientEvent: ClientEvent,
  context: Context,
): StepResult<State> {
  switch (clientEvent.type) {
    case "welcomed":
      return handleWelcome(state, clientEvent.name, context);
    case "hello_refused":
      return helloRefused(state, clientEvent, context);
    case "entered":
    case "synced":
      return roomEntered(state, clientEvent, context);
    case "updated":
      return roomUpdated(state, clientEvent, context);
    case "your_turn":
      return yourTurn(state);
    case "noted":
      return noteReceived(state, clientEvent, context);
    case "replied":
      return replied(state, clientEvent.reply, context);
    case "answered":
      return queryAnswered(state, clientEvent.id, clientEvent.body);
    case "not_answered":
      return queryRefused(state, clientEvent.reply);
    case "left":
      return roomLeft(state, clientEvent.room, clientEvent.text, context);
    case "farewell":
      return serverClosing(state, clientEvent);
    case "slowed":
      return [state, [{ type: "wait", timer: "go_on", ms: 1000 }]];
    default:
      // Views, presence, lobby and games are stored in the mirror; they are drawn from there.
      return [state, []];
  }
}

function handleWelcome(state: State, name: string, context: Context): StepResult<State> {
  const { welcome } = state.session.mirror;
  const withIdentity: State = {
    ...state,
    name,
    refused: undefined,
    proposal: undefined,
    entry: undefined,
    link: { phase: "open" },
    skew: (welcome?.now ?? context.now) - context.now,
  };
  const storage: readonly Effect[] = [
    { type: "store", key: "token", value: welcome?.token },
    { type: "store", key: "name", value: name },
  ];
  const [after, effects] = inSequence(withIdentity, (now) =>
    now.script === undefined ? enterAddress(now, context) : continueScript(now, context),
  );
  const [next, more] = inSequence(after, requestLobbyData, openReplayHere);
  return [next, [...storage, ...effects, ...more]];
}

/** After the welcome: enter the room in the address, or go to the lobby if that was requested. */
function enterAddress(state: State, context: Context): StepResult<State> {
  const { address, session } = state;
  if (state.toLobby) {
    const lobby = { at: "lobby" } as const;
    const after = { ...state, toLobby: false, address: lobby };
    return [after, address.at === "lobby" ? [] : [{ type: "navigate", address: lobby }]];
  }
  if (address.at !== "room" || session.rooms.includes(address.id)) return [state, []];
  return chooseLine(state, LOBBY, `/room ${address.id}`, context);
}

function withoutToken(state: State): State {
  const { token: _, ...hello } = state.session.hello;
  return { ...state, session: { ...state.session, hello } };
}

/** The server closes the connection with a reason. */
function serverClosing(
  state: State,
  { why, text, retryMs }: Extract<ClientEvent, { type: "farewell" }>,
): StepResult<State> {
  const after: State = { ...state, goodbye: { text, retryMs } };
  if (why !== "logged_out") return [after, []];
  return [withoutToken(after), [{ type: "store", key: "token", value: undefined }]];
}

function helloRefused(
  state: State,
  { code, text, candidates, retryMs }: Extract<ClientEvent, { type: "hello_refused" }>,
  context: Context,
): StepResult<State> {
  if (code === "unauthorized" || code === "token_replaced") {
    // The token has expired: send `hello` with a name instead.
    const after: State = { ...withoutToken(state), script: undefined, link: { phase: "off" } };
    return [after, [{ type: "store", key: "token", value: undefined }, { type: "disconnect" }]];
  }
  if (retryMs !== undefined && state.script !== undefined) {
    const script = { ...state.script, why: code };
    const off: State = { ...state, script, link: { phase: "off" } };
    const [paused, effects] = pausedScript(off, retryMs, context);
    return [paused, [{ type: "disconnect" }, ...effects]];
  }
  const { name: _, password: __, ...hello } = state.session.hello;
  const query = code === "entry_password" || code === "wrong_entry_password";
  const [name] = candidates;
  const proposal = name === undefined ? undefined : { name, lines: state.script?.lines ?? [] };
  // The lobby needs a name: without one the start page is shown.
  const back = state.address.at === "lobby";
  const after: State = {
    ...state,
    address: back ? { at: "start" } : state.address,
    entry: query ? "" : state.entry,
    session: { ...state.session, hello },
    script: undefined,
    refused: text,
    proposal,
    link: { phase: "off" },
  };
  const effects: Effect[] = [{ type: "disconnect" }, { type: "announce", text }];
  if (back) effects.push({ type: "navigate", address: after.address, replace: true });
  if (proposal !== undefined) effects.push({ type: "focus", on: "proposal" });
  return [after, effects];
}

function roomEntered(
  state: State,
  clientEvent: Extract<ClientEvent, { type: "entered" | "synced" }>,
  context: Context,
): StepResult<State> {
  const { room, log } = clientEvent;
  const mirrored = state.session.mirror.rooms[room];
  if (mirrored === undefined) return [state, []];
  const input = inputOf(state, room);
  const merged = mergedLog(input, log);
  const events = log.flatMap((entry) =>
    entry.event == null ? [] : [{ version: entry.version, event: entry.event as unknown }],
  );
  const myLast = events.findLastIndex(({ event }) => isOurs(event, mirrored.eyes));
  const begun = events.findLastIndex(({ event }) => (event as AnyEvent).event === "started");
  // A person without a seat has no last move: to them nothing is new yet.
  const first = mirrored.eyes.length > 0 ? Math.max(myLast, begun) + 1 : events.length;
  const since = events.slice(first).map(({ event }) => event as AnyEvent);
  const moved = events[myLast]?.version ?? input.moved;
  const after = withInput(closeStaleReplay(state, room, mirrored.view), room, {
    log: merged,
    since,
    moved,
    answers: {},
  });
  const { address } = after;
  const toOtherRoom =
    clientEvent.type === "entered" && !(address.at === "room" && address.id === room);
  const withIdentity = after.session.mirror.games[mirrored.game]?.hash === mirrored.hash;
  const [next, effects] = inSequence(
    toOtherRoom ? { ...after, address: { at: "room", id: room }, about: undefined } : after,
    (now) => markCatalogueStale(now, room),
    (now) => (playedByMe(mirrored) ? markUndoStale(now, room) : [now, []]),
    (now) =>
      withIdentity
        ? [now, []]
        : ask(now, "game", { key: mirrored.game }, { about: "game" }, undefined),
    (now) => continueScript(now, context),
  );
  const navigation: readonly Effect[] = toOtherRoom
    ? [
        { type: "navigate", address: { at: "room", id: room } },
        { type: "focus", on: "line" },
      ]
    : [];
  return [next, [...navigation, ...effects]];
}

/** Whether an event is a move of ours: talk, sitting down and a request for a hint are not. */
function isOurs(event: unknown, eyes: readonly number[]): boolean {
  if (!isBranch(event) || event.event === "joined" || event.event === "hint_asked") return false;
  return typeof event.seat === "number" && eyes.includes(event.seat);
}

function roomUpdated(
  state: State,
  clientEvent: Extract<ClientEvent, { type: "updated" }>,
  context: Context,
): StepResult<State> {
  const { room, version, text, events, done } = clientEvent;
  const input = inputOf(state, room);
  const mirrored = state.session.mirror.rooms[room];
  const eyes = mirrored?.eyes ?? [];
  const isMyMove = done !== undefined && events.some((event) => isOurs(event, eyes));
  // A person without a seat sees what the newest move changed.
  const before = eyes.length > 0 || events.every(isTalk) ? input.since : [];
  const since = isMyMove ? [] : [...before, ...(events as readonly unknown[] as AnyEvent[])];
  const after = withInput(state, room, {
    log: updatedLog(input, version, context.now, text, events),
    since,
    moved: isMyMove ? version : input.moved,
    answers: {},
  });
  const talked = events.some(isTalk) && done === undefined;
  const voted = events.some((event) => event.event === "vote_opened") && done === undefined;
  // The coach says the step of a lesson.
  const spoken = events.at(-1)?.event === "lesson_step" ? text.slice(0, -1) : text;
  const effects = spoken.map((sentence) => announcement(state, room, sentence));
  if (voted) effects.push({ type: "sound", sound: "vote" });
  else if (talked) effects.push({ type: "sound", sound: "talk" });
  const moved = mirrored !== undefined && playedByMe(mirrored) && !events.every(isTalk);
  const [query, more] = inSequence(
    after,
    (now) => (changesCatalogue(events) ? markCatalogueStale(now, room) : [now, []]),
    (now) => (moved ? markUndoStale(now, room) : [now, []]),
  );
  return [query, [...effects, ...more]];
}

/** An announcement; that of a room that is not shown begins with the room's number. */
function announcement(state: State, key: string, text: string): Effect {
  const isShown = key === LOBBY || key === currentInputKey(state);
  const where = isShown ? "" : `${stringsIn(state.settings.lang).room(key)}: `;
  return { type: "announce", text: `${where}${text}` };
}

function isTalk(event: Branch): boolean {
  return event.event === "said";
}

/** Whether a game is running in which I have a seat: then an undo may be possible. */
function playedByMe(room: RoomView): boolean {
  const table = room.view.room;
  return room.eyes.length > 0 && isBranch(table) && table.phase === "playing";
}

/** Talk and moves do not change the commands; other events of the room may. */
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
  "option_set",
  "froze_up",
]);

function yourTurn(state: State): StepResult<State> {
  const effects: Effect[] = [{ type: "sound", sound: "turn" }];
  if (!state.visible && state.settings.notify) effects.push({ type: "notify", text: "turn" });
  return [state, effects];
}

/** An invite link in an answer: the person who asked for it will send it to a friend. */
const INVITE_LINK = /https?:\/\/\S+\/r\/[\w-]+/;

function noteReceived(
  state: State,
  clientEvent: Extract<ClientEvent, { type: "noted" }>,
  context: Context,
): StepResult<State> {
  const key = clientEvent.room ?? currentInputKey(state);
  const { code, text, name, sent } = clientEvent;
  const version = state.session.mirror.rooms[key]?.version ?? 0;
  const at = context.now;
  const input = withLine(
    inputOf(state, key),
    // Operators' words have no name: their sentence tells what they are.
    !name || sent === undefined
      ? { kind: "note", version, at, text, code, sent, lang: state.settings.lang }
      : { kind: "talk", version, at, text: sent, name, code },
  );
  const { log, lines } = input;
  const hinted = code === "hint" && sent !== undefined ? hintedInput(input, sent, text) : {};
  const tip = code === "coach" ? log.at(-1) : input.tip;
  const link = name === undefined ? INVITE_LINK.exec(text)?.[0] : undefined;
  const invite = link ?? input.invite;
  const after = withInput(state, key, { log, lines, tip, invite, ...hinted });
  const effects = [announcement(state, key, text)];
  if (link !== undefined) effects.push({ type: "copy", text: link });
  if (name !== undefined && name !== state.name) effects.push({ type: "sound", sound: "talk" });
  if (code !== "lang") return [after, effects];
  const speaking = withServerLang(after, sent);
  const storage: Effect = { type: "store", key: "settings", value: speaking.settings };
  return refreshTexts(speaking, [...effects, storage]);
}

/** A hint types its line, so that the board shows it; not over talk that is being typed. */
function hintedInput(input: LineInput, line: string, text: string): Partial<LineInput> {
  return {
    hint: { line, text, moved: input.moved },
    text: isTalkText(input.text) ? input.text : line,
  };
}

/** The page uses the language of the server's replies, also if another tab changed it. */
function withServerLang(state: State, lang: string | undefined): State {
  if (lang !== "ja" && lang !== "en") return state;
  return { ...state, settings: { ...state.settings, lang } };
}

/** Request all texts of the server again, in the new language. */
function refreshTexts(state: State, effects: readonly Effect[]): StepResult<State> {
  const { mirror } = state.session;
  const syncs = Object.entries(mirror.ids).map(
    ([number]) => ({ type: "sync", room: Number(number) }) as const,
  );
  const [after, more] = inSequence(
    state,
    (now) => markCatalogueStale(now, LOBBY),
    ...state.session.rooms.map((room) => (now: State) => markCatalogueStale(now, room)),
    ...Object.entries(state.replays).map(
      ([key, replay]) =>
        (now: State) =>
          openReplay(now, key, replay?.at ?? 0),
    ),
  );
  return [after, [...effects, ...sendEffects(syncs), ...more]];
}

function queryRefused(state: State, reply: Reply): StepResult<State> {
  const query = state.pendingQueries[reply.id];
  const after = forgetQuery(state, reply.id);
  if (query?.about === "request") return [requestRefused(after, query.key, reply.text ?? ""), []];
  if (query?.about !== "replay") return [after, []];
  return requestFailed(after, query.key, reply.text ?? "", reply.retryMs);
}

function forgetQuery(state: State, id: string): State {
  const { [id]: _, ...query } = state.pendingQueries;
  return { ...state, pendingQueries: query };
}

function queryAnswered(state: State, id: string, body: Branch): StepResult<State> {
  const query = state.pendingQueries[id];
  const after = forgetQuery(state, id);
  switch (query?.about) {
    case "catalogue": {
      const key = query.room ?? LOBBY;
      if (query.room !== undefined && !after.session.rooms.includes(query.room)) return [after, []];
      const { hash, commands } = body as unknown as Catalogue;
      // The hash alone: it equals that of the cached catalogue.
      if (commands === undefined) return [after, []];
      return [withInput(after, key, { catalogue: commands, catalogueHash: hash }), []];
    }
    case "query": {
      const input = inputOf(after, query.room);
      const { text, data } = body;
      const answer = { text: String(text ?? ""), ...(isBranch(data) ? { data } : {}) };
      const answers = { ...input.answers, [query.line]: answer };
      return [withInput(after, query.room, { answers }), []];
    }
    case "record":
      return recordArrived(after, query.room, body);
    case "minutes":
      return minutesArrived(after, query.room, body);
    case "replay":
      return replayArrived(after, query.key, body);
    case "request":
      return [requestAnswered(after, query.key, body), []];
    case "people":
      return [{ ...after, lobby: { ...after.lobby, online: onlineIn(body) } }, []];
    case "undo": {
      if (!after.session.rooms.includes(query.room)) return [after, []];
      return [withInput(after, query.room, { undo: body as unknown as UndoAhead }), []];
    }
    case "rooms":
      return [{ ...after, lobby: { ...after.lobby, myRooms: list<MyRoom>(body.rooms) } }, []];
    default:
      return [after, []];
  }
}

/** Who is online, as in the answer to `/wwho`. */
function onlineIn({ data }: Branch): OnlinePeople {
  const { people, more } = isBranch(data) ? data : {};
  return { people: list<OnlinePerson>(people), more: Number(more ?? 0) };
}

/** A list of the server, whose shape is documented in the protocol. */
function list<T>(tree: Tree | undefined): readonly T[] {
  return Array.isArray(tree) ? (tree as unknown as readonly T[]) : [];
}

function roomLeft(state: State, room: RoomId, text: string, context: Context): StepResult<State> {
  const { [room]: _, ...inputs } = state.inputs;
  const lobby = withLine(inputOf(state, LOBBY), {
    kind: "note",
    version: 0,
    at: context.now,
    text,
    code: "left",
  });
  const inIt = state.address.at === "room" && state.address.id === room;
  const after: State = {
    ...state,
    inputs: { ...inputs, [LOBBY]: { ...EMPTY_INPUT, ...lobby } },
    address: inIt ? { at: "lobby" } : state.address,
  };
  const effects: readonly Effect[] = inIt
    ? [
        { type: "navigate", address: { at: "lobby" } },
        { type: "announce", text },
      ]
    : [{ type: "announce", text }];
  const { afterLesson } = state;
  const [next, more] =
    afterLesson.length > 0
      ? beginScript({ ...after, afterLesson: [] }, afterLesson, undefined, context)
      : ask(after, "rooms", {}, { about: "rooms" });
  return [next, [...effects, ...more]];
}
