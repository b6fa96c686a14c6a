// Debian's Chromium for tests, figures and screenshots; and a server for the built gallery.

import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";

/** No requests to the browser's vendor. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** @type {Promise<import("playwright-core").Browser> | undefined} */
let shared;

/** The browser of all suites of a run: each closes its own contexts, and it ends with the process. */
export function sharedBrowser() {
  shared ??= startBrowser();
  return shared;
}

/** Starts a browser; the caller closes it. */
export function startBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
    args: FLAGS,
  });
}

/** @type {Record<string, string>} */
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};
const WEB = new URL("../", import.meta.url).pathname;
const ROOT = join(WEB, "build/gallery");

let isBuilt = false;

/** The gallery, built once for all suites of a run, and served. */
export async function buildGallery() {
  if (!isBuilt) {
    const vite = ["node_modules/vite/bin/vite.js", "build", "--mode", "gallery"];
    execFileSync(process.execPath, vite, { cwd: WEB, stdio: "ignore" });
    isBuilt = true;
  }
  return serveGallery();
}

/** The gallery as built by `npm run gallery`: its address, and a function that stops it. */
export async function serveGallery() {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    try {
      const body = await readFile(join(ROOT, path));
      response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "text/plain" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, "127.0.0.1");
  await new Promise((ready) => server.once("listening", () => ready(undefined)));
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/gallery.html`, close: () => server.close() };
}
