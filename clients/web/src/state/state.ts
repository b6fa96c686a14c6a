// Everything that the page knows, as one value. Plain readonly data: no nodes, timers, promises.
// What follows from it is a selector in `select.ts`, not a field.

import type { Answer, AnyEvent, Both, Lang, Look, OptionNames } from "../board/contract.ts";
import type { Offers, RoomId } from "../sdk/clientEvents.ts";
import { newSession, type Session } from "../sdk/session.ts";
import type { AnalysisRequest } from "./analysisData.ts";
import { INITIAL_LIVENESS, type Liveness } from "./livenessData.ts";
import type { Ratings } from "./ratingData.ts";
import type { Replay } from "./replay.ts";

export type Theme = "system" | "light" | "dark";

/** What a person has set; kept in the browser. */
export interface Settings {
  readonly lang: Lang;
  readonly theme: Theme;
  /** What a click that completes a line does: send it, or arm the button. */
  readonly sending: "auto" | "at once" | "ask";
  readonly sound: boolean;
  readonly notify: boolean;
  /** Whether single letters (N, R, F) act while the board has the focus. */
  readonly letters: boolean;
}

/** Where one is; the address bar says the same. */
export type Address =
  | { readonly at: "start" }
  | { readonly at: "lobby" }
  | { readonly at: "room"; readonly id: RoomId }
  | { readonly at: "invite"; readonly token: string }
  /** A finished game, at a step. */
  | { readonly at: "game"; readonly id: string; readonly move: number | undefined };

/** The socket, as far as it is worth saying. */
export type Link =
  | { readonly phase: "off" }
  | { readonly phase: "connecting"; readonly attempt: number }
  | { readonly phase: "open" }
  | { readonly phase: "waiting"; readonly attempt: number; readonly until: number }
  | { readonly phase: "ended"; readonly text: string };

/** One thing in a log. */
export interface LogLine {
  readonly key: string;
  readonly kind: "event" | "talk" | "note" | "sent";
  readonly version: number;
  readonly at: number;
  readonly text: string;
  readonly name?: string;
  readonly seat?: number;
  /** The code of a note: tables are set in mono. */
  readonly code?: string;
  readonly event?: AnyEvent;
}

/** A refusal, beside the line that it is about. */
export interface Refusal {
  readonly code: string;
  readonly text: string;
  readonly line: string;
  readonly rule?: string | undefined;
  readonly candidates: readonly string[];
  /** From where to where the line is wrong, in UTF-16 units. */
  readonly span?: readonly [number, number] | undefined;
  /** What the candidates are: whole lines, words for the place, or bounds to be read. */
  readonly offers?: Offers | undefined;
}

/** What `/undo` would do: `asks` the others first, or does it at once. */
export interface UndoAhead {
  readonly can: boolean;
  readonly asks: boolean;
}

/** A line that is on its way. */
export interface Pending {
  readonly id: string;
  readonly text: string;
  /** What stood in the input before a button typed over it. */
  readonly textBefore: string;
  readonly since: number;
}

/** One argument of a command, as the catalogue has it. */
export interface ArgumentItem {
  readonly name: string;
  readonly kind: string;
  readonly label: string;
  readonly optional: boolean;
  readonly candidates: readonly string[];
}

/** One entry of the catalogue. */
export interface Item {
  readonly kind: "move" | "query" | "command";
  readonly name: string;
  readonly names: readonly string[];
  readonly usage: string;
  readonly help: string;
  readonly slots?: readonly { readonly name: string; readonly label: string }[];
  readonly arguments?: readonly ArgumentItem[];
}

/** Which panel lies over the conversation. */
export type Panel = "none" | "more" | "options" | "keys" | "settings" | "account" | "ratings";

