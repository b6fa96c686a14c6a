// Screenshots of the pages with a real server, for looking at: SHOTS=folder npm run e2e -- shots

import { afterAll, beforeAll, it } from "vitest";
import { House } from "./house.ts";
import { arrive, clickAMove, play, playNow } from "./people.ts";

const FOLDER = process.env.SHOTS;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 820, height: 1180 },
  { width: 360, height: 740 },
  { width: 320, height: 568 },
] as const;

const house = new House();
beforeAll(() => (FOLDER === undefined ? undefined : house.start()));
afterAll(() => house.close());

it.skipIf(FOLDER === undefined).each(SIZES)(
  "pages at $width",
  async (viewport) => {
    const small = viewport.width < 600;
    const { page, context } = await house.visitor({
      viewport,
      hasTouch: small,
      isMobile: small,
      locale: small ? "ja" : "en",
      colorScheme: viewport.width === 820 ? "dark" : "light",
    });
    const shoot = (name: string) =>
      page.screenshot({ path: `${FOLDER}/${viewport.width}-${name}.png` });
    await page.goto(house.url);
    await page.waitForSelector(".game-card");
    await shoot("start");
    await arrive(page, house, `P${viewport.width}`, small ? "マンハッタン" : "Manhattan");
    await page.locator(".lobby-door").click();
    await page.waitForSelector(".rooms");
    await page.locator(".new-room button[type=submit]").click();
    await page.waitForSelector(".waiting");
    await page.locator(".seat-choice button").nth(1).click();
    await page.waitForTimeout(500);
    await shoot("waiting");
    await page.locator(".waiting .doors button").nth(1).click();
    await page.waitForTimeout(500);
    if (small) await page.locator(".log-opener").click();
    await shoot("invite-note");
    await page.goto(`${house.url}/lobby`);
    await page.waitForSelector(".rooms .row");
    await shoot("lobby");
    await context.close();
    const { page: next, context: other } = await house.visitor({
      viewport,
      hasTouch: small,
      isMobile: small,
      locale: small ? "ja" : "en",
      colorScheme: viewport.width === 820 ? "dark" : "light",
    });
    await playNow(next, house, `Q${viewport.width}`, small ? "マンハッタン" : "Manhattan");
    for (let at = 0; at < 30; at += 1) await clickAMove(next);
    await next.fill("#line", "/build 2 cairo 10");
    await next.press("#line", "Enter");
    await next.waitForTimeout(600);
    await next.screenshot({ path: `${FOLDER}/${viewport.width}-room.png` });
    await next.fill("#line", "/");
    await next.waitForTimeout(300);
    await next.screenshot({ path: `${FOLDER}/${viewport.width}-slash.png` });
    await next.fill("#line", "");
    if (small) await next.locator(".log-opener").click();
    await next.locator(".tools .btn", { hasText: small ? "さかのぼる" : "Look back" }).click();
    await next.locator(".look-back .step", { hasText: "/" }).waitFor();
    if (small) await next.locator(".log-opener").click();
    await next.screenshot({ path: `${FOLDER}/${viewport.width}-look-back.png` });
    await next.locator(".look-back .btn.act").click();
    await play(next, {}, { touch: small });
    await next.waitForTimeout(500);
    await next.screenshot({ path: `${FOLDER}/${viewport.width}-result.png` });
    const back = next.locator(".result-back");
    if ((await back.count()) > 0) await back.click();
    await next.getByRole("button", { name: small ? "棋譜再生" : "Replay" }).click();
    await next.locator(".look-back .step", { hasText: "0 /" }).waitFor();
    await next.locator(".look-back").getByRole("slider").press("End");
    for (let at = 0; at < 20; at += 1) {
      await next.getByRole("button", { name: small ? "1つ前へ" : "One step back" }).click();
    }
    await next.waitForTimeout(500);
    await next.screenshot({ path: `${FOLDER}/${viewport.width}-replay.png` });
    await other.close();
  },
  240_000,
);
