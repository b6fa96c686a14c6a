// Signing in and out: refused names, and the addresses that follow.

import { beforeAll, expect, it } from "vitest";
import { houseFor } from "./house.ts";
import { sitDown } from "./table.ts";

const LOBBY = "To the lobby";
const PLAY = "Play now";

const house = houseFor();
beforeAll(async () => {
  const { page } = await house.visitor();
  await page.goto(house.url);
  await page.fill("#name", "Ida");
  await page.getByRole("button", { name: LOBBY }).click();
  await page.waitForURL("**/lobby");
});

it.each([
  ["a b", LOBBY, "click", "ab"],
  ["Ida", LOBBY, "Enter", "Ida"],
  ["IDA", PLAY, "click", "IDA"],
  ["ida", PLAY, "Enter", "ida"],
])("a name for %s at %s is taken by %s", async (name, door, by, like) => {
  const { page } = await house.visitor();
  await page.goto(house.url);
  await page.fill("#name", name);
  await page.getByRole("button", { name: door }).click();
  const proposal = page.locator("#proposal");
  await proposal.waitFor();
  expect(new URL(page.url()).pathname).toBe("/");
  expect(await proposal.textContent()).toContain(`Be called ${like}`);
  if (by === "click") await proposal.click();
  else {
    await page.waitForFunction(() => document.activeElement?.id === "proposal");
    await page.keyboard.press("Enter");
  }
  await page.waitForURL(door === LOBBY ? "**/lobby" : "**/room/*");
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
  const { page } = await house.visitor();
  await sitDown(page, house);
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
});
