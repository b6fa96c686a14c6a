// What is a board? The contract between the page and the five drawings, and nothing else.
//
// A BOARD IS A PURE FUNCTION of a `Position` to Preact nodes (SVG, and HTML for trays and tables).
// It holds no state, knows no rules, sends nothing. All that it may do is in its arguments:
//
//   view, fixed, room   what the server says: this moment, what never changes, the table
//   moves               the legal lines of my seat, read as verb and named slots
//   draft               the line in the input, read the same way: THIS IS THE SELECTION
//   since               what happened since I last moved, as events
//   look                what I look at: open tab, opened seat; kept by the page for the board
//   answers             answers to questions (`/odds ...`) that the board has asked
//   area, lang          how much room there is, and the language
//
// and all that it may say is an `Act` that the page carries out:
//
//   pick    "this word in this slot": the page types it into the visible line, keeps what fits
//           of the earlier choices, and sends the line when it is complete (mouse) or arms the
//           button (touch). This is what nearly every click is.
//   type    puts a whole text into the line, and sends it if `send` says so. For lists that grow
//           by clicks, and for questions to the server (`/look linimo`).
//   clear   empties the line.
//   look    changes `look`: tabs, what is unfolded. Never anything of the game.
//   ask     asks the server something; the answer appears in `answers` under the same line.
//
// LEGAL IS WHAT IS IN `moves`. A place is a target when `linesWith(moves, {city, site})` has a
// line; a place is chosen when `draft.slots` has its words. Do not compute what is allowed, do
// not add up points that the view does not have: what the server does not say is not shown.
//
// PLACES. Whatever can be clicked is a `Place` (SVG) or `PlaceButton` (HTML) of the kit, with an
// id of your own (`"cairo 2"`, `"card 130"`) and a label: one sentence for screen readers. The
// frame hears the clicks, asks `press(id, position)` of your module, and carries out the answer.
// So `press` is pure and tests can click every place of every recorded position. The page walks
// the places by arrow keys (nearest in that direction), N goes to the next legal one, Space and
// Enter press: nothing to do for a board but to draw places where they are.
//
// MARKS (kit): legal = dashed (`may`), chosen = thick (`chosen`), just happened = tint and a tag
// (`just`). Never by colour alone; a seat is always its `Piece` (colour, shape and letter).
//
// A module is `src/games/KEY/index.tsx` and exports `board`, made by `defineBoard<View, Event,
// Fixed>({...})`. It is found by its folder and is a chunk of its own (goal: 40 kB compressed).
// `View` and `Event` come from `./view.ts`, which is generated. Styles: `board.css` beside it,
// every rule below `.board-KEY`, colours only from `src/style/tokens.css`.

import type { ComponentType } from "preact";
import type { Draft, Line, Slots, VerbForm } from "../line/parse.ts";
import type { Table } from "../protocol/table.ts";
import type { Both, Lang, OptionForm, Seat, ValueNames } from "../protocol/terms.ts";

export type { Draft, Line, SlotForm, Slots, VerbForm } from "../line/parse.ts";
export type { Both, Lang, OptionForm, OptionNames, Seat } from "../protocol/terms.ts";

/** The body of the `game` message: what does not change while a game is played. */
export interface GameBody<Fixed = unknown> {
  readonly key: string;
  readonly name: Both;
  readonly seats: { readonly min: number; readonly max: number };
  readonly minutes: number;
  readonly rules: number;
  readonly credits: readonly string[];
  readonly bots: readonly string[];
  readonly options: readonly OptionForm[];
  /** The options that every room has. */
  readonly general?: readonly OptionForm[];
  readonly verbs: readonly VerbForm[];
  /** What the values of slots are called; see `line/names.ts`. */
  readonly words?: ValueNames;
  /** What the parts of a score are called. */
  readonly scores?: Readonly<Record<string, Both>>;
  readonly static: Fixed;
}

/** The part `room` of a view, as far as boards need it. */
export type RoomTree = Pick<Table, "id" | "phase" | "seats" | "turn">;

/** An event as data: `event` is its name. */
export interface AnyEvent {
  readonly event: string;
}

/** How much room a board has, in CSS pixels, and how it is pointed at. */
export interface Area {
  readonly width: number;
  readonly height: number;
  /** A finger: targets of 44 px, a first tap chooses and a second one sends. */
  readonly touch: boolean;
}

/** What somebody looks at; only the board reads it. Absent is what it was at first. */
export type Look = Readonly<Record<string, string | number | boolean | undefined>>;

/** The answer to a question; `text` in the language of the page. */
export interface Answer {
  readonly text: string;
  /** The same as data, where the game gives it: see "Figures" in `docs/protocol.md`. */
  readonly data?: { readonly [key: string]: unknown };
}

