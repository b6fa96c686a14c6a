// A phone in Japanese: every control can be pressed, no element covers another, the board does not
// move, and a finished game can be viewed.

import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { findings } from "./axe.ts";
import { houseFor } from "./house.ts";
import { say } from "./people.ts";
import { sitDown } from "./table.ts";

const house = houseFor({ bare: true });

/** Buttons outside of the board that are too small for a finger, or covered by another element. */
function missed(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const seen = [...document.querySelectorAll("button:not([data-place]):not(.link)")].filter(
      (each) => each.checkVisibility() && !each.closest(".board-root, .log, .everything, .chips"),
    );
    return seen.flatMap((each) => {
      each.scrollIntoView({ block: "nearest", inline: "nearest" });
      const { left, top, width, height } = each.getBoundingClientRect();
      const what = `${each.className} ${each.textContent}`;
      if (width < 40 || height < 40) return [`small: ${what} ${width} x ${height}`];
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      return hit !== null && (each === hit || each.contains(hit)) ? [] : [`covered: ${what}`];
    });
  });
}

const PHONE = {
  viewport: { width: 390, height: 844 },
  locale: "ja",
  hasTouch: true,
  isMobile: true,
};

function boxOf(page: Page, selector: string) {
  return page.locator(selector).evaluate((each) => each.getBoundingClientRect().toJSON());
}

it("scores and clocks of four seats stand beside each other", async () => {
  const { page } = await house.visitor(PHONE);
  await sitDown(page, house);
  await say(page, "/newroom manhattan unlisted");
  await page.locator(".waiting").waitFor();
  for (const line of ["/join", "/bot", "/bot", "/bot", "/option clock 900+15", "/start"]) {
    await say(page, line);
  }
  await expect.poll(() => page.locator(".seat .clock:not(:empty)").count()).toBe(4);
  const gaps = await page.evaluate(() =>
    [...document.querySelectorAll(".seat")].map((seat) => {
      const [score, clock] = [".score", ".clock"].map((part) =>
        seat.querySelector(part)?.getBoundingClientRect(),
      );
      if (score === undefined || clock === undefined) return "no clock";
      const fits = clock.right <= seat.getBoundingClientRect().right;
      return score.right <= clock.left && clock.height < 20 && fits ? "" : seat.textContent;
    }),
  );
  expect(gaps).toEqual(["", "", "", ""]);
});

