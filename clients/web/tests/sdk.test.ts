// The pure SDK: patches, checksums, and the messages of a session.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ServerMessage } from "../src/protocol/messages.gen.ts";
import { canonical, crc } from "../src/sdk/checksum.ts";
import type { RoomId } from "../src/sdk/clientEvents.ts";
import { apply, BadPatch } from "../src/sdk/patch.ts";
import * as sessions from "../src/sdk/session.ts";
import type { Branch } from "../src/sdk/tree.ts";

const GUIDE = readFileSync(new URL("../../../docs/protocol.md", import.meta.url), "utf8");

describe("patches", () => {
  it("merge key by key, null removes, arrays are replaced", () => {
    const target = { a: { b: 1, c: [1, 2] }, d: 2 };
    expect(apply({ a: { b: null, c: [3] }, e: 5 }, target)).toEqual({ a: { c: [3] }, d: 2, e: 5 });
  });

  it("leave what they do not touch as the very same object", () => {
    const target = { cities: { cairo: {} }, seats: { 1: {} } };
    const after = apply({ seats: { 1: { score: 3 } } }, target) as typeof target;
    expect(after.cities).toBe(target.cities);
    expect(apply({ seats: {} }, target)).toBe(target);
  });

  it("never touch what all objects have in common", () => {
    const evil = JSON.parse('{"a": {"__proto__": {"polluted": 1}}}') as Branch;
    expect(() => apply(evil, {})).toThrow(BadPatch);
    expect(() => apply({ constructor: 1 }, {})).toThrow(BadPatch);
  });
});

describe("sums", () => {
  it("are those of the protocol's own example", () => {
    const view = /This view has the\nsum (\d+):\n\n```json\n(.*)\n```/.exec(GUIDE);
    expect(crc(JSON.parse(view?.[2] ?? "{}") as Branch)).toBe(Number(view?.[1]));
    expect(canonical(JSON.parse(view?.[2] ?? "{}") as Branch)).toBe(view?.[2]);
  });

  it("sort keys by code point, not by UTF-16 unit", () => {
    expect(canonical({ "\u{1f600}": 1, "\uff5e": 2, a: 3 })).toBe('{"a":3,"～":2,"😀":1}');
  });
});

const ROOM = "12" as RoomId;
const WELCOME: ServerMessage = {
  type: "welcome",
  protocol: 1,
  person: "p1",
  name: "Ayu",
  token: "t1",
  lang: "en",
  server: "bluebear",
  now: 1,
};

function snapshot(room: number, version = 5): ServerMessage {
  const view = { room: { phase: "playing", turn: [2] }, game: { count: 0 } };
  return { type: "room", room, id: ROOM, game: "g", hash: "h", version, view, sum: crc(view) };
}

/** A session that is welcomed and in the room, as number 1. */
function inRoom(): sessions.Session {
  let session = sessions.newSession({ type: "hello", name: "Ayu", langs: ["en"] }, "x");
  session = sessions.connected(session).session;
  session = sessions.receive(session, WELCOME).session;
  return sessions.receive(session, snapshot(1)).session;
}

