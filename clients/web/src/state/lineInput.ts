// Small steps on one desk, for all slices.

import type { RoomId } from "../sdk/clientEvents.ts";
import { EMPTY_INPUT, type LineInput, LOBBY, type State } from "./state.ts";

/** A desk; an empty one where nobody has typed yet. */
export function inputOf(state: State, key: string): LineInput {
  return state.inputs[key] ?? EMPTY_INPUT;
}

/** The state with a desk changed. */
export function withInput(state: State, key: string, change: Partial<LineInput>): State {
  const input = { ...inputOf(state, key), ...change };
  return { ...state, inputs: { ...state.inputs, [key]: input } };
}

/** The desk that is in front: the room's where one is in a room, else the lobby's. */
export function currentInputKey(state: State): string {
  const { address } = state;
  return address.at === "room" && state.session.rooms.includes(address.id) ? address.id : LOBBY;
}

/** The room of a desk; undefined for the lobby's. */
export function roomOfInput(key: string): RoomId | undefined {
  return key === LOBBY ? undefined : (key as RoomId);
}

/** The texts that stand in the inputs, to be kept for a reload. */
export function textsOf(state: State): Readonly<Record<string, string>> {
  const texts = Object.entries(state.inputs)
    .filter(([, input]) => input.text !== "")
    .map(([key, input]) => [key, input.text] as const);
  return Object.fromEntries(texts);
}
