// Scenes of the page's state: given a state and an event, the line and the effects.

import { describe, expect, it } from "vitest";
import type { ServerMessage } from "../src/protocol/messages.gen.ts";
import { crc } from "../src/sdk/checksum.ts";
import type { RoomId } from "../src/sdk/clientEvents.ts";
import { delayOf, positionAt } from "../src/state/selectors.ts";
import { LOBBY } from "../src/state/state.ts";
import { atTable, MOVES, snapshot, VIEW, Visit, WELCOME } from "./visit.ts";

describe("a server that asks newcomers for a password", () => {
  it("gets it with the next hello, and it is forgotten when we are in", () => {
    const visit = new Visit().does({ type: "sign_in" }).does({ type: "connected" });
    const wrongPassword = {
      type: "error",
      code: "entry_password",
      text: "A password, please.",
    } as const;
    visit.hears(wrongPassword as ServerMessage);
    expect(visit.state.entry).toBe("");
    expect(visit.state.refused).toBe("A password, please.");
    visit.does({ type: "entry_typed", password: "sword" }).does({ type: "sign_in" });
    visit.does({ type: "connected" });
    const [sentLines] = visit.effects.flatMap((each) =>
      each.type === "send" ? each.messages : [],
    );
    expect(sentLines).toMatchObject({ type: "hello", name: "Ayu", password: "sword" });
    visit.hears({ ...wrongPassword, code: "wrong_entry_password" } as ServerMessage);
    expect(visit.state.entry).toBe("");
    expect(visit.state.session.hello).not.toHaveProperty("password");
    visit.does({ type: "entry_typed", password: "fish" }).does({ type: "sign_in" });
    visit.does({ type: "connected" }).hears(WELCOME);
    expect(visit.state.entry).toBeUndefined();
    expect(JSON.stringify(visit.state)).not.toContain("fish");
    expect(JSON.stringify(visit.effects)).not.toContain("fish");
  });
});

describe("play now", () => {
  it("says four lines, each when the one before is done", () => {
    const visit = new Visit()
      .does({ type: "chose_game", game: "manhattan" })
      .does({ type: "play_now" });
    expect(visit.effects).toContainEqual({ type: "connect" });
    visit.does({ type: "connected" }).hears(WELCOME);
    expect(visit.lines).toEqual(["/newroom manhattan unlisted"]);
    visit.hears(snapshot(), { type: "done", id: "x1", room: 1, version: 5 });
    expect(visit.lines).toEqual(["/join seed=ab"]);
    expect(visit.state.address).toEqual({ at: "room", id: "12" });
  });

  it("stops where a line is refused, and says why", () => {
    const visit = new Visit().does({ type: "play_now" }).does({ type: "connected" }).hears(WELCOME);
    visit.hears({ type: "error", id: "x1", code: "too_many_rooms", text: "Too many." });
    expect(visit.state.refused).toBe("Too many.");
    expect(visit.state.script).toBeUndefined();
  });
});

