// Builds the `Position` of a board from the state of the mirror.

import { type Draft, type Line, readDraft, readLines } from "../line/parse.ts";
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
} from "./contract.ts";

/** Whether two positions are equal field by field: then the board is not drawn again. */
export function samePosition(a: Position | undefined, b: Position | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (Object.keys(b) as (keyof Position)[]).every((field) =>
    field === "area" ? sameArea(a.area, b.area) : Object.is(a[field], b[field]),
  );
}

function sameArea(a: Area, b: Area): boolean {
  return a.width === b.width && a.height === b.height && a.touch === b.touch;
}

/** The inputs of a position. */
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
export function playingSeat(
  eyes: readonly Seat[],
  moves: Readonly<Record<string, readonly string[]>>,
): Seat | undefined {
  return eyes.find((seat) => (moves[seat]?.length ?? 0) > 0) ?? eyes[0];
}

const NO_LINES: readonly string[] = [];
const read = new WeakMap<readonly string[], Read>();

/** The parsed legal lines, and the draft that was last read against them. */
interface Read {
  readonly verbs: GameBody["verbs"];
  readonly moves: readonly Line[];
  draft: Draft;
}

/**
 * Equal lines and an equal text return the same objects, so that boards skip what did not change.
 */
function readOnce(texts: readonly string[], text: string, { verbs }: GameBody): Read {
  let cached = read.get(texts);
  if (cached?.verbs !== verbs) {
    const moves = readLines(texts, verbs);
    cached = { verbs, moves, draft: readDraft(text, moves, verbs) };
    read.set(texts, cached);
  }
  if (cached.draft.text !== text) cached.draft = readDraft(text, cached.moves, verbs);
  return cached;
}

/** A position for a board. */
export function positionOf(parts: Parts): Position {
  const { game, view, eyes } = parts;
  const seat = playingSeat(eyes, parts.moves);
  const texts = (seat !== undefined && parts.moves[seat]) || NO_LINES;
  const { moves, draft } = readOnce(texts, parts.text, game);
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
    draft,
    since: parts.since,
    look: parts.look,
    answers: parts.answers,
    area: parts.area,
  };
}
