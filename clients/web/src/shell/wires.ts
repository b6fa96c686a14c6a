// What the connections to nodes need of the sockets, and how long they wait.

import type { ClientMessage, ServerMessage } from "../protocol/messages.gen.ts";

/** What the sockets do. */
export interface Wires {
  /** Connect to an address after a pause; `opened` is to be called then. */
  readonly open: (url: string, pauseMs: number) => Link;
  readonly send: (link: Link, message: ClientMessage) => void;
  readonly close: (link: Link) => void;
  /** A message for the session. */
  readonly frame: (message: ServerMessage) => void;
  /** All connections are lost. */
  readonly lost: () => void;
  readonly freshId: () => string;
  /** Call a function once, after so many ms. */
  readonly later: (act: () => void, ms: number) => void;
}

/** One connection. */
export interface Link {
  url: string;
  welcomed: boolean;
  /** The session's numbers of its rooms, by its own. */
  readonly numbers: Map<number, number>;
}

/** Times that a room is followed without an entry, before the line that led there is refused. */
export const ROUNDS_MAX = 3;
/** The same for a room that one is in, before that is said: a killed node is replaced sooner. */
export const QUIET_ROUNDS = 10;
/** Connections beside the main one: a server allows five of a person. */
export const FURTHER_MAX = 4;
/** A node that has not said welcome in this time is not reached. */
export const FOLLOWED_MS = 2_000;
/** Before a room of a lost node is asked for at another one. */
export const OTHER_NODE_MS = 200;
/** Before an address is tried again that has just failed. */
export const AGAIN_MS = 500;
/** To this it doubles once it was said that the node is not reached. */
export const AGAIN_MOST_MS = 8_000;
/** Before a room is asked for again that cannot be entered just now, or goes back and forth. */
export const SLOW_MS = 1_000;
