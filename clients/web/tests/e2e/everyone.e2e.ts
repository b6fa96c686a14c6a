// Accessibility: no finding of axe on any page, no sideways scrolling at 320 px.

import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { findings } from "./axe.ts";
import { House } from "./house.ts";
import { arrive, clickAMove, playNow } from "./people.ts";

const house = new House();
beforeAll(() => house.start());
afterAll(() => house.close());
afterEach(() => {
  expect(house.errors.splice(0)).toEqual([]);
});

/** By how much a page is wider than the screen. */
function sideways(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}

it.each(["light", "dark"] as const)("axe finds nothing on any page, %s", async (colorScheme) => {
  const { page, context } = await house.visitor({ colorScheme });
  await page.goto(house.url);
  await page.waitForSelector(".game-card");
  expect(await findings(page)).toEqual([]);
  await arrive(page, house, `Ayu${colorScheme}`);
  await page.getByRole("button", { name: "To the lobby" }).click();
  await page.locator(".new-room .game-card", { hasText: "Manhattan" }).click();
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: "Make the room" }).click();
  await page.waitForSelector(".waiting");
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.waitForSelector("dialog");
  expect(await findings(page)).toEqual([]);
  await context.close();
});

it.each(["Manhattan", "Railroad Ink", "Tokai Danshaku", "I.T.C.", "Tokugawa"])(
  "axe finds nothing on the board of %s, drawn and as text",
  async (game) => {
    const { page, context } = await house.visitor();
    await playNow(page, house, `A${game.slice(0, 8).replaceAll(/[^a-zA-Z]/g, "")}`, game);
    await page.locator("[data-place]").first().waitFor();
    expect(await findings(page)).toEqual([]);
    const text = page.getByRole("button", { name: "As text" });
    if ((await text.count()) > 0) {
      await text.click();
      expect(await findings(page)).toEqual([]);
    }
    await context.close();
  },
);

it.each([320, 360, 820, 1440, 2560])("nothing scrolls sideways at %d px", async (width) => {
  const { page, context } = await house.visitor({ viewport: { width, height: 700 } });
  await page.goto(house.url);
  await page.waitForSelector(".game-card");
  expect(await sideways(page)).toBe(0);
  await arrive(page, house, `Wide${width}`);
  await page.getByRole("button", { name: "To the lobby" }).click();
  await page.waitForSelector(".rooms");
  expect(await sideways(page)).toBe(0);
  await page.getByRole("button", { name: "Make the room" }).click();
  await page.waitForSelector(".waiting");
  expect(await sideways(page)).toBe(0);
  await page.goto(house.url);
  await page.locator(".game-card", { hasText: "Manhattan" }).click();
  await page.getByRole("button", { name: "Play now" }).click();
  await page.waitForSelector(".board-root");
  await clickAMove(page);
  expect(await sideways(page)).toBe(0);
  await context.close();
});
