// The forms for accounts, over a real server: their lines are the typed ones, without secrets.

import { afterAll, beforeAll, expect, it } from "vitest";
import { serious } from "./axe.ts";
import { House } from "./house.ts";
import { arrive } from "./people.ts";

const house = new House();
beforeAll(() => house.start(), 60_000);
afterAll(() => house.close());

const FOLDER = process.env.SHOTS;

it("a name is registered, left and come back to, and no password is kept anywhere", async () => {
  const { page, context } = await house.visitor({ viewport: { width: 360, height: 740 } });
  await arrive(page, house, "Mika");
  await page.locator(".lobby-door").click();
  await page.waitForSelector(".rooms");
  const account = page.locator("dialog.panel .account");
  const open = async (): Promise<void> => {
    await page.locator(".top button[aria-expanded]").click();
    await page.getByRole("button", { name: "Account" }).click();
    await account.waitFor();
  };
  await open();
  const form = (title: string) => account.locator("form", { hasText: title });
  await form("Register this name").locator("input[type=password]").fill("correct horse battery");
  await form("Register this name").locator("button").click();
  await expect.poll(() => account.locator(".answered").textContent()).toContain("Mika");
  if (FOLDER !== undefined) await page.screenshot({ path: `${FOLDER}/account-en.png` });
  await form("My bots").getByLabel("Name").fill("botmika");
  await form("My bots").getByLabel("make rooms").check();
  await form("My bots").locator("button").click();
  await expect.poll(() => account.locator(".answered").textContent()).toContain("botmika");
  await account.getByRole("button", { name: "List my bots" }).click();
  await expect.poll(() => account.locator(".answered").textContent()).toMatch(/botmika.*host/);
  await form("Log in").locator("input").nth(0).fill("Mika");
  await form("Log in").locator("input[type=password]").fill("a wrong one, I fear");
  await form("Log in").locator("button").click();
  await expect.poll(() => account.locator(".answered.wrong").count()).toBe(1);
  await page.keyboard.press("Escape");
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  const shown = await page.evaluate(() => document.body.innerText);
  const typed = await page.inputValue("#line");
  for (const each of [stored, shown, typed]) expect(each).not.toMatch(/horse|wrong one/);
  expect(shown).toContain("/register ***");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await page.getByRole("button", { name: "日本語" }).click();
  await page.locator(".top button[aria-expanded]").click();
  await page.getByRole("button", { name: "アカウント" }).click();
  await account.waitFor();
  if (FOLDER !== undefined) await page.screenshot({ path: `${FOLDER}/account-ja.png` });
  await context.close();
});

it("a row of the list says what is not as usual in a room", async () => {
  const { page: host, context: first } = await house.visitor();
  await arrive(host, house, "Ren");
  await host.locator(".lobby-door").click();
  await host.locator(".new-room button[type=submit]").click();
  await host.waitForSelector(".waiting");
  for (const text of ["/option sixrounds on", "/option clock 2d", "/option watch invited"]) {
    await host.fill("#line", text);
    await host.press("#line", "Enter");
    await expect.poll(() => host.inputValue("#line")).toBe("");
  }
  const { page, context } = await house.visitor({ locale: "ja" });
  await page.goto(`${house.url}/`);
  await page.fill("#name", "Sora");
  await page.locator(".lobby-door").click();
  const row = page.locator(".rooms .row", { hasText: "マンハッタン" }).first();
  await expect
    .poll(() => row.locator("small").nth(1).textContent())
    .toContain("時計 2日 · 6ラウンド · 観戦 招待のみ");
  if (FOLDER !== undefined) await page.screenshot({ path: `${FOLDER}/rows-ja.png` });
  // The ratings, and back to the previous screen.
  const door = page.getByRole("button", { name: "順位表" });
  await door.click();
  await page.getByText("まだレーティング戦をしていません。").waitFor();
  expect(await serious(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  expect(await door.evaluate((each) => each === document.activeElement)).toBe(true);
  if (FOLDER !== undefined) await host.screenshot({ path: `${FOLDER}/options-en.png` });
  await host.getByRole("button", { name: "日本語" }).click();
  await expect.poll(() => host.locator(".option").first().textContent()).toContain("オン");
  if (FOLDER !== undefined) await host.screenshot({ path: `${FOLDER}/options-ja.png` });
  await first.close();
  await context.close();
});
