// The start page: one click to play under a proposed name, a friend's link, and a wish for a game.

import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { findings } from "./axe.ts";
import { houseFor } from "./house.ts";

const house = houseFor();

it.each([
  ["en", "Play now", { width: 1280, height: 720 }],
  ["ja", "いますぐ遊ぶ", { width: 390, height: 844 }],
])("in %s one press leads to a board, without a key typed", async (locale, play, viewport) => {
  const { page } = await house.visitor({ locale, viewport });
  await page.goto(house.url);
  const button = page.getByRole("button", { name: play });
  await expect.poll(() => button.isEnabled()).toBe(true);
  expect(await page.inputValue("#name")).toMatch(/^[\p{L}\d]{4,16}$/u);
  expect(await page.locator(".covers .cover").count()).toBe(5);
  expect(await findings(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  const below = await page.locator(".covers .cover").first().boundingBox();
  expect(below?.y).toBeLessThan(viewport.height - 100);
  await button.click();
  await page.locator(".board-root [data-place].may").first().waitFor();
  await page.locator(".task.mine .verb").waitFor();
});

it("a recorded game is played in the box of its cover, and a press leads to tables", async () => {
  const { page } = await house.visitor({ viewport: { width: 1280, height: 720 } });
  await page.addInitScript(() => {
    const seen = globalThis as { shifted?: number };
    seen.shifted = 0;
    new PerformanceObserver((list) => {
      for (const each of list.getEntries()) {
        seen.shifted = (seen.shifted ?? 0) + (each as unknown as { value: number }).value;
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.clock.install();
  await page.goto(house.url);
  const living = page.locator(".living");
  await living.waitFor();
  const before = await living.innerHTML();
  await page.clock.runFor(4000);
  await expect.poll(() => living.innerHTML()).not.toBe(before);
  expect(await page.evaluate(() => (globalThis as { shifted?: number }).shifted)).toBeLessThan(
    0.05,
  );
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.locator("input[value=manhattan]").check({ force: true });
  await expect.poll(() => living.innerHTML()).toContain("site cairo");
  const still = await living.innerHTML();
  await page.clock.runFor(4000);
  expect(await living.innerHTML()).toBe(still);
  expect(await findings(page)).toEqual([]);
  await page.locator(".showcase").click();
  await page.locator(".lobby").waitFor();
});

/** Four drawings of the page. */
async function frames(page: Page): Promise<void> {
  for (let drawn = 0; drawn < 4; drawn += 1) {
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

it("a friend's room is made with one press, and its link is copied or shown", async () => {
  for (const open of [true, false]) {
    const { page, context } = await house.visitor();
    if (open) await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    else {
      await page.addInitScript(() =>
        Object.defineProperty(navigator, "clipboard", { value: undefined }),
      );
    }
    await page.goto(house.url);
    await page.getByRole("button", { name: "Play with a friend" }).click();
    await page.locator(".waiting").waitFor();
    const bar = page.locator(open ? ".copy-bar" : "dialog");
    if (open) {
      await expect.poll(() => bar.textContent()).toContain("Copied");
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/r\/[\w-]+$/);
    } else {
      await expect.poll(() => bar.locator("input").inputValue()).toMatch(/\/r\/[\w-]+$/);
      expect(await bar.textContent()).not.toContain("Copied");
      // The room's line, which comes a few frames later, leaves the focus where it is.
      await page.locator("#line").waitFor();
      await frames(page);
      expect(await page.evaluate(() => getSelection()?.toString())).toMatch(/\/r\/[\w-]+$/);
    }
    // What is copied needs no answer: presses go through what says so, and it goes by itself.
    if (open) await page.locator(".titles").click();
    if (!open) await bar.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => bar.count()).toBe(0);
    await context.close();
  }
});

it("a wish is made with one press, and taken back with another", async () => {
  const { page } = await house.visitor();
  await page.goto(house.url);
  await page.locator(".game-card", { hasText: "Manhattan" }).click();
  await page.getByRole("button", { name: "Find a game" }).click();
  await page.waitForURL("**/lobby");
  await page.getByRole("button", { name: "Leave the queue" }).click();
  await expect.poll(() => page.locator(".queue").count()).toBe(0);
});

it.each([
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
  { width: 780, height: 360 },
])("a lesson is opened with one press, and goes on by the coach at $width", async (viewport) => {
  const { page } = await house.visitor({ viewport });
  await page.goto(house.url);
  await page.locator(".game-card", { hasText: "Manhattan" }).click();
  await page.getByRole("button", { name: "Learn" }).click();
  const coach = page.locator(".coach");
  const status = coach.getByRole("status");
  await expect.poll(() => status.textContent()).toContain("Own buildings");
  // For a moment something else has the space of the tray, as a note on the connection may.
  const tray = page.locator(".tray-place");
  const squeeze = (css: string): Promise<void> =>
    tray.evaluate((each, to) => {
      each.style.cssText = to;
    }, css);
  await squeeze("height: 0; min-height: 0; padding: 0");
  await coach.getByRole("button", { name: "Next" }).click();
  await expect.poll(() => status.textContent()).toContain("Take six blocks");
  await frames(page);
  await squeeze("");
  const rings = coach.locator("[data-hint]");
  await expect.poll(() => rings.count()).toBeGreaterThan(0);
  for (const ring of await rings.all()) {
    const box = await ring.boundingBox();
    const bar = await coach.boundingBox();
    if (box === null || bar === null) throw new Error("a ring has no place");
    const apart =
      box.y >= bar.y + bar.height || box.y + box.height <= bar.y || box.x + box.width <= bar.x;
    expect(apart).toBe(true);
  }
  // Beside the seats there is a table that may scroll, where the window is wide.
  if (viewport.width < 1024) expect(await findings(page)).toEqual([]);
  await coach.getByRole("button", { name: "Show me" }).click();
  await expect.poll(() => status.textContent()).toContain("A card says where");
  await coach.getByRole("button", { name: "Next" }).click();
  await expect.poll(() => status.textContent()).toContain("Build on an empty site");
  expect(await coach.textContent()).toContain("4 / 8");
  expect(await page.locator(".log-line", { hasText: "Lesson, step" }).count()).toBe(0);
  await coach.getByRole("button", { name: "Skip" }).click();
  await page.waitForURL("**/lobby");
});

it("a new game begins with its lesson, and goes on to bots with the coach and the rules", async () => {
  const { page } = await house.visitor();
  await page.goto(house.url);
  await page.locator(".game-card", { hasText: "Manhattan" }).click();
  await page.locator("button[type=submit]").click();
  await page.locator(".coach").getByRole("button", { name: "Skip" }).click();
  const tip = page.locator(".coach", { hasText: "Coach: " });
  await tip.waitFor();
  expect(await page.locator(".seats .seat").count()).toBe(2);
  expect(page.url()).toMatch(/\/room\/\d+$/);
  await page.locator("#tools").getByRole("button", { name: "Rules" }).click();
  const book = page.locator("dialog .rules-book");
  await book.getByRole("searchbox").fill("clockwise");
  await expect.poll(() => book.locator("mark").count()).toBeGreaterThan(1);
  expect(await book.locator("small").count()).toBeGreaterThan(3);
  await expect.poll(() => book.locator(".pictures > li").count()).toBe(12);
});

it("a registered person logs in from the start page", async () => {
  const { page, context } = await house.visitor();
  await page.goto(house.url);
  await page.fill("#name", "Acco");
  await page.getByRole("button", { name: "To the lobby" }).click();
  await page.fill("#line", "/register correct-horse-1");
  await page.press("#line", "Enter");
  await page.locator(".log-line.note").first().waitFor();
  await context.close();

  const { page: other } = await house.visitor();
  await other.goto(house.url);
  await other.getByRole("button", { name: "Log in" }).click();
  const dialog = other.locator("dialog");
  const logIn = async (password: string): Promise<void> => {
    await dialog.getByLabel("Name").fill("Acco");
    await dialog.getByLabel("password").fill(password);
    await dialog.getByRole("button", { name: "Log in" }).click();
  };
  await logIn("a wrong password");
  await dialog.locator(".wrong").waitFor();
  expect(await dialog.getByLabel("Name").inputValue()).toBe("Acco");
  await logIn("correct-horse-1");
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => other.locator(".known-name").textContent()).toContain("Acco");
});
