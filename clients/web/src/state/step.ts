// One event, one step: the next state and its effects. Pure; a log of events replays a visit.

import type { RoomId } from "../sdk/clientEvents.ts";
import { stringsIn } from "../strings/index.ts";
import { sameAddress } from "./address.ts";
import { boardActed } from "./boardActs.ts";
import * as connection from "./connection.ts";
import {
  assertNever,
  type Context,
  type Effect,
  type Event,
  type StepResult,
  type Timer,
} from "./events.ts";
import { currentInputKey, inputOf, roomOfInput, textsOf, withInput } from "./lineInput.ts";
import { beginScript, continueScript, resumedScript, sendLine, submitLine } from "./lineSubmit.ts";
import { proposedName } from "./proposedName.ts";
import {
  ask,
  inSequence,
  pollOnline,
  requestLobbyData,
  requestLobbyPage,
  requestStaleCatalogues,
  requestStaleUndos,
} from "./queries.ts";
import * as replaySteps from "./replaySteps.ts";
import { forgetAnswers, request } from "./requests.ts";
import { type Address, LOBBY, type State } from "./state.ts";

export function step(state: State, event: Event, context: Context): StepResult<State> {
  const now = { ...state, now: context.now };
  switch (event.type) {
    case "started":
    case "connected":
    case "frame":
    case "closed":
    case "timer":
    case "offline":
    case "ticked":
    case "shown":
    case "games_loaded":
    case "room_loaded":
    case "game_link_loaded":
    case "server_away":
    case "navigated":
      return systemEvent(now, event, context);
    case "typed":
    case "line_submitted":
    case "line_chosen":
    case "acted":
      return lineEvent(now, event, context);
    case "look_changed":
    case "panel":
    case "opened":
    case "as_text":
    case "replay_toggled":
    case "replayed":
    case "replay_played":
    case "replay_speed":
    case "replay_seat":
    case "result_hidden":
    case "download_requested":
    case "requested":
    case "set":
    case "copied":
    case "copy_ended":
    case "copy_dismissed":
      return displayEvent(now, event, context);
    case "drawing_failed":
      return drawingFailed(now, event);
    case "fault_dismissed":
      return [{ ...now, fault: undefined }, []];
    case "reloaded":
      return [now, [{ type: "reload" }]];
    default:
      return lobbyEvent(now, event, context);
  }
}

/** A section of the page could not be drawn, and shows an error in its place. */
function drawingFailed(state: State, { where, why }: EventOf<"drawing_failed">): StepResult<State> {
  return [{ ...state, fault: { where, why } }, [{ type: "log", text: `${where}: ${why}` }]];
}

type EventOf<T extends Event["type"]> = Extract<Event, { type: T }>;

function systemEvent(
  state: State,
  event: EventOf<
    | "started"
    | "connected"
    | "frame"
    | "closed"
    | "timer"
    | "offline"
    | "ticked"
    | "shown"
    | "games_loaded"
    | "room_loaded"
    | "game_link_loaded"
    | "server_away"
    | "navigated"
  >,
  context: Context,
): StepResult<State> {
  switch (event.type) {
    case "started": {
      const fits = state.name !== "" || state.session.hello.token != null;
      return connection.begin(fits ? state : renamed(state, context));
    }
    case "connected":
      return connection.connected(state, event.token);
    case "frame":
      return connection.frame(state, event.message, context);
    case "closed":
      return connection.closed(state, event.code, event.jitter, context);
    case "timer":
      return timerFired(state, event.timer, context);
    case "offline":
      return connection.offline(state);
    case "ticked":
      return [state, []];
    case "shown":
      return [{ ...state, visible: event.visible }, []];
    case "games_loaded": {
      const shortest = event.games.toSorted((a, b) => a.minutes - b.minutes)[0];
      const choice = state.choice === "" ? (shortest?.key ?? "") : state.choice;
      return [{ ...state, games: event.games, away: false, choice }, []];
    }
    case "server_away":
      return [{ ...state, away: true }, []];
    case "room_loaded":
      return [{ ...state, about: event.about }, []];
    case "game_link_loaded":
      return [{ ...state, gameLink: event.story }, []];
    case "navigated":
      return goTo(state, event.address, context, !(event.inHistory ?? false));
    default:
      return assertNever(event);
  }
}

function timerFired(state: State, timer: Timer, context: Context): StepResult<State> {
  switch (timer) {
    case "reconnect":
      return connection.reconnect(state);
    case "go_on":
      return connection.resumeSending(state, context);
    case "catalogue":
      return requestStaleCatalogues(state);
    case "replay":
      return replaySteps.timerFired(state);
    case "undo":
      return requestStaleUndos(state);
    case "people":
      return pollOnline(state);
    case "pulse":
      return connection.checkLiveness(state, context);
    case "script": {
      const resumed = resumedScript(state);
      if (resumed.script === undefined) return [state, []];
      return state.session.welcomed ? continueScript(resumed, context) : connection.signIn(resumed);
    }
    case "slow":
      // Drawn again: a waiting line is shown as slow from now on.
      return [state, []];
  }
}

