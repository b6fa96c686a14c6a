// In small windows no note covers a legal place, or moves the board or its tray.

import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { houseFor } from "./house.ts";
import { type DeafProxy, eachBehindProxy } from "./proxy.ts";
import { GAMES, sitDown } from "./table.ts";

const house = houseFor({ bare: true });
let proxy: DeafProxy;
eachBehindProxy(house, (made) => {
  proxy = made;
});

const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true } as const;

/** The legal places whose middle a finger does not hit, and the boxes of board and tray. */
function seen(page: Page) {
  return page.evaluate(() => {
    const middle = (each: Element): Element | null => {
      each.scrollIntoView({ block: "nearest", inline: "nearest" });
      const { left, top, width, height } = each.getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2);
    };
    const legal = [...document.querySelectorAll(".board [data-place].may")];
    return {
      covered: legal
        .filter((each) => !each.contains(middle(each)))
        .map((each) => each.getAttribute("data-place")),
      boxes: [...document.querySelectorAll(".board-place, .tray-place")].map((each) =>
        each.getBoundingClientRect().toJSON(),
      ),
    };
  });
}

it.each(GAMES)("no note covers a place in %s", async (game) => {
  const { page } = await house.visitor(PHONE);
  await sitDown(page, proxy, game);
  await page.locator(".board [data-place].may").first().waitFor();
  const tip = page.locator(".coach p");
  await expect.poll(() => tip.count()).toBe(1);
  const before = await seen(page);

  for (const wrong of ["/bord", "/listroom nothing of the kind", "/set nothing"]) {
    await page.fill("#line", wrong);
    await page.press("#line", "Enter");
    await page.locator(".refusal").waitFor();
    expect(await seen(page)).toEqual(before);
    await page.locator(".refusal > .btn").click();
    await page.locator(".refusal").waitFor({ state: "detached" });
    await page.fill("#line", "");
  }

  proxy.die();
  await page.evaluate(() => dispatchEvent(new Event("offline")));
  await page.locator(".link-bar").waitFor();
  expect(await seen(page)).toEqual(before);
});

/** What of board, tray, title and seats a tip lies over. */
function under(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const tip = document.querySelector(".conversation > .coach")?.getBoundingClientRect();
    const { left = 0, right = 0, top = 0, bottom = 0 } = tip ?? {};
    return [".board-place", ".tray-place", ".room > .top", ".seats-frame"].filter((each) => {
      const box = document.querySelector(each)?.getBoundingClientRect() ?? new DOMRect();
      const across = Math.min(right, box.right) - Math.max(left, box.left);
      return across > 0.5 && Math.min(bottom, box.bottom) - Math.max(top, box.top) > 0.5;
    });
  });
}

it.each([
  [360, 640, [".room > .top", ".seats-frame"]],
  [390, 844, []],
  [780, 360, [".room > .top", ".seats-frame"]],
  [568, 320, [".room > .top"]],
  [360, 400, []],
  [960, 600, []],
  [1000, 700, []],
] as const)(
  "a tip at %d x %d lies over title and seats at most, until it is closed",
  async (...at) => {
    const [width, height, covered] = at;
    const { page } = await house.visitor({ ...PHONE, viewport: { width, height } });
    await sitDown(page, house, "tokai");
    await page.locator(".board [data-place].may").first().waitFor();
    await page.locator(".coach p").waitFor({ state: "attached" });
    const path = `${process.env.SHOTS}/tip-${width}x${height}.png`;
    if (process.env.SHOTS !== undefined) await page.screenshot({ path });
    expect(await under(page)).toEqual(covered);
    const tip = page.locator(".coach");
    const hidden = await tip.evaluate((each) => each.scrollHeight - each.clientHeight);
    expect(hidden).toBe(0);
    const before = await seen(page);
    expect(before.covered).toEqual([]);
    // Hidden beside the keyboard of a phone.
    const close = page.locator(".coach").getByRole("button", { name: "Close" });
    if (await close.isVisible()) await close.tap();
    expect(await under(page)).toEqual([]);
    const after = await seen(page);
    // Beside the board of a low window the tray has the height that the tip needs no longer.
    const [board] = before.boxes;
    const isLow = height < 520 && width > height;
    expect(after).toEqual(isLow ? { covered: [], boxes: [board, after.boxes[1]] } : before);
  },
);

it("the table of Manhattan makes way for the cities once a card is chosen", async () => {
  const { page } = await house.visitor(PHONE);
  await sitDown(page, proxy);
  await page.locator("[data-place='take 4']").tap();
  const site = page.locator("[data-place^=site]").first();
  await page.locator("[data-place=table]").tap();
  await site.waitFor({ state: "detached" });
  await page.locator("[data-place='take 3']").tap();
  await site.waitFor();
});