describe("the line", () => {
  it("is typed and sent by clicks, with the version that was seen", () => {
    const visit = atTable();
    visit.does({ type: "acted", inputKey: "12", act: { act: "pick", slots: { block: "2" } } });
    expect(visit.text).toBe("/build 2");
    visit.does({ type: "acted", inputKey: "12", act: { act: "pick", slots: { site: "5" } } });
    const sent = visit.effects.find((effect) => effect.type === "send");
    expect(sent?.messages[0]).toMatchObject({ text: "/build 2 cairo 5", room: 1, at: 5 });
  });

  it("is said once, however often one clicks until it is answered", () => {
    const visit = atTable();
    const act = { act: "pick", slots: { block: "1", site: "2" } } as const;
    const pick = { type: "acted", inputKey: "12", act } as const;
    expect(visit.does(pick).lines).toEqual(["/build 1 cairo 2"]);
    expect(visit.does(pick).lines).toEqual([]);
    expect(visit.text).toBe("/build 1 cairo 2");
    const undo = { type: "line_chosen", inputKey: "12", text: "/undo" } as const;
    expect(visit.does(undo).does(undo).lines).toEqual([]);
    expect(visit.answered().lines).toEqual(["/undo"]);
    expect(visit.answered().lines).toEqual([]);
    expect(visit.does(undo).lines).toEqual(["/undo"]);
  });

  it("waits for a second press where a finger points", () => {
    const act = { act: "pick", slots: { block: "1" } } as const;
    const visit = atTable().does({ type: "acted", inputKey: "12", act }, true);
    expect(visit.text).toBe("/build 1 cairo 2");
    expect(visit.lines).toEqual([]);
    expect(visit.does({ type: "acted", inputKey: "12", act }, true).lines).toEqual([
      "/build 1 cairo 2",
    ]);
  });

  it("stays with its refusal until it is mended", () => {
    const visit = atTable()
      .does({ type: "typed", inputKey: "12", text: "/build 9" })
      .does({ type: "line_submitted", inputKey: "12" });
    const id = visit.pending() ?? "";
    visit.hears({ type: "error", id, code: "bad_argument", text: "No.", candidates: ["1-4"] });
    expect(visit.text).toBe("/build 9");
    expect(visit.state.inputs["12"]?.refusal?.text).toBe("No.");
    visit.does({ type: "typed", inputKey: "12", text: "/build" });
    expect(visit.state.inputs["12"]?.refusal).toBeUndefined();
  });

  it("that fits nothing is explained at the pressed place, and the draft stays", () => {
    const visit = atTable().does({ type: "typed", inputKey: "12", text: "/build 2" });
    const act = { act: "why", line: "/build 2 cairo 1" } as const;
    visit.does({ type: "acted", inputKey: "12", act, target: "site cairo 1" });
    expect([visit.lines, visit.text]).toEqual([["/build 2 cairo 1"], "/build 2"]);
    const id = visit.pending() ?? "";
    visit.hears({ type: "error", id, code: "not_allowed", text: "It needs 4." });
    const { refusal, log } = visit.state.inputs["12"] ?? {};
    expect([visit.text, refusal?.text, refusal?.target]).toEqual([
      "/build 2",
      "It needs 4.",
      "site cairo 1",
    ]);
    expect(log?.some((line) => line.text === act.line)).toBe(false);
    expect(visit.effects).toContainEqual({ type: "announce", text: "It needs 4." });
    visit.does({ type: "typed", inputKey: "12", text: "/build 2" });
    expect(visit.state.inputs["12"]?.refusal).toBeUndefined();
    expect(visit.state.past).toEqual(atTable().state.past);
  });

  it("is not asked about while there is nothing to decide", () => {
    const visit = atTable().hears({ ...MOVES, lines: [] } as ServerMessage);
    const act = { act: "why", line: "/build 2 cairo 1" } as const;
    visit.does({ type: "acted", inputKey: "12", act, target: "site cairo 1" });
    expect(visit.lines).toEqual([]);
  });

  it.each(["", "/build 2"])(
    "of a button is no draft: refused, it gives back what was there before, '%s'",
    (before) => {
      const visit = atTable()
        .does({ type: "typed", inputKey: "12", text: before })
        .does({ type: "line_chosen", inputKey: "12", text: "/hint" });
      const id = visit.pending() ?? "";
      visit.hears({ type: "error", id, code: "hints_used", text: "No more hints." });
      expect(visit.text).toBe(before);
      expect(visit.state.inputs["12"]?.refusal?.text).toBe("No more hints.");
    },
  );

  it("gives back what was half typed when a button has said its line", () => {
    const visit = atTable()
      .does({ type: "typed", inputKey: "12", text: "nice mo" })
      .does({ type: "line_chosen", inputKey: "12", text: "/undo" });
    expect(visit.text).toBe("/undo");
    const { id } = visit.state.inputs["12"]?.pending ?? { id: "" };
    visit.hears({ type: "done", id, room: 1, version: 5 });
    expect(visit.text).toBe("nice mo");
  });

  it("never remembers a password", () => {
    const visit = atTable().does({
      type: "line_chosen",
      inputKey: "12",
      text: "/password kumamon",
    });
    expect(JSON.stringify([visit.state.past, visit.state.inputs["12"]?.log])).not.toContain(
      "kumamon",
    );
  });
});