/** Go to an address; `push`: the address bar has to follow. */
function goTo(state: State, address: Address, context: Context, push: boolean): StepResult<State> {
  if (sameAddress(address, state.address)) return [state, []];
  const story = address.at === "game" ? state.gameLink : undefined;
  const there: State = {
    ...state,
    address,
    about: undefined,
    gameLink: story,
    toLobby: false,
    refused: undefined,
    proposal: undefined,
  };
  const moved: readonly Effect[] = push ? [{ type: "navigate", address }] : [];
  const [after, effects] = inSequence(
    there,
    (now) => connection.requestLinkInfo(now, address),
    (now) => leaveFor(now, state, context),
    requestLobbyData,
    replaySteps.openReplayHere,
  );
  return [after, [...moved, ...effects]];
}

/** The lobby's messages go to members of no room: a link to the lobby leaves the room. */
function leaveFor(state: State, before: State, context: Context): StepResult<State> {
  const { address } = state;
  if (address.at === "lobby") {
    const room = before.address.at === "room" ? before.address.id : undefined;
    if (room !== undefined && state.session.rooms.includes(room)) {
      return sendLine(state, room, "/lobby", context, inputOf(state, room).text);
    }
    return connection.signIn(state);
  }
  if (
    address.at === "room" &&
    state.session.welcomed &&
    !state.session.rooms.includes(address.id)
  ) {
    return sendLine(state, LOBBY, `/room ${address.id}`, context, inputOf(state, LOBBY).text);
  }
  return [state, []];
}

function lineEvent(
  state: State,
  event: EventOf<"typed" | "line_submitted" | "line_chosen" | "acted">,
  context: Context,
): StepResult<State> {
  switch (event.type) {
    case "typed": {
      const { text } = event;
      const after = withInput(state, event.inputKey, { text, next: undefined, refusal: undefined });
      return [after, [{ type: "store", key: "texts", value: textsOf(after) }]];
    }
    case "line_submitted":
      return submitLine(state, event.inputKey, context);
    case "line_chosen": {
      const { text, pending } = inputOf(state, event.inputKey);
      // A button pressed twice sends its line once.
      if (pending !== undefined) return [state, []];
      return sendLine(state, event.inputKey, event.text, context, text === event.text ? "" : text);
    }
    case "acted":
      return boardActed(state, event, context);
    default:
      return assertNever(event);
  }
}

function displayEvent(
  state: State,
  event: EventOf<
    | "look_changed"
    | "panel"
    | "opened"
    | "as_text"
    | "replay_toggled"
    | "replayed"
    | "replay_played"
    | "replay_speed"
    | "replay_seat"
    | "download_requested"
    | "requested"
    | "result_hidden"
    | "set"
    | "copied"
    | "copy_ended"
    | "copy_dismissed"
  >,
  context: Context,
): StepResult<State> {
  switch (event.type) {
    case "look_changed": {
      const look = { ...inputOf(state, event.inputKey).look, ...event.look };
      return [withInput(state, event.inputKey, { look }), []];
    }
    case "panel": {
      const { panel } = inputOf(state, event.inputKey);
      const next = panel === event.panel ? "none" : event.panel;
      return [withInput(state, event.inputKey, { panel: next }), []];
    }
    case "opened":
      return [withInput(state, event.inputKey, { opened: event.opened }), []];
    case "as_text": {
      const after = withInput(state, event.inputKey, { asText: event.asText });
      return [after, []];
    }
    case "replay_toggled":
      return event.on
        ? replaySteps.openReplay(state, event.inputKey, replaySteps.NEWEST)
        : [replaySteps.closeReplay(state, event.inputKey), []];
    case "replayed":
      return replaySteps.goToStep(state, event.key, event.to);
    case "replay_played":
      return replaySteps.setAutoplay(state, event.key, event.playing);
    case "replay_speed":
      return [replaySteps.setSpeed(state, event.key, event.speed), []];
    case "replay_seat":
      return [replaySteps.chooseSeat(state, event.key, event.seat), []];
    case "result_hidden":
      return [withInput(state, event.inputKey, { putAway: event.putAway }), []];
    case "download_requested": {
      const room = roomOfInput(event.inputKey);
      if (room === undefined) return [state, []];
      const what = event.paper === "record" ? "record" : "history";
      return ask(state, what, {}, { about: event.paper, room }, room);
    }
    case "requested":
      return request(state, event);
    case "copied":
      return [state, [{ type: "copy", text: event.text }]];
    case "copy_ended": {
      const { text, done } = event;
      const announcement = stringsIn(state.settings.lang)[done ? "copied" : "copyYourself"];
      return [{ ...state, copied: { text, done } }, [{ type: "announce", text: announcement }]];
    }
    case "copy_dismissed":
      return [{ ...state, copied: undefined }, []];
    case "set": {
      const settings = { ...state.settings, ...event.settings };
      const storing: Effect[] = [{ type: "store", key: "settings", value: settings }];
      if (event.settings.notify) storing.push({ type: "permit" });
      const [after, effects] = languageChanged({ ...state, settings }, state, context);
      return [after, [...storing, ...effects]];
    }
    default:
      return assertNever(event);
  }
}

