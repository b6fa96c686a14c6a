// A press that fits no legal line asks for the reason, about what was pressed.

import { describe, expect, it } from "vitest";
import type { Position } from "../src/board/contract.ts";
import { whyNot } from "../src/board/index.ts";
import { at } from "./recorded.ts";

/** Tokugawa with these legal lines only. */
function legal(moves: readonly string[], text = ""): Position {
  return at("tokugawa", "2-middle", { moves: { 1: moves }, eyes: [1], text });
}

describe("asking why", () => {
  const levies = ["/levy spear hagi", "/levy sword hagi"];
  const mixed = [...levies, "/move hagi otsu", "/pass"];

  it("asks about the started line with the pressed value", () => {
    expect(whyNot(legal(mixed, "/levy sword"), { town: "edo" })).toEqual({
      act: "why",
      line: "/levy sword edo",
    });
  });

  it("replaces a value that was chosen, and leaves out what comes after the pressed one", () => {
    const moves = ["/move hagi otsu plain", "/move hagi otsu forest"];
    expect(whyNot(legal(moves, "/move hagi otsu plain"), { town: "edo" })).toEqual({
      act: "why",
      line: "/move hagi edo",
    });
  });

  it("without a started line asks about the only verb, with legal values for what is open", () => {
    expect(whyNot(legal(levies), { town: "edo" })).toEqual({ act: "why", line: "/levy spear edo" });
    expect(whyNot(legal(mixed), { town: "edo" })).toBeUndefined();
  });

  it("says nothing where no line takes such a value, or none is legal", () => {
    expect(whyNot(legal(levies), { province: "kanto" })).toBeUndefined();
    expect(whyNot(legal([]), { town: "edo" })).toBeUndefined();
  });
});