describe("the connection", () => {
  it("comes back by itself, later each time, and keeps what is typed", () => {
    const visit = atTable().does({ type: "typed", inputKey: "12", text: "half" });
    visit.does({ type: "closed", code: 1006, jitter: 1 });
    expect(visit.effects).toEqual([{ type: "wait", timer: "reconnect", ms: 250 }]);
    expect(visit.text).toBe("half");
    visit.does({ type: "timer", timer: "reconnect" });
    expect(visit.effects).toEqual([{ type: "connect" }]);
    visit.does({ type: "closed", code: 1006, jitter: 1 });
    expect(visit.effects).toEqual([{ type: "wait", timer: "reconnect", ms: 500 }]);
  });

  it("does not fight with another tab that has taken its place", () => {
    const visit = atTable().does({ type: "closed", code: 4001, jitter: 1 });
    expect(visit.state.link.phase).toBe("ended");
    expect(visit.effects).toEqual([]);
  });

  it.each(["unauthorized", "token_replaced"])("asks for a name again after %s", (code) => {
    const visit = new Visit({ token: "old" }).does({ type: "started" }).does({ type: "connected" });
    visit.hears({ type: "error", code, text: "" });
    expect(visit.effects).toContainEqual({ type: "store", key: "token", value: undefined });
    expect(visit.state.link.phase).toBe("off");
  });

  it("says hello with the newest token of the browser", () => {
    const visit = new Visit({ token: "old" }).does({ type: "started" });
    visit.does({ type: "connected", token: "new" });
    expect(visit.state.session.hello.token).toBe("new");
  });

  it("forgets the token when the person has logged out, in whichever tab", () => {
    const visit = new Visit({ token: "old" }).does({ type: "started" }).does({ type: "connected" });
    visit.hears({ type: "bye", why: "logged_out", text: "" });
    expect(visit.effects).toContainEqual({ type: "store", key: "token", value: undefined });
    expect(visit.state.session.hello.token).toBeUndefined();
    visit.does({ type: "closed", code: 4002, jitter: 0 });
    expect(visit.state.link.phase).toBe("ended");
  });
});

describe("my turn", () => {
  it("is heard, and notified only when asked for and out of sight", () => {
    const visit = atTable();
    const away = { ...VIEW, room: { ...VIEW.room, turn: [2] } };
    visit.hears(snapshot(away)).does({ type: "shown", visible: false });
    const turnUpdate = {
      type: "update",
      room: 1,
      version: 6,
      patch: { room: { turn: [1] } },
    } as const;
    visit.hears(turnUpdate);
    expect(visit.effects).toContainEqual({ type: "sound", sound: "turn" });
    expect(visit.effects.some((effect) => effect.type === "notify")).toBe(false);
  });
});

it("a request for a hint is no move: what was said since one's last move stays", () => {
  const visit = atTable();
  const update = (version: number, event: string) =>
    ({
      type: "update",
      room: 1,
      version,
      patch: {},
      events: [{ event, seat: 1 }],
      done: "x9",
    }) as const;
  const before = visit.state.inputs["12"]?.moved;
  expect(visit.hears(update(6, "hint_asked")).state.inputs["12"]?.moved).toBe(before);
  expect(visit.hears(update(7, "built")).state.inputs["12"]?.moved).toBe(7);
});

