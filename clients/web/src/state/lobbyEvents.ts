// Events of the start page, of invites and of the lobby.

import type { RoomId } from "../sdk/clientEvents.ts";
import * as connection from "./connection.ts";
import type { Context, Handlers, StepResult } from "./events.ts";
import { beginScript } from "./lineSubmit.ts";
import { goToLobby } from "./navigation.ts";
import { renamed } from "./proposedName.ts";
import { inSequence, requestLobbyPage } from "./queries.ts";
import { aheadOf } from "./selectors.ts";
import type { State } from "./state.ts";

export const lobbyEvents = {
  entry_typed: (state, event) => [
    { ...state, entry: event.password, refused: undefined, proposal: undefined },
    [],
  ],
  named: (state, event) => [
    { ...state, name: event.name, refused: undefined, proposal: undefined },
    [],
  ],
  chose_game: (state, event) => [{ ...state, choice: event.game }, []],
  play_now: (state, _, context) => {
    const ahead = aheadOf(state);
    const coach = `/option coach ${ahead?.label === "" ? "off" : "on"}`;
    // Where all others are bots, a hint is fair.
    const game = [unlisted(state), joinLine(context), "/bot", "/option hints on", coach, "/start"];
    const learns = state.games.some(({ key, lessons }) => key === state.choice && lessons > 0);
    if (!learns || ahead?.begun) return runLines(state, context, ...game);
    return runLines({ ...state, afterLesson: game }, context, `/learn ${state.choice}`);
  },
  renamed: (state, _, context) => [
    renamed({ ...state, refused: undefined, proposal: undefined }, context),
    [],
  ],
  learn: (state, _, context) =>
    runLines({ ...state, afterLesson: [] }, context, `/learn ${state.choice}`),
  play_with_friend: (state, _, context) =>
    runLines(state, context, unlisted(state), joinLine(context), "/invite"),
  find_game: (state, _, context) => {
    const there = { ...state, address: { at: "lobby" } as const };
    const [after, effects] = runLines(there, context, `/wish ${state.choice}`);
    return [after, [{ type: "navigate", address: there.address }, ...effects]];
  },
  log_in: (state, event, context) =>
    runLines(state, context, `/login ${event.name} ${event.password}`),
  sign_in: (state) => connection.signIn(state),
  to_lobby: (state, _, context) => goToLobby(state, context),
  proposal_accepted: (state, _, context) => acceptProposal(state, context),
  sit_down: (state, event, context) =>
    runLines(state, context, enterLine(event.room, event.password), joinLine(context)),
  watch: (state, event, context) => runLines(state, context, enterLine(event.room, event.password)),
  filtered: (state, event) => {
    const filter = event.filter ?? state.lobby.filter;
    const game = "game" in event ? event.game : state.lobby.game;
    return requestLobbyPage({ ...state, lobby: { ...state.lobby, filter, game, page: 0 } });
  },
  paged: (state, event) =>
    requestLobbyPage({ ...state, lobby: { ...state.lobby, page: event.page } }),
  room_form_changed: (state, event) => {
    const making = { ...state.lobby.making, ...event.making };
    return [{ ...state, lobby: { ...state.lobby, making } }, []];
  },
  make_room: (state, _, context) => {
    const { game, privacy, password } = state.lobby.making;
    const line = `/newroom ${game || state.choice} ${privacy} ${password}`.trimEnd();
    const making = { ...state.lobby.making, password: "" };
    return runLines(
      { ...state, lobby: { ...state.lobby, making } },
      context,
      line,
      joinLine(context),
    );
  },
  unlocking: (state, event) => [{ ...state, lobby: { ...state.lobby, unlocking: event.room } }, []],
} satisfies Partial<Handlers>;

/** The line that makes a room of the chosen game, which no list shows. */
function unlisted({ choice }: State): string {
  return `/newroom ${choice} unlisted`;
}

/** The line that takes a seat, with a seed of this browser. */
function joinLine({ fresh }: Context): string {
  return `/join seed=${fresh}`;
}

/** Repeat what was refused under one name under the free name. */
function acceptProposal(state: State, context: Context): StepResult<State> {
  const { proposal } = state;
  if (proposal === undefined) return [state, []];
  const { name, lines } = proposal;
  const named: State = { ...state, name, refused: undefined, proposal: undefined };
  return lines.length === 0 ? connection.signIn(named) : runLines(named, context, ...lines);
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
