// Every window: recorded positions of each game in the whole screen of a room. The board has its
// share of the height, a legal place is in view, nothing scrolls sideways, tools and names are there.

import { writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildGallery, sharedBrowser } from "../chromium.mjs";
import { unpaint } from "./house.ts";

const WINDOWS = [
  [780, 360],
  [844, 390],
  [720, 450],
  [960, 600],
  [960, 667],
  [320, 640],
  [360, 640],
  [390, 844],
  [360, 780],
  [820, 1180],
  [1024, 700],
  [1440, 900],
  [2560, 1300],
] as const;
const POSITIONS: Readonly<Record<string, readonly string[]>> = {
  manhattan: ["4-first-take", "4-first-build"],
  railroad_ink: ["1-first-draw-special", "12-first-draw"],
  tokai: ["6-first-go", "2-first-buy"],
  itc: ["2-first-dice", "6-first-attack-move-rob-sell-stone"],
  tokugawa: ["2-first-place", "2-first-attack-build-dismiss-forge-levy-move-pass-tax"],
};
const SHARE = { wide: 0.55, upright: 0.48 } as const;

let gallery: Awaited<ReturnType<typeof buildGallery>>;
let page: Page;

beforeAll(async () => {
  gallery = await buildGallery();
  const browser = await sharedBrowser();
  page = await browser.newPage({ reducedMotion: "reduce" });
  if (process.env.SHOTS === undefined) await page.addInitScript(unpaint);
});
afterAll(async () => {
  await page?.close();
  gallery?.close();
});

interface Seen {
  /** The height of the board, clipped to the window, as a share of the window's. */
  readonly share: number;
  /** Whether the drawing is square and as wide as its place: then it cannot be higher. */
  readonly full: boolean;
  readonly legal: number;
  readonly legalInView: number;
  readonly sideways: boolean;
  /** Whether less than half of the hand's height is seen in the tray, in a wide window not all of it. */
  readonly squeezed: boolean;
  readonly missing: readonly string[];
}

/** Runs in the page. */
function measured(): Seen {
  const board = document.querySelector("[data-board]") ?? document.querySelector(".board-place");
  const frame = board?.getBoundingClientRect() ?? new DOMRect();
  const right = Math.min(frame.right, innerWidth);
  const bottom = Math.min(frame.bottom, innerHeight);
  const seen = (box: DOMRect): boolean =>
    box.width > 0 &&
    Math.min(box.right, right) - Math.max(box.left, frame.left, 0) >= box.width / 2 &&
    Math.min(box.bottom, bottom) - Math.max(box.top, frame.top, 0) >= box.height / 2;
  // What is drawn, not the space that it is drawn in.
  const drawings = [...(board?.querySelectorAll("svg") ?? [])].filter(
    (svg) => svg.clientWidth > 150 && svg.checkVisibility(),
  );
  const boxes = drawings.map((svg) => {
    // A map that is moved fills its frame.
    if (svg.closest(".panzoom") !== null) return svg.getBoundingClientRect();
    const { x, y, width, height } = svg.getBBox();
    const matrix = svg.getScreenCTM() ?? new DOMMatrix();
    const from = new DOMPoint(x, y).matrixTransform(matrix);
    const to = new DOMPoint(x + width, y + height).matrixTransform(matrix);
    return new DOMRect(from.x, from.y, to.x - from.x, to.y - from.y);
  });
  const top = Math.max(frame.top, 0, Math.min(...boxes.map((box) => box.top)));
  const low = Math.min(bottom, Math.max(...boxes.map((box) => box.bottom)));
  const left = Math.max(frame.left, Math.min(...boxes.map((box) => box.left)));
  const far = Math.min(right, Math.max(...boxes.map((box) => box.right)));
  const inWindow = (box: DOMRect): boolean =>
    box.width > 0 &&
    box.left >= -1 &&
    box.top >= -1 &&
    box.left < innerWidth &&
    box.bottom <= innerHeight + 1;
  const legal = [...document.querySelectorAll(".board [data-place].may")];
  const missing = [
    ".seat b bdi",
    ".task-text b",
    "#line",
    ".send",
    ".conversation .btn, .menu-door",
  ];
  return {
    share: Math.max(low - top, 0) / innerHeight,
    full: far - left >= frame.width * 0.85 && low - top >= (far - left) * 0.85,
    legal: legal.length,
    legalInView: legal.filter((each) => {
      const box = each.getBoundingClientRect();
      return board?.contains(each) ? seen(box) : inWindow(box);
    }).length,
    sideways: document.documentElement.scrollWidth > innerWidth,
    squeezed: [...document.querySelectorAll(".tray-place .hand")].some((hand) => {
      // Beside the seats there is height for a whole card.
      const least = innerWidth < 1024 ? hand.scrollHeight / 2 : hand.scrollHeight;
      const tray = hand.closest(".tray")?.clientHeight ?? 0;
      return Math.min(hand.clientHeight, tray) < least;
    }),
    missing: missing.filter(
      (selector) =>
        ![...document.querySelectorAll(selector)].some(
          (each) => each.checkVisibility() && inWindow(each.getBoundingClientRect()),
        ),
    ),
  };
}

