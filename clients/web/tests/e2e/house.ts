// A real server and a real browser, for tests that click.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { sharedBrowser } from "../chromium.mjs";
import { noteIn, SHARED } from "./shared.ts";

export const ROOT = new URL("../../../../", import.meta.url).pathname;

const PATIENCE_MS = 30_000;

/** The address in the note of the server with this process id, once it is there. */
async function noted(data: string, pid: number | undefined): Promise<string> {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    const note = noteIn(data);
    if (note !== undefined && note.pid === pid) {
      return note.url.replace("ws://", "http://").replace("/ws", "");
    }
    await new Promise((wait) => setTimeout(wait, 50));
  }
  throw new Error("the server did not start");
}

/** Other values than those of `server/limits.py`, to shorten waits. */
type Limits = Readonly<Record<string, number>>;

/** Python that starts the program after other limits have been set. */
function withLimits(limits: Limits): string {
  const set = Object.entries(limits).map(([name, value]) => `limits.${name} = ${value}`);
  const run = 'runpy.run_module("bluebear", run_name="__main__", alter_sys=True)';
  return ["import runpy", "from bluebear.server import limits", ...set, run].join("\n");
}

/** A server whose bots search as if the machine had no other work. */
class Server {
  url = "";
  #process: ChildProcess | undefined;
  readonly #data: string;
  readonly #program: readonly string[];

  constructor(data: string, { limits, rates = false }: HouseOptions = {}) {
    this.#data = data;
    const run = limits === undefined ? ["-m", "bluebear"] : ["-c", withLimits(limits)];
    this.#program = [...run, "serve", ...(rates ? ["--drain", "0"] : ["--bench"])];
  }

  get runs(): boolean {
    return this.#process?.exitCode === null && this.#process.signalCode === null;
  }

  async start(port = 0): Promise<void> {
    const python = process.env.BLUEBEAR_PYTHON ?? join(ROOT, ".venv/bin/python");
    const where = ["--port", String(port), "--data", this.#data];
    const env = { ...process.env, BLUEBEAR_BOTS_NICE: "0" };
    this.#process = spawn(python, [...this.#program, ...where], {
      cwd: ROOT,
      stdio: "ignore",
      env,
    });
    this.url = await noted(this.#data, this.#process.pid);
  }

  async stop(): Promise<void> {
    const server = this.#process;
    if (server === undefined || !this.runs) return;
    const exited = new Promise((done) => server.once("exit", done));
    server.kill("SIGTERM");
    await exited;
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.#data, { recursive: true, force: true });
  }
}

interface HouseOptions {
  /** A server of its own, not that of the run. */
  readonly alone?: boolean;
  /** Such a server with these limits. */
  readonly limits?: Limits;
  /** Such a server with the rates at which people may send lines; others have none. */
  readonly rates?: boolean;
  /**
   * Its pages are laid out and pressed, but not painted, and have no service worker: that is a
   * third of the processor's time.
   */
  readonly bare?: boolean;
}

/**
 * Runs in the page before anything else: what is not opaque at all is not painted, and an icon that
 * the page does not find is not drawn anew at each turn.
 */
export function unpaint(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("html { opacity: 0 }");
  document.adoptedStyleSheets.push(sheet);
  addEventListener("DOMContentLoaded", () =>
    document.querySelector("link[rel=icon]")?.setAttribute("rel", "shortcut icon"),
  );
}

/** The server of all suites of a run that want none of their own. */
const shared = new Server(process.env[SHARED] ?? "");

/** The people of a suite, and their server. */
export class House {
  readonly #server: Server;
  readonly #contexts: BrowserContext[] = [];
  readonly #bare: boolean;

  constructor(options: HouseOptions = {}) {
    const { limits, rates = false, alone = rates || limits !== undefined } = options;
    this.#server = alone
      ? new Server(mkdtempSync(join(tmpdir(), "bluebear-e2e-")), options)
      : shared;
    this.#bare = options.bare === true && process.env.SHOTS === undefined;
  }

  /** The errors of all pages; a test that ends with one has failed. */
  readonly errors: string[] = [];

  get url(): string {
    return this.#server.url;
  }

  /** Starts the server, if it does not run already. */
  async start(): Promise<void> {
    if (!this.#server.runs) await this.#server.start();
  }

  /** Stops the server, and starts it again on the same port afterwards, as an update does. */
  async without(meanwhile: () => Promise<void>): Promise<void> {
    await this.#server.stop();
    try {
      await meanwhile();
    } finally {
      await this.#server.start(Number(new URL(this.url).port));
    }
  }

  /** A visitor with a browser context of their own. */
  async visitor(
    options: Parameters<Browser["newContext"]>[0] = {},
  ): Promise<{ readonly page: Page; readonly context: BrowserContext }> {
    const browser = await sharedBrowser();
    const serviceWorkers = this.#bare ? "block" : "allow";
    const context = await browser.newContext({ locale: "en", serviceWorkers, ...options });
    this.#contexts.push(context);
    if (this.#bare) await context.addInitScript(unpaint);
    const page = await context.newPage();
    page.on("pageerror", (error) => this.errors.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") this.errors.push(message.text());
    });
    return { page, context };
  }

  /** Closes the pages of all visitors. */
  async empty(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((each) => each.close()));
  }

  async close(): Promise<void> {
    await this.empty();
    if (this.#server !== shared) await this.#server.close();
  }
}

/** The people of a suite and their server: after a test pages are closed, none had an error. */
export function houseFor(options?: HouseOptions): House {
  const house = new House(options);
  beforeAll(() => house.start());
  afterEach(async () => {
    await house.empty();
    expect(house.errors.splice(0)).toEqual([]);
  });
  afterAll(() => house.close());
  return house;
}
