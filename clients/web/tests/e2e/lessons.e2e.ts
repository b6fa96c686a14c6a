// First lessons on a low phone: at each step the board is large enough, and the coach covers nothing;
// held sideways, the phone shows all that the coach says.

import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { houseFor } from "./house.ts";

const UPRIGHT = { width: 360, height: 640 };
const SIDEWAYS = { width: 780, height: 360 };

const BOARD_LEAST = 190;

const house = houseFor({ bare: true });

/** The height of the board, and what the coach covers of it, of the tray, and of the rings. */
function atStep(page: Page) {
  return page.evaluate(() => {
    const boxes = (all: string) =>
      [...document.querySelectorAll(all)].map((each) => each.getBoundingClientRect());
    const [coach, board] = [...boxes(".coach"), ...boxes(".board-place")];
    const under = boxes(".board-place, .tray-place, [data-hint]").filter(
      ({ top, bottom }) => top < (coach?.bottom ?? 0) && bottom > (coach?.top ?? 0),
    );
    // What is pressed in the middle of a ring: the place or the tab that shows it, no button of a map.
    const pressed = boxes("[data-hint]").map(({ left, top, width, height }) =>
      document.elementFromPoint(left + width / 2, top + height / 2),
    );
    return {
      board: board?.height ?? 0,
      under: under.length,
      covered: pressed.filter((each) => !each?.closest("[data-place],[data-shows]")).length,
      tabs: pressed.filter((each) => each?.closest("[data-shows]")).length,
      below: coach?.bottom ?? 0,
    };
  });
}

/** How many pixels of the coach's height are out of its box. */
function hiddenOf(coach: Locator): Promise<number> {
  return coach.evaluate((each) => each.scrollHeight - each.clientHeight);
}

it.each(["Manhattan", "Railroad Ink", "I.T.C.", "Tokai Danshaku", "Tokugawa"])(
  "the first lesson of %s, as it shows itself",
  async (game) => {
    const { page } = await house.visitor({
      viewport: UPRIGHT,
      hasTouch: true,
      isMobile: true,
    });
    await page.goto(house.url);
    await page.locator(".game-card", { hasText: game }).click();
    await page.getByRole("button", { name: "Learn" }).click();
    const coach = page.locator(".coach");
    const steps = coach.locator("small");
    await steps.waitFor();
    const count = Number((await steps.textContent())?.split("/")[1]);
    for (let step = 1; step <= count; step += 1) {
      await expect.poll(() => steps.textContent()).toBe(`${step} / ${count}`);
      await coach.locator("p", { hasText: /\w/ }).waitFor();
      // Rings follow a frame after the sizes.
      await expect.poll(() => atStep(page)).toMatchObject({ under: 0, covered: 0 });
      const { board, below } = await atStep(page);
      expect(board).toBeGreaterThanOrEqual(BOARD_LEAST);
      expect(below).toBeLessThan(640);
      // A card that the tray had no space for comes into view.
      if (game === "I.T.C." && step === 3)
        await expect.poll(() => coach.locator("[data-hint]").count()).toBe(1);
      // Each step but the first and the last points at something, which is brought into view.
      if (step > 1 && step < count)
        await expect.poll(() => coach.locator("[data-hint]").count()).toBeGreaterThan(0);
      // Asia is behind a tab of the phone's board, special routes behind a button of its tray.
      if (`${game} ${step}` === "I.T.C. 6" || `${game} ${step}` === "Railroad Ink 4")
        await expect.poll(async () => (await atStep(page)).tabs).toBe(1);
      await page.setViewportSize(SIDEWAYS);
      await expect.poll(() => hiddenOf(coach)).toBeLessThanOrEqual(1);
      await page.setViewportSize(UPRIGHT);
      await coach.locator(".go").click();
    }
    await page.waitForURL("**/lobby");
  },
);
