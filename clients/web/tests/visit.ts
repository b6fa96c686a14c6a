// A visit of the page in tests: events and messages in, the state and its effects out.

import type { Code, ServerMessage } from "../src/protocol/messages.gen.ts";
import { crc } from "../src/sdk/checksum.ts";
import type { Branch } from "../src/sdk/tree.ts";
import type { Effect, Event } from "../src/state/events.ts";
import { initialState, type State, type StoredState } from "../src/state/state.ts";
import { step } from "../src/state/step.ts";
import { game } from "./recorded.ts";

const STORED: StoredState = {
  settings: {
    lang: "en",
    theme: "system",
    sending: "auto",
    sound: true,
    notify: false,
    letters: true,
  },
  name: "Ayu",
  token: undefined,
  past: [],
  texts: {},
};

export const WELCOME: ServerMessage = {
  type: "welcome",
  protocol: 1,
  person: "p1",
  name: "Ayu",
  token: "t1",
  lang: "en",
  server: "bluebear",
  now: 1000,
};

export const VIEW = {
  room: {
    id: "12",
    phase: "playing",
    turn: [1],
    seats: { 1: { name: "Ayu", human: true } },
    votes: {},
    options: {},
  },
  game: { phase: "building" },
};

/** A visit: events in, the state and all effects out. */
export class Visit {
  state: State;
  effects: Effect[] = [];
  now = 0;

  constructor(stored: Partial<StoredState> = {}, address: State["address"] = { at: "start" }) {
    this.state = initialState({ ...STORED, ...stored }, address, "x", 0);
  }

  does(event: Event, touch = false): this {
    const [state, effects] = step(this.state, event, { now: this.now, fresh: "ab", touch });
    this.state = state;
    this.effects = [...effects];
    return this;
  }

  hears(...messages: readonly ServerMessage[]): this {
    for (const message of messages) this.does({ type: "frame", message });
    return this;
  }

  /** The server has carried out all requests in this room. */
  done(desk = "12"): this {
    for (let id = this.pending(desk); id !== undefined; id = this.pending(desk)) {
      this.hears({ type: "done", id, room: 1, version: 5 });
    }
    return this;
  }

  /** The server has carried out the request that was sent last. */
  answered(): this {
    return this.hears({ type: "done", id: this.pending() ?? "", room: 1, version: 5 });
  }

  /** The server has refused it. */
  refused(code: Code, text: string): this {
    return this.hears({ type: "error", id: this.pending() ?? "", code, text });
  }

  pending(desk = "12"): string | undefined {
    return this.state.inputs[desk]?.pending?.id;
  }

  /** The lines sent by the last event. */
  get lines(): readonly string[] {
    return this.effects.flatMap((effect) =>
      effect.type === "send"
        ? effect.messages.flatMap((message) => (message.type === "say" ? [message.text] : []))
        : [],
    );
  }

  get text(): string {
    return this.state.inputs["12"]?.text ?? "";
  }
}

export function snapshot(view: Branch = VIEW): ServerMessage {
  const body = { room: 1, id: "12", game: "manhattan", hash: "h", version: 5, eyes: [1] };
  return { type: "room", ...body, view, sum: crc(view) };
}

export const MOVES: ServerMessage = {
  type: "moves",
  room: 1,
  version: 5,
  seat: 1,
  lines: ["/build 1 cairo 2", "/build 2 cairo 2", "/build 2 cairo 5"],
};

/** A person at a table, to move. */
export function atTable(): Visit {
  return new Visit()
    .does({ type: "chose_game", game: "manhattan" })
    .does({ type: "play_now" })
    .does({ type: "connected" })
    .hears(WELCOME, snapshot(), { type: "done", id: "x1", room: 1, version: 5 })
    .done()
    .hears({ type: "game", key: "manhattan", hash: "h", body: game("manhattan") as never })
    .hears(MOVES);
}
