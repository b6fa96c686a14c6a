// Manhattan's board: the lines that clicks type, its texts, and that everything fits.

import { render } from "preact-render-to-string";
import { describe, expect, it } from "vitest";
import { applyAct } from "../../src/board/applyAct.ts";
import { widthOf } from "../../src/board/index.ts";
import { listIn } from "../../src/board/picks.ts";
import { board } from "../../src/games/manhattan/index.tsx";
import { layoutFor } from "../../src/games/manhattan/layout.ts";
import type { At } from "../../src/games/manhattan/selectors.ts";
import { siteOfCard, takeCount } from "../../src/games/manhattan/selectors.ts";
import { at, names, PHONE } from "../recorded.ts";

const KEY = "manhattan";

await board.load?.();

function typed(name: string, spot: string, text = "") {
  const position = at(KEY, name, { text });
  const act = board.press(spot, position);
  return act === undefined ? undefined : applyAct(act, position, "at once");
}

describe("the sky of a city", () => {
  it.each(["en", "ja"] as const)("%s: no name lies under the pill of a majority", (lang) => {
    for (const width of [360, 560, 700, 900, 1020, 1900]) {
      const area = { width, height: width < 600 ? 420 : 700, touch: false };
      const { Drawing } = board;
      const position = at(KEY, "4-middle", { lang, area });
      const html = render(<Drawing position={position} act={() => undefined} />);
      const skies = [
        ...html.matchAll(
          /class="city-name" x="([\d.]+)".*?font-size="([\d.]+)">([^<]+)<.*?class="lead" transform="translate\(([\d.]+)/g,
        ),
      ];
      const under = skies.filter(
        ([, x, size, name = "", pill]) => Number(x) + widthOf(name, Number(size)) > Number(pill),
      );
      expect(skies.length).toBe(6);
      expect(under.map(([, , , name]) => name)).toEqual([]);
    }
  });
});

describe("clicks", () => {
  it("fill slots in any order and send at the last one", () => {
    expect(typed("2-first-build", "block 2")).toEqual({ text: "/build 2", send: false });
    expect(typed("2-first-build", "site cairo 1")).toEqual({
      text: "/build _ cairo 1",
      send: false,
    });
    expect(typed("2-first-build", "block 2", "/build _ cairo 1")).toEqual({
      text: "/build 2 cairo 1",
      send: true,
    });
    expect(typed("2-first-build", "site cairo 1", "/build 2")?.send).toBe(true);
  });

  it("take a choice back", () => {
    expect(typed("2-first-build", "block 2", "/build 2")?.text).toBe("");
    expect(typed("2-first-build", "card 1 1", "/build 2 _ 1")?.text).toBe("/build 2");
  });

  it("never send for a card", () => {
    expect(typed("4-middle", "card 2 3", "/build 1 cairo")).toMatchObject({ send: false });
  });

  it("gather six blocks, put them back, and take them", () => {
    expect(typed("2-start", "take 1")?.text).toBe("/take 1");
    expect(typed("2-start", "take 4", "/take 1")?.text).toBe("/take 4 1");
    expect(typed("2-start", "put 0 4", "/take 4 1")?.text).toBe("/take 1");
    expect(typed("2-start", "done", "/take 4 1")).toBeUndefined();
    expect(typed("2-start", "done", "/take 4 3 2 1 1 1")).toEqual({
      text: "/take 4 3 2 1 1 1",
      send: true,
    });
  });

  it("show a building's floors on a phone", () => {
    const position = at(KEY, "4-end", { area: PHONE });
    expect(board.press("site cairo 6", position)).toEqual({
      act: "look",
      look: { site: "cairo 6" },
    });
  });
});

describe("what it reads", () => {
  it("knows how many blocks are taken, and which are left", () => {
    const position = at(KEY, "2-start") as unknown as At;
    expect(takeCount(position)).toBe(6);
    expect(listIn(position, "take").may(["4", "4", "4"])).toBe(true);
    expect(listIn(position, "take").may(["4", "4", "4", "4"])).toBe(false);
  });

  it("turns cards as the seats sit", () => {
    const position = at(KEY, "2-start") as unknown as At;
    const turned = { ...position, seat: 2, view: { ...position.view, turned_cards: true } };
    expect([1, 2, 3, 5].map((card) => siteOfCard(card, turned))).toEqual([3, 6, 9, 5]);
  });
});

describe("the text", () => {
  it.each(names(KEY))("%s: has a place for every legal site", (name) => {
    const position = at(KEY, name);
    const html = render(<board.AsText position={position} act={() => undefined} />);
    for (const { verb, slots } of position.moves) {
      if (verb !== "build") continue;
      expect(html).toContain(`data-place="site ${slots.city} ${slots.site}"`);
    }
  });

  it("says whose floors there are", () => {
    const html = render(<board.AsText position={at(KEY, "4-middle")} act={() => undefined} />);
    expect(html).toContain("São Paulo 2, 13 floors: けん 9 on top, Mika 4; tallest of all");
  });
});

describe("the drawing", () => {
  it.each(names(KEY))("%s: has the owner and the height of each building on a sign", (name) => {
    const position = at(KEY, name);
    const html = render(<board.Drawing position={position} act={() => undefined} />);
    const signs = [...html.matchAll(/class="sign".*?piece seat-(\d).*?<text[^>]*>(\d+)</g)];
    const { cities } = (position as unknown as At).view;
    const built = Object.values(cities).flatMap((city) => Object.values(city));
    const expected = built.map(([floors, owner]) => {
      const height = floors.reduce((sum, each) => sum + each, 0);
      return `${owner} ${height}`;
    });
    expect(signs.map(([, owner, height]) => `${owner} ${height}`).sort()).toEqual(expected.sort());
    const tallest = Math.max(0, ...expected.map((each) => Number(each.split(" ")[1])));
    const crowns = expected.filter((each) => each.endsWith(` ${tallest}`)).length;
    expect(html.match(/class="crown/g) ?? []).toHaveLength(crowns);
  });

  it("has a card beside the board with all players' blocks and points", () => {
    const { Summary } = board;
    const html = Summary === undefined ? "" : render(<Summary position={at(KEY, "4-middle")} />);
    for (const name of ["Ayu", "けん", "Mika", "Ben"]) expect(html).toContain(name);
    expect(html).not.toContain("data-place");
  });
});

describe("the layout", () => {
  it.each([
    [352, 300],
    [312, 280],
    [690, 500],
    [1000, 700],
    [1900, 1100],
  ])("%i x %i: fits", (width, height) => {
    const layout = layoutFor(width, height);
    expect(layout.width).toBeLessThanOrEqual(width);
    expect(layout.height).toBeLessThanOrEqual(height + 1);
    expect(Math.min(layout.site.width, layout.site.height)).toBeGreaterThanOrEqual(31);
  });
});
