// Moves of others over the task: whose they are, and in which order they are shown.

import { describe, expect, it } from "vitest";
import { newestMove, queued } from "../src/screens/opponentMoves.tsx";

function line(version: number, seat: number | undefined, text = "") {
  const common = { key: `${version} ${text}`, kind: "event", version, at: 0, text } as const;
  return seat === undefined ? common : { ...common, seat };
}

describe("moves of others", () => {
  it("are the sentences of the newest version, unless they are of my seat or of none", () => {
    const log = [line(1, 1), line(2, 2, "builds"), line(2, 2, "draws")];
    expect(newestMove(log, [1])).toEqual(log.slice(1));
    expect(newestMove(log, [2])).toBeUndefined();
    expect(newestMove([line(3, undefined)], [1])).toBeUndefined();
    expect(newestMove([], [1])).toBeUndefined();
  });

  it("are shown one after the other; what has been seen is dropped, and skipping drops all", () => {
    const first = { from: 0, until: 700, lines: [line(1, 2)] };
    const second = { from: 700, until: 1400, lines: [line(2, 3)] };
    expect(queued([first], second, 300)).toEqual([first, second]);
    expect(queued([first], second, 800)).toEqual([second]);
    expect(queued([first, second], undefined, 300)).toEqual([]);
  });

  it("whose pieces move twice are told once", () => {
    const lines = [line(1, 2)];
    const again = { from: 700, until: 1400, lines };
    expect(queued([{ from: 0, until: 700, lines }], again, 300)).toEqual([again]);
  });
});
