// Hints and analysis on the page, by the house bots.

import { expect, it } from "vitest";
import { findings } from "./axe.ts";
import { houseFor } from "./house.ts";
import { arrive, say } from "./people.ts";

const house = houseFor();

/** The bots search a few moves: seconds, longer on a busy machine. */
const THINKING = { timeout: 200_000 };

it("a hint is had by a button where the table allows it, and the game is analysed at its end", async () => {
  const { page } = await house.visitor();
  await arrive(page, house, "Ana");
  await page.getByRole("button", { name: "To the lobby" }).click();
  await page.locator(".new-room .game-card", { hasText: "Manhattan" }).click();
  await page.getByRole("button", { name: "Make the room" }).click();
  await page.getByRole("button", { name: "Add a bot" }).first().click();
  await expect.poll(() => page.locator(".seats .seat").count()).toBe(2);
  await say(page, "/option hints 2");
  await say(page, "/startnosave");
  await page.waitForSelector(".board-root");
  const hint = page.locator(".task").getByRole("button", { name: "Hint" });
  await hint.waitFor(THINKING);
  await hint.click();
  await expect
    .poll(() => page.locator(".log").textContent(), THINKING)
    .toMatch(/has asked for a hint/);
  await expect
    .poll(() => page.locator(".log").textContent(), THINKING)
    .toMatch(/Take \d|no hint could be given/);

  // Who begins is drawn: there is a move to be judged either way.
  await say(page, "/take 4 3 2 2 1 1");
  await say(page, "/resign !");
  await page.waitForSelector(".result");
  // The record is stored a moment after the end is announced: an earlier request is refused and
  // repeated.
  const analyse = page.getByRole("button", { name: "Analyse the game" });
  await expect
    .poll(async () => {
      if ((await analyse.count()) > 0 && (await analyse.isEnabled())) await analyse.click();
      return page.getByText("so there are words and no numbers").count();
    }, THINKING)
    .toBe(1);
  // So early in a game chances have not proved right.
  expect(await page.locator(".chances").count()).toBe(0);
  expect(await page.locator(".analysis").textContent()).not.toContain("%");
  expect(await findings(page)).toEqual([]);

  await page.getByRole("button", { name: "Replay" }).click();
  await page.waitForSelector(".replay .analysis");
}, 280_000);
