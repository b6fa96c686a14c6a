// The npm package: what `npm pack` puts into it, and its example in Node against a real server.

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { houseFor } from "./house.ts";

const run = promisify(execFile);
const SOURCES = new URL("../../npm/", import.meta.url).pathname;

const house = houseFor();
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bluebear-sdk-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

it("is packed with its types, and plays a game to its end", async () => {
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd: SOURCES,
  });
  const [packed]: readonly Packed[] = JSON.parse(stdout);
  const paths = packed?.files.map(({ path }) => path) ?? [];
  const modules = paths.filter((path) => path.endsWith(".js")).map((path) => path.slice(0, -3));
  expect(paths.filter((path) => !path.startsWith("dist/")).toSorted()).toEqual([
    "README.md",
    "example.mjs",
    "package.json",
  ]);
  expect(modules).toContain("dist/sdk/client");
  expect(modules.filter((path) => !paths.includes(`${path}.d.ts`))).toEqual([]);
  expect(paths.filter((path) => path.startsWith("dist/") && !/\.(js|d\.ts)$/.test(path))).toEqual(
    [],
  );

  const installed = join(folder, "node_modules", "bluebear-sdk");
  await mkdir(installed, { recursive: true });
  const archive = join(folder, packed?.filename ?? "");
  await run("tar", ["-xzf", archive, "-C", installed, "--strip-components=1"]);
  const url = `${house.url.replace("http", "ws")}/ws`;
  const played = await run("node", [join(installed, "example.mjs"), url]);
  expect(played.stdout).toContain('"place":1');
  expect(played.stderr).toBe("");
});