/** Another language: the server gets the same line that a person could type. */
function languageChanged(state: State, before: State, context: Context): StepResult<State> {
  const { lang } = state.settings;
  if (lang === before.settings.lang) return [state, []];
  const langs = lang === "ja" ? (["ja", "en"] as const) : (["en", "ja"] as const);
  const session = { ...state.session, hello: { ...state.session.hello, langs } };
  const after = forgetAnswers({ ...state, session });
  if (!session.welcomed) return [after, []];
  const key = currentInputKey(after);
  return sendLine(after, key, `/lang ${lang}`, context, inputOf(after, key).text);
}

function lobbyEvent(
  state: State,
  event: EventOf<
    | "named"
    | "entry_typed"
    | "chose_game"
    | "renamed"
    | "play_now"
    | "learn"
    | "play_with_friend"
    | "find_game"
    | "log_in"
    | "to_lobby"
    | "proposal_accepted"
    | "sign_in"
    | "sit_down"
    | "watch"
    | "filtered"
    | "paged"
    | "room_form_changed"
    | "make_room"
    | "unlocking"
  >,
  context: Context,
): StepResult<State> {
  const { lobby } = state;
  const seed = `seed=${context.fresh}`;
  const unlisted = `/newroom ${state.choice} unlisted`;
  switch (event.type) {
    case "entry_typed":
      return [{ ...state, entry: event.password, refused: undefined, proposal: undefined }, []];
    case "named":
      return [{ ...state, name: event.name, refused: undefined, proposal: undefined }, []];
    case "chose_game":
      return [{ ...state, choice: event.game }, []];
    case "play_now":
      return runLines(
        state,
        context,
        unlisted,
        `/join ${seed}`,
        "/bot",
        // Where all others are bots, a hint is fair.
        "/option hints on",
        "/start",
      );
    case "renamed":
      return [renamed({ ...state, refused: undefined, proposal: undefined }, context), []];
    case "learn":
      return runLines(state, context, `/learn ${state.choice}`);
    case "play_with_friend":
      return runLines(state, context, unlisted, `/join ${seed}`, "/invite");
    case "find_game": {
      const there = { ...state, address: { at: "lobby" } as const };
      const [after, effects] = runLines(there, context, `/wish ${state.choice}`);
      return [after, [{ type: "navigate", address: there.address }, ...effects]];
    }
    case "log_in":
      return runLines(state, context, `/login ${event.name} ${event.password}`);
    case "sign_in":
      return connection.signIn(state);
    case "to_lobby":
      return goToLobby(state, context);
    case "proposal_accepted":
      return acceptProposal(state, context);
    case "sit_down":
      return runLines(state, context, enterLine(event.room, event.password), `/join ${seed}`);
    case "watch":
      return runLines(state, context, enterLine(event.room, event.password));
    case "filtered": {
      const filter = event.filter ?? lobby.filter;
      const game = "game" in event ? event.game : lobby.game;
      return requestLobbyPage({ ...state, lobby: { ...lobby, filter, game, page: 0 } });
    }
    case "paged":
      return requestLobbyPage({ ...state, lobby: { ...lobby, page: event.page } });
    case "room_form_changed": {
      const making = { ...lobby.making, ...event.making };
      return [{ ...state, lobby: { ...lobby, making } }, []];
    }
    case "make_room": {
      const { game, privacy, password } = lobby.making;
      const line = `/newroom ${game || state.choice} ${privacy} ${password}`.trimEnd();
      const making = { ...lobby.making, password: "" };
      return runLines({ ...state, lobby: { ...lobby, making } }, context, line, `/join ${seed}`);
    }
    case "unlocking":
      return [{ ...state, lobby: { ...lobby, unlocking: event.room } }, []];
    default:
      return assertNever(event);
  }
}

/** To the lobby: immediately, or as soon as the person has a name. */
function goToLobby(state: State, context: Context): StepResult<State> {
  if (state.session.welcomed) return goTo(state, { at: "lobby" }, context, true);
  return connection.signIn({ ...state, toLobby: true, refused: undefined, proposal: undefined });
}

/** Repeat what was refused under one name under the free name. */
function acceptProposal(state: State, context: Context): StepResult<State> {
  const { proposal } = state;
  if (proposal === undefined) return [state, []];
  const { name, lines } = proposal;
  const named: State = { ...state, name, refused: undefined, proposal: undefined };
  return lines.length === 0 ? connection.signIn(named) : runLines(named, context, ...lines);
}

/** With a proposed name, another one each time. */
function renamed(state: State, context: Context): State {
  return { ...state, name: proposedName(state.settings.lang, context.fresh) };
}

function enterLine(room: string, password: string | undefined): string {
  return password === undefined || password === "" ? `/room ${room}` : `/room ${room} ${password}`;
}

/** Send these lines in sequence, under the name in the field. */
function runLines(state: State, context: Context, ...lines: readonly string[]): StepResult<State> {
  const script = lines.map((line) => line.trim());
  return inSequence(
    state,
    (now) => beginScript(now, script, undefined as RoomId | undefined, context),
    connection.signIn,
  );
}
