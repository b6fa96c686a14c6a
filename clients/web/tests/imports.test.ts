// The layers of `src` and the absence of circles, type imports included.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  breachesIn,
  cyclesIn,
  type Graph,
  graphOf,
  importsOf,
  LAYERS,
  lintRules,
  sharedStems,
} from "./imports.ts";

const ROOT = new URL("../src", import.meta.url).pathname;
const GRAPH = graphOf(ROOT);

describe("the files of src", () => {
  it("import each other without a circle", () => {
    expect(cyclesIn(GRAPH)).toEqual([]);
  });

  it("import only what lies below them", () => {
    expect(breachesIn(GRAPH)).toEqual([]);
  });

  it("stand in folders that have a rule", () => {
    const folders = readdirSync(ROOT, { withFileTypes: true })
      .filter((each) => each.isDirectory() && each.name !== "style")
      .map((each) => each.name);
    expect(folders.toSorted()).toEqual(Object.keys(LAYERS).toSorted());
  });

  it("have no name that state and screens share", () => {
    expect(sharedStems(GRAPH)).toEqual([]);
  });

  it("have the same rules in the linter", () => {
    const lint = JSON.parse(readFileSync(`${ROOT}/../biome.layers.json`, "utf8"));
    expect(lint).toEqual(lintRules());
  });

  it("are all there, with their imports", () => {
    expect(GRAPH.size).toBeGreaterThan(100);
    expect(GRAPH.get("state/connection.ts")).toContain("state/serverEvents.ts");
    expect(GRAPH.get("main.tsx")).toContain("screens/app.tsx");
  });
});

describe("the checks themselves", () => {
  it("see every form of import", () => {
    const text = [
      'import { a } from "./a.ts";',
      'import type {\n  B,\n} from "../state/b.ts";',
      'export { c } from "./c.ts";',
      'export type { D } from "./d.ts";',
      'import * as e from "./e.ts";',
      'import "./f.ts";',
      'const g = () => import("./g.tsx");',
      'import { render } from "preact";',
    ].join("\n");
    const letters = importsOf(text).map((path) => path.replace(/^.*\/|\..*$/g, ""));
    expect(letters).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
  });

  it("find a circle, also one of types behind a file that is in none", () => {
    const graph: Graph = new Map([
      ["main.tsx", ["state/a.ts"]],
      ["state/a.ts", ["state/b.ts"]],
      ["state/b.ts", ["state/c.ts"]],
      ["state/c.ts", ["state/b.ts"]],
    ]);
    expect(cyclesIn(graph)).toEqual([["state/b.ts", "state/c.ts", "state/b.ts"]]);
  });

  it("find what goes against the layers, and one game that imports another", () => {
    const graph: Graph = new Map([
      ["sdk/mirror.ts", ["state/state.ts", "protocol/codec.ts"]],
      ["games/tokai/index.tsx", ["games/itc/tray.tsx", "games/tokai/map.tsx", "board/index.ts"]],
      ["board/index.ts", ["games/tokai/index.tsx"]],
      ["main.tsx", ["screens/app.tsx"]],
    ]);
    expect(breachesIn(graph)).toEqual([
      "sdk/mirror.ts -> state/state.ts",
      "games/tokai/index.tsx -> games/itc/tray.tsx",
      "board/index.ts -> games/tokai/index.tsx",
    ]);
  });

  it("find a stem of both folders", () => {
    const graph: Graph = new Map([
      ["state/replay.ts", []],
      ["screens/replay.tsx", []],
    ]);
    expect(sharedStems(graph)).toEqual(["replay"]);
  });
});