function drawn(): Promise<unknown> {
  return page.evaluate(
    () =>
      new Promise((done) =>
        requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))),
      ),
  );
}

async function open(position: string, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  const touch = width < 900 ? "1" : "";
  await page.goto(`${gallery.url}#${encodeURIComponent(`${position}&room=1&touch=${touch}`)}`);
  await page.locator(".board [data-place]").first().waitFor();
  await drawn();
}

/** What is wrong with a position in a window; `SHOTS=FOLDER` keeps a picture. */
async function problemsAt(key: string, name: string, width: number, height: number) {
  await open(`${key}/${name}`, width, height);
  const seen = await page.evaluate(measured);
  const path = `${process.env.SHOTS}/${key}-${name}-${width}x${height}.png`;
  if (process.env.SHOTS !== undefined) await page.screenshot({ path });
  const upright = height > width;
  const share = seen.share.toFixed(3);
  shares.push(`${key} ${name} ${width}x${height} ${share}`);
  // A square sheet in a narrow window is as high as the window is wide.
  const low = seen.share < (upright ? SHARE.upright : SHARE.wide) && !(upright && seen.full);
  return [
    ...(low ? [`only ${share} of the height`] : []),
    ...(seen.legal > 0 && seen.legalInView === 0 ? ["no legal place in view"] : []),
    ...(seen.sideways ? ["it scrolls sideways"] : []),
    ...(seen.squeezed ? ["the hand is squeezed"] : []),
    ...seen.missing.map((what) => `no ${what}`),
  ].map((problem) => `${name} at ${width}x${height}: ${problem}`);
}

const shares: string[] = [];
afterAll(() => {
  if (process.env.SHOTS !== undefined)
    writeFileSync(`${process.env.SHOTS}/shares.txt`, `${shares.join("\n")}\n`);
});

it.each(Object.keys(POSITIONS))("%s is playable in every window", async (key) => {
  const problems: string[] = [];
  for (const name of POSITIONS[key] ?? []) {
    // A page of its own each: no remains of the previous position.
    await page.goto("about:blank");
    for (const [width, height] of WINDOWS) {
      problems.push(...(await problemsAt(key, name, width, height)));
    }
  }
  expect(problems).toEqual([]);
});

it.each([
  [700, 900],
  [820, 1180],
  [1000, 800],
] as const)(
  "a vote, a tip, a refusal and chips leave the line in view at %d x %d",
  async (width, height) => {
    for (const lang of ["en", "ja"]) {
      await page.goto("about:blank");
      await open(`manhattan/4-first-build&lang=${lang}&busy=1`, width, height);
      for (const each of [".vote", ".coach p", ".refusal", ".prompt .chip"]) {
        await page.locator(each).first().waitFor();
      }
      await drawn();
      const path = `${process.env.SHOTS}/busy-${lang}-${width}x${height}.png`;
      if (process.env.SHOTS !== undefined) await page.screenshot({ path });
      const { missing, sideways } = await page.evaluate(measured);
      expect({ missing, sideways }).toEqual({ missing: [], sideways: false });
    }
  },
);

