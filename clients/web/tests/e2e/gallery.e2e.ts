// Compares screenshots of the gallery with stored ones, with a tolerance.
//
// `npm run shots` renews the stored ones. They are as big as a thumbnail: they show a broken
// layout, a lost colour or a missing piece, but not a letter. With fonts other than those of the
// stored ones no comparison is possible, and the tests are skipped.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import pixelmatch from "pixelmatch";
import type { Page } from "playwright-core";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildGallery, sharedBrowser } from "../chromium.mjs";
import { findings } from "./axe.ts";

const STORED = new URL("../shots/", import.meta.url).pathname;
const CURRENT = new URL("../../build/shots/", import.meta.url).pathname;
const RENEW = process.env.RENEW === "1";
/** The share of pixels that may differ, and the difference that one pixel may have. */
const FRACTION = 0.001;
const THRESHOLD = 0.1;
/** A window in which the tray is below the board. */
const SIZE = { width: 1040, height: 740 };
const SCALE = 0.4;

const POSITIONS: Readonly<Record<string, readonly string[]>> = {
  manhattan: ["4-start", "4-middle", "2-end"],
  railroad_ink: ["1-start", "12-middle", "1-end"],
  tokai: ["2-start", "6-first-go", "6-middle", "6-end"],
  itc: ["2-start", "6-middle", "2-end"],
  tokugawa: ["2-start", "2-middle", "2-end"],
};
const LOOKS = [
  { theme: "light", lang: "en" },
  { theme: "dark", lang: "ja" },
] as const;
/** Forced colours: once for each board. */
const FORCED = { theme: "forced", lang: "en" } as const;
type Look = (typeof LOOKS)[number] | typeof FORCED;

let gallery: Awaited<ReturnType<typeof buildGallery>>;
let page: Page;
let sameFonts = true;

/** The widths of some texts: a fingerprint of the fonts and their rendering. */
function fonts(): Promise<string> {
  return page.evaluate(() => {
    const sample = document.createElement("span");
    sample.style.cssText = "position: absolute; font: 500 40px var(--font); white-space: nowrap";
    document.body.append(sample);
    const widths = ["Tokugawa 1615 mm", "徳川家康の地図", "•−→✓"].map((text) => {
      sample.textContent = text;
      return sample.getBoundingClientRect().width.toFixed(2);
    });
    sample.remove();
    return `${widths.join(" ")}\n`;
  });
}

/** Two frames: one draws the address, the next one shows it. */
function drawn(): Promise<unknown> {
  return page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

/**
 * Fewer colours, so that the stored pictures are small; far fewer than the tolerance of a pixel.
 */
function coarse(picture: Buffer): PNG {
  const png = PNG.sync.read(picture);
  for (let at = 0; at < png.data.length; at += 1) {
    png.data[at] = at % 4 === 3 ? 255 : ((png.data[at] ?? 0) & 0xf0) | 8;
  }
  return png;
}

function packed(png: PNG): Buffer {
  return PNG.sync.write(png, { colorType: 2, deflateLevel: 9, deflateStrategy: 0, filterType: 0 });
}

async function shot(key: string, name: string, look: Look): Promise<Buffer> {
  const { width, height } = SIZE;
  const forced = look.theme === "forced";
  await page.emulateMedia({
    forcedColors: forced ? "active" : "none",
    colorScheme: forced ? "dark" : "light",
  });
  const address = `${key}/${name}&lang=${look.lang}&theme=${forced ? "" : look.theme}&w=${width}&h=${height}&bare=1`;
  // A document of its own for each position and for forced colours: no remains of the previous one.
  const again = page.url().includes(encodeURIComponent(`${key}/${name}&`));
  if (forced || !again) await page.goto("about:blank");
  await page.goto(`${gallery.url}#${encodeURIComponent(address)}`);
  await page.waitForSelector(`.board-${key} [data-place], .board-${key} svg`);
  await drawn();
  return page.screenshot({ animations: "disabled" });
}

beforeAll(async () => {
  gallery = await buildGallery();
  const browser = await sharedBrowser();
  page = await browser.newPage({
    viewport: SIZE,
    deviceScaleFactor: SCALE,
    reducedMotion: "reduce",
  });
  mkdirSync(STORED, { recursive: true });
  mkdirSync(CURRENT, { recursive: true });
  await shot("manhattan", "4-start", LOOKS[0]);
  const loadedFonts = await fonts();
  const path = `${STORED}fonts.txt`;
  if (RENEW) writeFileSync(path, loadedFonts);
  sameFonts = existsSync(path) && readFileSync(path, "utf8") === loadedFonts;
});
afterAll(async () => {
  await page?.close();
  gallery?.close();
});

describe.each(Object.entries(POSITIONS))("%s", (key, names) => {
  it.for(
    names
      .flatMap((name, at) =>
        [...LOOKS, ...(at === 1 ? [FORCED] : [])].map((look) => ({ name, look })),
      )
      .map(({ name, look }) => [name, look.theme, look.lang, look] as const),
  )("%s, %s, %s, looks as it did", async ([name, theme, lang, look], { skip }) => {
    skip(!sameFonts, "other fonts than the kept pictures were drawn with");
    const file = `${key}-${name}-${theme}-${lang}.png`;
    const now = coarse(await shot(key, name, look));
    if (RENEW) writeFileSync(`${STORED}${file}`, packed(now));
    const storedShot = PNG.sync.read(readFileSync(`${STORED}${file}`));
    expect([now.width, now.height]).toEqual([storedShot.width, storedShot.height]);
    const difference = new PNG({ width: now.width, height: now.height });
    const options = { threshold: THRESHOLD };
    const pixels = pixelmatch(
      storedShot.data,
      now.data,
      difference.data,
      now.width,
      now.height,
      options,
    );
    const fraction = pixels / (now.width * now.height);
    if (fraction > FRACTION) {
      writeFileSync(`${CURRENT}${file}`, packed(now));
      writeFileSync(
        `${CURRENT}${file.replace(".png", "-difference.png")}`,
        PNG.sync.write(difference),
      );
    }
    if (look === LOOKS[0] && name === names[1]) expect(await findings(page, ".stage")).toEqual([]);
    expect(fraction, `see ${CURRENT}${file}; npm run shots keeps it`).toBeLessThanOrEqual(FRACTION);
  });
});