it("a game of Manhattan on a phone, to its replay", async () => {
  const { page } = await house.visitor(PHONE);
  await sitDown(page, house);
  await page.locator("[data-place].may").first().waitFor();
  const now = page.locator(".task-text b");
  expect(await now.textContent()).toBe("このラウンドのコマをストックからあと6個取ります。");
  expect(await page.locator(".top .sub").textContent()).toContain("ラウンド1/4");
  expect(await missed(page)).toEqual([]);

  // Neither a refusal nor the next tip of the coach moves a target of a finger.
  const tip = page.locator(".coach p");
  await expect.poll(() => tip.textContent()).toContain("コマを取ります");
  const before = await boxOf(page, ".board-place");
  await page.fill("#line", "/build 9 cairo 10");
  await page.press("#line", "Enter");
  await page.locator(".refusal").waitFor();
  expect(await boxOf(page, ".board-place")).toEqual(before);
  // It covers the tip that lies over the log, and nothing else.
  expect(await missed(page)).toEqual(["covered: btn "]);
  await page.locator(".refusal").getByRole("button", { name: "閉じる" }).click();
  await expect.poll(() => page.locator(".refusal").count()).toBe(0);
  await say(page, "/take 4 3 2 2 1 1");
  await expect.poll(() => now.textContent()).toContain("エリアを選び");
  await expect.poll(() => tip.textContent()).toContain("カード1枚とコマ1個");
  expect(await boxOf(page, ".board-place")).toEqual(before);
  // Nor does a tip that goes, as it does in the other language, and comes.
  for (const left of [0, 1]) {
    await page.locator(".top > [lang]").click();
    await expect.poll(() => tip.count()).toBe(left);
    expect(await boxOf(page, ".board-place")).toEqual(before);
  }

  // The log follows its end after an element beside it has taken its space.
  await page.locator(".coach .btn").click();
  await page.locator(".log-opener").click();
  expect(await missed(page)).toEqual([]);
  expect(await findings(page)).toEqual([]);
  const line = await boxOf(page, "#line");
  expect(line.bottom).toBeLessThanOrEqual(844);
  // Its oldest lines are not under the arrow that closes it.
  const opener = await boxOf(page, ".log-opener");
  expect((await boxOf(page, ".log")).right).toBeLessThanOrEqual(opener.left);
  await page.locator(".log").evaluate((log) => {
    log.style.maxHeight = "50px";
    log.dispatchEvent(new Event("scroll"));
    log.style.maxHeight = "";
  });
  for (let at = 0; at < 6; at += 1) await say(page, `こんにちは${at}`);
  await expect.poll(() => page.locator(".log").textContent()).toContain("こんにちは5");
  expect(await page.locator(".to-end").count()).toBe(0);

  await say(page, "/resign !");
  await page.locator(".log-opener").click();
  await page.locator(".result").waitFor();
  expect(await missed(page)).toEqual([]);
  const [standings, doors] = [await boxOf(page, ".result ol"), await boxOf(page, ".result .doors")];
  expect(doors.top).toBeGreaterThan(standings.bottom + 4);
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: "棋譜再生" }).click();
  await page.locator(".look-back .step", { hasText: "0 /" }).waitFor();
  await page.locator(".replay .board [data-place]").first().waitFor();
  expect(await missed(page)).toEqual([]);
  await page.getByText("ダイスを検証").waitFor();
  expect(await findings(page)).toEqual([]);
  const board = await boxOf(page, ".replay .board-place");
  const slider = await boxOf(page, ".look-back");
  expect(board.height).toBeGreaterThan(200);
  expect(slider.top).toBeGreaterThanOrEqual(board.bottom);
  expect(await page.locator(".replay .board-place").evaluate((b) => b.scrollHeight)).toBeLessThan(
    board.height + 1,
  );
  // Held sideways, neither lies over the other.
  await page.setViewportSize({ width: 780, height: 360 });
  await expect.poll(() => missed(page)).toEqual([]);
  const bottom = (await boxOf(page, ".replay .board-place")).bottom;
  expect((await boxOf(page, ".look-back")).top).toBeGreaterThanOrEqual(bottom);
  // The buttons that step are in one row.
  const steps = await page
    .locator(".look-back > .btn")
    .evaluateAll((all) => all.slice(0, 3).map((each) => each.getBoundingClientRect().top));
  expect(new Set(steps).size).toBe(1);
});

it("the menu has the tools of the table, as wide as its dialog, and opens the log", async () => {
  const { page } = await house.visitor(PHONE);
  await sitDown(page, house);
  await page.locator(".menu-door").tap();
  const tool = page.locator("dialog .menu .tools .btn");
  await tool.first().waitFor();
  const [dialog, first] = [await boxOf(page, "dialog .menu"), await tool.first().boundingBox()];
  expect(first?.width).toBe(dialog.width);
  expect(await findings(page)).toEqual([]);
  if (process.env.SHOTS !== undefined) {
    await page.screenshot({ path: `${process.env.SHOTS}/menu-phone.png` });
  }
  await tool.filter({ hasText: "会話を開く" }).tap();
  await page.locator(".room.opened").waitFor();
  expect(await tool.count()).toBe(0);

  // The answer of a tool is seen.
  await page.locator(".log-opener").tap();
  await page.locator(".room:not(.opened)").waitFor();
  await page.locator(".menu-door").tap();
  await tool.filter({ hasText: "できる手" }).tap();
  await page.locator(".room.opened").waitFor();
  await expect.poll(() => page.locator(".log").textContent()).toContain("選べるコマの組み合わせ");
});

it("a finger reaches all that is dealt in Tokai Danshaku", async () => {
  const { page } = await house.visitor(PHONE);
  await sitDown(page, house, "tokai");
  await page.locator(".tray-place .may").first().waitFor();
  const tray = await boxOf(page, ".tray-place");
  // The list has more rows than the tray: it is what scrolls, inside of the tray.
  const list = await boxOf(page, ".tray-place .many");
  expect(list.bottom).toBeLessThanOrEqual(tray.bottom);
  const [shown, all] = await page
    .locator(".tray-place .many")
    .evaluate((each) => [each.clientHeight, each.scrollHeight]);
  expect(all).toBeGreaterThan(shown ?? 0);
});