describe("what is new on the board", () => {
  const built = (version: number, seat: number, patch = {}) =>
    ({
      type: "update",
      room: 1,
      version,
      patch,
      events: [{ event: "built", seat, version }],
    }) as const;
  const since = (visit: Visit) => visit.state.inputs["12"]?.since.map((event) => ({ ...event }));

  it("is to a person without a seat what the newest move changed", () => {
    const watched = { ...snapshot(), eyes: [] } as ServerMessage;
    const visit = atTable().hears(watched, built(6, 1), built(7, 2));
    expect(since(visit)).toEqual([{ event: "built", seat: 2, version: 7 }]);
    visit.hears({ ...built(8, 0), events: [{ event: "said", name: "Emi", text: "oh" }] });
    expect(since(visit)?.[0]).toEqual({ event: "built", seat: 2, version: 7 });
  });

  it("is to a player what came since their last move, but of this game only", () => {
    const log = [
      { version: 3, at: 0, text: "", event: { event: "built", seat: 2 } },
      { version: 4, at: 0, text: "", event: { event: "started" } },
      { version: 5, at: 0, text: "", event: { event: "took", seat: 2 } },
    ];
    const visit = atTable().hears({ ...snapshot(), log } as ServerMessage);
    expect(since(visit)).toEqual([{ event: "took", seat: 2 }]);
    expect(since(visit.hears(built(6, 2)))?.length).toBe(2);
  });
});

describe("a note of no room", () => {
  const muted = { type: "note", code: "list", text: "Ken is on your list now (/mute)." } as const;
  const last = (visit: Visit, key: string): string | undefined =>
    visit.state.inputs[key]?.log.at(-1)?.text;

  it("is read where the person is: at the table, or in the lobby", () => {
    expect(last(atTable().hears(muted), "12")).toBe(muted.text);
    expect(last(new Visit({}, { at: "lobby" }).hears(WELCOME, muted), LOBBY)).toBe(muted.text);
    const away = atTable().does({ type: "navigated", address: { at: "me" } });
    expect(last(away.hears(muted), LOBBY)).toBe(muted.text);
  });
});

it("an announcement is read as its sentence, which tells that it is one", () => {
  const text = "Announcement: a restart at ten";
  const said = { name: "", said: "a restart at ten" };
  const visit = atTable().hears({ type: "note", code: "announce", text, ...said });
  expect(visit.state.inputs["12"]?.log.at(-1)).toMatchObject({ kind: "note", text });
});

it("a language is switched by the line that anybody could type", () => {
  const visit = atTable().does({ type: "set", settings: { lang: "ja" } });
  expect(visit.lines).toEqual(["/lang ja"]);
  visit.hears({ type: "note", code: "lang", text: "日本語です。", room: 1 });
  expect(visit.effects).toContainEqual({ type: "send", messages: [{ type: "sync", room: 1 }] });
});

it("the page speaks what a typed line asks for, also on later connections", () => {
  const visit = atTable().does({ type: "line_chosen", inputKey: "12", text: "/lang ja" });
  visit.hears({ type: "note", code: "lang", text: "日本語です。", room: 1, said: "ja" });
  expect(visit.state.settings.lang).toBe("ja");
  expect(visit.state.session.hello.langs).toEqual(["ja", "en"]);
  expect(visit.effects).toContainEqual(expect.objectContaining({ type: "store", key: "settings" }));
});

it("a line to a room where one is already leads there", () => {
  const other = { room: 2, id: "77", game: "manhattan", hash: "h", version: 1, eyes: [] };
  const view = { ...VIEW, room: { ...VIEW.room, id: "77" } };
  const visit = atTable().hears({ type: "room", ...other, view, sum: crc(view) });
  expect(visit.state.address).toEqual({ at: "room", id: "77" });
  visit.does({ type: "line_chosen", inputKey: "77", text: "/room 12" });
  const id = visit.pending("77") ?? "";
  visit.hears(snapshot());
  expect(visit.state.address).toEqual({ at: "room", id: "77" });
  visit.hears({ type: "done", id, room: 1, version: 5 });
  expect(visit.state.address).toEqual({ at: "room", id: "12" });
  expect(visit.effects).toContainEqual({ type: "navigate", address: { at: "room", id: "12" } });
});

it("an address without a name asks what is there", () => {
  const visit = new Visit({}, { at: "room", id: "12" as RoomId }).does({ type: "started" });
  expect(visit.effects).toContainEqual({ type: "fetch", what: "room", of: "12" });
});