/** A place to type in: a room's conversation, or the lobby's. */
export interface LineInput {
  readonly text: string;
  readonly pending: Pending | undefined;
  /** What was sent while another line was on its way: it goes out once that one is answered. */
  readonly next: string | undefined;
  readonly refusal: Refusal | undefined;
  readonly log: readonly LogLine[];
  readonly lines: number;
  readonly catalogue: readonly Item[];
  /** The server's name for this catalogue: it is not sent again while that is the same. */
  readonly catalogueHash: string;
  /** Whether the catalogue may be another by now, and is to be asked for. */
  readonly stale: boolean;
  /** Events since my last move. */
  readonly since: readonly AnyEvent[];
  /** The version of my last move; what is newer is marked in the log. */
  readonly moved: number;
  readonly look: Look;
  readonly answers: Readonly<Record<string, Answer | undefined>>;
  readonly panel: Panel;
  readonly asText: boolean;
  /** On a phone: whether the conversation covers the lower half. */
  readonly opened: boolean;
  readonly undo: UndoAhead | undefined;
  /** Whether it may be another by now, and is to be asked for. */
  readonly undoStale: boolean;
  /** Whether the result was put away. */
  readonly putAway: boolean;
}

/** Lines that are said one after the other, each when the one before is done. */
export interface Script {
  readonly lines: readonly string[];
  readonly sent: readonly string[];
  readonly room: RoomId | undefined;
  readonly waiting: string | undefined;
}

/** Another name than the one that was refused. */
export interface Proposal {
  readonly name: string;
  readonly lines: readonly string[];
}

/** A game, as far as it is known before anybody has a name. */
export interface GameInfo {
  readonly key: string;
  readonly name: Both;
  readonly seats: { readonly min: number; readonly max: number };
  readonly minutes: number;
  /** What its options are called, those of every room too. */
  readonly options: readonly OptionNames[];
}

/** What an invite or a listed room says about itself to a stranger. */
export interface RoomLinkInfo {
  readonly id: string;
  readonly game: string;
  readonly phase: string;
  readonly seats: readonly string[];
  readonly free: number;
  readonly locked: boolean;
  readonly host: string;
}

/** What a finished game says about itself to a stranger. */
export interface GameLinkInfo {
  readonly game: string;
  readonly seats: readonly string[];
  readonly steps: number;
  /** When, ms since 1970. */
  readonly ended: number;
}

/** A room of mine, as the answer to `ask rooms` has it. */
export interface MyRoom extends RoomLinkInfo {
  readonly turn: boolean;
}

/** Which rooms the list shows. */
export type Filter = "all" | "free" | "running";

export interface LobbyState {
  readonly filter: Filter;
  readonly game: string | undefined;
  readonly page: number;
  readonly making: { readonly game: string; readonly privacy: string; readonly password: string };
  /** The room whose password is being typed. The password itself is in the field only. */
  readonly unlocking: string | undefined;
  readonly myRooms: readonly MyRoom[];
  /** Who is online; undefined until it is known. */
  readonly online: OnlineHere | undefined;
  /** When that was asked. */
  readonly hereRequestedAt: number;
}

/** Somebody who is online, and the rooms in which one may know that. */
export interface OnlinePerson {
  readonly name: string;
  readonly minutes: number;
  readonly rooms: readonly { readonly id: string; readonly game: string }[];
  /** With which words somebody is away; absent: is not. */
  readonly away?: string;
}

export interface OnlineHere {
  readonly people: readonly OnlinePerson[];
  readonly more: number;
}

/** What a question was about, by its id. */
export type QuerySubject =
  | { readonly about: "catalogue"; readonly room: RoomId | undefined }
  | { readonly about: "query"; readonly room: RoomId; readonly line: string }
  | { readonly about: "record" | "minutes"; readonly room: RoomId }
  | { readonly about: "replay"; readonly key: string }
  | { readonly about: "analysis" | "top"; readonly game: string }
  | { readonly about: "undo"; readonly room: RoomId }
  | { readonly about: "game" | "lobby" | "rooms" | "people" | "my_ratings" | "pulse" };

/** A bug of the page that the person is told of: in what, and what is known of it. */
export interface Fault {
  readonly where: string;
  readonly why: string;
}

