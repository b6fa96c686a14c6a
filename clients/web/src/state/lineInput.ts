// Small changes of one input, for all slices.

import type { RoomId } from "../sdk/clientEvents.ts";
import { EMPTY_INPUT, type LineInput, LOBBY, type Queued, type State } from "./state.ts";

/** The input with a key; an empty one if nothing was typed there. */
export function inputOf(state: State, key: string): LineInput {
  return state.inputs[key] ?? EMPTY_INPUT;
}

/** The state with an input changed. */
export function withInput(state: State, key: string, change: Partial<LineInput>): State {
  const input = { ...inputOf(state, key), ...change };
  return { ...state, inputs: { ...state.inputs, [key]: input } };
}

/** The lines of buttons that wait; the typed one does not once it is edited, or one is refused. */
export function chosenOf({ queue }: LineInput): readonly Queued[] {
  return queue.filter(({ at }) => at !== undefined);
}

/** Whether a text is no command: those begin with a slash of either width, or a middle dot. */
export function isTalkText(text: string): boolean {
  return /^\s*[^\s/／・]/.test(text);
}

/** The key of the input in front: the room's, if a room is shown, else the lobby's. */
export function currentInputKey(state: State): string {
  const { address } = state;
  return address.at === "room" && state.session.rooms.includes(address.id) ? address.id : LOBBY;
}

/** The room of an input; undefined for the lobby's. */
export function roomOfInput(key: string): RoomId | undefined {
  return key === LOBBY ? undefined : (key as RoomId);
}

/** The texts of the inputs, to be stored for a reload. */
export function textsOf(state: State): Readonly<Record<string, string>> {
  const texts = Object.entries(state.inputs)
    .filter(([, input]) => input.text !== "")
    .map(([key, input]) => [key, input.text] as const);
  return Object.fromEntries(texts);
}
