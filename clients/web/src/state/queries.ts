// Questions to the server: what is asked, when it is asked again, and what it was about.

import type { Ask } from "../protocol/messages.ts";
import type { RoomId } from "../sdk/clientEvents.ts";
import * as sessions from "../sdk/session.ts";
import type { Effect, Stepped } from "./events.ts";
import { deskOf, roomOfDesk, withDesk } from "./lineInput.ts";
import { sending } from "./lineSubmit.ts";
import { type Asked, LOBBY, type State } from "./state.ts";

/** Ask something, and remember what it was about. */
export function ask(
  state: State,
  what: Ask["what"],
  args: Readonly<Record<string, string | number>>,
  asked: Asked,
  room?: RoomId,
): Stepped<State> {
  const step = sessions.ask(state.session, what, args, room);
  const after = {
    ...state,
    session: step.session,
    asked: { ...state.asked, [step.id]: asked },
  };
  return [after, sending(step.send)];
}

/** Several changes in a row ask once. */
const CATALOGUE_MS = 250;

/** The catalogue of a desk is to be asked for soon. */
export function staleCatalogue(state: State, key: string): Stepped<State> {
  const waiting = Object.values(state.desks).some((desk) => desk.stale);
  const after = withDesk(state, key, { stale: true });
  return [after, waiting ? [] : [{ type: "wait", timer: "catalogue", ms: CATALOGUE_MS }]];
}

/** Ask for the catalogues that may have changed. */
export function freshCatalogues(state: State): Stepped<State> {
  const stale = Object.keys(state.desks).filter((key) => state.desks[key]?.stale);
  return inTurn(
    state,
    ...stale.map((key) => (now: State) => {
      const room = roomOfDesk(key);
      const fresh = withDesk(now, key, { stale: false });
      if (room !== undefined && !now.session.rooms.includes(room)) return [fresh, []] as const;
      const hash = deskOf(now, key).catalogueHash;
      return ask(fresh, "catalogue", { hash }, { about: "catalogue", room }, room);
    }),
  );
}

/** So long after the last change of a game it is asked what an undo would do. */
const UNDO_MS = 400;

/** What `/undo` would do may be another thing by now. */
export function staleUndo(state: State, key: string): Stepped<State> {
  const waiting = Object.values(state.desks).some((desk) => desk.undoStale);
  const after = withDesk(state, key, { undoStale: true });
  return [after, waiting ? [] : [{ type: "wait", timer: "undo", ms: UNDO_MS }]];
}

/** Ask what `/undo` would do where that may have changed. */
export function freshUndo(state: State): Stepped<State> {
  const stale = Object.keys(state.desks).filter((key) => state.desks[key]?.undoStale);
  return inTurn(
    state,
    ...stale.map((key) => (now: State) => {
      const fresh = withDesk(now, key, { undoStale: false });
      const room = roomOfDesk(key);
      if (room === undefined || !now.session.rooms.includes(room)) return [fresh, []] as const;
      return ask(fresh, "undo", {}, { about: "undo", room }, room);
    }),
  );
}

/** Several steps, one after the other. */
export function inTurn(
  state: State,
  ...steps: readonly ((state: State) => Stepped<State>)[]
): Stepped<State> {
  let now = state;
  const effects: Effect[] = [];
  for (const step of steps) {
    const [after, more] = step(now);
    now = after;
    effects.push(...more);
  }
  return [now, effects];
}

/** What is shown before one is in a room: one's own rooms, and what can be typed. */
export function atTheDoor(state: State): Stepped<State> {
  const { place, session } = state;
  if (!session.welcomed || (place.at !== "start" && place.at !== "lobby")) return [state, []];
  return inTurn(
    state,
    (now) => ask(now, "rooms", {}, { about: "rooms" }),
    (now) => staleCatalogue(now, LOBBY),
    askPeople,
    (now) => (isFirstPage(now) ? [now, []] : askPage(now)),
  );
}

/** People come and go: so often it is asked who is here, while somebody looks. */
const PEOPLE_MS = 20_000;

/** Ask who is online, and again a while later. */
export function askPeople(state: State): Stepped<State> {
  if (state.place.at !== "lobby" || !state.session.welcomed) return [state, []];
  const asking = { ...state, lobby: { ...state.lobby, hereAsked: state.now } };
  const again: Effect = { type: "wait", timer: "people", ms: PEOPLE_MS };
  if (!state.visible) return [asking, [again]];
  const [after, effects] = ask(asking, "query", { text: "/wwho" }, { about: "people" });
  return [after, [...effects, again]];
}

/** A while has passed since it was asked who is here; whoever came back meanwhile has asked again. */
export function askPeopleAgain(state: State): Stepped<State> {
  return state.now - state.lobby.hereAsked < PEOPLE_MS ? [state, []] : askPeople(state);
}

/** Whether the list shows what everybody sees who has asked for nothing else. */
function isFirstPage({ lobby }: State): boolean {
  return lobby.filter === "all" && lobby.game === undefined && lobby.page === 0;
}

/** The server shows one page of the list at a time: ask for the one that is wanted. */
export function askPage(state: State): Stepped<State> {
  const { filter, game, page } = state.lobby;
  const args = {
    page: String(page + 1),
    ...(filter === "all" ? {} : { only: filter }),
    ...(game === undefined ? {} : { game }),
  };
  return ask(state, "lobby", args, { about: "lobby" });
}
