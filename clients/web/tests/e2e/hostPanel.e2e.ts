// What the host of a room does in the page: people, the password, the link; and the door behind it.

import { afterAll, expect, it } from "vitest";
import { Client } from "../../src/sdk/client.ts";
import { findings } from "./axe.ts";
import { houseFor } from "./house.ts";

const house = houseFor();
const friends: Client[] = [];
afterAll(() => {
  for (const each of friends) each.close();
});

it.each([
  ["en", 1440, 900],
  ["ja", 390, 844],
] as const)(
  "a host sets a password, shows it, and sends a person out by keys (%s)",
  async (lang, width, height) => {
    const visit = { viewport: { width, height }, locale: lang };
    const { page, context } = await house.visitor(visit);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const shot = async (name: string): Promise<void> => {
      const path = `${process.env.SHOTS}/host-${name}-${lang}.png`;
      if (process.env.SHOTS !== undefined) await page.screenshot({ path });
    };
    await page.goto(house.url);
    await page.fill("#name", `Host${width}`);
    await page.getByRole("button", { name: /Play with a friend|友だちと遊ぶ/ }).click();
    await page.locator(".waiting").waitFor();
    await shot("copied");
    const id = new URL(page.url()).pathname.split("/").at(-1);
    for (const name of [`Ken${width}`, `Mia${width}`]) {
      const client = new Client(`${house.url.replace("http", "ws")}/ws`, { name });
      friends.push(client);
      const { room } = await client.say(`/room ${id}`);
      if (name.startsWith("Ken")) await client.say("/join", { room });
    }
    if (width < 640) await page.locator(".menu-door").click();
    await page
      .locator(width < 640 ? "dialog .menu" : "#tools")
      .getByRole("button", { name: /^(Host, invite|ホスト・招待)$/ })
      .click();
    // This word takes a password away; it cannot be one.
    await page.locator("dialog form input").fill("None");
    expect(await page.locator("dialog form input:invalid").count()).toBe(1);
    await page.locator("dialog form input").fill("kumamon");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => page.locator("dialog form input[readonly]").inputValue())
      .toBe("kumamon");
    const mia = page.locator("dialog li", { hasText: `Mia${width}` });
    await mia.getByRole("button").last().press("Enter");
    await shot("sends-out");
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await expect.poll(() => mia.count()).toBe(0);
    await page.getByRole("button", { name: /^(Make a link|リンクを作る)$/ }).click();
    await expect
      .poll(() => page.locator("dialog section input[readonly]").inputValue())
      .toMatch(/\/r\/[\w-]+$/);
    await shot("panel");

    const guest = await house.visitor(visit);
    await guest.page.goto(`${house.url}/room/${id}`);
    await guest.page.fill("#name", `Eva${width}`);
    const sit = guest.page.getByRole("button", { name: /^(Sit down|座る)$/ });
    for (const password of ["", "wrong"]) {
      await guest.page.fill("#password", password);
      await sit.click();
      await expect
        .poll(() => guest.page.locator(".refused").textContent())
        .toMatch(/into its field|合言葉の欄に/);
    }
    await guest.page.fill("#password", "kumamon");
    await sit.click();
    await guest.page.locator(".waiting").waitFor();
  },
);
