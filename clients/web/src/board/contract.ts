// The contract between the page and the drawings of games.
//
// A BOARD IS A PURE FUNCTION of a `Position` to Preact nodes (SVG, and HTML for trays and tables).
// It holds no state, knows no rules, sends nothing. Its inputs are its arguments:
//
//   view, fixed, room   the server's data: this moment, the static data, the table
//   moves               the legal lines of my seat, parsed into verb and named slots
//   draft               the line in the input, parsed the same way: THIS IS THE SELECTION
//   since               what happened since I last moved, as events
//   look                what I look at: open tab, opened seat; the page stores it for the board
//   answers             answers to the queries (`/odds ...`) of the board
//   area, lang          the available space, and the language
//
// and its output is an `Act` that the page carries out:
//
//   pick    "this value in this slot": the page types it into the visible line, retains the earlier
//           choices that fit, and sends the line when it is complete (mouse) or arms the button
//           (touch). Nearly every click is a pick.
//   type    puts a whole text into the line, and sends it if `send` is true. For lists that grow by
//           clicks, and for queries to the server (`/look linimo`).
//   clear   empties the line.
//   look    changes `look`: tabs, unfolded parts. Never anything of the game.
//   ask     sends a query; the answer appears in `answers` under the same line.
//   why     asks why a line is not legal: the server's refusal is shown at the pressed place, and
//           the draft stays as it is. For a press or a drop that fits nothing.
//
// LEGAL IS WHAT IS IN `moves`. A place is a target when `linesWith(moves, {city, site})` has a
// line; a place is chosen when `draft.slots` has its values. Do not compute what is allowed, do
// not add up points that the view does not have: a board shows only what the server sends.
//
// PLACES. Every clickable target is a `Place` (SVG) or `PlaceButton` (HTML) of the kit, with an id
// of your own (`"cairo 2"`, `"card 130"`) and a label: one sentence for screen readers. The frame
// handles the clicks, calls `press(id, position)` of your module, and carries out the result.
// `press` is pure, so tests click every place of every recorded position. The page moves the focus
// by arrow keys (nearest place in that direction), N goes to the next legal one, Space and Enter
// press: a board only draws places at their positions.
//
// MARKS (kit): legal = dashed (`may`), chosen = thick (`chosen`), just happened = tint and a tag
// (`just`). Never by colour alone; a seat is always its `Piece` (colour, shape and letter).
//
// A module is `src/games/KEY/index.tsx`, or the one that a package names in its `game.toml`, and
// exports `board`, made by `defineBoard<View, Event, Fixed>({...})`. It is found by its folder and is a chunk of its own; tests/sizes.test.ts bounds
// its bytes. `View` and `Event` come from `./view.gen.ts`, which is generated. Styles: `board.css`
// beside it, every rule below `.board-KEY`, colours only from `src/style/tokens.css`.

import type { ComponentType, VNode } from "preact";
import type { Draft, Line, Slots } from "../line/parse.ts";
import type { GameBody as CompleteBody } from "../protocol/answers.gen.ts";
import type { Table } from "../protocol/table.gen.ts";
import type { Both, Lang, Seat } from "../protocol/terms.ts";

export type { Draft, Line, Slots } from "../line/parse.ts";
export type { OptionForm, OptionNames, SlotForm, VerbForm } from "../protocol/answers.gen.ts";
export type { Both, Lang, Seat } from "../protocol/terms.ts";

/** The JSON Schema of a view, as far as a table of any game is made from it. */
export interface ViewSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, ViewSchema>>;
  readonly additionalProperties?: ViewSchema | boolean;
  readonly items?: ViewSchema;
  /** Whether only its seat sees it. */
  readonly "x-owner"?: boolean;
}

/** The parts of a `game` message that no board draws: recorded games lack them. */
type Undrawn = "summary" | "general" | "scores" | "slots" | "fields" | "board" | "keys";

/** The body of the `game` message: data that do not change while a game is played. */
export type GameBody<Fixed = unknown> = Omit<CompleteBody, Undrawn | "static" | "view"> &
  Partial<Pick<CompleteBody, Undrawn>> & { readonly static: Fixed; readonly view?: ViewSchema };

/** The `room` of a view, as far as boards need it. */
export type RoomTree = Pick<Table, "id" | "phase" | "seats" | "turn">;