it.each([
  [780, 360],
  [720, 450],
] as const)("a long verb has its width beside Undo and Hint at %d x %d", async (width, height) => {
  await page.goto("about:blank");
  await open("manhattan/4-first-build&lang=ja", width, height);
  const cut = await page.locator(".task .verb").evaluate((verb) => {
    verb.textContent = "フランクフルトに建てる";
    const undo = document.querySelector(".task .quick-tools .btn");
    undo?.after(undo.cloneNode(true));
    return undo && verb.scrollWidth - verb.clientWidth;
  });
  expect(cut).toBe(0);
});

it("a title of two words is whole on a phone held sideways", async () => {
  await page.goto("about:blank");
  await open("tokai/6-first-go&lang=en", 780, 360);
  const cut = await page.locator(".top h1").evaluate((h1) => h1.scrollWidth - h1.clientWidth);
  expect(cut).toBe(0);
});

it("on a phone held sideways each score of six is below its name, inside of its seat", async () => {
  await page.goto("about:blank");
  await open("tokai/6-first-go", 780, 360);
  const outside = await page.locator(".seat .score").evaluateAll((scores) =>
    scores.flatMap((score) => {
      const text = document.createRange();
      text.selectNodeContents(score);
      const seat = score.parentElement?.getBoundingClientRect();
      return text.getBoundingClientRect().right > (seat?.right ?? 0) ? [score.textContent] : [];
    }),
  );
  expect(outside).toEqual([]);
});

it("upright, names of ten letters are whole beside the scores of six", async () => {
  await page.goto("about:blank");
  await open("tokai/6-first-go", 820, 1180);
  const cut = await page.locator(".seat b").evaluateAll((names) =>
    names.filter((name) => {
      const bdi = name.querySelector("bdi");
      if (bdi !== null) bdi.textContent = "Maximilian";
      return bdi === null || name.scrollWidth > name.clientWidth;
    }),
  );
  expect(cut).toHaveLength(0);
});

it.each([
  ["itc/2-first-dice", ".tray, .tray .hand"],
  ["tokai/6-first-go", ".tray, .tray .choices"],
])("upright, the tray of %s cuts nothing", async (position, boxes) => {
  await page.goto("about:blank");
  await open(position, 820, 1180);
  await page.locator(".tray").first().waitFor();
  const cut = await page
    .locator(boxes)
    .evaluateAll((all) =>
      all
        .filter((each) => each.scrollHeight > each.clientHeight + 1)
        .map((each) => `${each.className} ${each.scrollHeight} of ${each.clientHeight}`),
    );
  expect(cut).toEqual([]);
});

it("on a phone held sideways a long tip covers title and seats, and not the task", async () => {
  await page.goto("about:blank");
  await open("manhattan/4-first-build&busy=1", 780, 360);
  await page.locator(".vote").waitFor();
  const [gap, line] = await page.locator(".conversation > .coach").evaluate((coach) => {
    document.querySelector(".vote")?.remove();
    const text = coach.querySelector("p");
    if (text !== null)
      text.textContent = "Lines that cross many others are ridden often. ".repeat(4);
    const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
    const task = box(".task")?.top ?? 0;
    return [task - coach.getBoundingClientRect().bottom, box(".line-form")?.bottom];
  });
  expect(gap).toBeGreaterThanOrEqual(0);
  expect(line).toBe(360);
});

it("on a phone the sheet of a single other player is as wide as the board", async () => {
  await page.goto("about:blank");
  await open("railroad_ink/12-first-draw", 390, 844);
  await page.getByRole("tab").nth(1).click();
  const widths = await page.locator(".other").evaluateAll(([first, ...others]) => {
    const many = first?.clientWidth;
    for (const other of others) other.remove();
    return [many, first?.clientWidth];
  });
  expect(widths[0]).toBeLessThan(130);
  expect(widths[1]).toBeGreaterThan(340);
});

it("the task grows with its text", async () => {
  await page.goto("about:blank");
  await open("manhattan/4-first-build", 1440, 900);
  const cut = await page.locator(".task-text").evaluate((text) => {
    document.documentElement.style.fontSize = "200%";
    text.innerHTML = "<b>Choose a samurai, then an empty town beside the coast.</b>";
    return text.clientHeight - (text.parentElement?.clientHeight ?? 0);
  });
  expect(cut).toBeLessThanOrEqual(0);
});
