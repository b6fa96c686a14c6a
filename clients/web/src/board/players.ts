// The players at a board's table: their seats and names.

import type { Position, Seat } from "./contract.ts";
import { nameOf } from "./labels.ts";

/** The seats of a view, in order. */
export function seatsOf(view: { readonly seats: Readonly<Record<string, unknown>> }) {
  return Object.keys(view.seats).map(Number);
}

const YOU = { en: "you", ja: "あなた" } as const;

/** The name of a player at the table. */
export function playerName({ room }: Pick<Position, "room">, seat: Seat): string {
  return nameOf(room.seats, seat);
}

/** The names of the players whose turn it is, or "you". */
export function turnNames(position: Pick<Position, "room" | "seat" | "lang">, and: string): string {
  return position.room.turn.map((seat) => youOrName(position, seat)).join(and);
}

/** The name of a player, or "you". */
export function youOrName(position: Pick<Position, "room" | "seat" | "lang">, seat: Seat): string {
  return seat === position.seat ? YOU[position.lang] : playerName(position, seat);
}
