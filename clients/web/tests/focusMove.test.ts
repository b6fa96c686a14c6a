import { describe, expect, it } from "vitest";
import { nearest, nextLegal, type Spot } from "../src/screens/focusMove.ts";

/** Three by three places, 100 px apart, named by row and column. */
const GRID: readonly Spot[] = [0, 1, 2].flatMap((row) =>
  [0, 1, 2].map((column) => ({
    id: `${row}${column}`,
    x: column * 100,
    y: row * 100,
    may: row === column,
  })),
);

function spot(id: string): Spot {
  const match = GRID.find((each) => each.id === id);
  if (match === undefined) throw new Error(id);
  return match;
}

describe("walking over a board", () => {
  it.each([
    ["left", "10"],
    ["right", "12"],
    ["up", "01"],
    ["down", "21"],
  ] as const)("goes %s to the neighbour", (direction, id) => {
    expect(nearest(GRID, spot("11"), direction)?.id).toBe(id);
  });

  it("stays where there is nothing further", () => {
    expect(nearest(GRID, spot("00"), "left")).toBeUndefined();
  });

  it("goes to the next legal place in reading order, round and round", () => {
    expect(nextLegal(GRID, "00", false)?.id).toBe("11");
    expect(nextLegal(GRID, "12", false)?.id).toBe("22");
    expect(nextLegal(GRID, "22", false)?.id).toBe("00");
    expect(nextLegal(GRID, "12", true)?.id).toBe("11");
    expect(nextLegal(GRID, undefined, false)?.id).toBe("00");
  });
});