describe("looking back", () => {
  const page = {
    ...{ id: "g1", game: "manhattan", hash: "h", eyes: [1], steps: 1, from: 0, version: 4, at: 0 },
    view: { ...VIEW, game: { phase: "choosing" } },
    // biome-ignore lint/suspicious/noThenProperty: that is what the protocol calls it
    then: [
      { version: 5, at: 0, patch: { game: { phase: "building" } }, events: [], text: ["Go."] },
    ],
    events: [],
    text: [],
  };

  function wrongPassword(visit: Visit) {
    const sent = visit.effects.flatMap((effect) => (effect.type === "send" ? effect.messages : []));
    return sent.flatMap((message) => (message.type === "ask" ? [message] : []));
  }

  it("asks for the newest step, draws it, and offers no move of it", () => {
    const visit = atTable().does({ type: "replay_toggled", inputKey: "12", on: true });
    const [question] = wrongPassword(visit);
    expect(question).toMatchObject({ what: "replay", room: 1, args: { from: 999_999 } });
    visit.hears({ type: "answer", id: question?.id ?? "", what: "replay", body: page });
    const area = { width: 1, height: 1, touch: false };
    visit.does({ type: "replayed", key: "12", to: 0 });
    expect(positionAt(visit.state, "12", area)?.view).toEqual({ phase: "choosing" });
    expect(positionAt(visit.state, "12", area)?.moves).toEqual([]);
    visit.does({ type: "replay_toggled", inputKey: "12", on: false });
    expect(positionAt(visit.state, "12", area)?.moves).toHaveLength(3);
  });

  it("requests its steps again when the language changes", () => {
    const visit = atTable().does({ type: "replay_toggled", inputKey: "12", on: true });
    const [question] = wrongPassword(visit);
    visit.hears({ type: "answer", id: question?.id ?? "", what: "replay", body: page });
    visit.hears({ type: "note", code: "lang", text: "日本語です。", room: 1, said: "ja" });
    const again = wrongPassword(visit).find((each) => each.what === "replay");
    expect(again).toMatchObject({ room: 1, args: { from: 1 } });
    const [step] = page.then;
    // biome-ignore lint/suspicious/noThenProperty: that is what the protocol calls it
    const inJapanese = { ...page, then: [{ ...step, text: ["どうぞ。"] }] };
    visit.hears({ type: "answer", id: again?.id ?? "", what: "replay", body: inJapanese });
    expect(visit.state.replays["12"]?.moments[1]?.text).toEqual(["どうぞ。"]);
  });

  it("asks again later where the server wants rest", () => {
    const visit = atTable().does({ type: "replay_toggled", inputKey: "12", on: true });
    const id = wrongPassword(visit)[0]?.id ?? "";
    visit.hears({ type: "error", id, code: "too_much", text: "Later.", retry_ms: 3000 });
    expect(visit.effects).toContainEqual({ type: "wait", timer: "replay", ms: 3000 });
    expect(visit.state.replays["12"]?.refused).toBe("Later.");
    visit.does({ type: "timer", timer: "replay" });
    expect(wrongPassword(visit)).toMatchObject([{ what: "replay" }]);
  });

  it("keeps the address of a finished game in step", () => {
    const address = { at: "game", id: "g1", move: 1 } as const;
    const visit = new Visit({ token: "t" }, address).does({ type: "started" });
    expect(visit.effects).toContainEqual({ type: "fetch", what: "game", of: "g1" });
    visit.does({ type: "connected" }).hears(WELCOME);
    const question = wrongPassword(visit).find((each) => each.what === "replay");
    expect(question?.args).toEqual({ id: "g1", from: 1 });
    visit.hears({ type: "answer", id: question?.id ?? "", what: "replay", body: page });
    visit.does({ type: "replayed", key: "game g1", to: 0 });
    const there = { ...address, move: 0 };
    expect(visit.effects).toContainEqual({ type: "navigate", address: there, replace: true });
  });
});

