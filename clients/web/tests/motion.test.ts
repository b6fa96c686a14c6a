// What `board/motion.ts` moves: pieces that have no transform of their own.

import { describe, expect, it } from "vitest";
import { boardOf } from "../src/board/registry.ts";
import { at, drawn, KEYS, names } from "./recorded.ts";

describe("a piece has no transform of its own, so that the browser moves it without the page", () => {
  it.each(KEYS)("%s", async (key) => {
    const board = await boardOf(key);
    const html = names(key).map((name) => drawn(board, at(key, name)));
    const pieces = html.join("").match(/<[^>]* data-piece="[^>]*>/g) ?? [];
    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.filter((each) => / transform="/.test(each))).toEqual([]);
  });
});
