// The list of rooms, of which the server shows one page at a time.

import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { House, ROOT } from "./house.ts";
import { arrive } from "./people.ts";

const house = new House({ bench: true });
beforeAll(() => house.start());
afterAll(() => house.close());

const ROOMS = 56;

/** Hosts who make rooms of three games in turn. */
const HOSTS = `
import asyncio, sys
from clients.sdk import Client

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

  const { page, context } = await house.visitor();
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
  await context.close();
}, 120_000);