it("what an undo would do is asked once a game has come to rest", () => {
  const visit = atTable();
  expect(visit.does({ type: "timer", timer: "undo" }).effects).toMatchObject([
    { type: "send", messages: [{ type: "ask", what: "undo", room: 1 }] },
  ]);
  const [sent] = visit.effects;
  const id = sent?.type === "send" && sent.messages[0]?.type === "ask" ? sent.messages[0].id : "";
  const body = { can: true, asks: true, version: 4 };
  visit.hears({ type: "answer", id, what: "undo", body });
  expect(visit.state.inputs["12"]?.undo).toMatchObject({ can: true, asks: true });
});

it("a catalogue that is here already is not sent again", () => {
  const visit = atTable().does({ type: "timer", timer: "catalogue" });
  const asks = () =>
    visit.effects
      .flatMap((effect) => (effect.type === "send" ? effect.messages : []))
      .flatMap((message) => (message.type === "ask" && message.room === 1 ? [message] : []));
  const commands = [{ kind: "command", name: "undo", names: [], usage: "", help: "" }];
  const id = asks()[0]?.id ?? "";
  visit.hears({ type: "answer", id, what: "catalogue", body: { hash: "c1", commands } });
  expect(visit.state.inputs["12"]?.catalogue).toHaveLength(1);
  visit.hears(snapshot()).does({ type: "timer", timer: "catalogue" });
  expect(asks()[0]?.args).toEqual({ hash: "c1" });
  visit.hears({ type: "answer", id: asks()[0]?.id ?? "", what: "catalogue", body: { hash: "c1" } });
  expect(visit.state.inputs["12"]?.catalogue).toHaveLength(1);
});

it("the place of a wrong word is counted as the browser counts", () => {
  const visit = atTable().does({ type: "line_chosen", inputKey: "12", text: "/build 𠮷 cairo" });
  const refused = { code: "bad_argument", text: "No.", start: 7, end: 8, offers: "range" } as const;
  visit.hears({ type: "error", id: visit.pending() ?? "", ...refused });
  expect(visit.state.inputs["12"]?.refusal?.span).toEqual([7, 9]);
});

describe("a game that is watched late", () => {
  const lateIn = (phase: string, watchdelay: string, eyes: number[]) => {
    const view = { ...VIEW, room: { ...VIEW.room, phase, options: { watchdelay } } };
    const message = { ...snapshot(view), eyes } as ServerMessage;
    const visit = new Visit().hears(WELCOME, message);
    const room = visit.state.session.mirror.rooms["12"];
    return room === undefined ? undefined : delayOf(room);
  };

  it("says by how many moves, to who has no seat and while it runs", () => {
    expect(lateIn("playing", "3", [])).toBe(3);
    expect(lateIn("paused", "3", [])).toBe(3);
    expect(lateIn("playing", "3", [1])).toBe(0);
    expect(lateIn("over", "3", [])).toBe(0);
    expect(lateIn("playing", "off", [])).toBe(0);
  });

  it("has what is said at once in the log, as talk", () => {
    const visit = new Visit({}, { at: "room", id: "12" as RoomId }).hears(WELCOME, snapshot(), {
      type: "note",
      room: 1,
      code: "said",
      text: "Ben: hello",
      name: "Ben",
      said: "hello",
    });
    const lines = visit.state.inputs["12"]?.log ?? [];
    expect(lines.at(-1)).toMatchObject({ kind: "talk", name: "Ben", text: "hello" });
  });
});

it("a lobby that stays open asks again whose turn it is, and who is online", () => {
  const visit = new Visit({}, { at: "lobby" }).does({ type: "connected" }).hears(WELCOME);
  visit.now += 20_000;
  visit.does({ type: "timer", timer: "people" });
  const messages = visit.effects.flatMap((each) => (each.type === "send" ? each.messages : []));
  expect(messages.map((each) => (each.type === "ask" ? each.what : ""))).toEqual([
    "rooms",
    "query",
  ]);
  expect(visit.effects).toContainEqual({ type: "wait", timer: "people", ms: 20_000 });
});
