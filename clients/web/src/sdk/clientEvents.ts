// Client events as values: one type for each. The same list as in the Python SDK.

import type { Answer, Logged } from "../protocol/messages.gen.ts";
import type { Branch } from "./tree.ts";

/** A room's id, the same on every connection. */
export type RoomId = string & { readonly brand: "RoomId" };

/** What the candidates of a refusal are. */
export type Offers = "line" | "word" | "range";

/** The reply to a line. */
export interface Reply {
  readonly id: string;
  readonly ok: boolean;
  readonly room?: RoomId | undefined;
  readonly version?: number | undefined;
  readonly code?: string;
  readonly text?: string;
  readonly rule?: string | undefined;
  readonly candidates?: readonly string[];
  /** The span of the error in the line, from and to, in code points. */
  readonly span?: readonly [number, number] | undefined;
  readonly offers?: Offers | undefined;
  /** When to send it again, in ms from now. */
  readonly retryMs?: number | undefined;
}

export type ClientEvent =
  | { readonly type: "welcomed"; readonly name: string; readonly again: boolean }
  | {
      readonly type: "entered" | "synced";
      readonly room: RoomId;
      readonly version: number;
      readonly log: readonly Logged[];
    }
  | { readonly type: "left"; readonly room: RoomId; readonly text: string }
  | {
      readonly type: "updated";
      readonly room: RoomId;
      readonly version: number;
      readonly text: readonly string[];
      readonly events: readonly Branch[];
      readonly done: string | undefined;
    }
  | {
      readonly type: "your_turn";
      readonly room: RoomId;
      readonly version: number;
      readonly seats: readonly number[];
    }
  | {
      readonly type: "your_moves";
      readonly room: RoomId;
      readonly version: number;
      readonly seat: number;
      readonly lines: readonly string[];
    }
  | {
      readonly type: "present";
      readonly room: RoomId;
      readonly here: readonly string[];
      readonly away: readonly string[];
    }
  | {
      readonly type: "noted";
      readonly room: RoomId | undefined;
      readonly code: string;
      readonly text: string;
      /** The author of the note and their text, if a person sent it. */
      readonly name?: string | undefined;
      readonly sent?: string | undefined;
    }
  | { readonly type: "replied"; readonly reply: Reply }
  | {
      readonly type: "answered";
      readonly id: string;
      readonly what: Answer["what"];
      readonly body: Branch;
    }
  | { readonly type: "not_answered"; readonly reply: Reply }
  | { readonly type: "lobby_changed" }
  | { readonly type: "game_known"; readonly key: string; readonly hash: string }
  | {
      readonly type: "farewell";
      readonly why: string;
      readonly text: string;
      readonly retryMs: number | undefined;
    }
  | { readonly type: "slowed" }
  | { readonly type: "need_sync"; readonly number: number; readonly room: RoomId }
  | {
      readonly type: "hello_refused";
      readonly code: string;
      readonly text: string;
      readonly candidates: readonly string[];
      readonly retryMs: number | undefined;
    };
