// The headline of a game's result.

import { render } from "preact-render-to-string";
import { describe, expect, it } from "vitest";
import type { Ending } from "../src/protocol/table.gen.ts";
import { Result } from "../src/screens/result.tsx";
import type { RoomView } from "../src/sdk/mirror.ts";
import { visitor } from "./visitor.ts";

function shownTo(
  name: string,
  eyes: number[],
  how: Ending["how"],
  places: Ending["places"],
): string {
  const seats = { 1: { name: "けん", human: true }, 2: { name: "@greedy2", human: false } };
  const ending = { how, seed: "00", places, breakdown: [] };
  const table = {
    game: "manhattan",
    phase: "over",
    seats,
    turn: [],
    options: {},
    ending,
    host: "Zoe",
  };
  const room = { id: "1", game: "manhattan", view: { room: table }, eyes };
  return render(
    <Result
      state={visitor("ja", name)}
      emit={() => undefined}
      room={room as unknown as RoomView}
      inputKey="1"
      board={undefined}
      position={undefined}
    />,
  );
}

function head(how: Ending["how"], places: Ending["places"]): string {
  return /<h2[^>]*>(.*?)<\/h2>/.exec(shownTo("けん", [1], how, places))?.[1] ?? "";
}

describe("the result", () => {
  it.each([
    ["けん", [1], true],
    ["Zoe", [], true],
    ["えみ", [], false],
  ])("offers another game to players and the host alone: %s", (name, eyes, offered) => {
    const shown = shownTo(name, eyes, "score", { 1: { place: 1, score: 61 } });
    expect(shown.includes("もう一度")).toBe(offered);
  });

  it("says by how much somebody has won", () => {
    const places = { 1: { place: 1, score: 61 }, 2: { place: 2, score: 40 } };
    expect(head("score", places)).toBe("けんの勝ち(61)");
  });

  it("says no score where the others gave up: it was nothing yet", () => {
    const places = { 1: { place: 2, score: 0 }, 2: { place: 1, score: 0 } };
    expect(head("resigned", places)).toBe("@greedy2の勝ち");
  });

  it("says no score where it was decided otherwise: a capital fell", () => {
    const places = { 1: { place: 2, score: 15 }, 2: { place: 1, score: 0 } };
    expect(head("score", places)).toBe("@greedy2の勝ち");
  });

  it("says both names of two who are equal, and that a void game has no result", () => {
    const places = { 1: { place: 1, score: 61 }, 2: { place: 1, score: 61 } };
    expect(head("score", places)).toBe("けん, @greedy2が同点で勝ち(61)");
    expect(head("void", {})).toBe("結果なしで終わりました");
  });
});
