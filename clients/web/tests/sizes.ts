// The bytes of the page as browsers load them: brotli of a build, by what is loaded together.

import { fileURLToPath } from "node:url";
import { build, type Rolldown } from "vite";
import { brotli } from "../pack.mjs";

/** An upper bound in bytes, and the reason for the number. */
export interface Budget {
  readonly bytes: number;
  readonly why: string;
}

export type Sizes = Readonly<Record<string, number>>;

/** A stored number must be lowered once the page needs less than this share of it. */
const SLACK = 0.95;

const LANGUAGE = /\/src\/strings\/(en|ja)\.ts$/;
const SCREEN = /\/src\/(?:screens|line)\/(\w+)\.tsx?$/;
const RECORDED = /\/src\/screens\/recorded\/(\w+)\.json$/;
const PHRASES = /\/src\/games\/\w+\/phrases\.(en|ja)\.json$/;
const PARTS = fileURLToPath(new URL("../src/board/parts.ts", import.meta.url));
const PICTURES = /\/src\/games\/(\w+)\/(?:pictures\.tsx|chapters\.json)$/;
const BOARD = /\/src\/games\/(\w+)\/index\.tsx$/;

/** The hash in the name of a file: chance decides how well it compresses, by some bytes a chunk. */
const HASH = /-[\w-]{8}(?=\.(?:js|css)\b)/g;

type Output = readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[];

/** Builds the page without writing it, whatever the mode of the process is. */
export async function builtPage(): Promise<Output> {
  const mode = process.env.NODE_ENV;
  process.env.NODE_ENV = "production";
  try {
    const root = fileURLToPath(new URL("..", import.meta.url));
    const built = await build({ root, logLevel: "silent", build: { write: false } });
    if (Array.isArray(built) || !("output" in built)) throw new Error("one output was expected");
    return built.output;
  } finally {
    process.env.NODE_ENV = mode;
  }
}

/**
 * Sizes by "script" (with the larger language), "style" and "html" of the first page; "kit", which
 * boards of packages import; by "screen NAME", and by "board KEY": the
 * script and style that it adds to the first page, a board to the room as well, with the phrases
 * of the larger language and without "board parts", which all boards share; by "drawings KEY",
 * what a board loads by itself, and "drawings KEY NAME" if these are several chunks; by
 * "rules KEY", what the rules need of it: their pictures, and what their chapters say of them.
 */
