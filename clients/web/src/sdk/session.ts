// The protocol state of the client: handshake, resume, resending unanswered requests; no I/O.
//
// The twin of the Python SDK's `session.py`. A session outlives its connections: after each
// `welcome` it enters its rooms again, and after their replies it resends the unanswered lines
// under their old ids, so that a line takes effect once, however often the connection breaks.

import type { Ask, ClientMessage, Hello, Say, ServerMessage } from "../protocol/messages.gen.ts";
import type { ClientEvent, Reply, RoomId } from "./clientEvents.ts";
import * as mirrors from "./mirror.ts";

/** A request without a reply, and the room that it is meant for. */
interface Waiting {
  readonly message: Say | Ask;
  readonly room: RoomId | undefined;
  /** Set when we left that room: the reason. */
  readonly leftText?: string;
}

export interface Session {
  readonly mirror: mirrors.Mirror;
  readonly hello: Hello;
  /** Random for each page load, so that no id is ever used twice; a counter follows. */
  readonly prefix: string;
  readonly counter: number;
  readonly waiting: Readonly<Record<string, Waiting>>;
  /** The lines that enter our rooms again, on this connection. */
  readonly returning: Readonly<Record<string, RoomId>>;
  readonly rooms: readonly RoomId[];
  readonly welcomed: boolean;
  /** The number of `too_fast` replies whose wait is not over. */
  readonly slowed: number;
}

/** The result of an input: the next session, messages to send in order, client events. */
export interface Step {
  readonly session: Session;
  readonly send: readonly ClientMessage[];
  readonly happened: readonly ClientEvent[];
}

/** A session that has not connected yet. */
export function newSession(hello: Hello, prefix: string): Session {
  return {
    mirror: mirrors.EMPTY,
    hello,
    prefix,
    counter: 0,
    waiting: {},
    returning: {},
    rooms: [],
    welcomed: false,
    slowed: 0,
  };
}

/**
 * A new connection: the first message is the session's `hello`, with a newer token if there is one.
 */
export function connected(session: Session, token?: string): Step {
  const { name: _, password: __, ...identity } = session.hello;
  const after = {
    ...session,
    hello: token === undefined ? session.hello : { ...identity, token },
    welcomed: false,
    slowed: 0,
    returning: {},
    mirror: mirrors.disconnected(session.mirror),
  };
  return { session: after, send: [after.hello], happened: [] };
}

/** The connection is lost: the data stay, but count as out of date. */
export function connectionLost(session: Session): Session {
  const mirror = mirrors.disconnected(session.mirror);
  // A ping belongs to this connection, not to the next one.
  const waiting = Object.entries(session.waiting).filter(
    ([, { message }]) => message.type !== "ask" || message.what !== "ping",
  );
  const remaining = Object.fromEntries(waiting);
  return { ...session, welcomed: false, returning: {}, mirror, waiting: remaining };
}

/** Sends a line; its id is the newest in `waiting` and comes back in `replied`. */
export function say(
  session: Session,
  text: string,
  where: { readonly room?: RoomId | undefined; readonly at?: number | undefined } = {},
): Step & { readonly id: string } {
  const { id, session: counted } = nextId(session);
  const message: Say = { type: "say", id, text, ...(where.at == null ? {} : { at: where.at }) };
  return { id, ...enqueue(counted, message, where.room) };
}

/** Sends a query; its id comes back in `answered`, or in `not_answered` if it is refused. */
export function ask(
  session: Session,
  what: Ask["what"],
  args: NonNullable<Ask["args"]> = {},
  room?: RoomId,
): Step & { readonly id: string } {
  const { id, session: counted } = nextId(session);
  return { id, ...enqueue(counted, { type: "ask", id, what, args }, room) };
}

/** Marks a room as out of sync, for any reason, and requests a snapshot. */
export function requestSync(session: Session, room: RoomId): Step {
  const mirror = mirrors.markOutOfSync(session.mirror, room);
  const number = mirrors.numberOf(mirror, room);
  const asks = number !== undefined && session.slowed === 0;
  const send = asks ? [{ type: "sync", room: number } as const] : [];
  return { session: { ...session, mirror }, send, happened: [] };
}

