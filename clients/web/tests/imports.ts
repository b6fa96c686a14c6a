// The import graph of `src`, types included: which layer may import which, and circles.
// Biome's `noImportCycles` passes over type imports; `noRestrictedImports` warns in the editor.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** A file's path below the root, and the paths of the files that it imports. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/** Each folder of `src`, and the folders that its files may import besides their own. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  fairness: [],
  sdk: ["protocol"],
  line: ["protocol"],
  strings: ["protocol"],
  keys: ["strings"],
  board: ["protocol", "line"],
  games: ["board"],
  state: ["protocol", "sdk", "line", "strings", "board"],
  screens: ["protocol", "sdk", "line", "strings", "board", "state", "keys", "fairness", "style"],
  shell: ["protocol", "line", "strings", "keys", "state"],
};

const IMPORT = /^(?:import|export)\b[^;]*?\bfrom\s+"(\.[^"]+)"|\bimport\s*\(?\s*"(\.[^"]+)"/gm;
const SOURCE = /\.tsx?$/;

/** The relative imports of a source text: static, re-exported, for side effects, dynamic. */
export function importsOf(text: string): readonly string[] {
  return [...text.matchAll(IMPORT)].map(([, from, bare]) => from ?? bare ?? "");
}

/** The graph of all TypeScript files below `root`. Throws where an import names no file. */
export function graphOf(root: string): Graph {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    SOURCE.test(name),
  );
  return new Map(
    files.map((file) => {
      const paths = importsOf(readFileSync(join(root, file), "utf8"))
        .filter((path) => SOURCE.test(path))
        .map((path) => join(dirname(join(root, file)), path));
      const missing = paths.find((path) => !existsSync(path));
      if (missing !== undefined) throw new Error(`${file} imports ${missing}, which is no file`);
      return [file, paths.map((path) => relative(root, path))];
    }),
  );
}

/** The circles of a graph, each as the files on it; every circle has at least one file here. */
export function cyclesIn(graph: Graph): readonly (readonly string[])[] {
  const finished = new Set<string>();
  const cycles: (readonly string[])[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) cycles.push([...path.slice(start), file]);
    if (start >= 0 || finished.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    finished.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}

/** The folder that the rules speak of: `state`, or `games/KEY`, as games are apart from each other. */
function unitOf(file: string): string {
  const [folder = "", key = ""] = file.split("/");
  return folder === "games" ? `games/${key}` : folder;
}

/** The imports that go against `LAYERS`, as `file -> file`. Files in the root may import all. */
export function breachesIn(graph: Graph): readonly string[] {
  return [...graph].flatMap(([file, imported]) => {
    if (!file.includes("/")) return [];
    const allowed = LAYERS[file.split("/")[0] ?? ""] ?? [];
    return imported
      .filter(
        (each) => unitOf(each) !== unitOf(file) && !allowed.includes(each.split("/")[0] ?? ""),
      )
      .map((each) => `${file} -> ${each}`);
  });
}

/** The stems that both `state` and `screens` have: the same word for two files misleads. */
export function sharedStems(graph: Graph): readonly string[] {
  const stems = (folder: string): readonly string[] =>
    [...graph.keys()]
      .filter((file) => file.startsWith(`${folder}/`))
      .map((file) => file.slice(folder.length + 1).replace(SOURCE, ""));
  const screens = new Set(stems("screens"));
  return stems("state").filter((stem) => screens.has(stem));
}

/** `LAYERS` as Biome's `noRestrictedImports`: what `biome.layers.json` has to hold. */
export function lintRules(): unknown {
  const overrides = Object.entries(LAYERS).map(([folder, allowed]) => {
    const up = folder === "games" ? "../../" : "../";
    const group = ["../**", ...allowed.map((each) => `!${up}${each}/**`)];
    const message = "This folder may not import that one: see LAYERS in tests/imports.ts.";
    const options = { patterns: [{ group, message }] };
    const rule = { noRestrictedImports: { level: "error", options } };
    return { includes: [`src/${folder}/**`], linter: { rules: { style: rule } } };
  });
  return { overrides };
}
