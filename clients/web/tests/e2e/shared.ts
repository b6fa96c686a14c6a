// The server that the suites of a run share: the first one starts it, and it ends with the run.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Its data folder. */
export const SHARED = "BLUEBEAR_E2E_DATA";

export function setup(): () => Promise<void> {
  const data = mkdtempSync(join(tmpdir(), "bluebear-e2e-"));
  process.env[SHARED] = data;
  const note = join(data, "server.json");
  return async () => {
    if (existsSync(note)) {
      const { pid } = JSON.parse(readFileSync(note, "utf8")) as { pid: number };
      process.kill(pid, "SIGTERM");
    }
    // It takes its note away when all is stored.
    while (existsSync(note)) await new Promise((wait) => setTimeout(wait, 20));
    rmSync(data, { recursive: true, force: true });
  };
}
