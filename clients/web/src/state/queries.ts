// Queries to the server: when they are sent and repeated, and the subject of each.

import type { Ask } from "../protocol/messages.gen.ts";
import type { RoomId } from "../sdk/clientEvents.ts";
import * as sessions from "../sdk/session.ts";
import type { Effect, StepResult } from "./events.ts";
import { inputOf, roomOfInput, withInput } from "./lineInput.ts";
import { sendEffects } from "./lineSubmit.ts";
import { LOBBY, type QuerySubject, type State } from "./state.ts";

/** Send a query, and store its subject. */
export function ask(
  state: State,
  what: Ask["what"],
  args: Readonly<Record<string, string | number>>,
  subject: QuerySubject,
  room?: RoomId,
): StepResult<State> {
  const step = sessions.ask(state.session, what, args, room);
  const after = {
    ...state,
    session: step.session,
    pendingQueries: { ...state.pendingQueries, [step.id]: subject },
  };
  return [after, sendEffects(step.send)];
}

/** Several changes within this time cause one query. */
const CATALOGUE_MS = 250;

/** Mark the catalogue of an input for a query soon. */
export function markCatalogueStale(state: State, key: string): StepResult<State> {
  const waiting = Object.values(state.inputs).some((input) => input.stale);
  const after = withInput(state, key, { stale: true });
  return [after, waiting ? [] : [{ type: "wait", timer: "catalogue", ms: CATALOGUE_MS }]];
}

/** Query the catalogues that may have changed. */
export function requestStaleCatalogues(state: State): StepResult<State> {
  const stale = Object.keys(state.inputs).filter((key) => state.inputs[key]?.stale);
  return inSequence(
    state,
    ...stale.map((key) => (now: State) => {
      const room = roomOfInput(key);
      const fresh = withInput(now, key, { stale: false });
      if (room !== undefined && !now.session.rooms.includes(room)) return [fresh, []] as const;
      const hash = inputOf(now, key).catalogueHash;
      return ask(fresh, "catalogue", { hash }, { about: "catalogue", room }, room);
    }),
  );
}

/** The time from a game's last change to the query for the effect of an undo. */
const UNDO_MS = 400;

/** The effect of `/undo` may have changed. */
export function markUndoStale(state: State, key: string): StepResult<State> {
  const waiting = Object.values(state.inputs).some((input) => input.undoStale);
  const after = withInput(state, key, { undoStale: true });
  return [after, waiting ? [] : [{ type: "wait", timer: "undo", ms: UNDO_MS }]];
}

/** Query the effect of `/undo` where it may have changed. */
export function requestStaleUndos(state: State): StepResult<State> {
  const stale = Object.keys(state.inputs).filter((key) => state.inputs[key]?.undoStale);
  return inSequence(
    state,
    ...stale.map((key) => (now: State) => {
      const fresh = withInput(now, key, { undoStale: false });
      const room = roomOfInput(key);
      if (room === undefined || !now.session.rooms.includes(room)) return [fresh, []] as const;
      return ask(fresh, "undo", {}, { about: "undo", room }, room);
    }),
  );
}

/** Several steps, one after the other. */
export function inSequence(
  state: State,
  ...steps: readonly ((state: State) => StepResult<State>)[]
): StepResult<State> {
  let now = state;
  const effects: Effect[] = [];
  for (const step of steps) {
    const [after, more] = step(now);
    now = after;
    effects.push(...more);
  }
  return [now, effects];
}

/** Query what is shown before entering a room: my rooms, and the commands. */
export function requestLobbyData(state: State): StepResult<State> {
  const { address, session } = state;
  if (address.at === "me") return requestOnline(state);
  if (!session.welcomed || (address.at !== "start" && address.at !== "lobby")) return [state, []];
  return inSequence(
    state,
    (now) => ask(now, "rooms", {}, { about: "rooms" }),
    (now) => markCatalogueStale(now, LOBBY),
    requestOnline,
    (now) => (isFirstPage(now) ? [now, []] : requestLobbyPage(now)),
  );
}

/** The interval of the query for the people online, while the page is visible. */
const PEOPLE_MS = 20_000;

/** Query who is online, or my rooms where they are listed, and again after the interval. */
export function requestOnline(state: State): StepResult<State> {
  const { at } = state.address;
  if ((at !== "lobby" && at !== "me") || !state.session.welcomed) return [state, []];
  const asking = { ...state, lobby: { ...state.lobby, hereRequestedAt: state.now } };
  const again: Effect = { type: "wait", timer: "people", ms: PEOPLE_MS };
  if (!state.visible) return [asking, [again]];
  const [after, effects] =
    at === "me"
      ? ask(asking, "rooms", {}, { about: "rooms" })
      : ask(asking, "query", { text: "/wwho" }, { about: "people" });
  return [after, [...effects, again]];
}

/** Query what may have changed in the interval; a page that was shown again has done so already. */
export function pollLobby(state: State): StepResult<State> {
  if (state.now - state.lobby.hereRequestedAt < PEOPLE_MS) return [state, []];
  return state.visible ? requestLobbyData(state) : requestOnline(state);
}

/** Whether the list is the first page without filters, which the server sends unasked. */
function isFirstPage({ lobby }: State): boolean {
  return lobby.filter === "all" && lobby.game === undefined && lobby.page === 0;
}

/** The server shows one page of the list at a time: request the selected one. */
export function requestLobbyPage(state: State): StepResult<State> {
  const { filter, game, page } = state.lobby;
  const args = {
    page: String(page + 1),
    ...(filter === "all" ? {} : { only: filter }),
    ...(game === undefined ? {} : { game }),
  };
  return ask(state, "lobby", args, { about: "lobby" });
}
