// Tokugawa's board: the lines and queries of presses, the texts of card and text board, the
// positions of names.

import { describe, expect, it } from "vitest";
import { applyAct } from "../../src/board/applyAct.ts";
import type { Position } from "../../src/board/contract.ts";
import { crosses, widthOf } from "../../src/board/index.ts";
import { taskText } from "../../src/games/tokugawa/card.tsx";
import { board } from "../../src/games/tokugawa/index.tsx";
import { layoutFor, stepsFor } from "../../src/games/tokugawa/layout.ts";
import {
  type At,
  type Fixed,
  mayChoose,
  newsOf,
  questionOf,
} from "../../src/games/tokugawa/selectors.ts";
import type { Event, View } from "../../src/games/tokugawa/view.gen.ts";
import { at, drawn, game, names, PHONE } from "../recorded.ts";

const KEY = "tokugawa";
const FIXED = game(KEY).static as Fixed;
const ACTING = "2-first-attack-build-dismiss-levy-move-pass-tax";

function typed(name: string, spot: string, text = "", more: Partial<Position> = {}) {
  const position = { ...at(KEY, name, { text }), ...more };
  const act = board.press(spot, position);
  return act === undefined ? undefined : applyAct(act, position, "at once");
}

function shown(
  name: string,
  text = "",
  more: Partial<Position> = {},
  as: "Drawing" | "AsText" = "Drawing",
) {
  return drawn(board, { ...at(KEY, name, { text }), ...more }, as);
}

/** An attack that is legal in the recorded position, and its slots. */
function attackIn(name: string) {
  const line = at(KEY, name).moves.find(({ verb }) => verb === "attack");
  if (line === undefined) throw new Error("nobody can be attacked");
  return { text: line.text, origin: line.slots.origin ?? "", town: line.slots.town ?? "" };
}

await board.load?.();

describe("presses", () => {
  it("choose a samurai without sending it anywhere, and let go of it again", () => {
    const { origin } = attackIn(ACTING);
    const chosen = typed(ACTING, `town ${origin}`);
    expect(chosen?.send).toBe(false);
    expect(chosen?.text).toContain(origin);
    expect(typed(ACTING, `town ${origin}`, `/move ${origin}`)?.text).toBe("");
  });

  it("type an attack and wait for its button beside the chances", () => {
    const { text, origin, town } = attackIn(ACTING);
    expect(typed(ACTING, `town ${town}`, `/move ${origin}`)).toEqual({ text, send: false });
    expect(typed(ACTING, "go", text)).toEqual({ text, send: true });
    expect(typed(ACTING, `town ${town}`, text)).toEqual({ text, send: true });
    expect(typed(ACTING, "no", text)?.text).toBe("");
  });

  it("ask why a samurai cannot go there, and tell of a town while none is chosen", () => {
    const { origin } = attackIn(ACTING);
    const moving = at(KEY, ACTING, { text: `/move ${origin}` });
    const legal = mayChoose(moving as At);
    const far = Object.keys(FIXED.towns).find(
      (town) => !legal.has(town) && !typed(ACTING, `town ${town}`, `/move ${origin}`),
    );
    const why = { act: "why", line: `/move ${origin} ${far}` };
    expect(board.press(`town ${far}`, moving)).toEqual(why);
    const look = { act: "ask", line: `/look ${far}` };
    expect(board.press(`town ${far}`, at(KEY, ACTING))).toEqual(look);
    const placing = board.press("town edo", at(KEY, "2-first-place"));
    expect(placing).toEqual({ act: "why", line: "/place archer edo" });
  });

  it("begin an attack at its goal too", () => {
    const { text, origin, town } = attackIn(ACTING);
    const goal = typed(ACTING, `town ${town}`);
    expect(goal?.send).toBe(false);
    expect(goal?.text).toContain(town);
    expect(typed(ACTING, `town ${origin}`, `/attack _ ${town}`)).toEqual({ text, send: false });
  });

  it("levy in either order, and build at once", () => {
    const levy = at(KEY, ACTING).moves.find(({ verb }) => verb === "levy");
    const { weapon = "", town = "" } = levy?.slots ?? {};
    expect(typed(ACTING, `weapon levy ${weapon}`)?.send).toBe(false);
    expect(typed(ACTING, `town ${town}`, `/levy ${weapon}`)).toEqual({
      text: levy?.text,
      send: true,
    });
    expect(typed(ACTING, `weapon levy ${weapon}`, `/levy _ ${town}`)?.text).toBe(levy?.text);
    const build = at(KEY, ACTING).moves.find(({ verb }) => verb === "build");
    const spot = `build ${build?.slots.building} ${build?.slots.town}`;
    expect(typed(ACTING, spot)).toEqual({ text: build?.text, send: true });
  });

  it("tax a bank that may be taxed, and ask about any other", () => {
    const tax = at(KEY, "2-first-move-pass-tax").moves.find(({ verb }) => verb === "tax");
    const province = tax?.slots.province ?? "";
    expect(typed("2-first-move-pass-tax", `bank ${province}`)?.text).toBe(tax?.text);
    const position = at(KEY, "2-end");
    expect(board.press(`bank ${province}`, position)).toEqual({
      act: "ask",
      line: `/look ${province}`,
    });
  });

  it("retreat to a town that is offered", () => {
    const moves = [{ text: "/retreat himeji", verb: "retreat", slots: { town: "himeji" } }];
    const more = { moves };
    expect(typed("2-first-support", "retreat himeji", "", more)).toEqual({
      text: "/retreat himeji",
      send: true,
    });
    expect(typed("2-first-support", "town himeji", "", more)?.text).toBe("/retreat himeji");
    expect(mayChoose({ ...at(KEY, "2-first-support"), ...more } as unknown as At)).toContain(
      "himeji",
    );
    expect(shown("2-first-support", "", more)).toContain('data-place="retreat himeji"');
  });
});