/** An event as data: `event` is its name. */
export interface AnyEvent {
  readonly event: string;
}

/** The space for a board without its tray, in CSS pixels, and the kind of pointer. */
export interface Area {
  readonly width: number;
  readonly height: number;
  /** A finger points: targets of 44 px, a first tap chooses and a second one sends. */
  readonly touch: boolean;
}

/** What a person looks at; only the board reads it. An absent key has the board's default. */
export type Look = Readonly<Record<string, string | number | boolean | undefined>>;

/** The answer to a query; `text` in the language of the page. */
export interface Answer {
  readonly text: string;
  /** The same as data, if the game provides it: see "Figures" in `docs/protocol.md`. */
  readonly data?: { readonly [key: string]: unknown };
}

/** All inputs of a board's drawing. */
export interface Position<View = unknown, Event extends AnyEvent = AnyEvent, Fixed = unknown> {
  readonly key: string;
  readonly lang: Lang;
  readonly view: View;
  readonly room: RoomTree;
  readonly game: GameBody<Fixed>;
  /** `static` of the game message; empty if the game has none. */
  readonly fixed: Fixed;
  /** The seats whose secrets the view shows; empty for a spectator. */
  readonly eyes: readonly Seat[];
  /** My seat, the one to move if I have several; undefined for a spectator. */
  readonly seat: Seat | undefined;
  /** My legal lines; empty if I have nothing to decide, and in a replay. */
  readonly moves: readonly Line[];
  readonly draft: Draft;
  /** What happened since my last move, oldest first. */
  readonly since: readonly Event[];
  readonly look: Look;
  /** By the line of the query, valid for this version. */
  readonly answers: Readonly<Record<string, Answer | undefined>>;
  readonly area: Area;
}

/** What a board can request. */
export type Act =
  | {
      readonly act: "pick";
      readonly slots: Slots;
      readonly verb?: string;
      /** false: a complete line waits for the button as well (turning a piece, say). */
      readonly send?: boolean;
    }
  | { readonly act: "type"; readonly text: string; readonly send?: boolean }
  | { readonly act: "clear" }
  | { readonly act: "look"; readonly look: Look }
  | { readonly act: "ask"; readonly line: string }
  | { readonly act: "why"; readonly line: string };

/** A text about a place, and the things there that the server explains: "castle". */
export interface About {
  readonly text?: string;
  readonly things?: readonly string[];
}

/** What dragging one place onto another does. */
export interface Dragging<View, Event extends AnyEvent, Fixed> {
  /** The act as a place is lifted: it marks the targets. Undefined: it cannot be dragged. */
  readonly lift: (place: string, position: Position<View, Event, Fixed>) => Act | undefined;
  /** The act of dropping a place onto another one. */
  readonly drop: (
    place: string,
    onto: string,
    position: Position<View, Event, Fixed>,
  ) => Act | undefined;
}

/** What a part of a drawing is given: the position, and its space in CSS pixels. */
export interface Sized<At> {
  readonly position: At;
  readonly width: number;
  readonly height: number;
}

/**
 * The props of the drawing functions. `act` is for controls that are no places: a stepper, a
 * slider.
 */
export interface BoardProps<View = unknown, Event extends AnyEvent = AnyEvent, Fixed = unknown> {
  readonly position: Position<View, Event, Fixed>;
  readonly act: (act: Act) => void;
}

/** What is shown beside a name in the list of seats. */
export interface SeatFacts {
  /** Points or money, if the view has them. */
  readonly score?: number;
  /** One small fact in a few words: "42,000 in cash". */
  readonly note?: string;
  /** The letter on the piece, if the game has its own (Tokugawa: E and K). */
  readonly letter?: string;
}

/** A suggestion above the line: the next value, and its effect in a word or two. */
export interface Chip {
  /** The text of the line after the click. */
  readonly text: string;
  /** The label of the chip; `text` if absent. */
  readonly label?: string;
  readonly effect?: string;
}

/**
 * What each verb does, as labels of a button: alone, and with the line's values in braces where the
 * line has them: ["Build", "Build in {city}"].
 */
export type VerbLabels = Readonly<Record<string, Readonly<Record<Lang, readonly string[]>>>>;

