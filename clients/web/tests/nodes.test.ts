// Does the page follow a room to its node? The cases are shared with the Python SDK, whose
// `tests/sim/test_moved.py` says what actions and effects are.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { ClientMessage, ServerMessage } from "../src/protocol/messages.gen.ts";
import { crc } from "../src/sdk/checksum.ts";
import type { RoomId } from "../src/sdk/clientEvents.ts";
import * as sessions from "../src/sdk/session.ts";
import type { Branch } from "../src/sdk/tree.ts";
import { Nodes } from "../src/shell/nodes.ts";
import type { Link } from "../src/shell/wires.ts";
import type { Event } from "../src/state/events.ts";
import type { State } from "../src/state/state.ts";
import { step } from "../src/state/step.ts";
import { visitor } from "./visitor.ts";

type Frame = Readonly<Record<string, unknown>> & { readonly type: string };
type Action =
  | readonly ["say", string, string, RoomId?]
  | readonly ["frame", number, Frame]
  | readonly ["lost", number]
  | readonly ["wait", number];
type Effect = readonly [string, ...unknown[]];

interface Case {
  readonly name: string;
  readonly home?: string;
  readonly nodes?: readonly string[];
  readonly refuses?: readonly string[];
  readonly hangs?: readonly string[];
  readonly steps: readonly (readonly [Action, readonly Effect[]])[];
}

const TABLE: Case & {
  readonly frames: Readonly<Record<string, object>>;
  readonly cases: readonly Case[];
} = JSON.parse(
  readFileSync(new URL("../../../tests/sim/moved_cases.json", import.meta.url), "utf8"),
);

/** The page without a browser: its state, its connections, and a clock. */
class Visit {
  effects: Effect[] = [];
  #state: State = visitor("en", "Ayu");
  #now = 0;
  #timers: { at: number; act: () => void }[] = [];
  #links: Link[] = [];
  readonly #dead = new Set<Link>();
  #opened = 0;
  /** Ids of lines by their names in the case. */
  readonly #ids = new Map<string, string>();
  readonly #case: Case;
  readonly #nodes: Nodes;

