// A page with a bug works on: a panel that throws is replaced by a sentence, a frame that throws is
// requested again, and the person gets a report to copy.

import type { Page, WebSocketRoute } from "playwright-core";
import { expect, it } from "vitest";
import { en } from "../../src/strings/en.ts";
import { ja } from "../../src/strings/ja.ts";
import { findings } from "./axe.ts";
import { houseFor } from "./house.ts";
import { say } from "./people.ts";
import { sitDown } from "./table.ts";

const house = houseFor({ bare: true });

const FOLDER = process.env.SHOTS;

/** The frames between a page and the server, and a function that injects one. */
class Wire {
  readonly sentTypes: string[] = [];
  #route: WebSocketRoute | undefined;
  /** The last version that the server has sent, and its room: a lesson may have come before. */
  #last = { room: 0, version: 0 };

  async tap(page: Page): Promise<void> {
    await page.routeWebSocket(/\/ws$/, (route) => {
      this.#route = route;
      const server = route.connectToServer();
      route.onMessage((frame) => {
        this.sentTypes.push((JSON.parse(String(frame)) as { type: string }).type);
        server.send(frame);
      });
      server.onMessage((frame) => {
        const { room, version } = JSON.parse(String(frame)) as { room?: number; version?: number };
        if (room !== undefined && version !== undefined) this.#last = { room, version };
        route.send(frame);
      });
    });
  }

  /**
   * A next version of the room that no server would send, without a checksum or with a wrong one.
   */
  slipIn(patch: string, sum = ""): void {
    this.#last.version += 1;
    const { room, version } = this.#last;
    const expected = `"type":"update","room":${room},"version":${version}`;
    this.#route?.send(`{${expected},"patch":${patch}${sum}}`);
  }

  /** The page notices the error, and requests all data of the room. */
  heal(): void {
    this.slipIn("{}", ',"sum":1');
  }

  get syncs(): number {
    return this.sentTypes.filter((type) => type === "sync").length;
  }
}

/** A table in a browser whose frames the test controls. */
async function table(): Promise<{ page: Page; wire: Wire }> {
  const { page, context } = await house.visitor({
    permissions: ["clipboard-read", "clipboard-write"],
  });
  context.setDefaultTimeout(20_000);
  const wire = new Wire();
  await wire.tap(page);
  await sitDown(page, house);
  await page.locator("[data-place]").first().waitFor();
  return { page, wire };
}

it("a panel that cannot be drawn says so in its place, and the others go on", async () => {
  const { page, wire } = await table();
  wire.slipIn('{"room":{"votes":{"9":{"kind":"pause","by":"Ben"}}}}');
  const broken = page.locator(".conversation > .broken");
  await broken.waitFor();
  expect(await broken.count()).toBe(1);
  expect(await page.locator(".seats .seat").count()).toBe(2);
  expect(await page.locator("#line").count()).toBe(1);
  expect(await page.locator(".board-manhattan").count()).toBeGreaterThan(0);
  const bar = page.locator(".fault-bar");
  await bar.waitFor();
  expect(await findings(page)).toEqual([]);
  if (FOLDER !== undefined) await page.screenshot({ path: `${FOLDER}/fault-desk.png` });
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  if (FOLDER !== undefined) await page.screenshot({ path: `${FOLDER}/fault-phone.png` });

  await bar.getByRole("button", { name: "Copy a report" }).click();
  const report = await page.evaluate(() => navigator.clipboard.readText());
  expect(report).toMatch(/error: votes\nTypeError\nat /);
  expect(report).toContain("frame update");
  expect(report).not.toContain(new URL(house.url).host);
  await bar.getByRole("button", { name: "Close" }).click();
  await expect.poll(() => bar.count()).toBe(0);

  wire.heal();
  await expect.poll(() => page.locator(".broken").count()).toBe(0);
  expect(wire.syncs).toBe(1);
  expect(await page.locator(".seats .seat").count()).toBe(2);
  expect(await page.locator("#line").count()).toBe(1);
  expect(house.errors.splice(0).join("\n")).toContain("votes: TypeError");
});

it.each([
  ["boardInput", "[data-place][tabindex='0']", "en", en],
  ["lineAssist", ".prompt .chip", "ja", ja],
] as const)("%s is missed, and there after a reload", async (chunk, brings, locale, strings) => {
  const { page, context } = await house.visitor({ locale });
  const file = new RegExp(`/${chunk}-[^/]*\\.js$`);
  await context.route(file, (route) => route.abort());
  await sitDown(page, house);
  await page.locator("[data-place].may").first().waitFor();
  const bar = page.locator(".fault-bar");
  await expect.poll(() => bar.textContent()).toContain(strings.notLoaded);
  expect(await page.locator(brings).count()).toBe(0);
  expect(await findings(page)).toEqual([]);
  await context.unroute(file);
  await bar.getByRole("button", { name: strings.reloadPage }).click();
  await page.locator(brings).first().waitFor();
  expect(await bar.count()).toBe(0);
  expect(house.errors.splice(0).join("\n")).toContain("load: TypeError");
});

it("a board that cannot be drawn is text until the next position", async () => {
  const { page, wire } = await table();
  // The tray is a panel of its own: it is still drawn.
  const drawn = page.locator(".board-place svg");
  await drawn.first().waitFor();
  wire.slipIn('{"game":{"cities":{"cairo":{"1":7}}}}');
  await page.locator(".board-root").getByText("The drawing has a bug").waitFor();
  expect(await drawn.count()).toBe(0);
  wire.heal();
  await drawn.first().waitFor();
  expect(await page.locator(".board-root [role=alert]").count()).toBe(0);
  expect(house.errors.splice(0).join("\n")).toContain("board manhattan: TypeError");
});

it("a frame that cannot be taken has the room sent anew; a second one is told", async () => {
  const { page, wire } = await table();
  wire.slipIn('{"game":{"constructor":1}}');
  await expect.poll(() => wire.syncs).toBe(1);
  await say(page, "all is well");
  expect(await page.locator(".fault-bar").count()).toBe(0);
  wire.slipIn('{"game":{"constructor":1}}');
  await expect.poll(() => wire.syncs).toBe(2);
  await page.locator(".fault-bar").waitFor();
  await say(page, "all is well again");
  await page.locator(".log-line.talk", { hasText: "all is well again" }).waitFor();
  expect(house.errors.splice(0).join("\n")).toContain("BadPatch");
});
