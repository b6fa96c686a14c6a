// On a phone of 360 px no note covers a legal place, or moves the board or its tray.

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
