// The whole state of the page as one value. Plain readonly data: no nodes, timers, promises.
// Derived values are selectors in `selectors.ts`, not fields.

import type { Answer, AnyEvent, Lang, Look } from "../board/contract.ts";
import type {
  GameLink,
  Item,
  MyRoom,
  OfferedGame,
  OnlinePeople,
  RoomLink,
  UndoAhead,
} from "../protocol/answers.gen.ts";
import type { Offers, RoomId } from "../sdk/clientEvents.ts";
import { newSession, type Session } from "../sdk/session.ts";
import { INITIAL_LIVENESS, type Liveness } from "./livenessData.ts";
import type { Replay } from "./replay.ts";
import type { Request } from "./requestData.ts";

export type Theme = "system" | "light" | "dark";

/** A person's settings; stored in the browser. */
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

/** The screen that is shown; the address bar has the same. */
export type Address =
  | { readonly at: "start" }
  | { readonly at: "lobby" }
  | { readonly at: "room"; readonly id: RoomId }
  | { readonly at: "invite"; readonly token: string }
  /** My games and friends. */
  | { readonly at: "me" }
  /** A person's ratings and finished games. */
  | { readonly at: "person"; readonly name: string }
  /** The ranking of a game; without one, of the first. */
  | { readonly at: "top"; readonly game: string }
  /** A finished game, at a step. */
  | { readonly at: "game"; readonly id: string; readonly move: number | undefined };

/** The state of the socket, as far as the page shows it. */
export type Link =
  | { readonly phase: "off" }
  | { readonly phase: "connecting"; readonly attempt: number }
  | { readonly phase: "open" }
  | { readonly phase: "waiting"; readonly attempt: number; readonly until: number }
  | { readonly phase: "ended"; readonly text: string };

/** One line of a log. */
export interface LogLine {
  readonly key: string;
  readonly kind: "event" | "talk" | "note" | "sent";
  readonly version: number;
  readonly at: number;
  readonly text: string;
  readonly name?: string;
  readonly seat?: number;
  /** The code of a note: tables are set in a monospaced font. */
  readonly code?: string;
  /** What a note has besides its text: of the coach's the places. */
  readonly sent?: string | undefined;
  /** The language of a note, which is sent once. */
  readonly lang?: Lang;
  readonly event?: AnyEvent;
}

/** A refusal, shown beside the line that it refers to. */
export interface Refusal {
  readonly code: string;
  readonly text: string;
  readonly line: string;
  readonly rule?: string | undefined;
  readonly candidates: readonly string[];
  /** The span of the error, from and to, in UTF-16 units. */
  readonly span?: readonly [number, number] | undefined;
  /** The kind of the candidates: whole lines, values for the span, or bounds to be read. */
  readonly offers?: Offers | undefined;
  /** The place of the board that was pressed: the refusal is shown there. */
  readonly target?: string | undefined;
}

/** A line that was sent and has no reply yet. */
export interface Pending {
  readonly id: string;
  readonly text: string;
  /** The text of the input before a button replaced it; undefined: the line was typed. */
  readonly textBefore: string | undefined;
  readonly since: number;
  /** The place of the board that asked why the line is not legal; the input keeps its text. */
  readonly target?: string | undefined;
}

/** A line that waits for the reply to another one. */
export interface Queued {
  readonly text: string;
  /** The version at which its button was pressed; undefined: it was typed, and is in the input. */
  readonly at?: number;
}

/** The panel above the conversation. */
export type Panel =
  | "none"
  | "more"
  | "menu"
  | "options"
  | "keys"
  | "settings"
  | "account"
  | "logIn"
  | "invite"
  /** The rules, at a paragraph. */
  | `rules ${string}`;

/** One input with its conversation: a room's, or the lobby's. */
/** The line that the server thinks best, and why. */
export interface Hint {
  readonly line: string;
  readonly text: string;
  /** The version of my last move when it was given. */
  readonly moved: number;
}

export interface LineInput {
  readonly text: string;
  readonly pending: Pending | undefined;
  /** Lines submitted while another one is pending, in order: each is sent after the reply. */
  readonly queue: readonly Queued[];
  readonly refusal: Refusal | undefined;
  readonly log: readonly LogLine[];
  readonly lines: number;
  readonly catalogue: readonly Item[];
  /** The server's hash of this catalogue: an unchanged one is not sent again. */
  readonly catalogueHash: string;
  /** Whether the catalogue may have changed and has to be requested. */
  readonly stale: boolean;
  /** Events since my last move in this game; without a seat, those of the newest move. */
  readonly since: readonly AnyEvent[];
  /** The version of my last move; newer lines are marked in the log. */
  readonly moved: number;
  readonly look: Look;
  readonly answers: Readonly<Record<string, Answer | undefined>>;
  /** The last hint: it is shown while its line is in the input. */
  readonly hint: Hint | undefined;
  /** What the coach said last; the log may be cut since. */
  readonly tip: LogLine | undefined;
  /** The newest invite link of the room that this page asked for. */
  readonly invite: string | undefined;
  readonly panel: Panel;
  readonly asText: boolean;
  /** On a phone: whether the conversation covers the lower half. */
  readonly opened: boolean;
  readonly undo: UndoAhead | undefined;
  /** Whether it may have changed and has to be requested. */
  readonly undoStale: boolean;
  /** The id of the game whose result was hidden. */
  readonly putAway: string;
}

