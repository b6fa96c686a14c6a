// The WebSockets: opened on request, closed permanently when others replace them.

import { decode, encode, SUBPROTOCOL } from "../protocol/codec.ts";
import type { ClientMessage, ServerMessage } from "../protocol/messages.gen.ts";
import { Nodes } from "./nodes.ts";
import type { Link } from "./wires.ts";

export interface SocketEvents {
  readonly opened: () => void;
  readonly frame: (message: ServerMessage) => void;
  readonly closed: (code: number) => void;
  /** An id for a line of our own. */
  readonly freshId: () => string;
}

/** An attempt without an answer in this time has failed. */
const PATIENCE_MS = 10_000;

/** The code with which browsers report a connection that ended without a close frame. */
const DEAD = 1006;

export class Socket {
  /** By connection; undefined while it waits. */
  readonly #sockets = new Map<Link, WebSocket | undefined>();
  readonly #nodes: Nodes;
  readonly #opened: () => void;
  #code = DEAD;

  constructor({ opened, frame, closed, freshId }: SocketEvents) {
    this.#opened = opened;
    this.#nodes = new Nodes({
      open: (url, pauseMs) => this.#open(url, pauseMs),
      send: (link, message) => this.#send(link, message),
      close: (link) => this.#close(link),
      frame,
      lost: () => closed(this.#code),
      freshId,
      later: (act, ms) => setTimeout(act, ms),
    });
  }

  /** Connect to the server of this page. */
  connect(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.#nodes.connect(`${scheme}://${location.host}/ws`);
  }

  /** Close the connection without a callback. */
  disconnect(): void {
    this.#nodes.disconnect();
  }

  /** Send messages, in order. Messages that cannot be sent stay unanswered and are resent later. */
  send(messages: readonly ClientMessage[]): void {
    this.#nodes.send(messages);
  }

  #open(url: string, pauseMs: number): Link {
    const link: Link = { url, welcomed: false, numbers: new Map() };
    this.#sockets.set(link, undefined);
    if (pauseMs > 0) setTimeout(() => this.#sockets.has(link) && this.#connect(link), pauseMs);
    else this.#connect(link);
    return link;
  }

  #connect(link: Link): void {
    const socket = new WebSocket(link.url, SUBPROTOCOL);
    this.#sockets.set(link, socket);
    const late = setTimeout(() => socket.close(), PATIENCE_MS);
    socket.onopen = () => {
      clearTimeout(late);
      if (this.#sockets.has(link) && this.#nodes.opened(link)) this.#opened();
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      const message = this.#sockets.has(link) ? decode(event.data) : null;
      if (message !== null) this.#nodes.received(link, message);
    };
    socket.onclose = (event) => {
      clearTimeout(late);
      if (!this.#sockets.delete(link)) return;
      this.#code = event.code;
      this.#nodes.closed(link);
      this.#code = DEAD;
    };
  }

  #send(link: Link, message: ClientMessage): void {
    const socket = this.#sockets.get(link);
    if (socket?.readyState === WebSocket.OPEN) socket.send(encode(message));
  }

  #close(link: Link): void {
    const socket = this.#sockets.get(link);
    this.#sockets.delete(link);
    socket?.close();
  }
}
