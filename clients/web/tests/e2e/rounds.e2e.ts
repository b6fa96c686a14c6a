// A round of each other game by clicking alone: every click hits the target that is visible there.

import { expect, it } from "vitest";
import { houseFor } from "./house.ts";
import { play, playNow, type Taste } from "./people.ts";

const house = houseFor({ bare: true });

/** The preferred targets, so that a round takes some dozen clicks. */
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
  const { page } = await house.visitor({ viewport: { width: 1280, height: 860 } });
  await playNow(page, house, visitor, game);
  const clicks = await play(page, taste, { clicksMax: 250 });
  // Lucky turns take one click each, but at least one.
  expect(clicks).toBeGreaterThan(1);
  expect(await page.locator(".refusal").count()).toBe(0);
});
