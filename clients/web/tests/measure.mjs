// Figures of the page, for docs/performance.md: `npm run measure` after `make page`, with nothing
// else running. Compressed sizes; link opened to board drawn; an update to pixels for each board;
// frames of the list while a hundred rooms change. `npm run measure -- lobby` is one section.

import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { brotli } from "../pack.mjs";
import { startBrowser } from "./chromium.mjs";
import { measureLobby } from "./lobby.mjs";

const ROOT = new URL("../../../", import.meta.url).pathname;
const STATIC = join(ROOT, "server/static");
const out = (line) => process.stdout.write(`${line}\n`);

const kb = (bytes) => (bytes / 1000).toFixed(1);
const asked = process.argv.slice(2);
const wants = (part) => asked.length === 0 || asked.includes(part);

if (wants("sizes")) {
  for (const name of readdirSync(join(STATIC, "assets"))) {
    if (!/\.(js|css)$/.test(name)) continue;
    const body = readFileSync(join(STATIC, "assets", name));
    const gz = gzipSync(body, { level: 9 }).length;
    out(`${name}: gzip ${kb(gz)} kB, brotli ${kb(brotli(body).length)} kB`);
  }
}

const data = mkdtempSync(join(tmpdir(), "bluebear-measure-"));
const server = spawn(
  join(ROOT, ".venv/bin/python"),
  ["-m", "bluebear", "serve", "--port", "0", "--bench", "--data", data],
  { cwd: ROOT, stdio: "ignore" },
);
let url = "";
while (url === "") {
  await new Promise((wait) => setTimeout(wait, 100));
  try {
    url = JSON.parse(readFileSync(join(data, "server.json"), "utf8"))
      .url.replace("ws://", "http://")
      .replace("/ws", "");
  } catch {
    // not yet
  }
}
const browser = await startBrowser();

const percent = (values, part) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)];

if (wants("boards")) {
  for (const game of ["Manhattan", "Railroad Ink", "Tokai Danshaku", "I.T.C.", "Tokugawa"]) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    // From the arrival of a frame to the frame after the next animation frame: then the drawing is
    // visible.
    await page.addInitScript(() => {
      globalThis.pixels = [];
      const hear = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage").set;
      Object.defineProperty(WebSocket.prototype, "onmessage", {
        set(listener) {
          hear.call(this, (event) => {
            const start = performance.now();
            listener.call(this, event);
            if (!String(event.data).startsWith('{"type":"update"')) return;
            requestAnimationFrame(() => {
              const channel = new MessageChannel();
              channel.port1.onmessage = () => globalThis.pixels.push(performance.now() - start);
              channel.port2.postMessage(0);
            });
          });
        },
      });
    });
    await page.goto(url);
    await page.fill("#name", `M${game.replaceAll(/[^a-zA-Z]/g, "").slice(0, 9)}`);
    await page.locator(".game-card", { hasText: game }).first().click();
    await page.locator("button[type=submit]").click();
    // A game that is new to a person begins with its first lesson.
    await page.locator(".coach .btn", { hasText: "Skip" }).click();
    await page.locator(".coach small").waitFor({ state: "detached" });
    await page.locator("[data-place]").first().waitFor();
    const opened = [];
    for (let at = 0; at < 5; at += 1) {
      const start = performance.now();
      await page.goto(page.url());
      await page.locator("[data-place]").first().waitFor();
      opened.push(performance.now() - start);
    }
    let seed = 7;
    for (let at = 0; at < 150; at += 1) {
      const places = page.locator("[data-place].may");
      const count = await places.count();
      seed = (seed * 48271) % 2147483647;
      if (count > 0)
        await places
          .nth(seed % count)
          .click({ timeout: 1000 })
          .catch(() => undefined);
      await page.waitForTimeout(30);
    }
    const pixels = await page.evaluate(() => globalThis.pixels);
    out(
      `${game}: link to board ${percent(opened, 0.5)?.toFixed(0)} ms (worst ${percent(opened, 1)?.toFixed(0)}); update to pixels ${percent(pixels, 0.5)?.toFixed(1)} ms median, ${percent(pixels, 1)?.toFixed(1)} ms worst of ${pixels.length}`,
    );
    await page.close();
  }
}
if (wants("lobby")) await measureLobby(browser, url, out);
await browser.close();
server.kill();
