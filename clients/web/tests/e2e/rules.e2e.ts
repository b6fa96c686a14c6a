// The rules as a book beside the board: search, paragraphs, this table; by keys alone, too.

import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { houseFor } from "./house.ts";
import { line, say } from "./people.ts";
import { openRules, sitDown } from "./table.ts";

const house = houseFor({ bare: true });

/** What has the focus, as it begins. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent?.slice(0, 24) ?? "");
}

it("is read by keys alone, and a search opens the paragraphs that it finds, beside those that are open", async () => {
  const { page } = await house.visitor();
  await sitDown(page, house);
  await openRules(page);
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

  // A chapter that was opened stays open when a search ends.
  await chapter.press("Escape");
  await openRules(page);
  const opened = page.locator(".rules-page details[open]");
  await page.locator(".rules-page summary").first().click();
  await expect.poll(() => opened.count()).toBe(1);
  const search = page.getByRole("searchbox");
  await search.fill("zebra");
  await expect.poll(() => page.locator(".rules-book output").textContent()).toBe("0 places");
  expect(await opened.count()).toBe(1);
  await search.fill("take over");
  await expect.poll(() => opened.count()).toBeGreaterThan(1);
  const matching = await opened.count();
  await search.fill("");
  await page.locator(".rules-page mark").first().waitFor({ state: "detached" });
  expect(await opened.count()).toBe(matching);
});

it("opens at the paragraph of a refusal, and says what chapters mean on this table as it is now", async () => {
  const { page } = await house.visitor();
  await sitDown(page, house, "manhattan", "Tamo");
  await page.locator("[data-place].may").first().waitFor();
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
  await page.keyboard.press("Escape");

  await openRules(page);
  const stock = page.locator(".table-now", { hasText: "Blocks left in stock: " });
  await expect.poll(() => stock.textContent()).toMatch(/Tamo: (24|18)/);
  await page.keyboard.press("Escape");
  await say(page, "/take 4 3 2 2 1 1");
  await openRules(page);
  await expect.poll(() => stock.textContent()).toMatch(/Tamo: 18/);
});

it("is named by its game, counts what it finds, and leads to a lesson", async () => {
  const { page } = await house.visitor({ locale: "ja" });
  await sitDown(page, house);
  await openRules(page);
  const book = page.locator(".rules-book");
  expect(await book.locator("h2").textContent()).toBe("マンハッタンのルール");
  await page.getByRole("searchbox").fill("ビル");
  await expect.poll(() => book.locator("output").textContent()).toMatch(/^\d+か所$/);
  await book.getByRole("button", { name: "レッスン" }).click();
  await page.locator(".coach small").waitFor();
  expect(await page.locator("dialog").count()).toBe(0);
  await openRules(page);
  expect(await book.getByRole("button", { name: "レッスン" }).count()).toBe(0);
});

it("pictures that come late leave the focus in the search", async () => {
  const { page } = await house.visitor({ serviceWorkers: "block" });
  await sitDown(page, house);
  let arrive = (): void => undefined;
  const arrival = new Promise<void>((done) => {
    arrive = done;
  });
  await page.route("**/assets/chapters-*.js", async (route) => {
    await arrival;
    await route.continue();
  });
  await openRules(page);
  await page.locator(".rules-book nav button", { hasText: "Scoring" }).click();
  await expect.poll(() => focused(page)).toMatch(/^5\. Scoring/);
  const search = page.getByRole("searchbox");
  await search.focus();
  expect(await page.locator(".rules-page .pictures").count()).toBe(0);
  arrive();
  await page.locator(".rules-page .pictures").first().waitFor();
  await page.keyboard.type("floors");
  expect(await search.inputValue()).toBe("floors");
});

it("is requested again as the table changes, in a while, and only where it is seen", async () => {
  const { page, context } = await house.visitor();
  let [requests, books] = [0, 0];
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      requests += `${payload}`.includes('"/rules') ? 1 : 0;
      books += `${payload}`.includes('"/rules "') ? 1 : 0;
    }),
  );
  await sitDown(page, house);
  const other = await context.newPage();
  await other.goto(page.url());
  await other.locator(".board-root").waitFor();
  await page.bringToFront();
  const begin = Date.now();
  await openRules(page);
  // Not by `say`: it waits for a frame, which a page in the background seldom draws.
  const talk = async (text: string) => {
    await other.fill("#line", text);
    await other.press("#line", "Enter");
    await expect.poll(() => line(other), { interval: 20 }).toBe("");
  };
  for (let at = 0; at < 9; at += 1) await talk(`talk ${at}`);
  await page.locator(".log-line.talk", { hasText: "talk 8" }).waitFor({ state: "attached" });
  expect(requests).toBeLessThanOrEqual(2 + (Date.now() - begin) / 3000);
  await expect.poll(() => requests).toBeGreaterThan(1);
  // The whole book is sent once.
  expect(books).toBe(1);

  const show = (visibilityState: string) =>
    page.evaluate((value) => {
      Object.defineProperty(document, "visibilityState", { value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, visibilityState);
  await show("hidden");
  const before = requests;
  await talk("a line meanwhile");
  await page
    .locator(".log-line.talk", { hasText: "a line meanwhile" })
    .waitFor({ state: "attached" });
  await page.waitForTimeout(3500);
  expect(requests).toBe(before);
  await show("visible");
  await expect.poll(() => requests).toBe(before + 1);
});
