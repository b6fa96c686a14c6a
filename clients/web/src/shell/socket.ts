// The WebSocket: opened on request, closed permanently when another one replaces it.

import { decode, encode, SUBPROTOCOL } from "../protocol/codec.ts";
import type { ClientMessage, ServerMessage } from "../protocol/messages.ts";

export interface SocketEvents {
  readonly opened: () => void;
  readonly frame: (message: ServerMessage) => void;
  readonly closed: (code: number) => void;
}

/** An attempt without an answer in this time has failed. */
const PATIENCE_MS = 10_000;

export class Socket {
  #socket: WebSocket | undefined;
  readonly #events: SocketEvents;

  constructor(events: SocketEvents) {
    this.#events = events;
  }

  /** Connect to the server of this page. */
  connect(): void {
    this.disconnect();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws`, SUBPROTOCOL);
    this.#socket = socket;
    const late = setTimeout(() => socket.close(), PATIENCE_MS);
    socket.onopen = () => {
      clearTimeout(late);
      if (socket === this.#socket) this.#events.opened();
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      const message = socket === this.#socket ? decode(event.data) : null;
      if (message !== null) this.#events.frame(message);
    };
    socket.onclose = (event) => {
      clearTimeout(late);
      if (socket !== this.#socket) return;
      this.#socket = undefined;
      this.#events.closed(event.code);
    };
  }

  /** Close the socket without a callback. */
  disconnect(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  /** Send messages, in order. Messages that cannot be sent stay unanswered and are resent later. */
  send(messages: readonly ClientMessage[]): void {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return;
    for (const message of messages) socket.send(encode(message));
  }
}
