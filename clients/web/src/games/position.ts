// From what the mirror has to what a board is drawn from.

import { readDraft, readLines } from "../line/lines.ts";
import type {
  Answer,
  AnyEvent,
  Area,
  GameBody,
  Lang,
  Look,
  Position,
  RoomTree,
  Seat,
} from "./board.ts";

/** What a position is made of. */
export interface Parts {
  readonly game: GameBody;
  readonly view: { readonly room: RoomTree; readonly game?: unknown };
  readonly eyes: readonly Seat[];
  /** Legal lines by seat. */
  readonly moves: Readonly<Record<string, readonly string[]>>;
  readonly text: string;
  readonly since: readonly AnyEvent[];
  readonly lang: Lang;
  readonly look: Look;
  readonly answers: Readonly<Record<string, Answer | undefined>>;
  readonly area: Area;
}

/** The seat that I play now: the one with moves, else my first. */
export function ownSeat(
  eyes: readonly Seat[],
  moves: Readonly<Record<string, readonly string[]>>,
): Seat | undefined {
  return eyes.find((seat) => (moves[seat]?.length ?? 0) > 0) ?? eyes[0];
}

/** A position for a board. */
export function positionOf(parts: Parts): Position {
  const { game, view, eyes } = parts;
  const seat = ownSeat(eyes, parts.moves);
  const moves = readLines((seat !== undefined && parts.moves[seat]) || [], game.verbs);
  return {
    key: game.key,
    lang: parts.lang,
    view: view.game,
    room: view.room,
    game,
    fixed: game.static,
    eyes,
    seat,
    moves,
    draft: readDraft(parts.text, moves, game.verbs),
    since: parts.since,
    look: parts.look,
    answers: parts.answers,
    area: parts.area,
  };
}
