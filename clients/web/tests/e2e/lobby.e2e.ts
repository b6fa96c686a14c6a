// The list of rooms, of which the server shows one page at a time.

import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { houseFor, ROOT } from "./house.ts";
import { arrive, line, say } from "./people.ts";

const house = houseFor({ alone: true, bare: true });

const ROOMS = 56;

/** Hosts who create rooms of three games in turn. */
const HOSTS = `
import asyncio, sys
from bluebear.sdk import Client

async def main(url: str) -> None:
    for number in range(${ROOMS}):
        async with Client(url, name=f"Host{number:02}x", langs=("en",), bot=True) as host:
            await host.say("/newroom " + ("manhattan", "tokai", "itc")[number % 3])

asyncio.run(main(sys.argv[1]))
`;

it("a list of more rooms than a page has pages, and filters that the server knows", async () => {
  const python = process.env.BLUEBEAR_PYTHON ?? `${ROOT}.venv/bin/python`;
  const address = `${house.url.replace("http", "ws")}/ws`;
  const made = spawnSync(python, ["-c", HOSTS, address], { cwd: ROOT, encoding: "utf8" });
  expect(made.status, made.stderr).toBe(0);

  const { page } = await house.visitor();
  await arrive(page, house, "Mika");
  await page.getByRole("button", { name: "To the lobby" }).click();
  const rows = page.locator(".rooms .row");
  const count = page.locator(".rooms h2 small");
  await expect.poll(() => rows.count()).toBe(50);
  expect(await count.textContent()).toBe(`${ROOMS} rooms`);

  await page.getByRole("button", { name: "Next" }).click();
  await expect.poll(() => rows.count()).toBe(ROOMS - 50);
  await page.locator(".filters .chip", { hasText: "Tokai" }).click();
  await expect.poll(() => count.textContent()).toBe("19 rooms");
  expect(await rows.count()).toBe(19);
  expect(await page.locator(".pages").count()).toBe(0);
  await page.locator(".filters .chip", { hasText: "Running" }).click();
  await expect.poll(() => rows.count()).toBe(0);
}, 120_000);

it("who is in the lobby is seen there, and heard by everybody in it", async () => {
  const { page: ayu } = await house.visitor();
  await arrive(ayu, house, "Ayu");
  await ayu.getByRole("button", { name: "To the lobby" }).click();
  const { page: ken } = await house.visitor({ locale: "ja" });
  await arrive(ken, house, "けん", "マンハッタン");
  await ken.getByRole("button", { name: "ロビーへ" }).click();
  await ken.locator(".here li", { hasText: "Ayu" }).waitFor();
  await say(ken, "誰か一局?");
  const talk = ayu.locator(".log-line.talk", { hasText: "誰か一局?" });
  await talk.waitFor();
  expect(await talk.locator("b").textContent()).toBe("けん");
  await ken.locator(".here li", { hasText: "Ayu" }).getByRole("button").click();
  await expect.poll(() => line(ken)).toBe("/tell Ayu ");
  await say(ken, "/tell Ayu psst");
  await ayu.locator(".log-line.talk", { hasText: "to you alone psst" }).waitFor();

  // By mouse: to the page of a person, who is not heard from then on.
  await ken.locator(".here a", { hasText: "Ayu" }).click();
  await ken.waitForURL("**/u/Ayu");
  await ken.getByRole("button", { name: "ミュート", exact: true }).click();
  await ken.getByRole("button", { name: "ミュート解除" }).waitFor();
  await ken.goBack();
  await say(ayu, "Are you there?");
  await ayu.locator(".log-line.talk", { hasText: "Are you there?" }).waitFor();
  await say(ken, "さようなら");
  await ken.locator(".log-line.talk", { hasText: "さようなら" }).waitFor();
  expect(await ken.locator(".log").textContent()).not.toContain("Are you there?");
});
