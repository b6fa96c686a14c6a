// The rules as a book beside the board: texts, pictures, this table, paragraphs; by keys alone, too.

import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { findings } from "./axe.ts";
import { House } from "./house.ts";
import { playNow, say } from "./people.ts";

const house = new House({ bench: true });
beforeAll(() => house.start());
afterAll(() => house.close());
afterEach(() => {
  expect(house.errors.splice(0)).toEqual([]);
});

async function open(page: Page): Promise<void> {
  await page
    .locator("#tools")
    .getByRole("button", { name: /^(Rules|ルール)$/ })
    .click();
  await page.locator(".rules-page .newcomers").first().waitFor();
}

/** What has the focus, as it begins. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent?.slice(0, 24) ?? "");
}

it.each([
  ["Manhattan", "light", "On this table: If the round ended now, it would bring: "],
  ["Railroad Ink", "dark", "On this table: Dice still to draw: "],
  ["Tokai Danshaku", "light", "On this table: Lines owned: "],
  ["I.T.C.", "dark", "On this table: Neutral loads on the routes: "],
  ["Tokugawa", "light", "On this table: Provinces with more samurai than the enemy: "],
] as const)("each chapter of %s has a text and a picture", async (game, colorScheme, here) => {
  const { page, context } = await house.visitor({ colorScheme });
  await playNow(page, house, `B${game.replaceAll(/\W/g, "").slice(0, 8)}`, game);
  const log = await page.locator(".log-line").count();
  await open(page);
  const chapters = page.locator(".rules-page section");
  const count = await page.locator(".rules-book nav button").count();
  expect(await chapters.count()).toBe(count);
  for (const inside of [".newcomers", ".pictures", "summary"]) {
    const matching = chapters.filter({ has: page.locator(inside) });
    await expect.poll(() => matching.count()).toBe(count);
  }
  await page.locator(".table-now", { hasText: here }).waitFor();
  expect(await findings(page, ".rules-book")).toEqual([]);
  await page.keyboard.press("Escape");
  await page.locator(".rules-book").waitFor({ state: "detached" });
  expect(await page.locator(".log-line").count()).toBe(log);
  await context.close();
});

it("is read by keys alone, and a search opens the paragraphs that it finds", async () => {
  const { page, context } = await house.visitor();
  await playNow(page, house, "Kei");
  await open(page);
  const chapter = page.locator(".rules-book nav button", { hasText: "Scoring" });
  await chapter.focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => focused(page)).toMatch(/^5\. Scoring/);
  expect(await chapter.getAttribute("aria-current")).toBe("true");
  await expect.poll(() => page.locator("[data-rule='5']").boundingBox()).toMatchObject({});
  // The next stop is what opens the paragraphs.
  await page.keyboard.press("Tab");
  expect(await focused(page)).toBe("All 4 paragraphs");
  await page.keyboard.press("Enter");
  await page.locator("[data-rule='5.1']").waitFor();
  await page.getByRole("searchbox").fill("take over");
  await expect
    .poll(() => page.locator(".rules-page details[open] mark").count())
    .toBeGreaterThan(0);
  await page.getByRole("searchbox").press("Enter");
  await expect.poll(() => page.locator(".rules-book output").textContent()).toMatch(/^1 of \d/);
  await context.close();
});

it("opens at the paragraph of a refusal", async () => {
  const { page, context } = await house.visitor();
  await playNow(page, house, "Rue");
  await page.fill("#line", "/take 4 4 4 4 4 4");
  await page.press("#line", "Enter");
  await page.locator(".refusal .link, .box .link", { hasText: "3.2" }).first().click();
  const paragraph = page.locator(".rules-page details[open] [data-rule='3.2']");
  await paragraph.waitFor();
  await expect.poll(() => focused(page)).toMatch(/^3\.2 A choice/);
  const box = await paragraph.boundingBox();
  const frame = await page.locator(".rules-page").boundingBox();
  expect(box?.y).toBeGreaterThanOrEqual((frame?.y ?? 0) - 1);
  expect((box?.y ?? 0) + 20).toBeLessThan((frame?.y ?? 0) + (frame?.height ?? 0));
  await context.close();
});

it("says what chapters mean on this table as it is now", async () => {
  const { page, context } = await house.visitor();
  await playNow(page, house, "Toki");
  await open(page);
  const stock = page.locator(".table-now", { hasText: "Blocks left in stock: " });
  await expect.poll(() => stock.textContent()).toMatch(/Toki (24|18)/);
  await page.keyboard.press("Escape");
  await say(page, "/take 4 3 2 2 1 1");
  await open(page);
  await expect.poll(() => stock.textContent()).toMatch(/Toki 18/);
  await context.close();
});
