// One event, one step: the next state, and what it wants of the world. Pure; a log of events
// replays a visit.

import { typedBy } from "../board/applyAct.ts";
import type { Act } from "../board/contract.ts";
import type { RoomId } from "../sdk/clientEvents.ts";
import { samePlace } from "./address.ts";
import * as analysing from "./analysis.ts";
import * as link from "./connection.ts";
import {
  assertNever,
  type Context,
  type Effect,
  type Event,
  type Stepped,
  type Timer,
} from "./events.ts";
import { deskHere, deskOf, roomOfDesk, textsOf, withDesk } from "./lineInput.ts";
import { beginScript, sayLine, sentLine } from "./lineSubmit.ts";
import {
  ask,
  askPage,
  askPeopleAgain,
  atTheDoor,
  freshCatalogues,
  freshUndo,
  inTurn,
} from "./queries.ts";
import * as ratings from "./ratings.ts";
import * as replaying from "./replaySteps.ts";
import { positionAt } from "./selectors.ts";
import { LOBBY, type Place, type State } from "./state.ts";

/** The area is not known to the state; a position that is only asked about lines needs none. */
const NOWHERE = { width: 0, height: 0 };

export function step(state: State, event: Event, context: Context): Stepped<State> {
  const now = { ...state, now: context.now };
  switch (event.type) {
    case "begun":
    case "connected":
    case "frame":
    case "closed":
    case "timer":
    case "offline":
    case "ticked":
    case "shown":
    case "games_known":
    case "room_known":
    case "story_known":
    case "server_away":
    case "went":
      return ofTheWorld(now, event, context);
    case "typed":
    case "sent":
    case "said":
    case "acted":
      return ofLines(now, event, context);
    case "looked":
    case "panel":
    case "opened":
    case "as_text":
    case "looked_back":
    case "replayed":
    case "replay_played":
    case "replay_seat":
    case "put_away":
    case "paper_wanted":
    case "analysis_wanted":
    case "ratings_wanted":
    case "set":
    case "copied":
      return ofSight(now, event, context);
    case "broke":
      return broke(now, event);
    case "fault_seen":
      return [{ ...now, fault: undefined }, []];
    case "reloaded":
      return [now, [{ type: "reload" }]];
    default:
      return ofDoors(now, event, context);
  }
}

/** A part of the page could not be drawn, and says so in its place. */
function broke(state: State, { where, why }: Of<"broke">): Stepped<State> {
  return [{ ...state, fault: { where, why } }, [{ type: "log", text: `${where}: ${why}` }]];
}

type Of<T extends Event["type"]> = Extract<Event, { type: T }>;

function ofTheWorld(
  state: State,
  event: Of<
    | "begun"
    | "connected"
    | "frame"
    | "closed"
    | "timer"
    | "offline"
    | "ticked"
    | "shown"
    | "games_known"
    | "room_known"
    | "story_known"
    | "server_away"
    | "went"
  >,
  context: Context,
): Stepped<State> {
  switch (event.type) {
    case "begun":
      return link.begin(state);
    case "connected":
      return link.connected(state, event.token);
    case "frame":
      return link.frame(state, event.message, context);
    case "closed":
      return link.closed(state, event.code, event.jitter, context);
    case "timer":
      return rang(state, event.timer, context);
    case "offline":
      return link.offline(state);
    case "ticked":
      return [state, []];
    case "shown":
      return [{ ...state, visible: event.visible }, []];
    case "games_known": {
      const shortest = event.games.toSorted((a, b) => a.minutes - b.minutes)[0];
      const choice = state.choice === "" ? (shortest?.key ?? "") : state.choice;
      return [{ ...state, games: event.games, away: false, choice }, []];
    }
    case "server_away":
      return [{ ...state, away: true }, []];
    case "room_known":
      return [{ ...state, about: event.about }, []];
    case "story_known":
      return [{ ...state, story: event.story }, []];
    case "went":
      return go(state, event.place, context, !(event.inHistory ?? false));
    default:
      return assertNever(event);
  }
}

function rang(state: State, timer: Timer, context: Context): Stepped<State> {
  switch (timer) {
    case "reconnect":
      return link.comeBack(state);
    case "go_on":
      return link.goOn(state, context);
    case "catalogue":
      return freshCatalogues(state);
    case "replay":
      return replaying.rang(state);
    case "undo":
      return freshUndo(state);
    case "people":
      return askPeopleAgain(state);
    case "pulse":
      return link.feel(state, context);
    case "slow":
      // To be drawn anew: a line that waits shows it by now.
      return [state, []];
  }
}

