// The page's sessions as twins of the Python ones: inputs as JSON, and results in the same words
// (`tests/sim/twins.py`).

import type { ClientMessage, Hello, ServerMessage } from "../src/protocol/messages.gen.ts";
import type { ClientEvent, Reply, RoomId } from "../src/sdk/clientEvents.ts";
import * as sessions from "../src/sdk/session.ts";

/** An input of a session. */
export interface Input {
  readonly session: number;
  /** How many ids of lines are taken. */
  readonly taken: number;
  readonly do: "new" | "connect" | "say" | "go_on" | "receive";
  readonly hello?: Hello;
  readonly prefix?: string;
  readonly token?: string;
  readonly text?: string;
  readonly room?: RoomId;
  readonly at?: number;
  readonly message?: ServerMessage;
}

export interface Result {
  readonly send: readonly ClientMessage[];
  readonly happened: readonly Readonly<Record<string, unknown>>[];
}

function replyFields({ id, ok, code = "", room = null as unknown as RoomId }: Reply) {
  return { id, ok, code, room };
}

/** An event as both twins tell it; undefined for what one of them has no event for. */
function reported(event: ClientEvent): Readonly<Record<string, unknown>> | undefined {
  switch (event.type) {
    case "welcomed":
      return { is: event.type, again: event.again };
    case "entered":
    case "synced":
      return { is: event.type, room: event.room, version: event.version };
    case "updated": {
      const { type, room, version, done = null } = event;
      return { is: type, room, version, done };
    }
    case "left":
      return { is: event.type, room: event.room, text: event.text };
    case "replied":
    case "not_answered":
      return { is: event.type, ...replyFields(event.reply) };
    case "answered":
      return { is: event.type, id: event.id };
    case "farewell":
      return { is: event.type, why: event.why };
    case "slowed":
      return { is: event.type };
    case "need_sync":
      return { is: event.type, number: event.number, room: event.room };
    case "hello_refused":
      return { is: event.type, code: event.code };
    default:
      return undefined;
  }
}

function stepOf(before: sessions.Session, input: Input): sessions.Step {
  const session = { ...before, counter: input.taken };
  const { token, text = "", room, at, message } = input;
  switch (input.do) {
    case "connect":
      return sessions.connected(sessions.connectionLost(session), token);
    case "say":
      return sessions.say(session, text, { room, at });
    case "go_on":
      return sessions.resumeSending(session);
    default:
      if (message === undefined) throw new Error("nothing to receive");
      return sessions.receive(session, message);
  }
}

/** Sessions by number, which carry out inputs. */
export class Twins {
  readonly #sessions = new Map<number, sessions.Session>();

  /** What a session does with an input. */
  does(input: Input): Result {
    const { hello, prefix = "" } = input;
    if (hello !== undefined) {
      this.#sessions.set(input.session, sessions.newSession(hello, prefix));
      return { send: [], happened: [] };
    }
    const before = this.#sessions.get(input.session);
    if (before === undefined) throw new Error(`no session ${input.session}`);
    const { session, send, happened } = stepOf(before, input);
    this.#sessions.set(input.session, session);
    return { send, happened: happened.map(reported).filter((event) => event !== undefined) };
  }
}
