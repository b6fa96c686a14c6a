// The forms for accounts, over a real server: their lines are the typed ones, without secrets.

import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { findings } from "./axe.ts";
import { houseFor } from "./house.ts";
import { arrive } from "./people.ts";
import { sitDown } from "./table.ts";

const house = houseFor({ rates: true });

const FOLDER = process.env.SHOTS;

it("a name is registered, left and come back to, and no password is kept anywhere", async () => {
  const { page } = await house.visitor({ viewport: { width: 360, height: 740 } });
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
  // From now on the same form changes the password.
  await form("Change the password").waitFor();
  expect(await form("Register this name").count()).toBe(0);
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
  await page.reload();
  await page.getByRole("button", { name: "日本語" }).click();
  await page.locator(".top button[aria-expanded]").click();
  await page.getByRole("button", { name: "アカウント" }).click();
  await form("パスワードを変える").waitFor();
  if (FOLDER !== undefined) await page.screenshot({ path: `${FOLDER}/account-ja.png` });
});

it("a row of the list says what is not as usual in a room", async () => {
  const { page: host } = await house.visitor();
  await arrive(host, house, "Ren");
  await host.locator(".lobby-door").click();
  await host.locator(".new-room button[type=submit]").click();
  await host.waitForSelector(".waiting");
  for (const text of ["/option sixrounds on", "/option clock 2d", "/option watch invited"]) {
    await host.fill("#line", text);
    await host.press("#line", "Enter");
    await expect.poll(() => host.inputValue("#line")).toBe("");
  }
  const { page } = await house.visitor({ locale: "ja" });
  await page.goto(`${house.url}/`);
  await page.fill("#name", "Sora");
  await page.locator(".lobby-door").click();
  const row = page.locator(".rooms .row", { hasText: "Ren" });
  await expect
    .poll(() => row.locator("small").nth(1).textContent())
    .toContain("時計 2日 · 6ラウンド · 観戦 招待のみ");
  if (FOLDER !== undefined) await page.screenshot({ path: `${FOLDER}/rows-ja.png` });
  // The ranking, and back to the previous screen.
  await page.getByRole("link", { name: "順位表" }).click();
  await page.waitForURL("**/top/");
  await page.getByRole("link", { name: "I.T.C." }).click();
  await page.waitForURL("**/top/itc");
  await page.getByText("十分にした人は、まだいません。").waitFor();
  expect(await findings(page)).toEqual([]);
  await page.goBack();
  await page.goBack();
  await row.waitFor();
  if (FOLDER !== undefined) await host.screenshot({ path: `${FOLDER}/options-en.png` });
  await host.getByRole("button", { name: "日本語" }).click();
  await expect.poll(() => host.locator("li.option").first().textContent()).toContain("オン");
  if (FOLDER !== undefined) await host.screenshot({ path: `${FOLDER}/options-ja.png` });
});

it("the pages of people, and a replay with keys, a way back and another game", async () => {
  const { page } = await house.visitor();
  await sitDown(page, house, "manhattan", "Nao");
  const line = async (text: string): Promise<void> => {
    await page.fill("#line", text);
    await page.press("#line", "Enter");
    await expect.poll(() => page.inputValue("#line")).toBe("");
  };
  await line("/friends add Mika");
  await line("/resign!");
  await page.locator(".result").waitFor();
  await page.getByRole("button", { name: "Replay" }).click();
  await page.waitForURL("**/game/*");
  const game = page.url();
  await page.getByRole("link", { name: "Back to the table" }).click();
  await page.locator(".result").waitFor();
  await page.goto(`${house.url}/me`);
  const played = page.locator(".row", { hasText: "2nd of 2" });
  await played.waitFor();
  expect(await played.textContent()).toContain("not rated");
  await page.locator(".row", { hasText: "Mika" }).getByText("not here").waitFor();
  expect(await findings(page)).toEqual([]);
  await shots(page, "me");
  await page.getByRole("link", { name: "Nao" }).click();
  await page.waitForURL("**/u/Nao");
  await page.getByText("Nao has played no rated game yet.").waitFor();
  await shots(page, "profile");
  await played.getByRole("link", { name: "Replay" }).click();
  const step = page.locator(".look-back .step");
  await step.getByText("0 /").waitFor();
  const [slider, board] = await Promise.all(
    [".look-back .slide", ".board"].map((each) => page.locator(each).first().boundingBox()),
  );
  expect(slider?.width).toBeGreaterThan(0.7 * (board?.width ?? Number.POSITIVE_INFINITY));
  await page.locator(".top h1").click();
  await page.keyboard.press("ArrowRight");
  await step.getByText("1 /").waitFor();
  await page.keyboard.press("ArrowLeft");
  await step.getByText("0 /").waitFor();
  await page.keyboard.press(" ");
  await expect.poll(() => step.textContent()).not.toContain("0 /");
  expect(await findings(page)).toEqual([]);
  await shots(page, "replay");
  await page.getByRole("link", { name: "My games" }).click();
  await played.getByRole("link", { name: "Replay" }).click();
  await page.waitForURL(new RegExp(`${new URL(game).pathname}`));
  await page.getByRole("button", { name: "Play again" }).click();
  await page.locator(".task.mine .verb").waitFor();
});

/** Pictures of a page in both themes and two sizes, where SHOTS names a folder. */
async function shots(page: Page, name: string): Promise<void> {
  if (FOLDER === undefined) return;
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [width, height] of [
      [390, 844],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.screenshot({ path: `${FOLDER}/${name}-${colorScheme}-${width}.png` });
    }
  }
}
