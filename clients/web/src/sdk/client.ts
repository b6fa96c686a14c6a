// A client that reconnects by itself: the session of session.ts on a WebSocket, for programs. The
// twin of the Python SDK's `client.py`. The page does not use it: it has one state and one step.

import { decode, encode, SUBPROTOCOL } from "../protocol/codec.ts";
import type { Ask, Hello } from "../protocol/messages.gen.ts";
import type { ClientEvent, Reply, RoomId } from "./clientEvents.ts";
import type { RoomView } from "./mirror.ts";
import * as sessions from "./session.ts";
import type { Branch } from "./tree.ts";

/** Waits before the first, second ... attempt to connect again; the last one is repeated. */
const PAUSES_MS: readonly number[] = [250, 500, 1_000, 2_000, 5_000, 10_000, 30_000];

/** The wait after a reply that says that lines come too fast. */
const SLOWED_MS = 1_000;

/** Unread events beyond this number drop the oldest: minutes of a busy room. */
const EVENTS_MAX = 10_000;

/** A query was refused, or the client was closed before a reply. */
export class NotAnswered extends Error {
  readonly code: string;

  constructor(code: string, text: string) {
    super(text === "" ? code : text);
    this.code = code;
  }
}

interface Waiting {
  readonly replied: (event: ClientEvent) => void;
  readonly failed: (error: NotAnswered) => void;
}

/**
 * One person on one server. `url` is `ws://HOST:PORT/ws`; `hello` has the name, the languages, and
 * what to receive (`moves` for legal lines). After a lost connection it reconnects, enters its rooms
 * again and repeats what has no reply; callers only notice that a reply took longer.
 */
export class Client {
  readonly #url: string;
  #session: sessions.Session;
  #socket: WebSocket | undefined;
  #attempt = 0;
  #closed = false;
  readonly #waiting = new Map<string, Waiting>();
  readonly #events: ClientEvent[] = [];
  #wake: () => void = () => undefined;

  constructor(url: string, hello: Partial<Omit<Hello, "type">> = {}) {
    this.#url = url;
    const prefix = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16));
    this.#session = sessions.newSession(
      { langs: ["en"], ...hello, type: "hello" },
      `${prefix.join("")}-`,
    );
    this.#connect();
  }

  /** The token with which the same person comes back later; undefined before the welcome. */
  get token(): string | undefined {
    return this.#session.mirror.welcome?.token;
  }

  /** What is known of a room: its view, the legal lines of my seats. */
  room(id: RoomId): RoomView | undefined {
    return this.#session.mirror.rooms[id];
  }

  /** Sends a line; the reply says whether it took effect. `at`: only in this version. */
  async say(
    text: string,
    where: { readonly room?: RoomId | undefined; readonly at?: number } = {},
  ): Promise<Reply> {
    const event = await this.#request(sessions.say(this.#session, text, where));
    if (event.type !== "replied") throw new NotAnswered("closed", "");
    return event.reply;
  }

  /** The body of the answer to a query. Throws NotAnswered if it is refused. */
  async ask(
    what: Ask["what"],
    args: NonNullable<Ask["args"]> = {},
    room?: RoomId,
  ): Promise<Branch> {
    const event = await this.#request(sessions.ask(this.#session, what, args, room));
    if (event.type === "answered") return event.body;
    const reply = event.type === "not_answered" ? event.reply : undefined;
    throw new NotAnswered(reply?.code ?? "closed", reply?.text ?? "");
  }

  /** What happens, in order, until the client is closed. */
  async *events(): AsyncGenerator<ClientEvent, void> {
    while (!this.#closed) {
      const events = this.#events.splice(0);
      yield* events;
      if (this.#events.length === 0 && !this.#closed) {
        await new Promise<void>((wake) => {
          this.#wake = wake;
        });
      }
    }
  }

  /** Ends the connection; what waits for a reply fails. */
  close(code = "closed", text = ""): void {
    this.#closed = true;
    for (const { failed } of this.#waiting.values()) failed(new NotAnswered(code, text));
    this.#waiting.clear();
    this.#socket?.close();
    this.#wake();
  }

  #request(step: sessions.Step & { readonly id: string }): Promise<ClientEvent> {
    if (this.#closed) return Promise.reject(new NotAnswered("closed", ""));
    const answered = new Promise<ClientEvent>((replied, failed) => {
      this.#waiting.set(step.id, { replied, failed });
    });
    this.#take(step);
    return answered;
  }

  #connect(): void {
    const socket = new WebSocket(this.#url, SUBPROTOCOL);
    this.#socket = socket;
    socket.onopen = () => this.#take(sessions.connected(this.#session, this.token));
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      const message = decode(data);
      if (message !== null) this.#take(sessions.receive(this.#session, message));
    };
    socket.onclose = () => {
      this.#session = sessions.connectionLost(this.#session);
      if (this.#closed) return;
      const pause = PAUSES_MS[Math.min(this.#attempt, PAUSES_MS.length - 1)];
      this.#attempt += 1;
      setTimeout(() => this.#closed || this.#connect(), pause);
    };
  }

  #take({ session, send, happened }: sessions.Step): void {
    this.#session = session;
    if (this.#socket?.readyState === WebSocket.OPEN) {
      for (const message of send) this.#socket.send(encode(message));
    }
    for (const event of happened) this.#heard(event);
    if (happened.length === 0) return;
    this.#events.push(...happened);
    this.#events.splice(0, this.#events.length - EVENTS_MAX);
    this.#wake();
  }

  #heard(event: ClientEvent): void {
    if (event.type === "welcomed") this.#attempt = 0;
    if (event.type === "hello_refused") this.close(event.code, event.text);
    if (event.type === "slowed") {
      setTimeout(() => this.#take(sessions.resumeSending(this.#session)), SLOWED_MS);
    }
    const id = idOf(event);
    if (id === undefined) return;
    this.#waiting.get(id)?.replied(event);
    this.#waiting.delete(id);
  }
}

/** The id of the request that an event replies to. */
function idOf(event: ClientEvent): string | undefined {
  if (event.type === "answered") return event.id;
  return event.type === "replied" || event.type === "not_answered" ? event.reply.id : undefined;
}