  constructor(given: Case) {
    this.#case = given;
    this.#nodes = new Nodes({
      open: (url, pauseMs) => this.#open(url, pauseMs),
      send: (link, message) => this.#sent(this.#links.indexOf(link), message),
      close: (link) => this.#close(link),
      frame: (message) => this.#framed(message),
      lost: () => this.#does({ type: "closed", code: 1006, jitter: 0 }),
      freshId: () => `line${this.#ids.size}`,
      later: (act, ms) => this.#later(act, ms),
    });
    this.#does({ type: "sign_in" });
    this.waits(0);
    this.#frame(1, { type: "welcome", nodes: given.nodes ?? TABLE.nodes });
    this.effects = [];
  }

  does(action: Action): void {
    const before = this.#rooms;
    if (action[0] === "say") this.#say(action[1], action[2], action[3]);
    else if (action[0] === "frame") this.#frame(action[1], action[2]);
    else if (action[0] === "lost") this.#lost(this.#links[action[1]] as Link);
    this.waits(action[0] === "wait" ? action[1] * 1000 : 0);
    for (const room of before.filter((each) => !this.#rooms.includes(each)))
      this.effects.push(["left", room]);
    for (const room of this.#rooms.filter((each) => !before.includes(each)))
      this.effects.push(["joined", room]);
  }

  waits(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const [next] = this.#timers.sort((a, b) => a.at - b.at);
      if (next === undefined || next.at > until) break;
      this.#timers.shift();
      this.#now = next.at;
      next.act();
    }
    this.#now = until;
  }

  get #rooms(): readonly string[] {
    return Object.keys(this.#state.session.mirror.rooms);
  }

  #later(act: () => void, ms: number): void {
    this.#timers.push({ at: this.#now + ms, act });
  }

  #does(event: Event): void {
    const context = { now: this.#now, fresh: "8000", touch: false };
    const [state, effects] = step(this.#state, event, context);
    this.#state = state;
    for (const effect of effects) {
      if (effect.type === "connect") this.#nodes.connect(this.#case.home ?? TABLE.home ?? "");
      else if (effect.type === "disconnect") this.#nodes.disconnect();
      else if (effect.type === "send") this.#nodes.send(effect.messages);
      else if (effect.type === "wait" && effect.timer === "reconnect")
        this.#later(() => this.#does({ type: "timer", timer: effect.timer }), effect.ms);
    }
  }

  #open(url: string, pauseMs: number): Link {
    const link: Link = { url, welcomed: false, numbers: new Map() };
    const connect = (): void => {
      this.#opened += 1;
      this.#links[this.#opened] = link;
      this.effects.push(["open", this.#opened, url]);
      if (this.#opened > 1 && this.#case.refuses?.includes(url)) this.#lost(link);
      else if (!this.#case.hangs?.includes(url) && this.#nodes.opened(link))
        this.#does({ type: "connected", token: undefined });
    };
    this.#later(connect, pauseMs);
    return link;
  }

  #lost(link: Link): void {
    this.#dead.add(link);
    this.#nodes.closed(link);
  }

  #close(link: Link): void {
    if (!this.#dead.has(link)) this.effects.push(["close", this.#links.indexOf(link)]);
  }

  #say(name: string, text: string, room?: RoomId): void {
    const sentLine = sessions.say(this.#state.session, text, { room });
    this.#ids.set(name, sentLine.id);
    this.#state = { ...this.#state, session: sentLine.session };
    this.#nodes.send(sentLine.send);
  }

  #frame(number: number, given: Frame): void {
    const frame: Record<string, unknown> = { ...TABLE.frames[given.type], ...given };
    if (given.type === "room") frame.sum = crc(frame.view as Branch);
    else if (given.id !== undefined) frame.id = this.#ids.get(String(given.id));
    this.#nodes.received(this.#links[number] as Link, frame as unknown as ServerMessage);
  }

  /** What the session gets. */
  #framed(message: ServerMessage): void {
    if (message.type === "note" && message.code === "moved") {
      this.effects.push(["noted", this.#state.session.mirror.ids[message.room ?? 0]]);
    }
    if (message.type === "done" || message.type === "error") {
      const name = [...this.#ids].find(([, id]) => id === message.id)?.[0] ?? "~";
      const outcome = message.type === "done" ? "ok" : message.code;
      // A line that was too fast has no reply yet: the session sends it again.
      const isReply = !name.startsWith("~") && outcome !== "too_fast";
      if (isReply) this.effects.push(["reply", name, outcome]);
    }
    this.#does({ type: "frame", message });
  }

  #sent(number: number, message: ClientMessage): void {
    if (message.type === "hello") {
      const { type, token, beside } = message;
      this.effects.push(["send", number, { type, token, ...(beside ? { beside } : {}) }]);
    } else if (message.type === "say") {
      const named = [...this.#ids].find(([, id]) => id === message.id)?.[0];
      const count = [...this.#ids.keys()].filter((each) => each.startsWith("~")).length + 1;
      const id = named ?? `~${count}`;
      this.#ids.set(id, message.id);
      const { type, text, room } = message;
      this.effects.push(["send", number, { type, id, text, ...(room == null ? {} : { room }) }]);
    } else if (message.type === "ask") {
      const { id, what } = message;
      const link = this.#links[number] as Link;
      this.#later(() => this.#nodes.received(link, { type: "answer", id, what, body: {} }), 0);
    }
  }
}

/** What is one connection's stays in order; the order between them is free. */
function byConnection(effects: readonly Effect[]): readonly Effect[] {
  return [...effects].sort((a, b) => String(a[1]).localeCompare(String(b[1])));
}

it.each(TABLE.cases)("a room is followed: $name", (given) => {
  const visit = new Visit(given);
  for (const [action, expected] of given.steps) {
    visit.effects = [];
    visit.does(action);
    expect(byConnection(visit.effects), JSON.stringify(action)).toEqual(byConnection(expected));
  }
});