/** Go somewhere; `push`: the address bar has to follow. */
function go(state: State, place: Place, context: Context, push: boolean): Stepped<State> {
  if (samePlace(place, state.place)) return [state, []];
  const story = place.at === "game" ? state.story : undefined;
  const there: State = {
    ...state,
    place,
    about: undefined,
    story,
    toLobby: false,
    refused: undefined,
    proposal: undefined,
  };
  const moved: readonly Effect[] = push ? [{ type: "navigate", place }] : [];
  const [after, effects] = inTurn(
    there,
    (now) => link.learn(now, place),
    (now) => leaveFor(now, state, context),
    atTheDoor,
    replaying.openedHere,
  );
  return [after, [...moved, ...effects]];
}

/** The lobby is heard by those who are in no room: who goes there by a link says so. */
function leaveFor(state: State, before: State, context: Context): Stepped<State> {
  const { place } = state;
  if (place.at === "lobby") {
    const room = before.place.at === "room" ? before.place.id : undefined;
    if (room !== undefined && state.session.rooms.includes(room)) {
      return sayLine(state, room, "/lobby", context, deskOf(state, room).text);
    }
    return link.introduce(state);
  }
  if (place.at === "room" && state.session.welcomed && !state.session.rooms.includes(place.id)) {
    return sayLine(state, LOBBY, `/room ${place.id}`, context, deskOf(state, LOBBY).text);
  }
  return [state, []];
}

function ofLines(
  state: State,
  event: Of<"typed" | "sent" | "said" | "acted">,
  context: Context,
): Stepped<State> {
  switch (event.type) {
    case "typed": {
      const { text } = event;
      const after = withDesk(state, event.desk, { text, next: undefined, refusal: undefined });
      return [after, [{ type: "keep", key: "texts", value: textsOf(after) }]];
    }
    case "sent":
      return sentLine(state, event.desk, context);
    case "said": {
      const { text, pending } = deskOf(state, event.desk);
      // A button pressed twice says its line once.
      if (pending !== undefined) return [state, []];
      return sayLine(state, event.desk, event.text, context, text === event.text ? "" : text);
    }
    case "acted":
      return acted(state, event.desk, event.act, context);
    default:
      return assertNever(event);
  }
}

/** What a click on a board does. */
function acted(state: State, key: string, act: Act, context: Context): Stepped<State> {
  const desk = deskOf(state, key);
  if (act.act === "look")
    return [withDesk(state, key, { look: { ...desk.look, ...act.look } }), []];
  const room = state.session.mirror.rooms[key];
  if (room === undefined) return [state, []];
  if (act.act === "ask") {
    if (act.line in desk.answers) return [state, []];
    const answers = { ...desk.answers, [act.line]: undefined };
    const about = { about: "query", room: room.id, line: act.line } as const;
    return ask(withDesk(state, key, { answers }), "query", { text: act.line }, about, room.id);
  }
  const position = positionAt(state, key, { ...NOWHERE, touch: context.touch });
  if (position === undefined) return [state, []];
  const typed = typedBy(act, position, sendingOf(state, context));
  if (typed === null) return [state, []];
  const after = withDesk(state, key, { text: typed.text, refusal: undefined });
  // While a line is on its way, or the connection away, a click is of a moment that may be past: it
  // is a draft, which the player may still send.
  const ready = desk.pending === undefined && room.sound;
  if (typed.send && ready) return sayLine(after, key, typed.text, context);
  return [after, [{ type: "keep", key: "texts", value: textsOf(after) }]];
}

function sendingOf(state: State, context: Context): "at once" | "ask" {
  const { sending } = state.settings;
  if (sending !== "auto") return sending;
  return context.touch ? "ask" : "at once";
}

function ofSight(
  state: State,
  event: Of<
    | "looked"
    | "panel"
    | "opened"
    | "as_text"
    | "looked_back"
    | "replayed"
    | "replay_played"
    | "replay_seat"
    | "paper_wanted"
    | "analysis_wanted"
    | "ratings_wanted"
    | "put_away"
    | "set"
    | "copied"
  >,
  context: Context,
): Stepped<State> {
  switch (event.type) {
    case "looked": {
      const look = { ...deskOf(state, event.desk).look, ...event.look };
      return [withDesk(state, event.desk, { look }), []];
    }
    case "panel": {
      const { panel } = deskOf(state, event.desk);
      const next = panel === event.panel ? "none" : event.panel;
      return [withDesk(state, event.desk, { panel: next }), []];
    }
    case "opened":
      return [withDesk(state, event.desk, { opened: event.opened }), []];
    case "as_text": {
      const after = withDesk(state, event.desk, { asText: event.asText });
      return [after, []];
    }
    case "looked_back":
      return event.on
        ? replaying.opened(state, event.desk, replaying.NEWEST)
        : [replaying.shut(state, event.desk), []];
    case "replayed":
      return replaying.went(state, event.key, event.to);
    case "replay_played":
      return replaying.played(state, event.key, event.playing);
    case "replay_seat":
      return [replaying.seatChosen(state, event.key, event.seat), []];
    case "put_away":
      return [withDesk(state, event.desk, { putAway: event.putAway }), []];
    case "paper_wanted": {
      const room = roomOfDesk(event.desk);
      if (room === undefined) return [state, []];
      const what = event.paper === "record" ? "record" : "history";
      return ask(state, what, {}, { about: event.paper, room }, room);
    }
    case "analysis_wanted":
      return analysing.wanted(state, event.game);
    case "ratings_wanted":
      return ratings.wanted(state, event.game);
    case "copied":
      return [state, [{ type: "copy", text: event.text }]];
    case "set": {
      const settings = { ...state.settings, ...event.settings };
      const kept: Effect[] = [{ type: "keep", key: "settings", value: settings }];
      if (event.settings.notify) kept.push({ type: "permit" });
      const [after, effects] = relanguaged({ ...state, settings }, state, context);
      return [after, [...kept, ...effects]];
    }
    default:
      return assertNever(event);
  }
}

