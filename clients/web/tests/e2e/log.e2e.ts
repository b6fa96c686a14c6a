// A reader in the middle of a long log keeps the place while lines follow, and others are cut.

import { expect, it } from "vitest";
import { Client } from "../../src/sdk/client.ts";
import { houseFor } from "./house.ts";
import { sitDown } from "./table.ts";

const house = houseFor({ bare: true });

it("a line that is read stays where it is while the log is cut, until the reader is at its end", async () => {
  const { page } = await house.visitor({ viewport: { width: 1440, height: 900 } });
  await sitDown(page, house);
  // Many people, as each may talk so fast only.
  const number = page.url().split("/").at(-1);
  const talkers = Array.from({ length: 20 }, (_, at) => {
    return new Client(`${house.url.replace("http", "ws")}/ws`, { name: `Talker${at}` });
  });
  const [entered] = await Promise.all(talkers.map((each) => each.say(`/room ${number}`)));
  const room = entered?.room;
  const talk = async (from: number, to: number): Promise<void> => {
    for (let first = from; first < to; first += talkers.length) {
      const say = (each: Client, at: number) => each.say(`word ${first + at}.`, { room });
      await Promise.all(talkers.map(say));
    }
    await page.locator(".log-line", { hasText: `word ${to - 1}.` }).waitFor({ state: "attached" });
  };
  await talk(0, 580);
  const older = page.locator(".log .older");
  while ((await older.count()) > 0) await older.click();
  const line = page.locator(".log-line", { hasText: "word 120." });
  await line.evaluate((element) => element.scrollIntoView({ block: "center" }));
  // In the log: what the coach says above it may disappear.
  const position = (): Promise<number> =>
    line.evaluate((element) => {
      const log = element.closest(".log") ?? element;
      return element.getBoundingClientRect().top - log.getBoundingClientRect().top;
    });
  const before = await position();
  await talk(580, 700);
  expect(await position()).toBe(before);
  await page.locator(".to-end").click();
  await page.locator(".to-end").waitFor({ state: "detached" });
  await talk(700, 720);
  expect(await page.locator(".log-line").count()).toBeLessThan(100);
  for (const each of talkers) each.close();
}, 60_000);
