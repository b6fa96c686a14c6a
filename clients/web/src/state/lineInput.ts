// Small steps on one desk, for all slices.

import type { RoomId } from "../sdk/clientEvents.ts";
import { type Desk, EMPTY_DESK, LOBBY, type State } from "./state.ts";

/** A desk; an empty one where nobody has typed yet. */
export function deskOf(state: State, key: string): Desk {
  return state.desks[key] ?? EMPTY_DESK;
}

/** The state with a desk changed. */
export function withDesk(state: State, key: string, change: Partial<Desk>): State {
  const desk = { ...deskOf(state, key), ...change };
  return { ...state, desks: { ...state.desks, [key]: desk } };
}

/** The desk that is in front: the room's where one is in a room, else the lobby's. */
export function deskHere(state: State): string {
  const { place } = state;
  return place.at === "room" && state.session.rooms.includes(place.id) ? place.id : LOBBY;
}

/** The room of a desk; undefined for the lobby's. */
export function roomOfDesk(key: string): RoomId | undefined {
  return key === LOBBY ? undefined : (key as RoomId);
}

/** The texts that stand in the inputs, to be kept for a reload. */
export function textsOf(state: State): Readonly<Record<string, string>> {
  const texts = Object.entries(state.desks)
    .filter(([, desk]) => desk.text !== "")
    .map(([key, desk]) => [key, desk.text] as const);
  return Object.fromEntries(texts);
}