/** Lines that are sent one after the other, each after the reply to the previous one. */
export interface Script {
  readonly lines: readonly string[];
  readonly sent: readonly string[];
  readonly room: RoomId | undefined;
  readonly waiting: string | undefined;
  /** The line that was sent last, and what stood in its input before: to be sent again. */
  readonly line: string;
  readonly textBefore: string;
  /** The server was asked too much at once: the script goes on at this time. */
  readonly resumesAt: number | undefined;
  /** The code of the refusal for which it waits until then. */
  readonly why?: string | undefined;
}

/** A free name instead of the refused one. */
export interface Proposal {
  readonly name: string;
  readonly lines: readonly string[];
}

/** The filter of the room list. */
export type Filter = "all" | "free" | "running";

export interface LobbyState {
  readonly filter: Filter;
  readonly game: string | undefined;
  readonly page: number;
  readonly making: { readonly game: string; readonly privacy: string; readonly password: string };
  /** The room whose password is being typed. The password itself is in the field only. */
  readonly unlocking: string | undefined;
  readonly myRooms: readonly MyRoom[];
  /** Who is online; undefined until the answer has arrived. */
  readonly online: OnlinePeople | undefined;
  /** When that was requested. */
  readonly hereRequestedAt: number;
}

/** The subject of a query, by its id. */
export type QuerySubject =
  | { readonly about: "catalogue"; readonly room: RoomId | undefined }
  | { readonly about: "query"; readonly room: RoomId; readonly line: string }
  | { readonly about: "record" | "minutes"; readonly room: RoomId }
  | { readonly about: "replay"; readonly key: string }
  | { readonly about: "request"; readonly key: string }
  | { readonly about: "undo"; readonly room: RoomId }
  | { readonly about: "game" | "lobby" | "rooms" | "people" | "pulse" };

/** A bug of the page that is reported to the person: where it occurred, and its description. */
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
  /** The free name that the server proposed, and the lines to be sent under it. */
  readonly proposal: Proposal | undefined;
  /** Whether to go to the lobby as soon as the person has a name. */
  readonly toLobby: boolean;
  /** The entry password as typed so far; undefined: the server has not requested it. */
  readonly entry: string | undefined;
  readonly script: Script | undefined;
  readonly inputs: Readonly<Record<string, LineInput>>;
  readonly lobby: LobbyState;
  readonly pendingQueries: Readonly<Record<string, QuerySubject>>;
  /** Lines sent before, newest last; lines with a password are left out. */
  readonly past: readonly string[];
  readonly games: readonly OfferedGame[];
  /** Whether the server did not answer when the page was opened. */
  readonly away: boolean;
  readonly about: RoomLink | "unknown" | undefined;
  readonly gameLink: GameLink | "unknown" | undefined;
  /** Replays: of running games by room, of finished ones by `game ID`. */
  readonly replays: Readonly<Record<string, Replay | undefined>>;
  /** What screens have requested: ratings, friends, analyses. */
  readonly requests: Readonly<Record<string, Request | undefined>>;
  /** The lines to be sent when the lesson is left that "Play now" has opened. */
  readonly afterLesson: readonly string[];
  /** The game chosen on the start page. */
  readonly choice: string;
  /** The server's clock minus ours, in ms. */
  readonly skew: number;
  readonly now: number;
  readonly visible: boolean;
  /** The passwords that this page has given to rooms; the server has no readable copy. */
  readonly passwords: Readonly<Record<RoomId, string>>;
  /** The text that was to be copied, and whether the browser has done it. */
  readonly copied: { readonly text: string; readonly done: boolean } | undefined;
  readonly fault: Fault | undefined;
  /** Rooms, or the lobby, for which a frame was rejected. */
  readonly tripped: readonly string[];
  /** The kinds of the newest events, for a report. */
  readonly trail: readonly string[];
}

/** The key of the lobby's input; no room has it. */
export const LOBBY = "lobby";

export const EMPTY_INPUT: LineInput = {
  text: "",
  pending: undefined,
  queue: [],
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
  hint: undefined,
  tip: undefined,
  invite: undefined,
  panel: "none",
  asText: false,
  opened: false,
  undo: undefined,
  undoStale: false,
  putAway: "",
};

/** The values that the browser stored in an earlier visit. */
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
    wants: ["events", "text", "moves", "moved"],
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
    requests: {},
    afterLesson: [],
    choice: "",
    skew: 0,
    now,
    visible: true,
    passwords: {},
    copied: undefined,
    fault: undefined,
    tripped: [],
    trail: [],
  };
}
