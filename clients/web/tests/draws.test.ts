import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { chanceKey, commitment, Draws } from "../src/fairness/draws.ts";

const VECTORS = new URL("../../../tests/rules/core/chance_vectors.txt", import.meta.url);
const lines = readFileSync(VECTORS, "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

async function made(given: string): Promise<string> {
  const [what, key = "", ...rest] = given.split(" ");
  const numbers = rest.slice(what === "draw" ? 2 : 1).map(Number);
  const [first = 0] = numbers;
  if (what === "commit") return commitment(key);
  if (what === "key") return chanceKey(key, rest.join(" "));
  const draws = await Draws.of(key, BigInt(rest[0] ?? 0));
  switch (what === "dice" ? "dice" : rest[1]) {
    case "pick":
      return `${await draws.pick(first)}`;
    case "die":
      return `${await draws.die(first)}`;
    case "weighted":
      return `${await draws.weighted(numbers)}`;
    case "shuffle":
      return (await draws.shuffle([...Array(first).keys()])).join(" ");
    default:
      throw new Error(given);
  }
}

async function dice(given: string, count: number): Promise<string> {
  const [, key = "", counter, sides] = given.split(" ");
  const draws = await Draws.of(key, BigInt(counter ?? 0));
  const thrown: number[] = [];
  while (thrown.length < count) thrown.push(await draws.die(Number(sides)));
  return thrown.join(" ");
}

describe("the draws of the server", () => {
  it("are the same here, for every vector", async () => {
    expect(lines.length).toBeGreaterThan(80);
    for (const line of lines) {
      const [given = "", result = ""] = line.split(" = ");
      const wanted = result.split(" ").length;
      const values = given.startsWith("dice ") ? await dice(given, wanted) : await made(given);
      expect(`${given} = ${values}`).toBe(line);
    }
  });
});