/** Everything that a board is drawn from. */
export interface Position<View = unknown, Event extends AnyEvent = AnyEvent, Fixed = unknown> {
  readonly key: string;
  readonly lang: Lang;
  readonly view: View;
  readonly room: RoomTree;
  readonly game: GameBody<Fixed>;
  /** `static` of the game message; empty where a game has none. */
  readonly fixed: Fixed;
  /** Whose secrets the view shows; empty for a spectator. */
  readonly eyes: readonly Seat[];
  /** My seat, the one that is to move if I have several; undefined for a spectator. */
  readonly seat: Seat | undefined;
  /** My legal lines; empty when I have nothing to decide, or look back. */
  readonly moves: readonly Line[];
  readonly draft: Draft;
  /** What happened since my last move, the oldest first. */
  readonly since: readonly Event[];
  readonly look: Look;
  /** By the line that asked, valid for this version. */
  readonly answers: Readonly<Record<string, Answer | undefined>>;
  readonly area: Area;
}

/** What a board may want. */
export type Act =
  | {
      readonly act: "pick";
      readonly slots: Slots;
      readonly verb?: string;
      /** false: also a complete line waits for the button (turning a piece, say). */
      readonly send?: boolean;
    }
  | { readonly act: "type"; readonly text: string; readonly send?: boolean }
  | { readonly act: "clear" }
  | { readonly act: "look"; readonly look: Look }
  | { readonly act: "ask"; readonly line: string };

/** What the drawing functions get. `act` is for what is no place: a stepper, a slider. */
export interface BoardProps<View = unknown, Event extends AnyEvent = AnyEvent, Fixed = unknown> {
  readonly position: Position<View, Event, Fixed>;
  readonly act: (act: Act) => void;
}

/** What stands beside a name in the list of seats. */
export interface SeatFacts {
  /** Points or money, as the view says; absent where it says none. */
  readonly score?: number;
  /** One small fact in words: "42,000 in cash". */
  readonly note?: string;
  /** The letter on the piece, where the game has its own (Tokugawa: E and K). */
  readonly letter?: string;
}

/** A suggestion over the line: the next word and what it would do, in a word or two. */
export interface Chip {
  /** The text that the line has after the click. */
  readonly text: string;
  /** What the chip says; `text` if absent. */
  readonly label?: string;
  readonly effect?: string;
}

/** A key of a game's own, while the board has the focus (Railroad Ink: R turns, F flips). */
export interface BoardKey<View, Event extends AnyEvent, Fixed> {
  readonly key: string;
  readonly label: Both;
  readonly press: (position: Position<View, Event, Fixed>) => Act | undefined;
}

/** One game's drawing. */
export interface Board<View = unknown, Event extends AnyEvent = AnyEvent, Fixed = unknown> {
  /** The board and its tray. Fills `area`; never scrolls sideways. */
  readonly Drawing: ComponentType<BoardProps<View, Event, Fixed>>;
  /** The same facts as headings, lists and tables in reading order; enough to play by. */
  readonly AsText: ComponentType<BoardProps<View, Event, Fixed>>;
  /** What a click on a place means; undefined: nothing. Pure. */
  readonly press: (place: string, position: Position<View, Event, Fixed>) => Act | undefined;
  readonly seat?: (seat: Seat, position: Position<View, Event, Fixed>) => SeatFacts;
  /** Beside the game's name: "round 3 of 4". */
  readonly progress?: (position: Position<View, Event, Fixed>) => string | undefined;
  /** How points are written, where a bare number would not say what it counts: "491,000 yen". */
  readonly points?: (points: number, lang: Lang) => string;
  /** How the end came about, in a sentence; said where it was decided by points. */
  readonly ended?: (position: Position<View, Event, Fixed>) => string | undefined;
  /** What is to be chosen now, where the board does not say it: "choose a site and a block". */
  readonly task?: (position: Position<View, Event, Fixed>) => string | undefined;
  /** Better chips than the page makes from `moves`; empty: the page's own. */
  readonly chips?: (position: Position<View, Event, Fixed>) => readonly Chip[];
  /** What the line in the input would do, in words: "2 of 5 steps, −5,000". */
  readonly hint?: (position: Position<View, Event, Fixed>) => string | undefined;
  readonly keys?: readonly BoardKey<View, Event, Fixed>[];
}

/** Checks a board against its types and forgets them: the page knows no game's types. */
export function defineBoard<View, Event extends AnyEvent, Fixed>(
  board: Board<View, Event, Fixed>,
): Board {
  return board as unknown as Board;
}
