// The server that the suites of a run share: the first one starts it, and it ends with the run.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Its data folder. */
export const SHARED = "BLUEBEAR_E2E_DATA";

const PATIENCE_MS = 30_000;

interface Note {
  readonly pid: number;
  readonly url: string;
}

/** What the server of a data folder says of itself while it runs. */
export function noteIn(data: string): Note | undefined {
  try {
    return JSON.parse(readFileSync(join(data, "server.json"), "utf8")) as Note;
  } catch {
    return undefined;
  }
}

/** Signals the server of a data folder; false if none runs there, even if one left its note. */
function signal(data: string, name: "SIGTERM" | "SIGKILL" | 0): boolean {
  const note = noteIn(data);
  try {
    return note !== undefined && process.kill(note.pid, name);
  } catch {
    return false;
  }
}

export function setup(): () => Promise<void> {
  const data = mkdtempSync(join(tmpdir(), "bluebear-e2e-"));
  process.env[SHARED] = data;
  return async () => {
    signal(data, "SIGTERM");
    const end = Date.now() + PATIENCE_MS;
    // It takes its note away when all is stored.
    while (signal(data, 0) && Date.now() < end) await new Promise((wait) => setTimeout(wait, 20));
    const stuck = signal(data, "SIGKILL");
    rmSync(data, { recursive: true, force: true });
    if (stuck) throw new Error("the server did not stop");
  };
}
