// In under a name and out again: refused names, and the address that goes along.

import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { House } from "./house.ts";
import { playNow } from "./people.ts";

const house = new House({ bench: true });
beforeAll(() => house.start());
afterAll(() => house.close());
afterEach(() => {
  expect(house.errors.splice(0)).toEqual([]);
});

const LOBBY = "To the lobby";
const PLAY = "Play now, against a bot";

it.each([
  ["a b", LOBBY, "click", "ab"],
  ["Ayu", LOBBY, "Enter", "Ayu2"],
  ["AYU", PLAY, "click", "AYU3"],
  ["ayu", PLAY, "Enter", undefined],
])("a refused %s at %s is taken up by %s", async (name, door, by, called) => {
  const { page: ayu, context: first } = await house.visitor();
  await ayu.goto(house.url);
  if (name !== "a b") {
    await ayu.fill("#name", "Ayu");
    await ayu.getByRole("button", { name: LOBBY }).click();
  }
  const { page, context } = await house.visitor();
  await page.goto(house.url);
  await page.fill("#name", name);
  await page.getByRole("button", { name: door }).click();
  const proposal = page.locator("#proposal");
  await proposal.waitFor();
  expect(new URL(page.url()).pathname).toBe("/");
  if (called !== undefined) expect(await proposal.textContent()).toContain(called.slice(0, 3));
  if (by === "click") await proposal.click();
  else {
    await page.waitForFunction(() => document.activeElement?.id === "proposal");
    await page.keyboard.press("Enter");
  }
  await page.waitForURL(door === LOBBY ? "**/lobby" : "**/room/*");
  await Promise.all([context.close(), first.close()]);
});

it("after a refused name another one opens the lobby, from its own address too", async () => {
  for (const path of ["/", "/lobby"]) {
    const { page, context } = await house.visitor();
    await page.goto(`${house.url}${path}`);
    await page.fill("#name", "no name");
    await page.getByRole("button", { name: LOBBY }).click();
    await page.locator(".refused").waitFor();
    expect(new URL(page.url()).pathname).toBe("/");
    await page.fill("#name", path === "/" ? "Kai" : "Rin");
    await page.getByRole("button", { name: LOBBY }).click();
    await page.waitForURL("**/lobby");
    await page.locator("#line").waitFor();
    await context.close();
  }
});

it("the bear leads from a room to the start page, and Back to the room again", async () => {
  const { page, context } = await house.visitor();
  await playNow(page, house, "Sora");
  const room = page.url();
  await page.locator(".home").click();
  await page.locator(".masthead").waitFor();
  expect(new URL(page.url()).pathname).toBe("/");
  await page.goBack();
  await page.locator(".board-root").waitFor();
  expect(page.url()).toBe(room);
  await page.goForward();
  await page.locator(".masthead").waitFor();
  await page.reload();
  await page.locator(".masthead").waitFor();
  await page.locator(".known-name").waitFor();
  expect(new URL(page.url()).pathname).toBe("/");
  await context.close();
});