describe("the card", () => {
  it("asks for the chances of what is typed, and of the battle under way", () => {
    const { text, origin, town } = attackIn(ACTING);
    expect(questionOf(at(KEY, ACTING) as unknown as At)).toBeUndefined();
    const question = questionOf(at(KEY, ACTING, { text }) as unknown as At);
    expect(question?.startsWith(`/odds ${origin} ${town}`)).toBe(true);
    const fair: unknown = JSON.parse(
      '{"weather":"sun","chance":500,"arrives":1000,"attack":0,"defence":0,"wins":556}',
    );
    const data = { wins: 482, cases: [fair], helped: [[482, 320]] };
    const html = shown(ACTING, text, { answers: { [question ?? ""]: { text: "As text.", data } } });
    expect(html).toContain('aria-label="you win 48 %"');
    expect(html).toContain("<td>0 : 0</td><td><b>56 %</b></td>");
    expect(html).toContain("<td>48 %</td><td>32 %</td>");
    // The table says it all.
    expect(html).not.toContain("As text.");
    const refused = shown(ACTING, text, { answers: { [question ?? ""]: { text: "No." } } });
    expect(refused).toContain("No.");
    expect(refused).not.toContain("odds-bar");
    expect(questionOf(at(KEY, "2-first-support") as unknown as At)).toBe("/battle");
  });

  it("offers nothing but the attack once its target is chosen", () => {
    const { text, origin } = attackIn(ACTING);
    expect(shown(ACTING, `/attack ${origin}`)).toContain('data-place="build ');
    expect(shown(ACTING, text)).not.toContain('data-place="build ');
    expect(shown(ACTING, "/attack ")).not.toContain("Attack on");
  });

  it("leaves the corner in which the fight is", () => {
    const name = "2-first-attack-build-dismiss-forge-move-pass-tax";
    const text = "/attack kokura hiroshima road";
    const area = { width: 640, height: 500, touch: false };
    expect(shown(name, text, { area }).includes('class="decide aside"')).toBe(true);
    expect(shown(name, text).includes('class="decide"')).toBe(true);
  });

  it("shows dice that lie, and what is still to be decided", () => {
    const html = shown("2-first-reroll-stand");
    expect(html).toContain('data-place="do reroll"');
    expect(html).toContain('data-place="do stand"');
    const { battle } = at(KEY, "2-first-reroll-stand").view as At["view"];
    expect(html).toContain(battle?.dice.join(", "));
    expect(html).toContain("not thrown");
  });

  it("is the same strip below the map on a phone", () => {
    const last = /<section class="decide"[^>]*>(?:(?!<section).)*$/;
    expect(shown(ACTING, "", { area: PHONE })).toMatch(last);
    expect(shown(ACTING)).not.toMatch(last);
  });
});

it("what the other side did is new: towns, taxes, attacks with their sums", () => {
  const since: readonly Event[] = [
    { event: "taxed", seat: 2, province: "kinki", koku: 2 },
    { event: "taxed", seat: 2, province: "kinki", koku: 1 },
    {
      event: "attacked",
      seat: 2,
      piece: "sword",
      origin: "nara",
      other: 1,
      target: "archer",
      town: "ueno",
      koku: 1,
      province: "tokai",
    },
    { event: "lost", seat: 2, total: 8, other: 1, against: 9, town: "ueno" },
    { event: "levied", seat: 2, piece: "spear", town: "osaka", koku: 2 },
  ];
  const news = newsOf({ ...at(KEY, ACTING), since } as unknown as At);
  expect(news.taxed.get("kinki")).toEqual({ seat: 2, koku: 3 });
  expect(news.fought).toEqual([{ seat: 2, origin: "nara", town: "ueno", result: "8 : 9 ×" }]);
  expect([...news.towns]).toEqual(["osaka"]);
});