/** What to resend after the wait that follows each `slowed`. */
export function resumeSending(session: Session): Step {
  const after = { ...session, slowed: Math.max(0, session.slowed - 1) };
  if (after.slowed > 0) return { session: after, send: [], happened: [] };
  if (Object.keys(after.returning).length > 0) return reenterRooms(after);
  const wanted = mirrors
    .outOfSyncRooms(after.mirror)
    .map((room) => ({ type: "sync", room }) as const);
  const again = resendWaiting(after);
  return { ...again, send: [...wanted, ...again.send] };
}

/** The result of a message. Throws MirrorError if the server has a bug. */
export function receive(session: Session, message: ServerMessage): Step {
  if (message.type === "error" && !session.welcomed) {
    const { code, text, candidates = [] } = message;
    const retryMs = message.retry_ms ?? undefined;
    const refused = { type: "hello_refused", code, text, candidates, retryMs } as const;
    return { session, send: [], happened: [refused] };
  }
  if (message.type === "error" && message.id === undefined && message.code === "too_fast") {
    // A refused message without an id was a `sync`. The server skipped the lines after it, as it
    // does after a refused line.
    return handleTooFast(session);
  }
  const [mirror, received] = mirrors.receive(session.mirror, message);
  let step: Step = { session: { ...session, mirror }, send: [], happened: [] };
  for (const clientEvent of received)
    step = joinSteps(step, handleEvent(step.session, clientEvent));
  return step;
}

function joinSteps(before: Step, after: Step): Step {
  return {
    session: after.session,
    send: [...before.send, ...after.send],
    happened: [...before.happened, ...after.happened],
  };
}

/** The result of one client event. */
function handleEvent(session: Session, clientEvent: ClientEvent): Step {
  const passOn = (after: Session, send: readonly ClientMessage[] = []): Step => ({
    session: after,
    send,
    happened: [clientEvent],
  });
  switch (clientEvent.type) {
    case "replied":
      return handleReply(session, clientEvent.reply);
    case "answered":
      return passOn(withoutWaiting(session, clientEvent.id));
    case "welcomed": {
      const more = handleWelcome(session);
      return { ...more, happened: [clientEvent, ...more.happened] };
    }
    case "need_sync":
      return passOn(
        session,
        session.slowed > 0 ? [] : [{ type: "sync", room: clientEvent.number }],
      );
    case "entered":
    case "synced": {
      const { room } = clientEvent;
      if (session.rooms.includes(room)) return passOn(session);
      return passOn({ ...session, rooms: [...session.rooms, room] });
    }
    case "left":
      return passOn(leaveRoom(session, clientEvent.room, clientEvent.text));
    case "noted":
      return passOn(clientEvent.code === "lang" ? withLang(session, clientEvent.sent) : session);
    default:
      return passOn(session);
  }
}

function nextId(session: Session): { readonly id: string; readonly session: Session } {
  const counter = session.counter + 1;
  return { id: `${session.prefix}${counter}`, session: { ...session, counter } };
}

function withoutWaiting(session: Session, id: string): Session {
  const { [id]: _, ...waiting } = session.waiting;
  return { ...session, waiting };
}

function enqueue(session: Session, message: Say | Ask, room: RoomId | undefined): Step {
  const waiting: Waiting = { message, room };
  const after = { ...session, waiting: { ...session.waiting, [message.id]: waiting } };
  const ready = after.welcomed && after.slowed === 0 && Object.keys(after.returning).length === 0;
  return { session: after, send: ready ? [addressed(after, waiting)] : [], happened: [] };
}

/** The message with the number that its room has on this connection. */
function addressed(session: Session, waiting: Waiting): Say | Ask {
  if (waiting.room === undefined) return waiting.message;
  const room = mirrors.numberOf(session.mirror, waiting.room);
  return room === undefined ? waiting.message : { ...waiting.message, room };
}

