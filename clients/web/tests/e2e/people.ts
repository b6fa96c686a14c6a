// Actions of people on the page.

import type { Page } from "playwright-core";
import type { House } from "./house.ts";

/** Open the start page as a new person, and choose a game. */
export async function arrive(
  page: Page,
  house: Pick<House, "url">,
  name: string,
  game = "Manhattan",
): Promise<void> {
  await page.goto(house.url);
  await page.fill("#name", name);
  await page.locator(".game-card", { hasText: game }).first().click();
}

/** From the start page to a table with a bot. */
export async function playNow(
  page: Page,
  house: Pick<House, "url">,
  name: string,
  game = "Manhattan",
): Promise<void> {
  await arrive(page, house, name, game);
  await page.locator("button[type=submit]").click();
  // A game that is new to a person begins with its first lesson.
  await page.locator(".coach .btn", { hasText: /^(Skip|終える)$/ }).click();
  await page.locator(".coach small").waitFor({ state: "detached" });
  // Not `waitForSelector`: its result would retain the board in the page.
  await page.locator(".board-root").waitFor();
}

/** The text of the line. */
export function line(page: Page): Promise<string> {
  return page.inputValue("#line");
}

/** Send a line by typing it. */
export async function say(page: Page, text: string): Promise<void> {
  // A click a moment ago may type its line between the parts of a filling.
  for (let tries = 0; tries < 3 && (await line(page)) !== text; tries += 1) {
    await page.fill("#line", text);
  }
  await page.press("#line", "Enter");
  const sent = page.waitForFunction(() => {
    const input = document.querySelector<HTMLInputElement>("#line");
    return input?.value === "";
  });
  await sent.catch(async (problem: Error) => {
    const shown = await page.locator(".box, .refusal, .link-bar").allTextContents();
    throw new Error(`${text}: the line has "${await line(page)}", beside ${shown}`, {
      cause: problem,
    });
  });
}

/** Repeatable choices: a test that fails plays the same game again. */
let chosen = 1;
function choice(): number {
  chosen = (chosen * 48271) % 2147483647;
  return chosen;
}

/**
 * The targets of clicks: legal spots whose id has one of these prefixes first, else any; the armed
 * button before.
 */
export interface Taste {
  /** Prefixes of ids, in order of preference; other ids come last. */
  readonly prefer?: readonly string[];
  /** Prefixes of ids that are never clicked. */
  readonly never?: readonly string[];
  /** The progress text at which to stop, as a pattern; the result always stops it. */
  readonly until?: string;
}

interface Aim {
  readonly over: boolean;
  readonly x: number;
  readonly y: number;
  readonly what: string;
}

/** Runs in the page: where to click now; false while there is no target. */
function aimed(order: {
  readonly prefer: readonly string[];
  readonly never: readonly string[];
  readonly until: string;
  readonly choice: number;
  readonly last: string;
}): Aim | false {
  const over = { over: true, x: 0, y: 0, what: "" };
  if (document.querySelector(".result, .result-back") !== null) return over;
  const status = document.querySelector(".top .sub")?.textContent ?? "";
  if (order.until !== "" && new RegExp(order.until).test(status)) return over;
  // A line waits for its reply: a click now would refer to an old moment.
  if (document.querySelector(".box.sent") !== null) return false;
  const spot = (element: Element): Aim | undefined => {
    const box = element.getBoundingClientRect();
    for (const [across, down] of [
      [0.5, 0.5],
      [0.25, 0.5],
      [0.75, 0.5],
      [0.5, 0.25],
      [0.5, 0.75],
    ] as const) {
      const x = box.left + box.width * across;
      const y = box.top + box.height * down;
      const hit = document.elementFromPoint(x, y);
      if (hit !== null && (hit === element || element.contains(hit))) {
        const what = element.getAttribute("data-place") ?? element.className;
        return { over: false, x, y, what: String(what) };
      }
    }
    return undefined;
  };
  // A confirmation is accepted: its button sends the line again with a `!`.
  const rashLine = document.querySelector(".refusal.rash .chip");
  const armed = rashLine ?? document.querySelector(".send.armed:not(:disabled)");
  const button = armed === null ? undefined : spot(armed);
  if (button !== undefined) return button;
  // A chosen place is clicked last: that removes it.
  const rank = (id: string, element: Element): number => {
    const at = order.prefer.findIndex((each) => id.startsWith(each));
    const chosen = element.classList.contains("chosen") ? 1000 : 0;
    // A die, then a square: not one die after the other.
    const again = id.split(" ")[0] === order.last ? 500 : 0;
    return chosen + again + (at < 0 ? order.prefer.length : at);
  };
  const spots = [...document.querySelectorAll(".board [data-place].may")]
    .map((element) => ({ element, id: element.getAttribute("data-place") ?? "" }))
    .filter(({ id }) => !order.never.some((each) => id.startsWith(each)));
  const first = order.choice % Math.max(1, spots.length);
  const turned = [...spots.slice(first), ...spots.slice(0, first)];
  for (const { element } of turned.sort((a, b) => rank(a.id, a.element) - rank(b.id, b.element))) {
    element.scrollIntoView({ block: "nearest", inline: "nearest" });
    const point = spot(element);
    if (point !== undefined) return point;
  }
  return false;
}

/** Between two looks for a target: with one at each frame, pages that wait for others draw more. */
const LOOK_MS = 50;

/**
 * Wait for a target, and click it with the mouse, or tap it. Returns the kind of the clicked place;
 * undefined: the game is over.
 */
