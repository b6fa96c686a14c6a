// The pictures of README and docs, in both languages, from a real server: `npm run pictures`.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { House, ROOT } from "./house.ts";
import { arrive, clickAMove, play, playNow } from "./people.ts";

const RENEW = process.env.PICTURES !== undefined;
const LANGS = ["en", "ja"] as const;
const SIZE = { width: 1280, height: 800 };

const house = new House();
beforeAll(() => (RENEW ? house.start() : undefined));
afterAll(() => house.close());

interface Picture {
  readonly name: string;
  readonly theme: "light" | "dark";
  /** What is there once the picture can be taken. */
  readonly shown: string;
}

/** Takes a picture in each language; the page has the language and the theme that it is named for. */
async function take(page: Page, { name, theme, shown }: Picture): Promise<void> {
  for (const lang of LANGS) {
    if ((await page.evaluate(() => document.documentElement.lang)) !== lang) {
      await page.locator(`button[lang=${lang}]`).first().click();
      await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe(lang);
      // The log comes anew in the other language.
      await page.reload();
    }
    await page.locator(shown).first().waitFor();
    await page.waitForLoadState("networkidle");
    const seen = await page.evaluate(() => ({
      lang: document.documentElement.lang,
      dark: matchMedia("(prefers-color-scheme: dark)").matches,
      japanese: /[ぁ-ん]{3}/.test(document.querySelector("#page")?.textContent ?? ""),
    }));
    expect(seen).toEqual({ lang, dark: theme === "dark", japanese: lang === "ja" });
    await page.mouse.move(0, 0);
    const path = `${ROOT}docs/pictures/${name}.${lang}.png`;
    await page.screenshot({ path, animations: "disabled" });
  }
}

async function visit(theme: "light" | "dark"): Promise<Page> {
  const { page } = await house.visitor({
    viewport: SIZE,
    colorScheme: theme,
    reducedMotion: "reduce",
  });
  return page;
}

it.skipIf(!RENEW)(
  "start",
  async () => {
    const page = await visit("light");
    await page.goto(house.url);
    await take(page, { name: "start", theme: "light", shown: ".living [data-place]" });
  },
  120_000,
);

it.skipIf(!RENEW).each([
  { name: "manhattan", person: "Ayu", game: "Manhattan", theme: "light", clicks: 90 },
  { name: "tokai", person: "Mika", game: "Tokai Danshaku", theme: "light", clicks: 16 },
  { name: "tokugawa", person: "Ben", game: "Tokugawa", theme: "dark", clicks: 30 },
] as const)(
  "a table of $name",
  async ({ name, person, game, theme, clicks }) => {
    const page = await visit(theme);
    await arrive(page, house, person, game);
    await page.getByRole("button", { name: "To the lobby" }).click();
    await page.locator(".new-room .game-card", { hasText: game }).click();
    await page.getByRole("button", { name: "Make the room" }).click();
    await page.getByRole("button", { name: "Add a bot" }).first().click();
    await expect.poll(() => page.locator(".seats .seat").count()).toBe(2);
    await page.fill("#line", "/startnosave");
    await page.press("#line", "Enter");
    await page.locator(".board-root").waitFor();
    for (let click = 0; click < clicks; click += 1) await clickAMove(page);
    await take(page, { name, theme, shown: "[data-place].may" });
  },
  240_000,
);

it.skipIf(!RENEW)(
  "an analysis",
  async () => {
    const page = await visit("light");
    await playNow(page, house, "Ken", "Manhattan");
    await play(page);
    await page.getByRole("button", { name: "Replay" }).click();
    await page.locator(".look-back .step", { hasText: "/" }).waitFor();
    await page.getByRole("button", { name: "Analyse the game" }).click();
    const better = page.locator(".turns button", { hasText: "would have" });
    await better.first().waitFor({ timeout: 300_000 });
    await better.last().click();
    await page.locator("[data-turn]").first().waitFor();
    await page.screenshot({ path: `${ROOT}docs/pictures/analysis.en.png`, animations: "disabled" });
    await page.locator("button[lang=ja]").first().click();
    await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe("ja");
    await page.getByRole("button", { name: "このゲームを分析" }).click();
    await page.locator("[data-turn]").first().waitFor();
    await page.screenshot({ path: `${ROOT}docs/pictures/analysis.ja.png`, animations: "disabled" });
  },
  500_000,
);
