// Tokugawa's board: the lines and queries of presses, the texts of card and text board, the
// positions of names.

import { describe, expect, it } from "vitest";
import { applyAct } from "../../src/board/applyAct.ts";
import type { Position } from "../../src/board/contract.ts";
import { crosses, widthOf } from "../../src/board/index.ts";
import { board } from "../../src/games/tokugawa/index.tsx";
import { layoutFor, stepsFor } from "../../src/games/tokugawa/layout.ts";
import {
  type At,
  type Fixed,
  mayChoose,
  newsOf,
  questionOf,
} from "../../src/games/tokugawa/selectors.ts";
import type { Event, View } from "../../src/games/tokugawa/view.ts";
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
    const oddsText = "the whole attack: 48.2% (521/1080)";
    const data = { wins: { permille: 482, exact: "521/1080" } };
    const html = shown(ACTING, text, { answers: { [question ?? ""]: { text: oddsText, data } } });
    expect(html).toContain(oddsText);
    expect(html).toContain('<b class="chance" aria-hidden="true">48.2%</b>');
    expect(shown(ACTING, text, { answers: { [question ?? ""]: { text: "No." } } })).not.toContain(
      "chance",
    );
    expect(questionOf(at(KEY, "2-first-support") as unknown as At)).toBe("/battle");
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
    expect(shown(ACTING, "", { area: PHONE })).toContain('class="below"');
    expect(shown(ACTING)).not.toContain('class="below"');
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

describe.each(["en", "ja"] as const)("names in %s", (lang) => {
  it.each([
    [1020, 830],
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
      if (layout.discs) expect(boxes.length).toBeGreaterThanOrEqual(width < 600 ? 40 : 43);
    }
  });
});

it("an end says how it came about, in the card and for the result", () => {
  const over = at(KEY, "2-end");
  const view = { ...(over.view as At["view"]), ending: "capital" as const };
  expect(board.ended?.({ ...over, view, lang: "ja" })).toBe(
    "敵の首都が陥落し、ゲームは終わりました。",
  );
  expect(shown("2-end", "", { view })).toContain("The enemy capital has fallen");
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
