// Tokai's board: the lines and queries of presses, the text board, and that no names overlap.

import { describe, expect, it } from "vitest";
import { applyAct } from "../../src/board/applyAct.ts";
import type { Position } from "../../src/board/contract.ts";
import { widthOf } from "../../src/board/index.ts";
import { board } from "../../src/games/tokai/index.tsx";
import { type Layout, layoutFor, stepsFor } from "../../src/games/tokai/layout.ts";
import {
  type At,
  type Fixed,
  payoffOf,
  ridden,
  routeOf,
  stepsAhead,
} from "../../src/games/tokai/selectors.ts";
import type { Way } from "../../src/games/tokai/view.gen.ts";
import { at, drawn, game, names, PHONE } from "../recorded.ts";

const KEY = "tokai";
const FIXED = game(KEY).static as Fixed;

function typed(name: string, spot: string, text = "", more: Partial<Position> = {}) {
  const position = { ...at(KEY, name, { text }), ...more };
  const act = board.press(spot, position);
  return act === undefined ? undefined : applyAct(act, position, "at once");
}

function act(name: string, spot: string, more: Partial<Position> = {}) {
  return board.press(spot, { ...at(KEY, name), ...more });
}

function shown(name: string, more: Partial<Position> = {}, as: "Drawing" | "AsText" = "Drawing") {
  return drawn(board, { ...at(KEY, name), ...more }, as);
}

await board.load?.();

describe("the trip", () => {
  it("speaks of a second half only where one follows", () => {
    const position = at(KEY, "6-first-go");
    const granted = { ...(position.view as object), granted: true };
    expect(shown("6-first-go", { view: granted })).toContain("an extra half to come");
    const closing = { ...granted, closing: true };
    expect(shown("6-first-go", { view: closing })).not.toContain("an extra half to come");
  });
});

