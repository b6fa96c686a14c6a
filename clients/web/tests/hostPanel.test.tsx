// The panel of a host: people to send out, the password, the link.

import { render } from "preact-render-to-string";
import { describe, expect, it } from "vitest";
import type { ServerMessage } from "../src/protocol/messages.gen.ts";
import { HostPanel } from "../src/screens/hostPanel.tsx";
import type { State } from "../src/state/state.ts";
import { atTable, snapshot, Visit, WELCOME } from "./visit.ts";

const SEATS = {
  1: { name: "Ayu", human: true },
  2: { name: "@greedy 2", human: false, bot: "greedy" },
  3: { name: "Ken", human: true, bot: "greedy" },
  4: { name: "KensBot", human: false },
};

function shown(state: State, lang: "en" | "ja" = "en", locked = false): string {
  const room = state.session.mirror.rooms["12" as never];
  if (room === undefined) throw new Error("room 12 is mirrored");
  const table = { ...room.view.room, seats: SEATS, host: "Ayu", locked };
  const rooms = { 12: { ...room, view: { ...room.view, room: table }, here: ["Ayu", "Mia"] } };
  const { session, settings } = state;
  const mirror = { ...session.mirror, rooms };
  const drawn = { ...state, settings: { ...settings, lang }, session: { ...session, mirror } };
  return render(<HostPanel state={drawn as State} emit={() => undefined} inputKey="12" />);
}

describe("the people of a host", () => {
  it("are all but the host and the house bots; the role goes to humans who are here", () => {
    const rows = [...shown(atTable().state).matchAll(/<li.*?<\/li>/g)].map(([row]) => row);
    const names = rows.map((row) => /<bdi>(.*?)<\/bdi>/.exec(row)?.[1]);
    expect(names).toEqual(["Ken", "KensBot", "Mia"]);
    expect(rows.filter((row) => row.includes("Send out"))).toHaveLength(3);
    expect(rows.map((row) => row.includes("Make host"))).toEqual([false, false, true]);
  });

  it("are named in Japanese, too", () => {
    expect(shown(atTable().state, "ja")).toContain("ホストを譲る");
  });
});

describe("the password of a room", () => {
  const set = (text: string): Visit =>
    atTable().does({ type: "line_chosen", inputKey: "12", text }).done();

  it.each(["/password kumamon", "/合言葉 kumamon", "/newroom manhattan private kumamon"])(
    "is shown where this page has set it by %s",
    (line) => {
      expect(shown(set(line).state, "en", true)).toContain('value="kumamon"');
    },
  );

  it("is not shown once it is none, nor where another page has set it", () => {
    expect(shown(set("/password kumamon").state)).not.toContain("kumamon");
    expect(shown(atTable().state, "en", true)).toContain("It cannot be shown");
  });

  it("is not stored, logged or remembered, nor taken from a refused line", () => {
    const visit = set("/password kumamon");
    const { passwords, ...others } = visit.state;
    expect(passwords).toEqual({ 12: "kumamon" });
    expect(JSON.stringify(others)).not.toContain("kumamon");
    const refused = atTable()
      .does({ type: "line_chosen", inputKey: "12", text: "/password x" })
      .refused("room_unknown", "No.");
    expect(refused.state.passwords).toEqual({});
  });
});

it("the newest link is shown, also once its line of the log is cut", () => {
  const note = (text: string): ServerMessage => ({ type: "note", code: "note", text, room: 1 });
  const visit = atTable().hears(note("Send this: http://x.test/r/abc"));
  for (let at = 0; at < 700; at += 1) visit.hears(note(`Note ${at}.`));
  expect(shown(visit.state)).toContain('value="http://x.test/r/abc"');
});

describe("what a screen reader is announced", () => {
  const note: ServerMessage = { type: "note", code: "hint", text: "Build.", room: 1 };
  const announced = (visit: Visit): unknown =>
    visit.hears(note).effects.find(({ type }) => type === "announce");

  it("begins with the room where that is not the one on the screen", () => {
    expect(announced(atTable())).toEqual({ type: "announce", text: "Build." });
    const away = atTable().does({ type: "navigated", address: { at: "lobby" } });
    expect(announced(away)).toEqual({ type: "announce", text: "Room 12: Build." });
    const other = new Visit({}, { at: "room", id: "12" as never }).hears(WELCOME, snapshot());
    expect(announced(other)).toEqual({ type: "announce", text: "Build." });
  });
});
