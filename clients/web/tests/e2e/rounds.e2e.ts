// A round of each other game by clicking alone: every click lands where it is seen.

import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { House } from "./house.ts";
import { play, playNow, type Taste } from "./people.ts";

const house = new House({ bench: true });
beforeAll(() => house.start());
afterAll(() => house.close());
afterEach(() => {
  expect(house.errors.splice(0)).toEqual([]);
});

/** What a person would click first, so that a round passes in some dozen clicks. */
const ROUNDS: readonly (readonly [name: string, visitor: string, taste: Taste])[] = [
  [
    "Railroad Ink",
    "Ruri",
    {
      prefer: ["done", "go", "die ", "square "],
      never: ["route ", "turn ", "next"],
      until: "round [2-9]",
    },
  ],
  [
    "Tokai Danshaku",
    "Toki",
    {
      prefer: ["done", "say /buy none", "say /bid pass", "say /dest", "say /", "journey "],
      never: ["ask ", "shut", "higher", "lower", "say /back", "line ", "pill "],
      until: "turn ([5-9]|\\d\\d)",
    },
  ],
  ["I.T.C.", "Itsuki", { prefer: ["do end", "do ", "die "], until: "round [2-9]" }],
  ["Tokugawa", "Towa", { prefer: ["do pass", "do stand", "support done"], until: "round [3-9]" }],
];

it.each(ROUNDS)("a round of %s is played by clicking alone", async (game, visitor, taste) => {
  const { page, context } = await house.visitor({ viewport: { width: 1280, height: 860 } });
  await playNow(page, house, visitor, game);
  const clicks = await play(page, taste, { clicksMax: 250 });
  // Turns that are lucky pass with a click each, but not without any.
  expect(clicks).toBeGreaterThan(1);
  expect(await page.locator(".refusal").count()).toBe(0);
  await context.close();
});