/** A key of a game, while the board has the focus (Railroad Ink: R turns, F flips). */
export interface BoardKey<View, Event extends AnyEvent, Fixed> {
  readonly key: string;
  readonly label: Both;
  readonly press: (position: Position<View, Event, Fixed>) => Act | undefined;
}

/** One game's drawing. */
export interface Board<View = unknown, Event extends AnyEvent = AnyEvent, Fixed = unknown> {
  /** A query whose answer it shows; sent again when the table changes. */
  readonly query?: string;
  /**
   * Loads what it draws with from chunks of their own, and its phrases in a language, in all
   * without one; it is shown after that.
   */
  readonly load?: (lang?: Lang) => Promise<void>;
  /** The board. Fills `area`; never scrolls sideways. */
  readonly Drawing: ComponentType<BoardProps<View, Event, Fixed>>;
  /**
   * Hand, dice, the current decision. The page puts it below the board, in a low window beside it;
   * its height is `--tray` of the board's style sheet, the same in every phase.
   */
  readonly Tray?: ComponentType<BoardProps<View, Event, Fixed>>;
  /**
   * What the players ask for all the time: below the seats, in windows with a column for it. It has
   * no places.
   */
  readonly Summary?: ComponentType<Pick<BoardProps<View, Event, Fixed>, "position">>;
  /** The same facts as headings, lists and tables in reading order; complete enough to play. */
  readonly AsText: ComponentType<BoardProps<View, Event, Fixed>>;
  /** The act of a click on a place; undefined: none. Pure. */
  readonly press: (place: string, position: Position<View, Event, Fixed>) => Act | undefined;
  readonly drag?: Dragging<View, Event, Fixed>;
  /** What explains a place, beside it; undefined where nothing is to be told. */
  readonly about?: (place: string, position: Position<View, Event, Fixed>) => About | undefined;
  readonly seat?: (seat: Seat, position: Position<View, Event, Fixed>) => SeatFacts;
  /** Shown beside the game's name: "round 3 of 4". */
  readonly progress?: (position: Position<View, Event, Fixed>) => string | undefined;
  /** Formats points if a bare number would not tell their unit: "491,000 yen". */
  readonly points?: (points: number, lang: Lang) => string;
  /** How the game ended, in a sentence; shown if points decided it. */
  readonly ended?: (position: Position<View, Event, Fixed>) => string | undefined;
  /** What to choose now, a sentence: "Choose a site, then a block." Shown above the board. */
  readonly task?: (position: Position<View, Event, Fixed>) => string | undefined;
  /** The labels of the button that sends the line: what each verb does. */
  readonly verbs?: VerbLabels | ((lang: Lang) => Readonly<Record<string, readonly string[]>>);
  /** Better chips than the page makes from `moves`; empty: the page's own. */
  readonly chips?: (position: Position<View, Event, Fixed>) => readonly Chip[];
  /** The effect of the line in the input, in a few words: "2 of 5 steps, −5,000". */
  readonly hint?: (position: Position<View, Event, Fixed>) => string | undefined;
  readonly keys?: readonly BoardKey<View, Event, Fixed>[];
  /** The module that draws the pictures of the rules, loaded with them. */
  readonly pictures?: () => Promise<{
    readonly picturesIn: (lang: Lang, game: GameBody<Fixed>) => RulePictures;
    /** What the game's `chapters.json` names beside pieces, dice, icons and texts. */
    readonly parts?: Readonly<Record<string, (...numbers: readonly number[]) => RuleDrawing>>;
  }>;
}

/** Checks a board against its types and erases them: the page knows no game's types. */
export function defineBoard<View, Event extends AnyEvent, Fixed>(
  board: Board<View, Event, Fixed>,
): Board {
  return board as unknown as Board;
}

/** A drawing in the rules: what it shows in words, and an SVG's view box and content. */
export interface RulePicture {
  readonly name: string;
  readonly box: string;
  readonly drawing: VNode;
}

/** A part of a picture in a row of them: drawn in a box of this width and the height of the row. */
export interface RuleDrawing {
  readonly width: number;
  readonly drawing: VNode;
}

/** The pictures of a game's rules by the numbers of their chapters, drawn as its board draws. */
export type RulePictures = Readonly<Record<string, readonly RulePicture[]>>;
