// Pages for everyone, as one visit walks through them: in both themes axe finds nothing, in no
// window they scroll sideways, and screen readers are given landmarks and names.

import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { findings } from "./axe.ts";
import { houseFor } from "./house.ts";
import { arrive, clickAMove } from "./people.ts";
import { jumps, named, read, riddles } from "./reading.ts";

const house = houseFor({ bare: true });

const WIDTHS = [320, 360, 820, 1440, 2560];
const HEIGHT = 700;

/** By how much the page is wider than windows of all widths; afterwards the window is as before. */
async function sideways(page: Page): Promise<readonly number[]> {
  const before = page.viewportSize();
  const widths: number[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    const wider = await page.evaluate(
      () =>
        new Promise<number>((done) =>
          // What follows the size of the window is drawn in the next frame.
          requestAnimationFrame(() =>
            requestAnimationFrame(() => done(document.documentElement.scrollWidth - innerWidth)),
          ),
        ),
    );
    widths.push(wider);
  }
  if (before !== null) await page.setViewportSize(before);
  return widths;
}

async function expectForEveryone(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findings(page)).toEqual([]);
  }
  expect(await sideways(page)).toEqual(WIDTHS.map(() => 0));
}

it("the pages from the start to a room, as seen and as read", async () => {
  const { page } = await house.visitor();
  await page.goto(house.url);
  await page.waitForSelector(".game-card");
  const start = await read(page);
  expect(riddles(start)).toEqual([]);
  expect(jumps(start)).toEqual([]);
  expect(named(start, "banner")).toHaveLength(1);
  expect(named(start, "main")).toHaveLength(1);
  expect(named(start, "radio").join()).toContain("Manhattan");
  await expectForEveryone(page);

  await arrive(page, house, "Eve");
  await page.getByRole("button", { name: "To the lobby" }).click();
  await page.waitForSelector(".rooms");
  const lobby = await read(page);
  expect(riddles(lobby)).toEqual([]);
  expect(jumps(lobby)).toEqual([]);
  expect(named(lobby, "heading").filter((name) => name !== "")).toContain("New room");
  await page.locator(".new-room .game-card", { hasText: "Manhattan" }).click();
  await expectForEveryone(page);

  await page.getByRole("button", { name: "Make the room" }).click();
  await page.waitForSelector(".waiting");
  await expectForEveryone(page);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.waitForSelector("dialog");
  await expectForEveryone(page);
});

it("a board that is opened in the narrowest window scrolls sideways in no window", async () => {
  const { page } = await house.visitor({ viewport: { width: WIDTHS[0] ?? 0, height: HEIGHT } });
  await page.goto(house.url);
  await page.locator(".game-card", { hasText: "Manhattan" }).click();
  await page.getByRole("button", { name: "Play now" }).click();
  await page.waitForSelector(".board-root");
  await clickAMove(page);
  expect(await sideways(page)).toEqual(WIDTHS.map(() => 0));
});
