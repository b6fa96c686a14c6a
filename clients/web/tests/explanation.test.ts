// The text about a place: where it stands, and what a board tells in both languages.

import { describe, expect, it } from "vitest";
import type { Position } from "../src/board/contract.ts";
import { boardOf } from "../src/board/registry.ts";
import { aboutSpot } from "../src/screens/explanation.tsx";
import { boardAnswers } from "../src/state/selectors.ts";
import { game } from "./recorded.ts";

const SIZE = { width: 380, height: 120 };
const WINDOW = { width: 1000, height: 300 };

describe("the text about a place stands beside it, never over it", () => {
  it.each([
    ["below", { left: 300, top: 20, width: 60, height: 60 }, { left: 140, top: 88 }],
    ["above", { left: 300, top: 220, width: 60, height: 60 }, { left: 140, top: 92 }],
    [
      "right of a tall place",
      { left: 300, top: 90, width: 60, height: 140 },
      { left: 368, top: 90 },
    ],
    [
      "left of one at the border",
      { left: 900, top: 90, width: 90, height: 140 },
      { left: 512, top: 90 },
    ],
  ])("%s", (_, target, expected) => {
    expect(aboutSpot(target, SIZE, WINDOW)).toEqual({ ...SIZE, ...expected });
  });

  it("covers no legal place if another side has the space", () => {
    const button = { left: 300, top: 20, width: 90, height: 40 };
    const below = { left: 300, top: 70, width: 90, height: 40 };
    expect(aboutSpot(button, SIZE, WINDOW, [below])).toEqual({ ...SIZE, left: 398, top: 20 });
    const right = { left: 400, top: 20, width: 90, height: 40 };
    expect(aboutSpot({ ...button, top: 150 }, SIZE, WINDOW, [right])).toMatchObject({
      left: 398,
      top: 150,
    });
  });

  it("is not shown where it would cover the place", () => {
    expect(aboutSpot({ left: 0, top: 20, width: 1000, height: 260 }, SIZE, WINDOW)).toBeUndefined();
  });
});

/** What a board tells about a place. */
async function textOf(key: string, target: string, lang: "en" | "ja") {
  const { about } = await boardOf(key);
  const body = game(key);
  const position = {
    lang,
    game: body,
    fixed: body.static,
    view: {
      sites: { nara: [1, 1, 0, true, false, false, 0] },
      pieces: { nara: [1, "archer", false, false] },
    },
  };
  return about?.(target, position as unknown as Position);
}

describe("what is told", () => {
  it.each([
    ["en", "Nara: wall, castle (not ready yet)"],
    ["ja", "奈良: 城壁、城(未完成)"],
  ] as const)("of buildings in %s", async (lang, text) => {
    const things = ["archer", "wall", "castle"];
    expect(await textOf("tokugawa", "town nara", lang)).toEqual({ text, things });
  });

  it.each([
    ["itc", "act 12-asia", "12"],
    ["itc", "card 195", "195"],
    ["itc", "on n07", "n07"],
    ["itc", "sell asia black", "black_goods"],
    ["itc", "die red", "red_die"],
    ["itc", "place asia", "asia"],
    ["tokugawa", "build castle nara", "castle"],
    ["tokugawa", "weapon levy sword", "sword"],
    ["tokugawa", "contract W1", "W1"],
    ["tokai", "station sakae", "sakae"],
    ["tokai", "say /buy express", "express"],
    ["railroad_ink", "route 2", "special_2"],
    ["railroad_ink", "die 1 rail_t", "rail_t"],
    ["manhattan", "card 1 5", "card5"],
    ["manhattan", "block 3", "block3"],
    ["manhattan", "take 1", "block1"],
    ["tokai", "say /sell jr_iida bank", "jr_iida"],
    ["tokai", "plan jr_iida toyohashi", "jr_iida"],
    ["itc", "space grey 2", "grey"],
    ["itc", "verb land 195", "195"],
  ])("of one thing: %s, %s", async (key, target, thing) => {
    expect(await textOf(key, target, "en")).toEqual({ things: [thing] });
  });

  it.each([
    ["itc", "act nothing"],
    ["tokugawa", "town osaka"],
    ["tokai", "say /buy none"],
  ])("nothing: %s, %s", async (key, target) => {
    expect(await textOf(key, target, "en")).toBeUndefined();
  });
});

describe("a text about a place is no answer for the board", () => {
  const answers = { "/look nara": { text: "Nara" }, "/look archer about": { text: "Archer" } };

  it("is left out", () => {
    expect(Object.keys(boardAnswers({ ...answers, "/learn": undefined }))).toEqual(["/look nara"]);
  });

  it("makes no new object, so that nothing is drawn again", () => {
    expect(boardAnswers(answers)).toBe(boardAnswers(answers));
  });
});