async function clickNext(
  page: Page,
  taste: Taste,
  touch: boolean,
  last = "",
): Promise<string | undefined> {
  const { prefer = [], never = [], until = "" } = taste;
  const order = { prefer, never, until, choice: choice(), last };
  const handle = await page
    .waitForFunction(aimed, order, { polling: LOOK_MS, timeout: 30_000 })
    .catch(async (error: unknown) => {
      const seen = await page.evaluate(() => ({
        line: document.querySelector<HTMLInputElement>("#line")?.value,
        refused: document.querySelector(".refusal")?.textContent,
        turn: document.querySelector(".seat.turn")?.textContent,
        may: [...document.querySelectorAll(".board [data-place].may")].map((each) =>
          each.getAttribute("data-place"),
        ),
      }));
      throw new Error(`nothing to click: ${JSON.stringify(seen)}`, { cause: error });
    });
  const aim = (await handle.jsonValue()) as Aim;
  if (aim.over) return undefined;
  await (touch ? page.touchscreen.tap(aim.x, aim.y) : page.mouse.click(aim.x, aim.y));
  return aim.what.split(" ")[0];
}

/** Click one of the spots that a legal line has, or the armed button, once there is one. */
export async function clickAMove(page: Page): Promise<void> {
  await clickNext(page, {}, false);
}

/** Press N until a legal place of this kind has the focus. */
export async function walkTo(page: Page, kind: string): Promise<void> {
  for (let steps = 0; steps < 200; steps += 1) {
    await page.keyboard.press("n");
    const at = await page.evaluate(() => document.activeElement?.getAttribute("data-place"));
    if (at?.startsWith(kind)) return;
    // The line may take the focus back as an answer arrives.
    if (await page.locator("#line:focus").count()) {
      await page.fill("#line", "");
      await page.keyboard.press("F6");
    }
  }
  throw new Error(`no ${kind}in sight`);
}

/** Play by clicking alone until the game is over or `taste.until` matches: the number of clicks. */
export async function play(
  page: Page,
  taste: Taste = {},
  options: { readonly touch?: boolean; readonly clicksMax?: number } = {},
): Promise<number> {
  const { touch = false, clicksMax = 3000 } = options;
  let last: string | undefined = "";
  for (let clicks = 0; clicks < clicksMax; clicks += 1) {
    last = await clickNext(page, taste, touch, last);
    if (last === undefined) return clicks;
  }
  throw new Error(`not over after ${clicksMax} clicks`);
}

/** What the keyboard can do now: send a complete line, move on the board, or only wait. */
type Chance = "over" | "send" | "walk";

/** Where the focus is, and what moves; runs after the last drawing. */
function focused(page: Page): Promise<{ readonly lost: boolean; readonly moving: number }> {
  return page.evaluate(() => ({
    lost: document.activeElement === null || document.activeElement === document.body,
    moving: document.getAnimations().filter((each) => each.playState === "running").length,
  }));
}

/** Runs in the page: the next action with keys only. */
function chance(until: string): Chance | false {
  if (document.querySelector(".result") !== null) return "over";
  const status = document.querySelector(".top .sub")?.textContent ?? "";
  if (until !== "" && new RegExp(until).test(status)) return "over";
  if (document.querySelector(".box.sent") !== null) return false;
  if (document.querySelector(".send.armed:not(:disabled)") !== null) return "send";
  return document.querySelector(".board [data-place].may:not(.chosen)") === null ? false : "walk";
}

const PRESSES_MAX = 400;

/**
 * Play by keys alone, from the line: F6 to the board, N to a legal place, Enter; the line's Enter
 * if it waits for one. The focus is never lost; if it has to be `still`, nothing moves. Returns how
 * often Enter was pressed.
 */
export async function playByKeys(
  page: Page,
  options: { readonly until?: string; readonly still?: boolean } = {},
): Promise<number> {
  const { until = "", still = false } = options;
  await page.focus("#line");
  for (let presses = 0; presses < PRESSES_MAX; presses += 1) {
    const handle = await page.waitForFunction(chance, until, { polling: "raf" });
    const point = (await handle.jsonValue()) as Chance;
    const { lost, moving } = await focused(page);
    if (lost) throw new Error(`the focus is lost after ${presses} presses, at ${point}`);
    if (still && moving > 0) throw new Error(`${moving} animations run after ${presses} presses`);
    if (point === "over") return presses;
    await walkToArea(page, point === "send" ? "line" : "board");
    // A place that was legal may be gone: then there is another action, or a wait.
    if (point === "walk" && !(await nextUnchosen(page))) continue;
    await page.keyboard.press("Enter");
  }
  throw new Error(`not over after ${PRESSES_MAX} presses`);
}

/** F6 until the focus is in an area. */
async function walkToArea(page: Page, id: string): Promise<void> {
  for (let steps = 0; steps < 8; steps += 1) {
    const there = await page.evaluate(
      (area) => document.getElementById(area)?.contains(document.activeElement) ?? false,
      id,
    );
    if (there) return;
    await page.keyboard.press("F6");
  }
  throw new Error(`F6 does not lead to ${id}`);
}

/** N until a legal place has the focus that is not chosen yet; false: there is none. */
async function nextUnchosen(page: Page): Promise<boolean> {
  for (let steps = 0; steps < 80; steps += 1) {
    await page.keyboard.press("n");
    const at = await page.evaluate(() => ({
      fits: document.activeElement?.matches("[data-place].may:not(.chosen)") ?? false,
      some: document.querySelector(".board [data-place].may:not(.chosen)") !== null,
      typed: document.querySelector<HTMLInputElement>("#line")?.value.includes("nn") ?? false,
    }));
    if (at.typed) throw new Error("N on the board was typed into the line");
    if (at.fits) return true;
    if (!at.some) return false;
  }
  throw new Error("N does not lead to what is legal");
}
