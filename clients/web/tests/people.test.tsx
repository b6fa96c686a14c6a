// Scenes of the pages of people: what they request, and what they show of the answers.

import { render } from "preact-render-to-string";
import { describe, expect, it } from "vitest";
import type { MyRoom, PlayedGame } from "../src/protocol/answers.gen.ts";
import { Leaderboard } from "../src/screens/leaderboard.tsx";
import { Lobby } from "../src/screens/lobby.tsx";
import { MyGames } from "../src/screens/myGames.tsx";
import { Profile, rivalsOf } from "../src/screens/profile.tsx";
import { scaleOf } from "../src/screens/ratingCurve.tsx";
import { MyRooms } from "../src/screens/start.tsx";
import type { Branch } from "../src/sdk/tree.ts";
import { addressOf, pathOf } from "../src/state/address.ts";
import { request, requestAnswered, requestRefused } from "../src/state/requests.ts";
import type { State } from "../src/state/state.ts";
import { step } from "../src/state/step.ts";
import { visitor } from "./visitor.ts";

const CONTEXT = { now: 0, fresh: "00", touch: false };

const WON: PlayedGame = {
  game: "manhattan",
  seats: 3,
  rated: true,
  game_id: "g1",
  at: 1_700_000_000_000,
  rank: 1,
  points: 1234,
  change: 12,
  names: ["Ken", "Mika", "Ben"],
  ranks: [1, 2, 3],
};
const LOST: PlayedGame = {
  ...WON,
  game_id: "g2",
  rated: false,
  rank: 2,
  change: 0,
  seats: 2,
  names: ["@greedy1", "Ken"],
  ranks: [1, 2],
};
const ROW = {
  game: "manhattan",
  seats: 2,
  rating: { points: 1234, margin: 80, games: 12 },
  ranks: [7, 5],
  recent: [
    { game_id: "g1", at: 2, rank: 1, points: 1234, change: 12 },
    { game_id: "g2", at: 1, rank: 2, points: 1222, change: -3 },
  ],
};
const STATS = {
  data: { name: "Ken", ratings: [ROW], played: [WON, LOST] },
} as unknown as Branch;

function begun(welcomed = true): State {
  const state = visitor("en", "Ken");
  const manhattan = { en: "Manhattan", ja: "マンハッタン" };
  const games = [
    {
      key: "manhattan",
      name: manhattan,
      seats: { min: 2, max: 4 },
      minutes: 45,
      lessons: 3,
      options: [],
    },
  ];
  return { ...state, games, session: { ...state.session, welcomed } };
}

function page(state: State, name: string): string {
  return render(<Profile state={state} emit={() => undefined} name={name} />);
}

describe("a person's page", () => {
  it("has what helps against rudeness, but not against oneself", () => {
    const buttons = (name: string): readonly string[] =>
      [...page(begun(), name).matchAll(/<button[^>]*>([^<]+)</g)].map(([, label]) => label ?? "");
    expect(buttons("Ben")).toEqual(["Add as friend", "Mute", "Block", "Report"]);
    expect(buttons("Ken")).toEqual([]);
  });
});

describe("a request of a screen", () => {
  const event = {
    type: "requested",
    key: "/stats",
    what: "query",
    args: { text: "/stats" },
  } as const;

  it("waits for a name, is sent once, and again only where that is wanted", () => {
    expect(step(begun(false), event, CONTEXT)[1]).toEqual([]);
    const [asked, effects] = request(begun(), event);
    expect(JSON.stringify(effects)).toContain("/stats");
    expect(request(asked, { ...event, again: true })[1]).toEqual([]);
    const there = requestAnswered(asked, "/stats", STATS);
    expect(request(there, event)[1]).toEqual([]);
    const [again] = request(there, { ...event, again: true });
    // What is here stays until the next answer.
    expect(again.requests["/stats"]).toMatchObject({ is: "asked", body: STATS });
    const refused = requestRefused(again, "/stats", "Too fast.");
    expect(refused.requests["/stats"]).toEqual({ is: "refused", text: "Too fast.", body: STATS });
  });
});

describe("the addresses of people", () => {
  it.each(["/me", "/u/Ken", "/u/%E3%81%91%E3%82%93", "/top/manhattan"])("%s leads back", (path) => {
    expect(pathOf(addressOf(path))).toBe(path);
  });
});

describe("a person's page", () => {
  it("has ratings, finished games with replay and analysis", () => {
    const shown = page(requestAnswered(begun(), "/stats", STATS), "Ken");
    expect(shown).toContain("<dd>58 %</dd>");
    expect(shown).toContain('aria-label="From 1222 to 1234 points in 2 games."');
    expect(shown).toContain("1st of 3");
    expect(shown).toContain("rating +12");
    expect(shown).toContain("not rated");
    expect(shown.match(/href="\/game\/g1"/g)).toHaveLength(2);
    expect(shown).toContain('href="/u/Mika"');
    // A house bot has no page, and I am no friend of mine.
    expect(shown).not.toContain("/u/%40greedy1");
    expect(shown).not.toContain("Add as friend");
  });

  it("of another person has a button for friends; of a stranger the server's words", () => {
    const other = requestAnswered(begun(), "/stats Mika", {
      data: { name: "Mika", ratings: [], played: [] },
    });
    expect(page(other, "Mika")).toContain("Add as friend");
    expect(page(other, "Mika")).toContain("no rated game");
    const friends = { data: { people: [{ name: "Mika", online: false, rooms: [] }] } };
    expect(page(requestAnswered(other, "/friends list", friends), "Mika")).toContain(
      "Remove from friends",
    );
    const stranger = page(requestRefused(begun(), "/stats Nemo", "No Nemo here."), "Nemo");
    expect(stranger).toContain("No Nemo here.");
    expect(stranger).not.toContain("Add as friend");
  });

  it("counts who came in ahead of whom, also after another name", () => {
    expect(rivalsOf("Ken", [WON, LOST])).toEqual([
      { name: "Mika", games: 1, ahead: 1, behind: 0 },
      { name: "Ben", games: 1, ahead: 1, behind: 0 },
      { name: "@greedy1", games: 1, ahead: 0, behind: 1 },
    ]);
    expect(rivalsOf("Kenji", [LOST])).toEqual([
      { name: "@greedy1", games: 1, ahead: 0, behind: 1 },
    ]);
  });

  it("draws a curve within round bounds", () => {
    expect(scaleOf([1222, 1234])).toEqual({ low: 1220, high: 1280 });
    expect(scaleOf([1000, 1500])).toEqual({ low: 1000, high: 1540 });
  });
});