describe("presses", () => {
  it("ride to a station that one line leads to", () => {
    expect(typed("6-first-go", "station jingu_mae")).toEqual({
      text: "/go meitetsu_main jingu_mae",
      send: true,
    });
  });

  it("keep to a line that was chosen before", () => {
    expect(typed("2-first-go", "take meitetsu_tsushima")?.send).toBe(false);
    expect(typed("2-first-go", "take meitetsu_tsushima", "/go meitetsu_tsushima")?.text).toBe("");
    expect(typed("2-first-go", "station tsushima", "/go meitetsu_tsushima")?.text).toBe(
      "/go meitetsu_tsushima tsushima",
    );
  });

  it("ask why a chosen line does not lead to a station, or a basket takes no more", () => {
    const riding = at(KEY, "2-first-go", { text: "/go meitetsu_tsushima" });
    expect(board.press("station gifu", riding)).toEqual({
      act: "why",
      line: "/go meitetsu_tsushima gifu",
    });
    const full = "/prebuy jr_taita jr_taketoyo subway_kamiiida aonami";
    const basket = at(KEY, "2-first-prebuy", { text: full });
    expect(board.press("pick aichi_loop", basket)).toEqual({
      act: "why",
      line: `${full} aichi_loop`,
    });
  });

  it("ask the way to any other station, and set off for it from the answer", () => {
    expect(act("6-first-go", "station gifu")).toEqual({ act: "ask", line: "/route gifu" });
    const answers = { "/route gifu": { text: "Ayu, from Zengo to Gifu\nShortest: 31 steps" } };
    expect(act("6-first-go", "station gifu", { answers })).toMatchObject({ act: "look" });
    const html = shown("6-first-go", { answers });
    expect(html).toContain("Shortest: 31 steps");
    expect(html).toContain('data-place="journey gifu"');
    expect(typed("6-first-go", "journey gifu")).toEqual({ text: "/go gifu", send: true });
  });

  it("plan the first leg of a route, as far as the turn leads, and number its steps", () => {
    const text = "/go meitetsu_main jingu_mae";
    expect(typed("6-first-go", "plan meitetsu_main jingu_mae")).toEqual({ text, send: false });
    const far = typed("6-first-go", "plan meitetsu_main gifu");
    expect(far?.text).toMatch(/^\/go meitetsu_main (?!gifu)/);
    expect(act("6-first-go", "plan jr_iida toyohashi")).toBeUndefined();
    const steps = stepsAhead(at(KEY, "6-first-go", { text }) as At);
    expect(steps.at(-1)).toBe("jingu_mae");
    expect(stepsAhead(at(KEY, "6-first-go", {}) as At)).toEqual([]);
    expect(drawn(board, at(KEY, "6-first-go", { text }), "Drawing")).toContain('class="steps"');
  });

  it("compare the shortest and the cheapest way by the server's figures", () => {
    const legs = [{ line: "jr_tokaido", to: "gifu", steps: 9 }];
    const trip: Way = { steps: 9, turns: 2, cost: 3, dues: [[0, 3]], legs };
    const dear: Way = { ...trip, steps: 7, turns: 1, cost: 5, dues: [[2, 5]] };
    const data = { to: "gifu", routes: [dear, trip] };
    const html = shown("6-first-go", { answers: { "/route gifu": { text: "in words", data } } });
    for (const fragment of ["Shortest <b>5,000</b>", "7 steps, 1 turn", "9 steps, 2 turns"]) {
      expect(html).toContain(fragment);
    }
    expect(html).not.toContain("in words");
    const both = { "/route gifu": { text: "", data: { to: "gifu", routes: [trip] } } };
    expect(shown("6-first-go", { answers: both })).toContain("Shortest and cheapest");
  });

  it("send a journey at the second tap of a finger", () => {
    const more = { area: PHONE };
    expect(typed("6-first-go", "journey gifu", "", more)?.send).toBe(false);
    expect(typed("6-first-go", "journey gifu", "/go gifu", more)?.send).toBe(true);
  });

  it("shut an answer, and show it again", () => {
    const answers = { "/fares": { text: "Nothing yet" } };
    expect(shown("6-first-go", { answers })).toContain("Nothing yet");
    const look = { shut: "/fares" };
    expect(shown("6-first-go", { answers, look })).not.toContain("Nothing yet");
    const again = act("6-first-go", "ask /fares", { answers, look });
    expect(again).toMatchObject({ act: "look", look: { again: "/fares" } });
    const both = { ...look, again: "/fares", lastThen: "/fares" };
    expect(shown("6-first-go", { answers, look: both })).toContain("Nothing yet");
  });

  it("fill a basket, in whatever order, and buy it", () => {
    expect(typed("2-start", "line aonami")?.text).toBe("/prebuy aonami");
    expect(typed("2-start", "line aonami", "/prebuy aonami")?.text).toBe("");
    expect(typed("2-start", "express", "/prebuy aonami aichi_loop")?.text).toBe(
      "/prebuy aonami aichi_loop express",
    );
    const few = at(KEY, "2-start", { text: "/prebuy aonami" });
    expect(board.press("done", few)).toEqual({ act: "why", line: "/prebuy aonami" });
    expect(typed("2-start", "done", "/prebuy aonami aichi_loop")?.send).toBe(true);
  });

  it("raise and lower a bid before it is made", () => {
    expect(typed("6-first-bid", "higher")).toEqual({ text: "/bid 5000", send: false });
    expect(typed("6-first-bid", "lower", "/bid 5000")?.text).toBe("/bid 4000");
    expect(typed("6-first-bid", "bid")).toEqual({ text: "/bid 4000", send: true });
    expect(typed("6-first-bid", "say /bid pass")?.send).toBe(true);
  });

  it("name a region by one of its cities", () => {
    expect(typed("2-middle", "station gifu")).toEqual({ text: "/region mino", send: true });
  });

  it("buy a line from the map, and look at any other", () => {
    expect(typed("2-first-buy", "line aonami")).toEqual({ text: "/buy aonami", send: true });
    expect(act("2-middle", "line aonami")).toEqual({ act: "ask", line: "/look aonami" });
  });
});

