// What lies on top: Escape closes it, one thing a press; and a result stays while others prepare the
// next game.

import { afterAll, expect, it } from "vitest";
import { Client } from "../../src/sdk/client.ts";
import { findings } from "./axe.ts";
import { houseFor } from "./house.ts";
import { say } from "./people.ts";
import { sitDown } from "./table.ts";

const house = houseFor();
const friends: Client[] = [];
afterAll(() => {
  for (const each of friends) each.close();
});

it("Escape closes the panel above a map, then the text of the line", async () => {
  const { page } = await house.visitor({ viewport: { width: 1440, height: 900 } });
  await sitDown(page, house, "tokai");
  await page.locator(".openers .btn").first().click();
  await page.locator(".over").waitFor();
  await page.locator("#tools [aria-expanded]").last().click();
  await page.locator(".everything").waitFor();
  await page.press("body", "Escape");
  await page.locator(".everything").waitFor({ state: "detached" });
  expect(await page.locator(".over").count()).toBe(1);
  await page.press("#line", "Escape");
  await page.locator(".over").waitFor({ state: "detached" });
  await page.fill("#line", "hello");
  await page.press("#line", "Escape");
  await expect.poll(() => page.locator("#line").inputValue()).toBe("");
});

it.each([
  ["en", 1440, 900],
  ["ja", 390, 844],
] as const)(
  "a result stays while another person prepares the next game, which only the host may begin (%s)",
  async (lang, width, height) => {
    const host = new Client(`${house.url.replace("http", "ws")}/ws`, { name: `Next${width}` });
    friends.push(host);
    const { room } = await host.say("/newroom manhattan");
    await host.say("/join", { room });
    const { page } = await house.visitor({ viewport: { width, height }, locale: lang });
    const shot = async (name: string): Promise<void> => {
      const path = `${process.env.SHOTS}/next-${name}-${lang}.png`;
      if (process.env.SHOTS !== undefined) await page.screenshot({ path });
    };
    await page.goto(`${house.url}/room/${room}`);
    await page.fill("#name", `Guest${width}`);
    await page.locator("form [type=submit]").click();
    await page.locator(".waiting").waitFor();
    // Where bots may be seated, their strength can be chosen.
    await page.locator(".waiting label select").first().selectOption("club");
    await page
      .locator(".seat-choice button", { hasText: /bot|ボット/ })
      .first()
      .click();
    await page.locator(".seat-choice", { hasText: "club" }).waitFor();
    await shot("bots");
    await host.say("/option host on", { room });
    const reason = page.locator(".waiting [role=status]");
    await reason.filter({ hasText: `Next${width}` }).waitFor();
    expect(await page.locator(".waiting .doors .act").count()).toBe(0);
    await shot("host");
    await host.say("/startnosave", { room });
    await page.locator(".board-root").waitFor();
    await host.say("/masterreset !", { room });
    await say(page, "/accept");
    await page.locator(".result h2").waitFor();
    await host.say("/again", { room });
    await page.locator(".waiting").waitFor();
    await page.locator(".result > [role=status]").waitFor();
    expect(await page.locator(".result .doors .act").count()).toBe(0);
    await shot("result");
    expect(await findings(page)).toEqual([]);
    await page.press("#line", "Escape");
    await page.locator(".result").waitFor({ state: "detached" });
    await page.locator(".result-back").click();
    await page.locator(".result").waitFor();
    host.close();
    await expect.poll(() => reason.first().textContent()).toMatch(/two minutes|2分/);
    await shot("away");
  },
);