describe("my games", () => {
  const room = (id: string, turn: boolean, phase = "playing"): MyRoom =>
    ({
      id,
      turn,
      phase,
      due: 0,
      game: "manhattan",
      seats: ["Ken", "Mika"],
      free: 0,
      locked: false,
    }) as never;

  it("are those with my turn first, then those that wait, and friends with a free seat", () => {
    const state = begun();
    const myRooms = [
      room("100001", false),
      room("100002", true),
      room("100003", true),
      room("100004", false, "open"),
    ];
    const friends = {
      people: [
        { name: "Ben", online: false, rooms: [] },
        { name: "Mika", online: true, rooms: [{ ...room("100005", false, "open"), free: 2 }] },
      ],
    } as unknown as Branch;
    const there = requestAnswered(
      { ...state, lobby: { ...state.lobby, myRooms } },
      "/friends list",
      { data: friends },
    );
    const shown = render(<MyGames state={there} emit={() => undefined} />);
    const order = [
      ...["your turn", "100002", "100003"],
      ...["Waiting for others", "100001", "Not begun", "100004"],
    ];
    const positions = order.map((each) => shown.indexOf(each));
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(positions).not.toContain(-1);
    expect(shown.indexOf("Mika</bdi></a>")).toBeLessThan(shown.indexOf("Ben</bdi></a>"));
    expect(shown).toContain("2 seats free");
    expect(shown.match(/Sit down/g)).toHaveLength(1);
  });
});

it("the start page goes on with games that are not over, and shows nothing without one", () => {
  const room = { free: 0, locked: false, host: "", due: 0, game: "manhattan", seats: ["Ayu"] };
  const shown = (...phases: readonly string[]): string => {
    const myRooms = phases.map((phase) => ({ ...room, id: `of ${phase}`, phase }) as never);
    const state = { ...visitor("en"), lobby: { ...visitor("en").lobby, myRooms } };
    return render(<MyRooms state={state} emit={() => undefined} />);
  };
  expect(shown("playing", "over", "open").match(/of \w+/g)).toEqual(["of playing", "of open"]);
  expect(shown("over")).toBe("");
});

it("offers to go on in a listed room where one sits, locked or not", () => {
  const row = {
    game: "manhattan",
    phase: "open",
    seats: ["Ken"],
    free: 1,
    locked: true,
    options: {},
  };
  const lobby: Branch = { order: ["300001"], rooms: { "300001": row }, total: 1, pages: 1 };
  const shown = (name: string): string => {
    const state = visitor("en", name);
    const session = { ...state.session, mirror: { ...state.session.mirror, lobby } };
    return render(<Lobby state={{ ...state, session }} emit={() => undefined} />);
  };
  expect(shown("Ken")).toMatch(/Go on<\/button>/);
  expect(shown("Mika")).toMatch(/Sit down<\/button>/);
});

describe("the time left in a game of mine", () => {
  it.each([
    ["en", 65_000, "1:05 left"],
    ["en", 7_265_000, "2:01:05 left"],
    ["en", 100 * 3_600_000, "4 d 4 h left"],
    ["ja", 100 * 3_600_000, "残り 4日4時間"],
  ] as const)("is said in %s", (lang, ms, text) => {
    const state = begun();
    const row = { id: "100001", turn: true, phase: "playing", game: "manhattan", seats: [] };
    const due = state.now + state.skew + ms;
    const myRooms = [{ ...row, due, free: 0, locked: false } as never];
    const there = { ...state, lobby: { ...state.lobby, myRooms } };
    const settings = { ...state.settings, lang };
    expect(render(<MyGames state={{ ...there, settings }} emit={() => undefined} />)).toContain(
      text,
    );
  });
});

describe("the leaderboard", () => {
  it("has a page of rows, with oneself marked, or says that no person is on it", () => {
    const state: State = { ...begun(), address: { at: "top", game: "manhattan" } };
    const rows = [
      { rank: 1, name: "Ayu", rating: { points: 1500, margin: 40, games: 30 } },
      { rank: 2, name: "Ken", rating: { points: 1234, margin: 80, games: 12 } },
    ];
    const html = (body: Branch): string =>
      render(
        <Leaderboard
          state={requestAnswered(state, "/top manhattan 2 1", body)}
          emit={() => undefined}
        />,
      );
    const shown = html({ data: { lists: [{ seats: 2, rows }] } });
    expect(shown).toContain("<b>1,500</b>");
    expect(shown.match(/aria-current="true"/g)).toHaveLength(1);
    expect(shown).toContain('href="/u/Ayu"');
    expect(html({ data: { lists: [] } })).toContain("No player has enough");
  });
});
