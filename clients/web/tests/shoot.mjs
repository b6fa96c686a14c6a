// Screenshots of the gallery: `node tests/shoot.mjs OUT_FOLDER NAME...`, a NAME being what stands
// behind the `#` of its address: `manhattan/4-middle&lang=ja&theme=dark&w=360&h=420&touch=1`.
// `node tests/shoot.mjs OUT_FOLDER all KEY` takes every position of a game in both languages and
// themes, wide and narrow. Needs `npm run gallery` (a build) before.

import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { serveGallery, startBrowser } from "./chromium.mjs";

const RECORDED = new URL("../gallery/", import.meta.url).pathname;
const [out = "build/shots", ...asked] = process.argv.slice(2);

async function everything(key) {
  const files = (await readdir(join(RECORDED, key))).filter((name) => name !== "game.json");
  const names = files.map((name) => `${key}/${name.slice(0, -5)}`);
  const ways = [
    "w=1020&h=830",
    "w=1020&h=830&theme=dark&lang=ja",
    "w=360&h=420&touch=1",
    "w=360&h=420&touch=1&lang=ja&theme=dark",
  ];
  return names.flatMap((name) => ways.map((way) => `${name}&${way}`));
}

const names =
  asked[0] === "all" ? (await Promise.all(asked.slice(1).map(everything))).flat() : asked;

const gallery = await serveGallery();
await mkdir(out, { recursive: true });
const browser = await startBrowser();
for (const name of names) {
  const width = Number(/[&]w=(\d+)/.exec(name)?.[1] ?? 1020);
  const height = Number(/[&]h=(\d+)/.exec(name)?.[1] ?? 830);
  const page = await browser.newPage({
    viewport: { width, height },
    deviceScaleFactor: width < 600 ? 2 : 1,
  });
  page.on("pageerror", (error) => process.stderr.write(`${name}: ${error}\n`));
  await page.goto(`${gallery.url}#${encodeURIComponent(`${name}&bare=1`)}`);
  await page.waitForSelector(".board");
  await page.screenshot({ path: join(out, `${name.replaceAll(/[^\w-]+/g, "_")}.png`) });
  await page.close();
}
await browser.close();
gallery.close();
