// The events of the page, and its effects outside of the state: two closed unions of data.

import type { Act, Look } from "../board/contract.ts";
import type { GameLink, OfferedGame, RoomLink } from "../protocol/answers.gen.ts";
import type { Ask, ClientMessage, ServerMessage } from "../protocol/messages.gen.ts";
import type { RoomId } from "../sdk/clientEvents.ts";
import type { Address, Filter, Panel, Settings, State } from "./state.ts";

/** The context of an event: the time, and fresh random hex for a seat's seed. */
export interface Context {
  readonly now: number;
  readonly fresh: string;
  /** A finger points; then a complete line waits for a second press. */
  readonly touch: boolean;
}

export type Event =
  // the browser and the server
  | { readonly type: "started" }
  | { readonly type: "connected"; readonly token?: string | undefined }
  | { readonly type: "frame"; readonly message: ServerMessage }
  | { readonly type: "closed"; readonly code: number; readonly jitter: number }
  | { readonly type: "timer"; readonly timer: Timer }
  | { readonly type: "offline" }
  | { readonly type: "ticked" }
  | { readonly type: "shown"; readonly visible: boolean }
  | { readonly type: "games_loaded"; readonly games: readonly OfferedGame[] }
  | { readonly type: "server_away" }
  | { readonly type: "room_loaded"; readonly about: RoomLink | "unknown" }
  | { readonly type: "game_link_loaded"; readonly story: GameLink | "unknown" }
  /** `inHistory`: by the browser's Back or Forward, so that the address bar is right already. */
  | { readonly type: "navigated"; readonly address: Address; readonly inHistory?: boolean }
  // start, invite, lobby
  | { readonly type: "named"; readonly name: string }
  | { readonly type: "entry_typed"; readonly password: string }
  | { readonly type: "chose_game"; readonly game: string }
  | { readonly type: "renamed" }
  | { readonly type: "play_now" }
  | { readonly type: "learn" }
  | { readonly type: "play_with_friend" }
  | { readonly type: "find_game" }
  | { readonly type: "log_in"; readonly name: string; readonly password: string }
  | { readonly type: "to_lobby" }
  | { readonly type: "sign_in" }
  | { readonly type: "sit_down"; readonly room: string; readonly password?: string }
  | { readonly type: "watch"; readonly room: string; readonly password?: string }
  | { readonly type: "filtered"; readonly filter?: Filter; readonly game?: string | undefined }
  | { readonly type: "proposal_accepted" }
  | { readonly type: "paged"; readonly page: number }
  | { readonly type: "room_form_changed"; readonly making: Partial<Making> }
  | { readonly type: "make_room" }
  | { readonly type: "unlocking"; readonly room: string | undefined }
  // lines
  | { readonly type: "typed"; readonly inputKey: string; readonly text: string }
  | { readonly type: "line_submitted"; readonly inputKey: string }
  | { readonly type: "line_chosen"; readonly inputKey: string; readonly text: string }
  | {
      readonly type: "acted";
      readonly inputKey: string;
      readonly act: Act;
      readonly target?: string | undefined;
    }
  // display
  | { readonly type: "look_changed"; readonly inputKey: string; readonly look: Look }
  | { readonly type: "panel"; readonly inputKey: string; readonly panel: Panel }
  | { readonly type: "opened"; readonly inputKey: string; readonly opened: boolean }
  | { readonly type: "as_text"; readonly inputKey: string; readonly asText: boolean }
  | { readonly type: "replay_toggled"; readonly inputKey: string; readonly on: boolean }
  | { readonly type: "replayed"; readonly key: string; readonly to: number }
  | { readonly type: "replay_played"; readonly key: string; readonly playing: boolean }
  | { readonly type: "replay_speed"; readonly key: string; readonly speed: number }
  | { readonly type: "replay_seat"; readonly key: string; readonly seat: number }
  /** A screen needs an answer, whose key it chooses. */
  | {
      readonly type: "requested";
      readonly key: string;
      readonly what: Ask["what"];
      readonly args: Readonly<Record<string, string | number>>;
      readonly room?: RoomId | undefined;
      readonly again?: boolean;
    }
  | {
      readonly type: "download_requested";
      readonly inputKey: string;
      readonly paper: "record" | "minutes";
    }
  | { readonly type: "result_hidden"; readonly inputKey: string; readonly putAway: string }
  | { readonly type: "set"; readonly settings: Partial<Settings> }
  | { readonly type: "copied"; readonly text: string }
  /** The browser has copied a text, or has refused to. */
  | { readonly type: "copy_ended"; readonly text: string; readonly done: boolean }
  | { readonly type: "copy_dismissed" }
  // bugs
  /** A section of the page could not be drawn. */
  | { readonly type: "drawing_failed"; readonly where: string; readonly why: string }
  | { readonly type: "fault_dismissed" }
  | { readonly type: "reloaded" };

export type EventOf<T extends Event["type"]> = Extract<Event, { type: T }>;

/** What an event of each type does; the table is in slices, each beside what it changes. */
export type Handlers = {
  readonly [T in Event["type"]]: (
    state: State,
    event: EventOf<T>,
    context: Context,
  ) => StepResult<State>;
};

export interface Making {
  readonly game: string;
  readonly privacy: string;
  readonly password: string;
}

export type Timer =
  | "reconnect"
  | "go_on"
  | "catalogue"
  | "replay"
  | "undo"
  | "people"
  | "pulse"
  | "script"
  | "slow";

export type Sound = "turn" | "talk" | "vote" | "time";

export type Effect =
  | { readonly type: "connect" }
  | { readonly type: "disconnect" }
  | { readonly type: "send"; readonly messages: readonly ClientMessage[] }
  | { readonly type: "wait"; readonly timer: Timer; readonly ms: number }
  | { readonly type: "store"; readonly key: StorageKey; readonly value: unknown }
  /** `replace`: it is the same screen, and Back must not lead to it again. */
  | { readonly type: "navigate"; readonly address: Address; readonly replace?: boolean }
  | { readonly type: "fetch"; readonly what: PublicInfo; readonly of?: string }
  | { readonly type: "sound"; readonly sound: Sound }
  | { readonly type: "announce"; readonly text: string }
  | { readonly type: "notify"; readonly text: string }
  /** Ask the browser for permission to notify. */
  | { readonly type: "permit" }
  | { readonly type: "copy"; readonly text: string }
  /** Into the console, for developers. */
  | { readonly type: "log"; readonly text: string }
  | { readonly type: "reload" }
  /** A file for the person to save. */
  | { readonly type: "save"; readonly name: string; readonly text: string }
  | { readonly type: "focus"; readonly on: "line" | "board" | "proposal" };

/** What is fetched by plain HTTP, before the person has a name. */
export type PublicInfo = "games" | "invite" | "room" | "game";

/** What survives a reload: settings and token in the browser, history and drafts in the tab. */
export type StorageKey = "settings" | "token" | "name" | "past" | "texts";

/** A state and its effects. */
export type StepResult<S> = readonly [S, readonly Effect[]];