export function sizesOf(output: Output): Sizes {
  const files = new Map(output.map((file) => [file.fileName, file]));
  const size = (name: string): number => {
    const file = files.get(name);
    if (file === undefined) throw new Error(`the build has no ${name}`);
    const content = file.type === "chunk" ? file.code : file.source;
    if (typeof content !== "string") return brotli(Buffer.from(content)).length;
    return brotli(Buffer.from(content.replace(HASH, "-00000000"))).length;
  };
  const total = (names: Iterable<string>): number =>
    [...names].reduce((sum, name) => sum + size(name), 0);
  const chunks = output.filter((file) => file.type === "chunk");
  const entry = chunks.find((chunk) => chunk.name === "page");
  if (entry === undefined) throw new Error("the build has no page");
  const first = withImports(entry, files);
  const languages = chunks.filter((chunk) => LANGUAGE.test(chunk.facadeModuleId ?? ""));
  const language = Math.max(0, ...languages.map((chunk) => size(chunk.fileName)));
  const sizes: Record<string, number> = {
    script: total(first) + language,
    style: total(stylesOf(first, files)),
    html: size("index.html"),
    kit: size("kit/1.js"),
  };
  const added = (chunk: Rolldown.OutputChunk, loaded: readonly string[]): number => {
    const more = withImports(chunk, files).filter((name) => !loaded.includes(name));
    const styles = stylesOf(loaded, files);
    return total(more) + total([...stylesOf(more, files)].filter((name) => !styles.has(name)));
  };
  const room = chunks.find((chunk) => SCREEN.exec(chunk.facadeModuleId ?? "")?.[1] === "room");
  const beforeBoards = [...first, ...(room === undefined ? [] : withImports(room, files))];
  const parts = chunks.filter((chunk) => PARTS in chunk.modules);
  for (const chunk of parts) sizes["board parts"] = added(chunk, beforeBoards);
  const inRoom = [...beforeBoards, ...parts.map(({ fileName }) => fileName)];
  for (const chunk of chunks) {
    const source = chunk.facadeModuleId ?? "";
    const [screen, board] = [SCREEN.exec(source)?.[1], BOARD.exec(source)?.[1]];
    if (screen !== undefined) sizes[`screen ${screen}`] = added(chunk, first);
    const game = RECORDED.exec(source)?.[1];
    if (game !== undefined) sizes[`recorded ${game}`] = added(chunk, first);
    const drawn = PICTURES.exec(source);
    if (drawn !== null) grow(sizes, `rules ${drawn[1]}`, size(chunk.fileName));
    if (board === undefined) continue;
    const later = withImports(chunk, files)
      .filter((name) => !inRoom.includes(name))
      .flatMap((name) => chunkOf(name, files)?.dynamicImports ?? [])
      .flatMap((name) => chunkOf(name, files) ?? []);
    const isPhrases = (each: Rolldown.OutputChunk): boolean =>
      PHRASES.test(each.facadeModuleId ?? "");
    const phrases = later.filter(isPhrases).map((each) => size(each.fileName));
    const drawings = later.filter(
      (each) => !isPhrases(each) && !PICTURES.test(each.facadeModuleId ?? ""),
    );
    sizes[`board ${board}`] = added(chunk, inRoom) + Math.max(0, ...phrases);
    for (const each of drawings) {
      const name = drawings.length > 1 ? ` ${each.name}` : "";
      sizes[`drawings ${board}${name}`] = added(each, [...inRoom, ...withImports(chunk, files)]);
    }
  }
  return sizes;
}

function grow(sizes: Record<string, number>, name: string, bytes: number): void {
  sizes[name] = (sizes[name] ?? 0) + bytes;
}

type Files = ReadonlyMap<string, Rolldown.OutputChunk | Rolldown.OutputAsset>;

function chunkOf(name: string, files: Files): Rolldown.OutputChunk | undefined {
  const file = files.get(name);
  return file?.type === "chunk" ? file : undefined;
}

/** A chunk and all that it imports statically. */
function withImports(chunk: Rolldown.OutputChunk, files: Files): readonly string[] {
  const names = new Set<string>();
  const add = (name: string): void => {
    const file = files.get(name);
    if (names.has(name) || file?.type !== "chunk") return;
    names.add(name);
    for (const each of file.imports) add(each);
  };
  add(chunk.fileName);
  return [...names];
}

function stylesOf(names: readonly string[], files: Files): ReadonlySet<string> {
  return new Set(
    names.flatMap((name) => {
      const file = files.get(name);
      return file?.type === "chunk" ? [...(file.viteMetadata?.importedCss ?? [])] : [];
    }),
  );
}

/** What is wrong with sizes, in sentences: too large, without a budget, or a budget to be lowered. */
export function problemsOf(
  sizes: Sizes,
  budgets: Readonly<Record<string, Budget>>,
): readonly string[] {
  const names = [...new Set([...Object.keys(sizes), ...Object.keys(budgets)])];
  return names.flatMap((name) => {
    const [size, budget] = [sizes[name], budgets[name]];
    if (size === undefined) return [`${name} is in BUDGETS, but not in the build`];
    if (budget === undefined) return [`${name} has ${size} bytes, and no number in BUDGETS`];
    if (size > budget.bytes) return [`${name} has ${size} bytes, more than ${budget.bytes}`];
    return size < budget.bytes * SLACK
      ? [`${name} has ${size} bytes only: lower its ${budget.bytes} in BUDGETS`]
      : [];
  });
}
