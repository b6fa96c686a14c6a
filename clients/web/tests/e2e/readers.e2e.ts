// The input of screen readers: Chromium's accessibility tree of the pages and of every board.
//
// No reader runs here; the tests check what all of them depend on: roles, names, levels, states,
// and live regions.

import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { House } from "./house.ts";
import { arrive, clickAMove, playNow } from "./people.ts";

const house = new House({ bench: true });
beforeAll(() => house.start());
afterAll(() => house.close());
afterEach(() => {
  expect(house.errors.splice(0)).toEqual([]);
});

/** One node that a reader meets. */
interface Node {
  readonly role: string;
  readonly name: string;
  readonly is: Readonly<Record<string, unknown>>;
}

/** Controls to press, type into or choose from: each needs a name. */
const CONTROLS: ReadonlySet<string> = new Set([
  "button",
  "link",
  "textbox",
  "combobox",
  "checkbox",
  "radio",
  "slider",
  "spinbutton",
  "tab",
  "option",
  "switch",
]);

/** The tree in reading order. */
async function read(page: Page, context: BrowserContext): Promise<readonly Node[]> {
  const session = await context.newCDPSession(page);
  await session.send("Accessibility.enable");
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes
    .filter((node) => !node.ignored)
    .map((node) => ({
      role: String(node.role?.value ?? ""),
      name: String(node.name?.value ?? ""),
      is: Object.fromEntries((node.properties ?? []).map((each) => [each.name, each.value.value])),
    }));
}

function named(nodes: readonly Node[], role: string): readonly string[] {
  return nodes.filter((node) => node.role === role).map((node) => node.name);
}

/** Controls without a name, and pictures without a description. */
function riddles(nodes: readonly Node[]): readonly Node[] {
  return nodes.filter(
    ({ role, name }) => (CONTROLS.has(role) || role === "image") && name.trim() === "",
  );
}

/** Headings start at one and leave no level out. */
function jumps(nodes: readonly Node[]): readonly string[] {
  const headings = nodes.filter((node) => node.role === "heading");
  const levels = headings.map((node) => Number(node.is.level));
  return headings
    .filter((_, at) => (levels[at] ?? 1) > (levels[at - 1] ?? 0) + 1)
    .map((node) => `${String(node.is.level)} ${node.name}`);
}

it("start and lobby have landmarks, one first heading, and a name for all that can be pressed", async () => {
  const { page, context } = await house.visitor();
  await page.goto(house.url);
  await page.waitForSelector(".game-card");
  const start = await read(page, context);
  expect(riddles(start)).toEqual([]);
  expect(jumps(start)).toEqual([]);
  expect(named(start, "banner")).toHaveLength(1);
  expect(named(start, "main")).toHaveLength(1);
  expect(named(start, "radio").join()).toContain("Manhattan");
  await arrive(page, house, "Ayu");
  await page.getByRole("button", { name: "To the lobby" }).click();
  await page.waitForSelector(".rooms");
  const lobby = await read(page, context);
  expect(riddles(lobby)).toEqual([]);
  expect(jumps(lobby)).toEqual([]);
  expect(named(lobby, "heading").filter((name) => name !== "")).toContain("New room");
  await context.close();
});

it.each(["Manhattan", "Railroad Ink", "Tokai Danshaku", "I.T.C.", "Tokugawa"])(
  "the room of %s is read as board, seats, table, log and line, drawn and as text",
  async (game) => {
    const { page, context } = await house.visitor();
    await playNow(page, house, `R${game.slice(0, 8).replaceAll(/[^a-zA-Z]/g, "")}`, game);
    await page.locator("[data-place].may").first().waitFor();
    const drawn = await read(page, context);
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
    const labels = await page
      .locator(".board [data-place]")
      .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label") ?? each.textContent));
    expect(labels.filter((label) => (label ?? "").trim().length < 2)).toEqual([]);
    expect(labels.length).toBeGreaterThan(3);
    await page.getByRole("button", { name: "As text" }).click();
    await page.locator(".board-text").waitFor();
    const text = await read(page, context);
    expect(riddles(text)).toEqual([]);
    expect(jumps(text)).toEqual([]);
    expect(named(text, "heading").length).toBeGreaterThan(1);
    expect(named(text, "button").length).toBeGreaterThan(named(drawn, "toolbar").length);
    await context.close();
  },
);

it("news are said politely and once, refusals at once", async () => {
  const { page, context } = await house.visitor();
  await playNow(page, house, "Sora");
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
  const [line] = (await read(page, context)).filter((node) => node.role === "combobox");
  expect(line?.is.invalid).toBe("true");
  await context.close();
});

it("whose turn it is, is said in words beside the name", async () => {
  const { page, context } = await house.visitor();
  await playNow(page, house, "Haru");
  const turn = page.locator(".seat[aria-current=true]");
  await turn.waitFor();
  expect(await turn.textContent()).toContain("to move");
  await context.close();
});