it("the task says what is possible when no action is left", () => {
  const acting = at(KEY, ACTING) as At;
  expect(taskText(acting)).toBe("Choose a samurai or a bank, or levy.");
  const spent = { ...acting, view: { ...acting.view, actions: 0 } };
  expect(taskText(spent)).toBe("No action is left: build, dismiss, or end the turn.");
});

it("the text names every town, every bank and both capitals' lives", () => {
  const html = shown("2-end", "", { lang: "ja" }, "AsText");
  for (const { ja } of Object.values(FIXED.towns)) expect(html).toContain(ja);
  for (const { ja } of Object.values(FIXED.provinces))
    expect(html).toMatch(new RegExp(`${ja} \\d+石`));
  expect(html).toContain("無傷");
});

it.each(names(KEY))(
  "%s: every seat has its capital's letter, every position says how far",
  (name) => {
    const position = at(KEY, name);
    const letters = [1, 2].map((seat) => board.seat?.(seat, position).letter).sort();
    expect(letters).toEqual(["K", "Y"]);
    expect(board.progress?.(position)).not.toBe("");
  },
);

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function distance({ left, right, top, bottom }: Box, { x, y }: { x: number; y: number }): number {
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}

describe.each(["en", "ja"] as const)("names in %s", (lang) => {
  it.each([
    [1020, 830],
    [1020, 660],
  ])("%d by %d: no bank lies on a town", (width, height) => {
    const { places, banks, r } = layoutFor(FIXED, width, height, 1, lang);
    const hidden = banks.flatMap(({ x, y, width: wide }) => {
      const pill = { left: x - wide / 2, right: x + wide / 2, top: y - 13, bottom: y + 13 };
      return [...places.values()].filter((town) => distance(pill, town) < r);
    });
    expect(hidden.map(({ id }) => id)).toEqual([]);
  });

  it.each([
    [1020, 660],
    [640, 500],
    [382, 400],
  ])("are nearer to their own town than to any other on %d by %d", (width, height) => {
    for (const level of stepsFor(width, height)) {
      const layout = layoutFor(FIXED, width, height, level, lang);
      const towns = [...layout.places.values()];
      const astray = towns.filter((town) => {
        if (town.label === undefined) return false;
        const { x, y, text, anchor } = town.label;
        const wide = widthOf(text, layout.font);
        const left = x - (anchor === "end" ? wide : anchor === "middle" ? wide / 2 : 0);
        const box = { left, right: left + wide, top: y - 10, bottom: y + 2 };
        return towns.some((other) => distance(box, other) < distance(box, town) - 1);
      });
      expect(astray.map(({ id }) => id)).toEqual([]);
    }
  });

  it.each([
    [1020, 830],
    [1020, 660],
    [700, 620],
    [344, 230],
  ])("never overlap on %d by %d, and all stand where there is room", (width, height) => {
    for (const level of stepsFor(width, height)) {
      const layout = layoutFor(FIXED, width, height, level, lang);
      const boxes = [...layout.places.values()].flatMap(({ label }) => {
        if (label === undefined) return [];
        const wide = widthOf(label.text, layout.font);
        const left =
          label.x - (label.anchor === "end" ? wide : label.anchor === "middle" ? wide / 2 : 0);
        const box = { left, right: left + wide, top: label.y - 10, bottom: label.y + 2 };
        return [box];
      });
      for (const [n, box] of boxes.entries()) {
        expect(boxes.slice(n + 1).some((other) => crosses(box, other))).toBe(false);
      }
      if (layout.discs)
        expect(boxes.length).toBeGreaterThanOrEqual(width < 600 ? 40 : height < 700 ? 42 : 43);
    }
  });
});

it("an end says how it came about, in the card and for the result", () => {
  const over = at(KEY, "2-end");
  const view = { ...(over.view as At["view"]), ending: "capital" as const };
  expect(board.ended?.({ ...over, view, lang: "ja" })).toBe("首都が陥落し、ゲームは終わりました。");
  expect(shown("2-end", "", { view })).toContain("A capital has fallen");
});

it.each([
  [1, "round 1", "第1ラウンド"],
  [2, "round 1", "第1ラウンド"],
  [3, "round 2", "第2ラウンド"],
  [8, "round 4", "第4ラウンド"],
])("turn %i belongs to %s, in the head and in the text", (number, en, ja) => {
  for (const [lang, round] of [
    ["en", en],
    ["ja", ja],
  ] as const) {
    const position = at(KEY, ACTING, { lang });
    const view = { ...(position.view as View), number };
    expect(board.progress?.({ ...position, view })).toContain(round);
    expect(shown(ACTING, "", { lang, view }, "AsText")).toContain(round);
  }
});

it("the coast is stroked by province, not as one path that crosses all of the map", () => {
  const html = drawn(board, at(KEY, ACTING));
  const coasts = html.match(/<path[^>]* class="coast [^>]*>/g) ?? [];
  // Five strokes and the land, for each of the provinces.
  expect(coasts).toHaveLength(6 * Object.keys(FIXED.provinces).length);
});
