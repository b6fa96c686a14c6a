// The room of each game as all people have it: what axe finds, what screen readers are given
// (Chromium's accessibility tree), drawn and as text, and the chapters of its rules.
//
// No reader runs here; the tests check what all of them depend on: roles, names, levels, states,
// and live regions.

import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { findings } from "./axe.ts";
import { houseFor } from "./house.ts";
import { clickAMove } from "./people.ts";
import { jumps, named, read, riddles } from "./reading.ts";
import { openRules, sitDown } from "./table.ts";

const house = houseFor({ bare: true });

/** The labels of the places on the board. */
function labelsOf(page: Page): Promise<readonly (string | null)[]> {
  return page
    .locator(".board [data-place]")
    .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label") ?? each.textContent));
}

it.each([
  ["manhattan", "Manhattan", "light", "If the round ended now, it would bring: "],
  ["railroad_ink", "Railroad Ink", "dark", "Dice still to draw: "],
  ["tokai", "Tokai Danshaku", "light", "Lines owned: "],
  ["itc", "I.T.C.", "dark", "Neutral loads on the routes: "],
  ["tokugawa", "Tokugawa", "light", "Provinces with more samurai than the enemy: "],
] as const)(
  "the room of %s is read as board, seats, table, log and line, and each chapter of its rules has a text and a picture",
  async (key, game, theme, here) => {
    const { page } = await house.visitor();
    await sitDown(page, house, key);
    await page.locator("[data-place].may").first().waitFor();
    const drawn = await read(page);
    expect(riddles(drawn)).toEqual([]);
    expect(named(drawn, "banner")).toHaveLength(1);
    expect(named(drawn, "main")).toEqual(["Board"]);
    expect(named(drawn, "complementary")).toEqual(["Conversation"]);
    expect(named(drawn, "list")).toContain("Seats");
    expect(named(drawn, "toolbar")).toEqual(["Table"]);
    expect(named(drawn, "log")).toEqual(["Log"]);
    expect(named(drawn, "combobox")).toContain("Talk, or / for commands");
    const [first, ...others] = drawn.filter(
      (node) => node.role === "heading" && Number(node.is.level) === 1,
    );
    expect(others).toEqual([]);
    expect(first?.name).toContain(game);
    // Each place is a sentence, not a number or a letter alone.
    const labels = await labelsOf(page);
    expect(labels.filter((label) => (label ?? "").trim().length < 2)).toEqual([]);
    expect(labels.length).toBeGreaterThan(3);
    expect(await findings(page)).toEqual([]);

    await page.emulateMedia({ colorScheme: theme });
    await expectRules(page, here);

    await page.emulateMedia({ colorScheme: "light" });
    await page.getByRole("button", { name: "As text" }).click();
    await page.locator(".board-text").waitFor();
    const text = await read(page);
    expect(riddles(text)).toEqual([]);
    expect(jumps(text)).toEqual([]);
    expect(named(text, "heading").length).toBeGreaterThan(1);
    expect(named(text, "button").length).toBeGreaterThan(named(drawn, "toolbar").length);
    expect(await findings(page)).toEqual([]);
  },
);

/** Each chapter has a text and a picture, one says what it means here, and the log stays as it is. */
async function expectRules(page: Page, here: string): Promise<void> {
  // The coach speaks when it is ready.
  const notes = page.locator(".log-line:is(.note, .mine)", { hasNotText: "Coach: " });
  const log = await notes.allTextContents();
  await openRules(page);
  const chapters = page.locator(".rules-page section");
  const count = await page.locator(".rules-book nav button").count();
  expect(await chapters.count()).toBe(count);
  for (const inside of [".newcomers", ".pictures", "summary"]) {
    const matching = chapters.filter({ has: page.locator(inside) });
    await expect.poll(() => matching.count()).toBe(count);
  }
  await page.locator(".table-now", { hasText: `On this table: ${here}` }).waitFor();
  expect(await findings(page, ".rules-book")).toEqual([]);
  await page.keyboard.press("Escape");
  await page.locator(".rules-book").waitFor({ state: "detached" });
  expect(await notes.allTextContents()).toEqual(log);
}

it("whose turn it is, is said in words, news politely and once, refusals at once", async () => {
  const { page } = await house.visitor();
  await sitDown(page, house);
  const turn = page.locator(".seat[aria-current=true]");
  await turn.waitFor();
  expect(await turn.textContent()).toContain("to move");
  const region = page.locator("body > [aria-live]");
  expect(await region.getAttribute("aria-live")).toBe("polite");
  // The log itself is silent: the one live region announces its new lines, joined.
  expect(await page.locator("[role=log]").getAttribute("aria-live")).toBe("off");
  await clickAMove(page);
  await expect.poll(() => region.textContent()).not.toBe("");
  await page.fill("#line", "/bord");
  await page.press("#line", "Enter");
  const alert = page.getByRole("alert");
  await alert.waitFor();
  expect(await alert.textContent()).toContain("Not done");
  const [line] = (await read(page)).filter((node) => node.role === "combobox");
  expect(line?.is.invalid).toBe("true");
});