/** Another language: the server is told by the line that anybody could type. */
function relanguaged(state: State, before: State, context: Context): Stepped<State> {
  const { lang } = state.settings;
  if (lang === before.settings.lang) return [state, []];
  const langs = lang === "ja" ? (["ja", "en"] as const) : (["en", "ja"] as const);
  const session = { ...state.session, hello: { ...state.session.hello, langs } };
  const after = analysing.relanguaged({ ...state, session });
  if (!session.welcomed) return [after, []];
  const key = deskHere(after);
  return sayLine(after, key, `/lang ${lang}`, context, deskOf(after, key).text);
}

function ofDoors(
  state: State,
  event: Of<
    | "named"
    | "entry_typed"
    | "chose_game"
    | "play_now"
    | "to_lobby"
    | "took_proposal"
    | "come_in"
    | "sit_down"
    | "watch"
    | "filtered"
    | "paged"
    | "making"
    | "make_room"
    | "unlocking"
  >,
  context: Context,
): Stepped<State> {
  const { lobby } = state;
  const seed = `seed=${context.fresh}`;
  switch (event.type) {
    case "entry_typed":
      return [{ ...state, entry: event.password, refused: undefined, proposal: undefined }, []];
    case "named":
      return [{ ...state, name: event.name, refused: undefined, proposal: undefined }, []];
    case "chose_game":
      return [{ ...state, choice: event.game }, []];
    case "play_now":
      return run(
        state,
        context,
        `/newroom ${state.choice} unlisted`,
        `/join ${seed}`,
        "/bot",
        "/start",
      );
    case "come_in":
      return link.introduce(state);
    case "to_lobby":
      return toLobby(state, context);
    case "took_proposal":
      return takeProposal(state, context);
    case "sit_down":
      return run(state, context, lineInto(event.room, event.password), `/join ${seed}`);
    case "watch":
      return run(state, context, lineInto(event.room, event.password));
    case "filtered": {
      const filter = event.filter ?? lobby.filter;
      const game = "game" in event ? event.game : lobby.game;
      return askPage({ ...state, lobby: { ...lobby, filter, game, page: 0 } });
    }
    case "paged":
      return askPage({ ...state, lobby: { ...lobby, page: event.page } });
    case "making": {
      const making = { ...lobby.making, ...event.making };
      return [{ ...state, lobby: { ...lobby, making } }, []];
    }
    case "make_room": {
      const { game, privacy, password } = lobby.making;
      const line = `/newroom ${game || state.choice} ${privacy} ${password}`.trimEnd();
      const making = { ...lobby.making, password: "" };
      return run({ ...state, lobby: { ...lobby, making } }, context, line, `/join ${seed}`);
    }
    case "unlocking":
      return [{ ...state, lobby: { ...lobby, unlocking: event.room } }, []];
    default:
      return assertNever(event);
  }
}

/** To the lobby: at once, or as soon as there is a name to be there under. */
function toLobby(state: State, context: Context): Stepped<State> {
  if (state.session.welcomed) return go(state, { at: "lobby" }, context, true);
  return link.introduce({ ...state, toLobby: true, refused: undefined, proposal: undefined });
}

/** What was refused under one name, again under the one that is free. */
function takeProposal(state: State, context: Context): Stepped<State> {
  const { proposal } = state;
  if (proposal === undefined) return [state, []];
  const { name, lines } = proposal;
  const named: State = { ...state, name, refused: undefined, proposal: undefined };
  return lines.length === 0 ? link.introduce(named) : run(named, context, ...lines);
}

function lineInto(room: string, password: string | undefined): string {
  return password === undefined || password === "" ? `/room ${room}` : `/room ${room} ${password}`;
}

/** Say these lines one after the other, under the name in the field. */
function run(state: State, context: Context, ...lines: readonly string[]): Stepped<State> {
  const script = lines.map((line) => line.trim());
  return inTurn(
    state,
    (now) => beginScript(now, script, undefined as RoomId | undefined, context),
    link.introduce,
  );
}
