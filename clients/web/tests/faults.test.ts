// The handling of an error in `step`: the room is requested again, then the person gets a report.

import { describe, expect, it } from "vitest";
import type { Board, Position } from "../src/board/contract.ts";
import { generic } from "../src/board/generic.tsx";
import { guarded } from "../src/board/registry.ts";
import type { ClientMessage, ServerMessage } from "../src/protocol/messages.gen.ts";
import { crc } from "../src/sdk/checksum.ts";
import type { Branch } from "../src/sdk/tree.ts";
import type { Effect, Event } from "../src/state/events.ts";
import { guardedStep, reportOf } from "../src/state/faults.ts";
import type { State } from "../src/state/state.ts";
import { visitor } from "./visitor.ts";

const VIEW = {
  room: { id: "12", phase: "playing", turn: [1], seats: { 1: { name: "Ayu", human: true } } },
  game: { round: 1 },
};

function snapshot(version: number, sum = crc(VIEW)): ServerMessage {
  const body = { room: 1, id: "12", game: "manhattan", hash: "h", version, eyes: [1] };
  return { type: "room", ...body, view: VIEW, sum };
}

/** JSON can have this key; a literal cannot. */
function bad(version: number, done?: string): ServerMessage {
  const patch = JSON.parse('{"game": {"constructor": 1}}') as Branch;
  return { type: "update", room: 1, version, patch, ...(done === undefined ? {} : { done }) };
}

class Visit {
  state: State = visitor("en", "Ayu");
  effects: readonly Effect[] = [];

  does(event: Event): this {
    const [state, effects] = guardedStep(this.state, event, { now: 0, fresh: "ab", touch: false });
    this.state = state;
    this.effects = effects;
    return this;
  }

  hears(...messages: readonly ServerMessage[]): this {
    for (const message of messages) this.does({ type: "frame", message });
    return this;
  }

  get sent(): readonly ClientMessage[] {
    return this.effects.flatMap((effect) => (effect.type === "send" ? effect.messages : []));
  }

  get inSync(): boolean | undefined {
    return this.state.session.mirror.rooms["12"]?.inSync;
  }
}

function inRoom(): Visit {
  const welcome: ServerMessage = {
    type: "welcome",
    protocol: 1,
    person: "p1",
    name: "Ayu",
    token: "t1-secret",
    lang: "en",
    server: "bluebear 0.9",
    now: 0,
  };
  return new Visit()
    .does({ type: "sign_in" })
    .does({ type: "connected" })
    .hears(welcome, snapshot(5));
}

describe("a frame that cannot be taken", () => {
  it("marks its room out of step, and all of it is asked for anew", () => {
    const visit = inRoom().hears(bad(6));
    expect(visit.inSync).toBe(false);
    expect(visit.sent).toEqual([{ type: "sync", room: 1 }]);
    expect(visit.state.fault).toBeUndefined();
    visit.hears(snapshot(6));
    expect(visit.inSync).toBe(true);
  });

  it("is told to the person the second time, and the room is asked for all the same", () => {
    const visit = inRoom().hears(bad(6), snapshot(6), bad(7));
    expect(visit.state.fault?.where).toBe("frame update 7");
    expect(visit.state.fault?.why).toContain("BadPatch: constructor");
    expect(visit.sent).toEqual([{ type: "sync", room: 1 }]);
    visit.hears(snapshot(7)).does({ type: "fault_dismissed" });
    expect([visit.inSync, visit.state.fault]).toEqual([true, undefined]);
  });

  it("answers the line that it answers", () => {
    const visit = inRoom().does({ type: "line_chosen", inputKey: "12", text: "/build 2 cairo 2" });
    const id = visit.state.inputs["12"]?.pending?.id;
    expect(id).toBeDefined();
    visit.hears(bad(6, id));
    expect(visit.state.inputs["12"]?.pending).toBeUndefined();
    expect(visit.inSync).toBe(false);
  });

  it("is told at once where snapshots do not fit their sums, and no more of them are asked for", () => {
    const visit = inRoom().hears(snapshot(6, 1), snapshot(6, 1));
    expect(visit.state.fault).toBeUndefined();
    visit.hears(snapshot(6, 1));
    expect(visit.state.fault?.why).toContain("MirrorError: room 12, version 6: wrong sum");
    expect(visit.sent).toEqual([]);
  });

  it("of the lobby has its page asked for anew", () => {
    const patch = JSON.parse('{"rooms": {"__proto__": {}}}') as Branch;
    const visit = inRoom().hears({ type: "lobby", version: 1, full: true, patch });
    expect(visit.sent).toMatchObject([{ type: "ask", what: "lobby" }]);
    expect(visit.state.fault).toBeUndefined();
  });
});

describe("an error in anything else", () => {
  const nonsense = { type: "nonsense", text: "what I say to Ben" } as unknown as Event;

  it("leaves the state as it was, and is told with a report without talk", () => {
    const visit = inRoom()
      .does({ type: "typed", inputKey: "12", text: "what I say to Ben" })
      .does(nonsense);
    expect(visit.state.fault?.where).toBe("nonsense");
    expect(visit.state.inputs["12"]?.text).toBe("what I say to Ben");
    expect(visit.effects.map((effect) => effect.type)).toEqual(["log"]);
    const report = reportOf(visit.state);
    expect(report).toContain("room: manhattan h, version 5\nerror: nonsense\nTypeError");
    expect(report).toMatch(/events:\n(.*\n)*frame welcome\nframe room 5\ntyped\nnonsense$/);
    expect(report).not.toMatch(/what I say|secret|Ayu/);
  });

  it("is told by the last 200 kinds of events", () => {
    const visit = inRoom();
    for (let at = 0; at < 300; at += 1) visit.does({ type: "ticked" });
    visit.does(nonsense);
    const events = reportOf(visit.state).split("events:\n")[1]?.split("\n") ?? [];
    expect(events).toHaveLength(200);
    expect(new Set(events)).toEqual(new Set(["ticked", "nonsense"]));
  });

  it("in a view says where, too", () => {
    const visit = inRoom().does({
      type: "drawing_failed",
      where: "votes",
      why: "TypeError\nat Card",
    });
    expect(reportOf(visit.state)).toContain("error: votes\nTypeError\nat Card");
    expect(visit.effects).toEqual([{ type: "log", text: "votes: TypeError\nat Card" }]);
  });
});

describe("a guarded board", () => {
  const fails = (): never => {
    throw new TypeError("a view that the board does not know");
  };
  const position = {} as Position;

  it("says nothing where its board throws", () => {
    const board: Board = {
      ...generic,
      press: fails,
      seat: fails,
      progress: fails,
      points: fails,
      ended: fails,
      task: fails,
      chips: fails,
      hint: fails,
      keys: [{ key: "r", label: { en: "turn", ja: "回す" }, press: fails }],
    };
    const safe = guarded(board);
    for (const name of ["progress", "ended", "task", "hint"] as const) {
      expect(safe[name]?.(position)).toBeUndefined();
    }
    expect(safe.press("a", position)).toBeUndefined();
    expect(safe.keys?.[0]?.press(position)).toBeUndefined();
    expect(safe.seat?.(1, position)).toEqual({});
    expect(safe.chips?.(position)).toEqual([]);
    expect(safe.points?.(-1200, "en")).toBe("−1,200");
  });

  it("has what its board has and no more", () => {
    expect(Object.keys(guarded(generic)).toSorted()).toEqual(Object.keys(generic).toSorted());
    const progress = (): string => "round 2";
    expect(guarded({ ...generic, progress }).progress?.(position)).toBe("round 2");
  });
});
