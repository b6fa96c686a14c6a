// Selectors of Railroad Ink's view: sheets, dice and the draft. Reading only.

import {
  type Line,
  linesWith,
  type Position,
  type Seat,
  type Slots,
  slotValues,
} from "../../board/index.ts";
import { once, seatsOf } from "../../board/parts.ts";
import { type Arms, armOn, type Kind, OPPOSITE, SIDES, type Side, STEP } from "./piecePaths.ts";
import type { Event, Fixed, View } from "./view.gen.ts";

export type { Fixed };

export type At = Position<View, Event, Fixed>;

/** A piece in a square; `round` is undefined if it was drawn this round. */
export interface Stroke {
  readonly square: string;
  readonly piece: string;
  readonly turn: string;
  readonly arms: Arms;
  readonly station: boolean;
  readonly round: number | undefined;
}

export interface Sheet {
  readonly seat: Seat;
  readonly strokes: ReadonlyMap<string, Stroke>;
  readonly points: Points;
}

export interface Points {
  readonly exits: number;
  readonly road: number;
  readonly railway: number;
  readonly centre: number;
  readonly open: number;
  readonly total: number;
}

const COLUMNS = "ABCDEFG";
export const SQUARES: readonly string[] = [1, 2, 3, 4, 5, 6, 7].flatMap((row) =>
  [...COLUMNS].map((column) => `${column}${row}`),
);

/** Column and row from 0. */
export function placeOf(square: string): readonly [number, number] {
  return [COLUMNS.indexOf(square[0] ?? ""), Number(square[1]) - 1];
}

export function inCentre(square: string): boolean {
  const [x, y] = placeOf(square);
  return x >= 2 && x <= 4 && y >= 2 && y <= 4;
}

/** The square beyond a side; undefined beyond the border. */
export function beyond(square: string, side: Side): string | undefined {
  const [x, y] = placeOf(square);
  const [dx, dy] = STEP[side];
  const column = COLUMNS[x + dx];
  const row = y + dy + 1;
  return column === undefined || x + dx < 0 || row < 1 || row > 7 ? undefined : `${column}${row}`;
}

export function armsOf(fixed: Fixed, piece: string, turn: string): Arms {
  return fixed.pieces[piece]?.turns[turn] ?? "....";
}

function stroke(
  fixed: Fixed,
  square: string,
  piece: string,
  turn: string,
  round: number | undefined,
): Stroke {
  const station = fixed.pieces[piece]?.station ?? false;
  return { square, piece, turn, arms: armsOf(fixed, piece, turn), station, round };
}

/** All visible drawings on a seat's sheet, including those of this round. */
export function sheetOf(position: At, seat: Seat): Sheet {
  const { view, fixed, seat: me } = position;
  const seatView = view.seats[seat];
  const strokes = new Map<string, Stroke>();
  for (const [square, [piece, turn, round]] of Object.entries(seatView?.board ?? {})) {
    strokes.set(square, stroke(fixed, square, piece, turn, round));
  }
  const now = seatView?.draft ?? (me === undefined ? undefined : view.seats[me]?.seen?.[seat]);
  for (const [square, piece, turn] of now?.[0] ?? []) {
    strokes.set(square, stroke(fixed, square, piece, turn, undefined));
  }
  const [exits, road, railway, centre, open, total] = now?.[1] ??
    seatView?.points ?? [0, 0, 0, 0, 0, 0];
  return { seat, strokes, points: { exits, road, railway, centre, open, total } };
}

export interface End {
  readonly square: string;
  readonly side: Side;
}

function meets(sheet: Sheet, square: string, side: Side): boolean {
  const next = beyond(square, side);
  if (next === undefined) return true;
  const arms = sheet.strokes.get(next)?.arms;
  return arms !== undefined && armOn(arms, OPPOSITE[side]) !== undefined;
}

/** The arms that end inside the sheet; none if their number differs from the server's. */
export const openEnds = once((sheet: Sheet): readonly End[] => {
  const ends = [...sheet.strokes.values()].flatMap(({ square, arms }) =>
    SIDES.filter((side) => armOn(arms, side) !== undefined && !meets(sheet, square, side)).map(
      (side) => ({ square, side }),
    ),
  );
  return ends.length === sheet.points.open ? ends : [];
});

/** The arm or exit that meets a side of an empty square. */
export function incomingAt(
  position: At,
  sheet: Sheet,
  square: string,
  side: Side,
): { readonly kind: Kind; readonly exit: boolean } | undefined {
  const next = beyond(square, side);
  if (next !== undefined) {
    const arms = sheet.strokes.get(next)?.arms;
    const kind = arms === undefined ? undefined : armOn(arms, OPPOSITE[side]);
    return kind === undefined ? undefined : { kind, exit: false };
  }
  const exit = position.fixed.exits.find((each) => each[0] === square && each[1] === side);
  return exit === undefined ? undefined : { kind: exit[2] === "road" ? "H" : "R", exit: true };
}

