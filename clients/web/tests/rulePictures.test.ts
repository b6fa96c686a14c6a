// The pictures of the rules: each in a chapter that exists, with its name in both languages.

import { readFileSync } from "node:fs";
import { render } from "preact-render-to-string";
import { expect, it } from "vitest";
import { boardOf, DRAWN } from "../src/board/registry.ts";
import { game } from "./recorded.ts";

it.each(DRAWN)("%s draws pictures, and names each", async (key) => {
  const rules = readFileSync(
    new URL(`../../../rules/${key}/text/rules.md`, import.meta.url),
    "utf8",
  );
  const board = await boardOf(key);
  const module = await board.pictures?.();
  const [en, ja] = (["en", "ja"] as const).map((lang) => module?.picturesIn(lang, game(key)) ?? {});
  expect(Object.keys(en ?? {}).length).toBeGreaterThan(0);
  for (const [chapter, pictures] of Object.entries(en ?? {})) {
    expect(rules).toContain(`\n## ${chapter}. `);
    const names = [pictures, ja?.[chapter] ?? []].map((each) => each.map(({ name }) => name));
    for (const each of names) expect(new Set(each).size).toBe(pictures.length);
    for (const [at, name] of (names[0] ?? []).entries()) expect(name).not.toBe(names[1]?.[at]);
    for (const { drawing } of pictures) expect(render(drawing)).toMatch(/<(?:path|rect)/);
  }
});
