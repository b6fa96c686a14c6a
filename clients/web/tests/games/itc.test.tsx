// I.T.C.'s board: the lines that clicks type, also for cards in no recording, and its texts.

import { describe, expect, it } from "vitest";
import { applyAct } from "../../src/board/applyAct.ts";
import type { Look, Position } from "../../src/board/contract.ts";
import { board } from "../../src/games/itc/index.tsx";
import { type At, justHappened, loadsOf } from "../../src/games/itc/selectors.ts";
import { at, DESKTOP, drawn, names, PHONE } from "../recorded.ts";

const KEY = "itc";
const DROP = "2-first-attack-drop-end-land-load-move-play-stone";

function typed(name: string, spot: string, text = "") {
  const position = at(KEY, name, { text });
  const act = board.press(spot, position);
  return act === undefined ? undefined : applyAct(act, position, "at once");
}

/** A recorded position with other legal lines, and other A cards in the hand. */
function given(moves: readonly string[], hand: readonly string[], text: string, look: Look = {}) {
  const position = at(KEY, "2-middle", { moves: { 1: moves }, text, look });
  const { view } = position as unknown as At;
  const seat = { ...view.seats[1], kept: hand };
  return { ...position, view: { ...view, seats: { ...view.seats, 1: seat } } } as Position;
}

function spotsIn(html: string): readonly string[] {
  return [...html.matchAll(/data-place="([^"]*)"/g)].map((match) => match[1] ?? "");
}

/** Every text that presses on the drawing lead to. */
function reached(
  make: (text: string) => Position,
  shape: "Drawing" | "AsText" = "Drawing",
): ReadonlySet<string> {
  const seen = new Set<string>();
  const waiting = [""];
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
    if (seen.has(text)) continue;
    seen.add(text);
    const position = make(text);
    if (text !== "" && position.draft.verb === undefined) continue;
    const html = drawn(board, position, shape);
    for (const spot of new Set(spotsIn(html))) {
      const act = board.press(spot, position);
      const next = act === undefined ? null : applyAct(act, position, "at once");
      if (next !== null) waiting.push(next.text);
    }
  }
  return seen;
}

/** Lines of every verb that no recording has, with the A cards that allow them. */
const RARE: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  [
    "hide",
    ["1", "10"],
    [
      "/load 101 blue 1",
      "/hide 101 blue 1 smuggling",
      "/hide 101 green 2 smuggling",
      "/hide 160 blue 1 express",
      "/hide 101 blue 1 express",
    ],
  ],
  [
    "mega",
    ["18"],
    ["/load 101 blue 1", "/mega 101 160 blue 1", "/mega 101 160 green 2", "/mega 160 195 blue 2"],
  ],
  [
    "steps to a side",
    [],
    ["/move 136 left", "/move 136 right", "/express 136 1", "/express 136 3"],
  ],
  ["express", [], ["/move 136 straight", "/express 136 1", "/express 136 3", "/end"]],
  ["keep", [], ["/keep 136", "/land 136 asia", "/land 136 africa", "/drop 136 red", "/end"]],
  [
    "stones",
    ["2", "3"],
    [
      "/transfer 2 africa asia",
      "/transfer 2 asia africa",
      "/transfer 2 asia europe",
      "/shift asia africa",
      "/shift europe market",
      "/stone africa",
    ],
  ],
  ["obstacle", ["7"], ["/obstacle 240 straight", "/obstacle n04 left", "/obstacle n04 right"]],
  [
    "organize",
    ["17"],
    ["/organize asia 1", "/organize asia 2", "/organize europe 1", "/stone asia"],
  ],
  ["recruit", [], ["/recruit 1", "/recruit 2", "/end"]],
  ["fetch", [], ["/fetch asia", "/fetch europe", "/stone asia", "/end"]],
  ["unrest", ["12-asia", "11-asia"], ["/unrest asia", "/rob asia", "/stone asia"]],
  ["play", ["4", "6", "8", "14", "15"], ["/play 4", "/play 6", "/play 8", "/play 14", "/play 15"]],
  ["discard", ["4", "12-asia"], ["/discard 101", "/discard 160", "/discard 4", "/discard 12-asia"]],
  ["three dice", [], ["/dice blue green red"]],
];

await board.load?.();