// The draft.

/** The piece in the line: a face of the dice or a special route. */
export interface Chosen {
  readonly verb: "draw" | "special";
  readonly slot: "face" | "route";
  readonly value: string;
}

export function chosenPiece(position: At): Chosen | undefined {
  const { face, route } = position.draft.slots;
  if (position.draft.verb === "special" && route !== undefined) {
    return { verb: "special", slot: "route", value: route };
  }
  if (position.draft.verb === "draw" && face !== undefined) {
    return { verb: "draw", slot: "face", value: face };
  }
  return undefined;
}

export function slotsOf(chosen: Chosen): Slots {
  return { [chosen.slot]: chosen.value };
}

/** The name of the piece that a line draws. */
export function pieceOf(verb: string, slots: Slots): string | undefined {
  return verb === "special" ? `special_${slots.route}` : slots.face;
}

/** The drawing lines of each square, grouped once for each list of moves. */
const bySquare = once((moves: readonly Line[]): ReadonlyMap<string, readonly Line[]> => {
  const result = new Map<string, Line[]>();
  for (const line of moves) {
    const { square } = line.slots;
    if (square === undefined || (line.verb !== "draw" && line.verb !== "special")) continue;
    const lines = result.get(square);
    if (lines === undefined) result.set(square, [line]);
    else lines.push(line);
  }
  return result;
});

/** The legal lines for a square, with the chosen piece if it fits there at all. */
export function linesFor(position: At, square: string): readonly Line[] {
  const chosen = chosenPiece(position);
  const lines = bySquare(position.moves).get(square) ?? [];
  return chosen === undefined ? lines : linesWith(lines, slotsOf(chosen), chosen.verb);
}

/** The orientations of the chosen piece that fit into the chosen square. */
export function orientationsOf(position: At): readonly string[] {
  const chosen = chosenPiece(position);
  const { square } = position.draft.slots;
  if (chosen === undefined || square === undefined) return [];
  return slotValues(linesFor(position, square), "turn");
}

/** The drawing of the line. */
export function planned(position: At): Stroke | undefined {
  const { draft, fixed } = position;
  const { square, turn } = draft.slots;
  const piece = draft.verb === undefined ? undefined : pieceOf(draft.verb, draft.slots);
  if (draft.complete === undefined || square === undefined || turn === undefined) return undefined;
  return piece === undefined ? undefined : stroke(fixed, square, piece, turn, undefined);
}

/** Whether this round's drawing in a square is mine to take back. */
export function erasable(position: At, square: string): boolean {
  const seatView = position.seat === undefined ? undefined : position.view.seats[position.seat];
  if (seatView?.draft === undefined || seatView.done || position.view.over) return false;
  return seatView.draft[0].some(([drawn]) => drawn === square);
}

export interface Die {
  readonly face: string;
  readonly drawn: boolean;
}

/** The dice of the round; drawn ones of my sheet. A face on two dice is drawn twice. */
export function diceOf(position: At): readonly Die[] {
  const { view, seat } = position;
  const left = (seat === undefined ? [] : (view.seats[seat]?.draft?.[0] ?? []))
    .map(([, piece]) => piece as string)
    .slice();
  return view.dice.map((face) => {
    const at = left.indexOf(face);
    if (at >= 0) left.splice(at, 1);
    return { face, drawn: at >= 0 };
  });
}

export const ROUTES = ["1", "2", "3", "4", "5", "6"] as const;

/** The special routes on my sheet, by number. */
export function routesUsed(sheet: Sheet): ReadonlySet<string> {
  const used = new Set<string>();
  for (const { piece } of sheet.strokes.values()) {
    if (piece.startsWith("special_")) used.add(piece.slice(8));
  }
  return used;
}

/** The squares that a seat drew in during the last rounds, since I last moved. */
export function justDrawn(since: readonly Event[], seat: Seat): ReadonlySet<string> {
  const result = new Set<string>();
  for (const event of since) {
    if (event.event !== "revealed" || event.seat !== seat) continue;
    for (const square of event.squares) result.add(square);
  }
  return result;
}

/** The seat whose sheet is shown large: mine, the selected one, or the first. */
export function shownSeat(position: At): Seat {
  const looked = Number(position.look.seat ?? 0);
  if (position.view.seats[looked] !== undefined) return looked;
  return position.seat ?? seatsOf(position.view)[0] ?? 1;
}