export interface State {
  readonly settings: Settings;
  readonly address: Address;
  readonly link: Link;
  readonly liveness: Liveness;
  readonly session: Session;
  readonly goodbye: { readonly text: string; readonly retryMs: number | undefined } | undefined;
  /** The name in the field of the start page. */
  readonly name: string;
  readonly refused: string | undefined;
  /** What the server would call us instead, and the lines that were to be said under the name. */
  readonly proposal: Proposal | undefined;
  /** Whether the lobby is where one goes as soon as one has a name. */
  readonly toLobby: boolean;
  /** What the server asks newcomers for, as typed so far; undefined: it has not asked. */
  readonly entry: string | undefined;
  readonly script: Script | undefined;
  readonly inputs: Readonly<Record<string, LineInput>>;
  readonly lobby: LobbyState;
  readonly pendingQueries: Readonly<Record<string, QuerySubject>>;
  /** Lines said before, the newest last; what holds a password is not among them. */
  readonly past: readonly string[];
  readonly games: readonly GameInfo[];
  /** Whether nobody answered when the page was opened. */
  readonly away: boolean;
  readonly about: RoomLinkInfo | "unknown" | undefined;
  readonly gameLink: GameLinkInfo | "unknown" | undefined;
  /** Games that are gone through: looking back by room, finished ones by `game ID`. */
  readonly replays: Readonly<Record<string, Replay | undefined>>;
  /** Analyses of finished games, by id. */
  readonly analyses: Readonly<Record<string, AnalysisRequest | undefined>>;
  readonly ratings: Ratings;
  /** The game chosen on the start page. */
  readonly choice: string;
  /** The server's clock minus ours. */
  readonly skew: number;
  readonly now: number;
  readonly visible: boolean;
  readonly fault: Fault | undefined;
  /** Rooms, or the lobby, of which a frame could not be taken. */
  readonly tripped: readonly string[];
  /** The kinds of the newest events, for a report. */
  readonly trail: readonly string[];
}

/** The key of the lobby's desk; no room has it. */
export const LOBBY = "lobby";

export const EMPTY_INPUT: LineInput = {
  text: "",
  pending: undefined,
  next: undefined,
  refusal: undefined,
  log: [],
  lines: 0,
  catalogue: [],
  catalogueHash: "",
  stale: false,
  since: [],
  moved: 0,
  look: {},
  answers: {},
  panel: "none",
  asText: false,
  opened: false,
  undo: undefined,
  undoStale: false,
  putAway: false,
};

/** What the browser has kept from an earlier visit. */
export interface StoredState {
  readonly settings: Settings;
  readonly name: string;
  readonly token: string | undefined;
  readonly past: readonly string[];
  readonly texts: Readonly<Record<string, string>>;
}

export const AGENT = "bluebear-web 0.1";

/** The state of a page that has just been opened. */
export function initialState(
  stored: StoredState,
  address: Address,
  prefix: string,
  now: number,
): State {
  const { lang } = stored.settings;
  const langs = lang === "ja" ? (["ja", "en"] as const) : (["en", "ja"] as const);
  const hello = {
    type: "hello",
    langs,
    wants: ["events", "text", "moves"],
    agent: AGENT,
    ...(stored.token === undefined ? {} : { token: stored.token }),
  } as const;
  const inputs = Object.entries({ [LOBBY]: "", ...stored.texts }).map(
    ([key, text]) => [key, { ...EMPTY_INPUT, text }] as const,
  );
  return {
    settings: stored.settings,
    address,
    link: { phase: "off" },
    liveness: INITIAL_LIVENESS,
    session: newSession(hello, prefix),
    goodbye: undefined,
    name: stored.name,
    refused: undefined,
    proposal: undefined,
    toLobby: false,
    entry: undefined,
    script: undefined,
    inputs: Object.fromEntries(inputs),
    lobby: {
      filter: "all",
      game: undefined,
      page: 0,
      making: { game: "", privacy: "public", password: "" },
      unlocking: undefined,
      myRooms: [],
      online: undefined,
      hereRequestedAt: 0,
    },
    pendingQueries: {},
    past: stored.past,
    games: [],
    away: false,
    about: undefined,
    gameLink: undefined,
    replays: {},
    analyses: {},
    ratings: { personal: undefined, top: {} },
    choice: "",
    skew: 0,
    now,
    visible: true,
    fault: undefined,
    tripped: [],
    trail: [],
  };
}