describe("clicks", () => {
  it("roll two dice in any order", () => {
    expect(typed("2-first-dice", "die red")).toEqual({ text: "/dice red", send: false });
    expect(typed("2-first-dice", "die blue", "/dice red")).toEqual({
      text: "/dice blue red",
      send: true,
    });
    expect(typed("2-first-dice", "die red", "/dice red")?.text).toBe("");
    expect(typed("2-first-play-use", "die blue")).toEqual({ text: "/use blue", send: true });
  });

  it("load by card and space, in any order", () => {
    expect(typed("2-middle", "card 101")).toEqual({ text: "/load 101", send: false });
    expect(typed("2-middle", "space blue 1", "/load 101")).toEqual({
      text: "/load 101 blue 1",
      send: true,
    });
    expect(typed("2-middle", "card 101", "/load _ blue 1")?.text).toBe("/load 101 blue 1");
  });

  it("step, land, sell, and put stones", () => {
    expect(typed("2-middle", "on 136")).toEqual({ text: "/move 136 straight", send: true });
    expect(typed(DROP, "on 200")).toEqual({ text: "/land 200", send: false });
    expect(typed(DROP, "place asia", "/land 200")).toEqual({ text: "/land 200 asia", send: true });
    expect(typed("2-middle", "place asia")).toEqual({ text: "/stone asia", send: true });
    expect(typed("2-middle", "sell asia black")).toEqual({ text: "/sell asia black", send: true });
  });

  it("never touch others' loads, unless a card asks for one", () => {
    for (const card of ["240", "n04"]) {
      const why = { act: "why", line: `/move ${card} straight` };
      expect(board.press(`on ${card}`, at(KEY, "2-middle"))).toEqual(why);
    }
  });

  it("that fit nothing ask why: a card, a die, a continent", () => {
    const idle = given(["/end"], [], "");
    expect(board.press("card 201", idle)).toEqual({ act: "why", line: "/load 201 blue 1" });
    expect(board.press("die red", idle)).toEqual({ act: "why", line: "/use red" });
    expect(board.press("place market", idle)).toBeUndefined();
    const why = { act: "why", line: "/stone market" };
    expect(board.press("place market", at(KEY, "2-first-stone"))).toEqual(why);
  });

  it.each(RARE)("reach every line: %s", (_, hand, moves) => {
    const reachable = reached((text) => given(moves, hand, text));
    expect(moves.filter((line) => !reachable.has(line))).toEqual([]);
  });

  it.each(RARE)("reach every line on a phone, on the routes: %s", (_, hand, moves) => {
    const reachable = reached((text) => ({ ...given(moves, hand, text), area: PHONE }));
    const stones = moves.filter((line) => !reachable.has(line) && !line.startsWith("/stone"));
    expect(stones).toEqual([]);
  });
});

describe("the text", () => {
  it.each(names(KEY))("%s: every legal line can be pressed there", (name) => {
    const reachable = reached((text) => at(KEY, name, { text }), "AsText");
    const lines = at(KEY, name).moves.map((line) => line.text);
    expect(lines.filter((line) => !reachable.has(line))).toEqual([]);
  });

  it("says what lies where", () => {
    const html = drawn(board, at(KEY, "2-middle"), "AsText");
    expect(html).toContain("grey, row 2, column 1, n04, neutral, to Africa, black ×2, yellow ×2");
    expect(html).toContain("Asia; black 6 (3 of this turn)");
  });
});

describe("what it reads", () => {
  it("knows every load", () => {
    const loads = loadsOf(at(KEY, "2-middle") as unknown as At);
    expect(loads.map((load) => load.cards[0]).toSorted()).toEqual([
      "136",
      "190",
      "240",
      "n04",
      "n16",
    ]);
  });

  it("sums what came and went", () => {
    const just = justHappened([
      { event: "delivered", place: "asia", good: "red", count: 3 },
      { event: "sold", seat: 1, place: "asia", good: "red", count: 1, amount: 2000 },
      { event: "neutrals_advanced", cards: [4] },
    ]);
    expect(just.places.get("asia")).toBe(2);
    expect([...just.cards]).toEqual(["n04"]);
  });
});

describe("the world", () => {
  /** What lies on the continents of a recorded position, and its drawing. */
  function worldOf(name: string, area = DESKTOP) {
    const position = at(KEY, name, { area, look: { tab: "continents" } }) as unknown as At;
    return {
      stores: Object.values(position.view.places),
      html: drawn(board, position as Position),
    };
  }
  const sum = (counts: readonly (readonly number[])[]) =>
    counts.flat().reduce((total, each) => total + each, 0);

  it.each(names(KEY))("%s: crates, those of this turn and stones are the view's", (name) => {
    for (const area of [DESKTOP, PHONE]) {
      const { stores, html } = worldOf(name, area);
      const world = /<svg class="world".*?<\/svg>/s.exec(html)?.[0] ?? "";
      expect(world.match(/class="crate\b/g)?.length ?? 0).toBe(sum(stores.map(([goods]) => goods)));
      expect(world.match(/ fresh"/g)?.length ?? 0).toBe(sum(stores.map(([, fresh]) => fresh)));
      const shown = [...world.matchAll(/<text class="strong" x="13.5"[^>]*>(\d+)/g)];
      const stones = stores.flatMap(([, , each]) => each).filter((count) => count > 0);
      expect(shown.map(([, count]) => Number(count)).toSorted()).toEqual(stones.toSorted());
    }
  });

  it("has no size below zero where little of the window is left, as beside a result", () => {
    expect(worldOf("6-end", { ...PHONE, height: 250 }).html).not.toMatch(/(width|height)="-/);
  });

  it("writes nothing smaller than 11 pixels", () => {
    for (const area of [DESKTOP, PHONE, { width: 312, height: 356, touch: true }]) {
      const { html } = worldOf("6-end", area);
      const sizes = [...html.matchAll(/font-size="([\d.]+)"/g)].map(([, size]) => Number(size));
      expect(sizes.filter((size) => size < 11)).toEqual([]);
    }
  });
});

describe("the drawing", () => {
  it.each(["en", "ja"] as const)("%s: has all parts at every size", (lang) => {
    for (const area of [DESKTOP, PHONE, { width: 700, height: 620, touch: false }]) {
      for (const name of ["2-middle", "6-end", "6-watched", "2-start"]) {
        const position = at(KEY, name, { lang, area });
        const html = drawn(board, position);
        expect(html).not.toMatch(/undefined|NaN/);
      }
    }
  });

  it("names a chosen action that asks for nothing more once, on its button", () => {
    const position = at(KEY, "2-first-end", { text: "/end" });
    expect(drawn(board, position)).not.toContain("End the turn:");
  });
});
