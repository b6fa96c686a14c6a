// The players at a board's table: their seats and names.

import type { VNode } from "preact";
import type { Position, Seat } from "./contract.ts";
import { nameOf } from "./labels.ts";
import { SeatMark } from "./piece.tsx";

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

/** A player at the table: the seat's piece, and the name. */
export function SeatName(props: {
  readonly position: Pick<Position, "room">;
  readonly seat: Seat;
  readonly size: number;
  /** See `SeatMark`. */
  readonly text?: string;
  readonly many?: boolean;
}): VNode {
  const { position, ...mark } = props;
  return (
    <>
      <SeatMark {...mark} /> <bdi>{playerName(position, mark.seat)}</bdi>
    </>
  );
}

/** The parts of a sentence, without those that are absent. */
export function joined(
  separator: string,
  ...parts: readonly (string | false | undefined)[]
): string {
  return parts.filter(Boolean).join(separator);
}
