// A connection that is open but dead is noticed, reported, and replaced; lines and clicks in the
// meantime are not lost, nor are those before a slow answer.

import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { houseFor } from "./house.ts";
import { arrive, line, say } from "./people.ts";
import { type DeafProxy, eachBehindProxy } from "./proxy.ts";
import { sitDown } from "./table.ts";

const house = houseFor({ bare: true });
let proxy: DeafProxy;
eachBehindProxy(house, (made) => {
  proxy = made;
});

const FOLDER = process.env.SHOTS;
/** The allowance for a busy machine on top of the page's own times. */
const SLACK_MS = 2_000;

/** The time until the page reports that the connection is lost. */
async function noticed(page: Page): Promise<number> {
  const began = Date.now();
  await page.locator(".link-bar").waitFor({ timeout: 60_000 });
  return Date.now() - began;
}

async function reconnects(page: Page): Promise<void> {
  proxy.revive();
  await page.locator(".link-bar").waitFor({ state: "detached", timeout: 40_000 });
}

it("is noticed within 3 s while a line waits, and what is said and clicked is kept", async () => {
  const { page } = await house.visitor();
  await sitDown(page, proxy);
  await page.locator("[data-place].may").first().waitFor();
  await say(page, "before");
  proxy.die();
  await page.fill("#line", "into the void");
  await page.press("#line", "Enter");
  const time = noticed(page);
  // A waiting line is shown as slow by a timer of its own, long before.
  await page.locator(".slow").waitFor({ timeout: 300 + SLACK_MS });
  await page.locator("[data-place].may").first().click();
  await expect.poll(() => line(page)).toMatch(/^\/take \d$/);
  expect(await time).toBeLessThan(3_000 + SLACK_MS);
  if (FOLDER !== undefined) await page.screenshot({ path: `${FOLDER}/dead.png` });
  // The board can still be clicked, and sends nothing by itself.
  await page.locator("[data-place].may").first().click();
  await expect.poll(() => line(page)).toMatch(/^\/take \d \d$/);
  const draft = await line(page);
  await reconnects(page);
  const talk = page.locator(".log-line.talk", { hasText: "into the void" });
  await talk.waitFor();
  expect(await talk.count()).toBe(1);
  expect(await line(page)).toBe(draft);
});

it("that is slow carries out each press, in turn, after the line that is on its way", async () => {
  const { page } = await house.visitor();
  await arrive(page, proxy, "Lena");
  await page.getByRole("button", { name: "Play with a friend" }).click();
  // Where the browser refuses the clipboard, the link is in a dialog.
  await page.locator(".copy-bar, dialog").first().waitFor();
  await page.keyboard.press("Escape");
  const adds = page.getByRole("button", { name: "Add a bot" });
  await adds.nth(2).waitFor();
  proxy.late = 400;
  await page.fill("#line", "wait for Ben");
  await page.press("#line", "Enter");
  await adds.nth(0).click();
  await adds.nth(1).click();
  await page.getByRole("button", { name: "Remove" }).nth(1).waitFor();
  await page.locator(".log-line.talk", { hasText: "wait for Ben" }).waitFor();
  await expect.poll(() => line(page)).toBe("");
});

it("is noticed within 23 s where nothing is said", async () => {
  const { page } = await house.visitor();
  await sitDown(page, proxy);
  await page.locator("[data-place]").first().waitFor();
  // A live connection gets pings, answers them, and stays open.
  await page.waitForTimeout(20_000);
  expect(await page.locator(".link-bar").count()).toBe(0);
  proxy.die();
  const time = await noticed(page);
  expect(time).toBeGreaterThan(5_000);
  expect(time).toBeLessThan(23_000 + SLACK_MS);
  await reconnects(page);
  await say(page, "here again");
  await page.locator(".log-line.talk", { hasText: "here again" }).waitFor();
});

it("is noticed at once when the browser knows that there is no network", async () => {
  const { page } = await house.visitor();
  await sitDown(page, proxy);
  await page.locator("[data-place]").first().waitFor();
  // The server is on this machine, and answers: the browser was wrong.
  await page.evaluate(() => dispatchEvent(new Event("offline")));
  await page.waitForTimeout(3_000);
  expect(await page.locator(".link-bar").count()).toBe(0);
  proxy.die();
  await page.evaluate(() => dispatchEvent(new Event("offline")));
  expect(await noticed(page)).toBeLessThan(3_000 + SLACK_MS);
  await reconnects(page);
});
