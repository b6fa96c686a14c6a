// When a dead but open connection is noticed, and what happens to lines and clicks in the meantime.

import { describe, expect, it } from "vitest";
import type { ClientMessage, ServerMessage } from "../src/protocol/messages.gen.ts";
import type { Effect, Event } from "../src/state/events.ts";
import { dueAction } from "../src/state/liveness.ts";
import { positionAt } from "../src/state/selectors.ts";
import type { State } from "../src/state/state.ts";
import { step } from "../src/state/step.ts";
import { game } from "./recorded.ts";
import { MOVES, snapshot, WELCOME } from "./visit.ts";
import { visitor } from "./visitor.ts";

const LINE: Event = { type: "line_chosen", inputKey: "12", text: "hello" };

/** The interval of the page's checks. */
const LOOK_MS = 250;

/** A visit with a clock: what is sent and when, and when the connection is given up. */
class Visit {
  state: State = visitor("en", "Ayu");
  now = 1_000_000;
  sent: (readonly [number, ClientMessage])[] = [];
  lost: number[] = [];
  effects: readonly Effect[] = [];
  readonly #since = this.now;

  does(event: Event): this {
    const context = { now: this.now, fresh: "8000", touch: false };
    const [state, effects] = step(this.state, event, context);
    this.state = state;
    this.effects = effects;
    for (const effect of effects) {
      if (effect.type === "disconnect") this.lost.push(this.now - this.#since);
      if (effect.type !== "send") continue;
      for (const message of effect.messages) this.sent.push([this.now - this.#since, message]);
    }
    return this;
  }

  hears(...messages: readonly ServerMessage[]): this {
    for (const message of messages) this.does({ type: "frame", message });
    return this;
  }

  /** Time passes without a frame. */
  passes(ms: number): this {
    for (const end = this.now + ms; this.now < end; ) {
      this.now += LOOK_MS;
      if (dueAction(this.state, this.now) !== undefined)
        this.does({ type: "timer", timer: "pulse" });
    }
    return this;
  }

  /** The times of the pings. */
  get pings(): readonly number[] {
    return this.sent.flatMap(([at, message]) =>
      message.type === "ask" && message.what === "ping" ? [at] : [],
    );
  }

  /** The answer to the newest of them. */
  pong(): this {
    const id = this.sent.flatMap(([, message]) => (message.type === "ask" ? [message.id] : []));
    return this.hears({ type: "answer", id: id.at(-1) ?? "", what: "ping", body: {} });
  }
}

function atTable(): Visit {
  return new Visit()
    .does({ type: "sign_in" })
    .does({ type: "connected" })
    .hears(WELCOME, snapshot())
    .hears({ type: "game", key: "manhattan", hash: "h", body: game("manhattan") as never }, MOVES);
}

describe("a connection over which nothing comes", () => {
  it("is asked for a sign of life after 15 s, and given up 8 s later", () => {
    const visit = atTable().passes(30_000);
    expect(visit.pings).toEqual([15_000]);
    expect(visit.lost).toEqual([23_000]);
    expect(visit.state.link.phase).toBe("waiting");
  });

  it("is kept as long as it answers", () => {
    const visit = atTable();
    for (let times = 0; times < 5; times += 1) visit.passes(15_000).pong();
    expect(visit.pings).toHaveLength(5);
    expect(visit.lost).toEqual([]);
    expect(visit.state.pendingQueries).toEqual(atTable().state.pendingQueries);
  });

  it("is not asked while anything comes", () => {
    const visit = atTable();
    for (let times = 0; times < 10; times += 1) visit.passes(10_000).hears(MOVES);
    expect([visit.pings, visit.lost]).toEqual([[], []]);
  });

  it("is given up within 3 s while a line waits, and called anew at once", () => {
    const visit = atTable().passes(5_000).does(LINE).passes(5_000);
    expect(visit.pings).toEqual([5_750]);
    expect(visit.lost).toHaveLength(1);
    expect(visit.lost[0]).toBeLessThanOrEqual(8_000);
    const { link } = visit.state;
    expect(link.phase === "waiting" && link.until - visit.now).toBeLessThan(500);
    // The line is resent under its old id, the query is not.
    visit.does({ type: "timer", timer: "reconnect" }).does({ type: "connected" }).hears(WELCOME);
    const returns = visit.sent.at(-1)?.[1];
    expect(returns).toMatchObject({ type: "say", text: "/room 12" });
    const id = returns?.type === "say" ? returns.id : "";
    visit.sent = [];
    visit.hears(snapshot(), { type: "done", id, room: 1 });
    const sentLines = visit.sent.map(([, message]) => message).filter(({ type }) => type === "say");
    expect(sentLines).toMatchObject([{ text: "hello", room: 1 }]);
    expect(visit.pings).toEqual([]);
  });

  it("is given up within 3 s of a line also where it was asked before", () => {
    const visit = atTable().passes(16_000).does(LINE).passes(5_000);
    expect(visit.pings).toEqual([15_000]);
    expect(visit.lost[0]).toBeLessThanOrEqual(19_000);
  });

  it("is given more time after that, until the network proves quick again", () => {
    const visit = atTable().does(LINE).passes(3_000);
    const again = (): void => {
      visit.does({ type: "timer", timer: "reconnect" }).does({ type: "connected" });
      visit.hears(WELCOME, snapshot());
      visit.lost = [];
    };
    again();
    // An answer after two seconds is in time now.
    visit.passes(2_750);
    expect(visit.lost).toEqual([]);
    visit.pong().passes(4_500);
    expect(visit.lost).toHaveLength(1);
    again();
    visit.passes(750).pong().passes(3_000);
    expect(visit.lost).toHaveLength(1);
  });

  it("is given up when its hello is not answered", () => {
    const visit = new Visit().does({ type: "sign_in" }).does({ type: "connected" }).passes(10_000);
    expect(visit.lost).toEqual([8_000]);
  });

  it("is asked at once when the browser says that the network is gone", () => {
    const dead = atTable().does({ type: "offline" }).passes(5_000);
    expect(dead.pings).toEqual([0]);
    expect(dead.lost).toEqual([1_500]);
    // The server may be on this machine.
    const alive = atTable().does({ type: "offline" }).pong().passes(10_000);
    expect(alive.lost).toEqual([]);
  });

  it("is not looked after where there is none", () => {
    const visit = atTable().passes(23_000);
    expect(visit.state.link.phase).toBe("waiting");
    visit.passes(60_000);
    expect(visit.lost).toHaveLength(1);
    expect(new Visit().passes(60_000).effects).toEqual([]);
  });
});

describe("a line that waits", () => {
  it("rings a bell of its own, to be shown as slow", () => {
    const wait = atTable()
      .does(LINE)
      .effects.find((effect) => effect.type === "wait");
    expect(wait).toEqual({ type: "wait", timer: "slow", ms: 320 });
  });

  it("swallows no click: it is a draft, also when the connection is away", () => {
    const visit = atTable();
    const click = (block: string, site: string): Event => ({
      type: "acted",
      inputKey: "12",
      act: { act: "pick", verb: "build", slots: { block, city: "cairo", site } },
    });
    visit.does(click("2", "2"));
    const pending = visit.state.inputs["12"]?.pending;
    expect(pending?.text).toBe("/build 2 cairo 2");
    visit.does(click("2", "5"));
    expect(visit.state.inputs["12"]).toMatchObject({ text: "/build 2 cairo 5", pending });
    visit.passes(3_000);
    expect(visit.state.link.phase).toBe("waiting");
    visit.does(click("1", "2"));
    expect(visit.state.inputs["12"]).toMatchObject({ text: "/build 1 cairo 2", pending });
    expect(visit.sent.filter(([, { type }]) => type === "say")).toHaveLength(1);
    const area = { width: 100, height: 100, touch: false };
    expect(positionAt(visit.state, "12", area)?.draft.complete).toBeDefined();
  });

  it("leaves the draft of such a click when it is done, and is emptied where nothing was clicked", () => {
    const visit = atTable();
    const pick = {
      act: "pick",
      verb: "build",
      slots: { block: "2", city: "cairo", site: "2" },
    } as const;
    visit.does({ type: "acted", inputKey: "12", act: pick });
    // A double click refers to the same state twice.
    visit.does({ type: "acted", inputKey: "12", act: pick });
    const id = visit.state.inputs["12"]?.pending?.id ?? "";
    visit.hears({ type: "done", id, room: 1, version: 6 });
    expect(visit.state.inputs["12"]).toMatchObject({ text: "", pending: undefined });
  });
});