function handleWelcome(session: Session): Step {
  const { welcome } = session.mirror;
  const { name: _, password: __, ...hello } = session.hello;
  let after: Session = {
    ...session,
    welcomed: true,
    hello: welcome === undefined ? session.hello : { ...hello, token: welcome.token },
  };
  if (after.rooms.length === 0) return resendWaiting(after);
  const returning: Record<string, RoomId> = {};
  for (const room of after.rooms) {
    const next = nextId(after);
    after = next.session;
    returning[next.id] = room;
  }
  return reenterRooms({ ...after, returning });
}

function reenterRooms(session: Session): Step {
  const send = Object.entries(session.returning).map(
    ([id, room]): Say => ({ type: "say", id, text: `/room ${room}` }),
  );
  return { session, send, happened: [] };
}

function handleTooFast(session: Session): Step {
  return {
    session: { ...session, slowed: session.slowed + 1 },
    send: [],
    happened: [{ type: "slowed" }],
  };
}

function handleReply(session: Session, reply: Reply): Step {
  // A room that could not be entered again just now still exists, and so do the lines sent in it.
  const later =
    session.returning[reply.id] !== undefined &&
    (reply.code === "busy" || reply.code === "not_saved");
  if (reply.code === "too_fast" || later) return handleTooFast(session);
  const room = session.returning[reply.id];
  if (room === undefined) {
    const waiting = session.waiting[reply.id];
    return {
      session: withoutWaiting(session, reply.id),
      send: [],
      happened: [replyEvent(waiting, reply)],
    };
  }
  const { [reply.id]: _, ...returning } = session.returning;
  let after: Session = { ...session, returning };
  let happened: readonly ClientEvent[] = [];
  if (!reply.ok) {
    const text = reply.text ?? "";
    after = leaveRoom({ ...after, mirror: mirrors.withoutRoom(after.mirror, room) }, room, text);
    happened = [{ type: "left", room, text }];
  }
  if (Object.keys(returning).length > 0) return { session: after, send: [], happened };
  return joinSteps({ session: after, send: [], happened }, resendWaiting(after));
}

/** The language from now on; later connections request it first. */
function withLang(session: Session, lang: string | undefined): Session {
  if (lang !== "ja" && lang !== "en") return session;
  const { hello } = session;
  const langs: Hello["langs"] = [lang, ...hello.langs.filter((each) => each !== lang)];
  return { ...session, hello: { ...hello, langs } };
}

function leaveRoom(session: Session, room: RoomId, text: string): Session {
  const waiting = Object.entries(session.waiting).map(
    ([id, each]) => [id, each.room === room ? { ...each, leftText: text } : each] as const,
  );
  return {
    ...session,
    rooms: session.rooms.filter((each) => each !== room),
    waiting: Object.fromEntries(waiting),
  };
}

/** The unanswered requests, once more; refused if we have left their room. */
function resendWaiting(session: Session): Step {
  const happened: ClientEvent[] = [];
  const remaining: Record<string, Waiting> = {};
  for (const [id, waiting] of Object.entries(session.waiting)) {
    if (waiting.leftText === undefined) remaining[id] = waiting;
    else
      happened.push(
        replyEvent(waiting, { id, ok: false, code: "not_in_room", text: waiting.leftText }),
      );
  }
  const after = { ...session, waiting: remaining };
  const send = Object.values(remaining).map((waiting) => addressed(after, waiting));
  return { session: after, send, happened };
}

/** A reply in the form that fits its request, with the room that the request was meant for. */
function replyEvent(waiting: Waiting | undefined, reply: Reply): ClientEvent {
  const placed =
    waiting !== undefined && reply.room === undefined ? { ...reply, room: waiting.room } : reply;
  return waiting?.message.type === "ask"
    ? { type: "not_answered", reply: placed }
    : { type: "replied", reply: placed };
}
