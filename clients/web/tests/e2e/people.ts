// What people do, in the words of the page.

import type { Page } from "playwright-core";
import type { House } from "./house.ts";

/** Open the start page as somebody new, and choose a game. */
export async function arrive(
  page: Page,
  house: House,
  name: string,
  game = "Manhattan",
): Promise<void> {
  await page.goto(house.url);
  await page.fill("#name", name);
  await page.locator(".game-card", { hasText: game }).first().click();
}

/** From the start page to a table with a bot. */
export async function playNow(
  page: Page,
  house: House,
  name: string,
  game = "Manhattan",
): Promise<void> {
  await arrive(page, house, name, game);
  await page.locator("button[type=submit]").click();
  await page.waitForSelector(".board-root");
}

/** What stands in the line. */
export function line(page: Page): Promise<string> {
  return page.inputValue("#line");
}

/** Say a line by typing it. */
export async function say(page: Page, text: string): Promise<void> {
  await page.fill("#line", text);
  await page.press("#line", "Enter");
  await page.waitForFunction(() => {
    const input = document.querySelector<HTMLInputElement>("#line");
    return input?.value === "";
  });
}

/** Choices that repeat: a test that fails plays the same game again. */
let chosen = 1;
function choice(count: number): number {
  chosen = (chosen * 48271) % 2147483647;
  return chosen % count;
}

/** Click one of the places that a legal line has, or the armed button; false: nothing to click. */
export async function clickAMove(page: Page): Promise<boolean> {
  const armed = page.locator(".send.armed:not(:disabled)");
  if ((await armed.count()) > 0) {
    await armed.click({ timeout: 2000 }).catch(() => undefined);
    return true;
  }
  const places = page.locator("[data-place].may");
  const count = await places.count();
  if (count === 0) return false;
  // Between counting and clicking the table may have changed: then there is a next time.
  await places
    .nth(choice(count))
    .click({ timeout: 2000 })
    .catch(() => undefined);
  return true;
}

/** Press N until a legal place of this kind has the focus. */
export async function walkTo(page: Page, kind: string): Promise<void> {
  for (let steps = 0; steps < 200; steps += 1) {
    await page.keyboard.press("n");
    const at = await page.evaluate(() => document.activeElement?.getAttribute("data-place"));
    if (at?.startsWith(kind)) return;
  }
  throw new Error(`no ${kind}in sight`);
}

/** Whether the result is shown. */
export async function isOver(page: Page): Promise<boolean> {
  return (await page.locator(".result, .result-back").count()) > 0;
}

/** Play by clicking alone, until the game is over. */
export async function playToTheEnd(pages: readonly Page[], clicksMax = 2000): Promise<number> {
  let clicks = 0;
  const first = pages[0];
  while (first !== undefined && !(await isOver(first)) && clicks < clicksMax) {
    let clicked = false;
    for (const page of pages) clicked = (await clickAMove(page)) || clicked;
    if (clicked) clicks += 1;
    else await first.waitForTimeout(50);
  }
  return clicks;
}
