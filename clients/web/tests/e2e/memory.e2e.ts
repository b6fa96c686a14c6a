// The memory of a page while it draws: hardly more after 80 moves than after 40, the log included.

import type { CDPSession, Page } from "playwright-core";
import { expect, it } from "vitest";
import { houseFor } from "./house.ts";
import { say } from "./people.ts";

const house = houseFor({ bare: true });

/** Each game, its player, and places without effect, by prefixes of their ids. */
const GAMES: readonly (readonly [game: string, visitor: string, never: readonly string[]])[] = [
  ["manhattan", "Mina", []],
  ["railroad_ink", "Rumi", ["turn ", "next", "route "]],
  ["tokai", "Tomo", ["ask ", "shut", "higher", "lower", "say /back", "pill "]],
  ["itc", "Isao", []],
  ["tokugawa", "Toku", []],
];

/** Eighty moves, click by click: seconds, and half a minute where other tests run beside it. */
const PATIENCE_MS = 240_000;

const EARLY = 40;
const LATE = 80;
/** A page without a leak has 20 to 30 nodes outside of its document. */
const DETACHED_MAX = 45;

/** Runs in the page before anything else: counts the received updates. */
function counting(): void {
  const counted = window as unknown as { updates: number };
  counted.updates = 0;
  const property = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
  Object.defineProperty(WebSocket.prototype, "onmessage", {
    set(this: WebSocket, listener: (event: MessageEvent) => void) {
      property?.set?.call(this, (event: MessageEvent) => {
        if (String(event.data).startsWith('{"type":"update"')) counted.updates += 1;
        listener.call(this, event);
      });
    },
  });
}

/**
 * Runs in the page: clicks a legal place each frame until enough updates were received; one game
 * after the other.
 */
function clicking(choice: {
  readonly goal: number;
  readonly never: readonly string[];
}): Promise<void> {
  const counted = window as unknown as { updates: number };
  let seed = 7;
  const any = <T>(list: readonly T[]): T | undefined => {
    seed = (seed * 48271) % 2147483647;
    return list[seed % list.length];
  };
  const click = (element: Element | null | undefined): boolean => {
    element?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    return Boolean(element);
  };
  const first = (selector: string): Element | null => document.querySelector(selector);
  const act = (): void => {
    if (first(".box.sent") !== null) return;
    if (click(first(".result .doors .btn.act"))) return;
    if (click(first("#who-plays ~ .doors .btn.act:not(:disabled)"))) return;
    if (click(first(".refusal.rash .chip"))) return;
    if (click(first(".send.armed:not(:disabled)"))) return;
    const targets = [...document.querySelectorAll(".board [data-place].may")].filter((each) => {
      const id = each.getAttribute("data-place") ?? "";
      return !choice.never.some((start) => id.startsWith(start));
    });
    const fresh = targets.filter((each) => !each.classList.contains("chosen"));
    click(any(fresh.length > 0 ? fresh : targets));
  };
  return new Promise((done) => {
    const loop = (): void => {
      if (counted.updates >= choice.goal) return done();
      act();
      requestAnimationFrame(loop);
    };
    loop();
  });
}

/** Runs in the page: the nodes of its document. */
function attached(): number {
  const walker = document.createTreeWalker(document);
  let nodes = 1;
  while (walker.nextNode() !== null) nodes += 1;
  return nodes;
}

/** What remains after garbage collection: the heap in bytes, and nodes in the document and in none. */
async function weigh(
  page: Page,
  inspector: CDPSession,
): Promise<{ readonly heap: number; readonly drawn: number; readonly detached: number }> {
  // The last update is drawn, and its timers have fired.
  await page.waitForTimeout(300);
  // Objects released by a finaliser are collected in the second run.
  for (let times = 0; times < 2; times += 1) await inspector.send("HeapProfiler.collectGarbage");
  const { usedSize } = await inspector.send("Runtime.getHeapUsage");
  const { nodes } = await inspector.send("Memory.getDOMCounters");
  const drawn = await page.evaluate(attached);
  return { heap: usedSize, drawn, detached: nodes - drawn };
}

it.each(GAMES)(
  "%s holds nothing of what it has drawn before",
  async (game, visitor, never) => {
    const { page, context } = await house.visitor({ viewport: { width: 1280, height: 860 } });
    await page.addInitScript(counting);
    await page.goto(house.url);
    await page.fill("#name", visitor);
    await page.getByRole("button", { name: "To the lobby" }).click();
    await page.locator("#line").waitFor();
    await say(page, `/newroom ${game} unlisted`);
    await page.waitForURL("**/room/*");
    // This bot does not wait for a person to follow its moves.
    for (const line of ["/join", "/bot random", "/start"]) await say(page, line);
    // Painting takes most of a frame's time; what a page holds is the same without it.
    await page.evaluate(() => {
      document.body.style.visibility = "hidden";
    });
    const inspector = await context.newCDPSession(page);
    await page.evaluate(clicking, { goal: EARLY, never });
    const early = await weigh(page, inspector);
    await page.evaluate(clicking, { goal: LATE, never });
    // What still moves is let go of in a while; a leak stays.
    await expect
      .poll(async () => (await weigh(page, inspector)).detached)
      .toBeLessThan(DETACHED_MAX);
    await expect
      .poll(async () => (await weigh(page, inspector)).heap / early.heap)
      .toBeLessThan(1.2);
    expect((await weigh(page, inspector)).drawn / early.drawn).toBeLessThan(1.5);
  },
  PATIENCE_MS,
);
