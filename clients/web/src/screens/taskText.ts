// What to do now, in a sentence: whose turn it is, and what a complete line waits for.

import type { Board, Position } from "../board/contract.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { tableOf } from "../state/selectors.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";

/** Empty while no game is being played. */
export function taskText(
  state: ViewProps["state"],
  room: RoomView,
  board: Board | undefined,
  position: Position | undefined,
  touch: boolean,
): string | undefined {
  const strings = stringsOf(state);
  const { phase, turn, seats } = tableOf(room);
  if (phase !== "playing" || turn.length === 0) return undefined;
  if (!turn.some((seat) => room.eyes.includes(seat))) {
    return strings.waitingForNames(turn.map((seat) => seats[seat]?.name ?? String(seat)));
  }
  if (position?.draft.complete !== undefined) return touch ? strings.nowTap : strings.nowEnter;
  const task = position === undefined ? "" : (board?.task?.(position) ?? "");
  return strings.nowYours(task);
}