describe("what it reads", () => {
  it("pays between two destinations what the table says, both ways", () => {
    expect(payoffOf(FIXED, "fujigaoka", "okazaki")).toBe(17);
    expect(payoffOf(FIXED, "okazaki", "fujigaoka")).toBe(17);
    expect(payoffOf(FIXED, "okazaki", "okazaki")).toBeUndefined();
  });

  it("goes round the loop either way", () => {
    const one = routeOf(FIXED, "subway_meijo", "sakae", "motoyama", "cw");
    const other = routeOf(FIXED, "subway_meijo", "sakae", "motoyama", "ccw");
    expect(one).toContain("ozone");
    expect(other).toContain("kanayama");
    expect(one.length + other.length).toBe(29 + 2);
  });

  it("follows a line over its fork", () => {
    expect(routeOf(FIXED, "meitetsu_kowa", "utsumi", "fuki").at(0)).toBe("utsumi");
    expect(routeOf(FIXED, "meitetsu_kowa", "utsumi", "kowa")).toContain("fuki");
  });

  it.each(names(KEY))("%s: knows the ends of every ride since", (name) => {
    const position = at(KEY, name) as unknown as At;
    for (const trips of ridden(position).values()) {
      for (const trip of trips) expect(trip.length).toBeGreaterThan(1);
    }
  });
});

describe("the text", () => {
  it.each(names(KEY))("%s: has everything that is legal", (name) => {
    const html = shown(name, {}, "AsText");
    for (const { verb, slots } of at(KEY, name).moves) {
      if (verb === "go") expect(html).toContain(`data-place="station ${slots.point}"`);
      if (verb === "buy") expect(html).toContain(`data-place="say /buy ${slots.item}"`);
    }
  });

  it("says who is where, going where", () => {
    const html = shown("6-first-go", {}, "AsText");
    expect(html).toContain("Zengo → Handa");
    expect(html).toContain("pays 9,000, roll 9");
  });
});

interface Box {
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

function boxes({ stations, font }: Layout): readonly Box[] {
  return [...stations.values()].flatMap(({ label }) => {
    if (label === undefined) return [];
    const width = widthOf(label.text, font);
    const left = label.x - { start: 0, middle: width / 2, end: width }[label.anchor];
    return [{ left, right: left + width, y: label.y }];
  });
}

describe("the map", () => {
  it.each([
    [1020, 700, 1, 80],
    [1020, 700, "close", 400],
    [690, 480, 1, 70],
    [352, 296, 1, 24],
    [312, 240, "close", 300],
    [1900, 1150, 1, 84],
  ] as const)("%i x %i at %s: many names, none over another", (width, height, zoom, least) => {
    for (const lang of ["en", "ja"] as const) {
      const close = stepsFor(FIXED, width, height)[2] ?? 1;
      const layout = layoutFor(FIXED, width, height, zoom === "close" ? close : zoom, lang);
      const all = boxes(layout);
      expect(all.length).toBeGreaterThanOrEqual(least);
      const over = all.filter((a, i) =>
        all.some(
          (b, j) =>
            j > i &&
            Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
            Math.abs(a.y - b.y) < layout.font * 0.7,
        ),
      );
      expect(over).toEqual([]);
    }
  });
});

describe("the end", () => {
  it("counts in yen, and is told with its reason", () => {
    expect(board.points?.(491, "ja")).toBe("491,000円");
    expect(board.points?.(491, "en")).toBe("491,000 yen");
    const over = at(KEY, "6-end") as unknown as At;
    const alone = { ...over, view: { ...over.view, ending: "alone" } } as unknown as Position;
    expect(board.ended?.({ ...alone, lang: "ja" })).toBe("1人だけが残り、ゲームは終わりました。");
    expect(shown("6-end")).not.toContain("before the game");
  });

  it("says of somebody who is out that he is, and not that the game has not begun", () => {
    const over = at(KEY, "6-end") as unknown as At;
    const pawns = Object.fromEntries(
      Object.entries(over.view.seats).map(([seat, own]) => [seat, { ...own, trail: [] }]),
    );
    const html = shown("6-end", { view: { ...over.view, seats: pawns, legs: [] } });
    expect(html).toContain("out of the game");
    expect(html).not.toContain("before the game");
  });
});