describe("a session", () => {
  it("comes back with the token that another tab has got meanwhile", () => {
    const again = sessions.connected(sessions.connectionLost(inRoom()), "t9");
    expect(again.send).toEqual([{ type: "hello", langs: ["en"], token: "t9" }]);
  });

  it("is the person of this browser, if another tab was named first", () => {
    const session = sessions.newSession({ type: "hello", name: "Ayu", langs: ["en"] }, "x");
    const { send } = sessions.connected(session, "t9");
    expect(send).toEqual([{ type: "hello", langs: ["en"], token: "t9" }]);
  });

  it("comes back with its token, enters its rooms, and repeats under the old ids", () => {
    const sentOut = sessions.say(inRoom(), "/build 1", { room: ROOM, at: 5 });
    expect(sentOut.send).toEqual([{ type: "say", id: "x1", text: "/build 1", at: 5, room: 1 }]);
    const again = sessions.connected(sessions.connectionLost(sentOut.session));
    expect(again.send).toEqual([{ type: "hello", langs: ["en"], token: "t1" }]);
    const welcomed = sessions.receive(again.session, WELCOME);
    expect(welcomed.send).toEqual([{ type: "say", id: "x2", text: "/room 12" }]);
    const entered = sessions.receive(welcomed.session, snapshot(7));
    const done = sessions.receive(entered.session, { type: "done", id: "x2", room: 7 });
    expect(done.send).toEqual([{ type: "say", id: "x1", text: "/build 1", at: 5, room: 7 }]);
  });

  it("holds back what is said while it is away, and says it once it is back", () => {
    const away = sessions.connectionLost(inRoom());
    const sentOut = sessions.say(away, "hello", { room: ROOM });
    expect(sentOut.send).toEqual([]);
  });

  it("refuses lines of a room that is gone", () => {
    const sentOut = sessions.say(inRoom(), "hello", { room: ROOM });
    const back = sessions.receive(sessions.connected(sentOut.session).session, WELCOME);
    const error = { type: "error", id: "x2", code: "room_unknown", text: "gone" } as const;
    const { happened, session } = sessions.receive(back.session, error);
    expect(happened.map((each) => each.type)).toEqual(["left", "replied"]);
    expect(session.waiting).toEqual({});
  });

  it("tries again to enter a room that cannot be read just now, and keeps its lines", () => {
    const sentOut = sessions.say(inRoom(), "/dig", { room: ROOM });
    const back = sessions.receive(sessions.connected(sentOut.session).session, WELCOME);
    const entering = back.send[0];
    if (entering?.type !== "say") throw new Error("it does not go back into its room");
    const text = "not just now";
    const later: ServerMessage = { type: "error", id: entering.id, code: "not_saved", text };
    const refused = sessions.receive(back.session, later);
    expect(refused.happened).toEqual([{ type: "slowed" }]);
    const again = sessions.resumeSending(refused.session);
    expect(again.send).toEqual([entering]);
    expect(Object.keys(again.session.waiting)).toEqual([sentOut.id]);
  });

  it("waits after too much, and then repeats what is unanswered", () => {
    const sentOut = sessions.say(inRoom(), "a", { room: ROOM });
    const slow = { type: "error", id: sentOut.id, code: "too_fast", text: "" } as const;
    const slowed = sessions.receive(sentOut.session, slow);
    expect(slowed.happened).toEqual([{ type: "slowed" }]);
    expect(sessions.say(slowed.session, "b", { room: ROOM }).send).toEqual([]);
    expect(sessions.resumeSending(slowed.session).send).toHaveLength(1);
  });

  it("wants a snapshot again that it wanted too fast, and what was passed over behind it", () => {
    const gap = sessions.receive(inRoom(), { type: "update", room: 1, version: 7 });
    const sentOut = sessions.say(gap.session, "a", { room: ROOM });
    const slow = { type: "error", code: "too_fast", text: "" } as const;
    const slowed = sessions.receive(sentOut.session, slow);
    expect(slowed.happened).toEqual([{ type: "slowed" }]);
    const sync = { type: "sync", room: 1 };
    const again = sessions.resumeSending(slowed.session);
    expect(again.send).toEqual([sync, expect.objectContaining({ id: sentOut.id })]);
    expect(sessions.receive(again.session, { type: "update", room: 1, version: 8 }).send).toEqual(
      [],
    );
  });

  it("keeps silent until the last wait is over", () => {
    const sentOut = sessions.say(inRoom(), "a", { room: ROOM });
    const slow = { type: "error", id: sentOut.id, code: "too_fast", text: "" } as const;
    const once = sessions.receive(sentOut.session, slow).session;
    const twice = sessions.receive(once, slow).session;
    const first = sessions.resumeSending(twice);
    expect(first.send).toEqual([]);
    expect(sessions.resumeSending(first.session).send).toHaveLength(1);
  });

  it("wants no snapshot while it keeps silent, but as soon as it goes on", () => {
    const sentOut = sessions.say(inRoom(), "a", { room: ROOM });
    const slow = { type: "error", id: sentOut.id, code: "too_fast", text: "" } as const;
    const slowed = sessions.receive(sentOut.session, slow);
    const gap = sessions.receive(slowed.session, { type: "update", room: 1, version: 7 });
    expect(gap.send).toEqual([]);
    expect(sessions.resumeSending(gap.session).send[0]).toEqual({ type: "sync", room: 1 });
  });

  it("asks for a snapshot when a version is missing, and believes nothing until then", () => {
    const gap = sessions.receive(inRoom(), { type: "update", room: 1, version: 7 });
    expect(gap.send).toEqual([{ type: "sync", room: 1 }]);
    const later = sessions.receive(gap.session, { type: "update", room: 1, version: 8 });
    expect(later.send).toEqual([]);
    expect(later.session.mirror.rooms[ROOM]?.version).toBe(5);
  });

  it("asks for a snapshot when a sum does not fit", () => {
    const wrong = {
      type: "update",
      room: 1,
      version: 6,
      patch: { game: { count: 1 } },
      sum: 1,
    } as const;
    expect(sessions.receive(inRoom(), wrong).send).toEqual([{ type: "sync", room: 1 }]);
  });
});
