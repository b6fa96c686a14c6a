// The pictures of the rules: one at least for each chapter, each with its name in both languages.

import { readFileSync } from "node:fs";
import { render } from "preact-render-to-string";
import { expect, it } from "vitest";
import { chapterPictures } from "../src/board/chapterPictures.ts";
import { DRAWN } from "../src/board/registry.ts";
import { game } from "./recorded.ts";

it.each(DRAWN)("%s draws a picture for each chapter, and names it", async (key) => {
  const rules = readFileSync(
    new URL(`../../../rules/${key}/text/rules.md`, import.meta.url),
    "utf8",
  );
  const chapters = [...rules.matchAll(/^## ([0-9]+)\. /gm)].map(([, number]) => number);
  const [en, ja] = [await chapterPictures(game(key), "en"), await chapterPictures(game(key), "ja")];
  expect(Object.keys(en)).toEqual(chapters);
  for (const [chapter, pictures] of Object.entries(en)) {
    expect(pictures.length).toBeGreaterThan(0);
    const names = [pictures, ja[chapter] ?? []].map((each) => each.map(({ name }) => name));
    for (const each of names) expect(new Set(each).size).toBe(pictures.length);
    for (const [at, name] of (names[0] ?? []).entries()) expect(name).not.toBe(names[1]?.[at]);
    for (const { box, drawing } of pictures) {
      expect(box).toMatch(/^(-?[\d.]+ ?){4}$/);
      expect(render(drawing)).toMatch(/<(?:path|rect|text)/);
    }
  }
});

it("a game whose board has no pictures has none of its chapters", async () => {
  expect(await chapterPictures({ ...game("manhattan"), key: "no-such-game" }, "en")).toEqual({});
});

it("the faces of Railroad Ink are found by their places among the pictures", async () => {
  const { 2: faces, 7: routes } = await chapterPictures(game("railroad_ink"), "en");
  expect(faces?.map(({ name }) => name)).toMatchInlineSnapshot(`
    [
      "railway curve",
      "railway T",
      "straight railway",
      "road curve",
      "road T",
      "straight road",
      "overpass",
      "straight station",
      "curved station",
    ]
  `);
  expect(routes).toHaveLength(6);
});
