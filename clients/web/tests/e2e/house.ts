// A real server and a real browser, for tests that click.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { sharedBrowser } from "../chromium.mjs";

export const ROOT = new URL("../../../../", import.meta.url).pathname;

const PATIENCE_MS = 30_000;

/** The address in a server's note, once it is there. */
async function noted(data: string): Promise<string> {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    try {
      const note = JSON.parse(readFileSync(join(data, "server.json"), "utf8")) as { url: string };
      return note.url.replace("ws://", "http://").replace("/ws", "");
    } catch {
      await new Promise((wait) => setTimeout(wait, 50));
    }
  }
  throw new Error("the server did not start");
}

interface HouseOptions {
  readonly bench?: boolean;
  readonly eager?: boolean;
  readonly limits?: Readonly<Record<string, number>>;
}

/** Python that starts the program after other limits have been set. */
function withLimits(limits: Readonly<Record<string, number>>): string {
  const set = Object.entries(limits).map(([name, value]) => `limits.${name} = ${value}`);
  const run = 'runpy.run_module("bluebear", run_name="__main__", alter_sys=True)';
  return ["import runpy", "from bluebear.server import limits", ...set, run].join("\n");
}

export class House {
  readonly data = mkdtempSync(join(tmpdir(), "bluebear-e2e-"));
  url = "";
  #server: ChildProcess | undefined;
  readonly #contexts: BrowserContext[] = [];
  readonly #more: readonly string[];
  readonly #limits: Readonly<Record<string, number>>;
  readonly #environment: Readonly<Record<string, string>>;

  /** `bench` lifts the rate limits, so that games are played faster than people may send lines. */
  /** `eager`: its bots search as if the machine had no other work. */
  /** `limits`: other values than those of `server/limits.py`, to shorten waits. */
  constructor(options: HouseOptions = {}) {
    this.#more = options.bench ? ["--bench"] : [];
    this.#limits = options.limits ?? {};
    this.#environment = options.eager ? { BLUEBEAR_BOTS_NICE: "0" } : {};
  }

  /** The errors of all pages; a test that ends with one has failed. */
  readonly errors: string[] = [];

  async start(port = 0): Promise<void> {
    const python = process.env.BLUEBEAR_PYTHON ?? join(ROOT, ".venv/bin/python");
    const program =
      Object.keys(this.#limits).length === 0
        ? ["-m", "bluebear"]
        : ["-c", withLimits(this.#limits)];
    const argv = [...program, "serve", "--port", String(port), "--data", this.data];
    argv.push(...this.#more);
    const env = { ...process.env, ...this.#environment };
    this.#server = spawn(python, argv, { cwd: ROOT, stdio: "ignore", env });
    this.url = await noted(this.data);
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined || server.exitCode !== null) return;
    const exited = new Promise((done) => server.once("exit", done));
    server.kill("SIGTERM");
    await exited;
  }

  /** The same server again on the same port, as after an update. */
  async restart(): Promise<void> {
    const port = Number(new URL(this.url).port);
    await this.stop();
    await this.start(port);
  }

  /** A visitor with a browser context of their own. */
  async visitor(
    options: Parameters<Browser["newContext"]>[0] = {},
  ): Promise<{ readonly page: Page; readonly context: BrowserContext }> {
    const browser = await sharedBrowser();
    const context = await browser.newContext({ locale: "en", ...options });
    this.#contexts.push(context);
    const page = await context.newPage();
    page.on("pageerror", (error) => this.errors.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") this.errors.push(message.text());
    });
    return { page, context };
  }

  async close(): Promise<void> {
    await Promise.all(this.#contexts.map((each) => each.close()));
    await this.stop();
    rmSync(this.data, { recursive: true, force: true });
  }
}
