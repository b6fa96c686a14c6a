// The marks below a slider: all are ticks, and labels that would overlap are left out.

import { expect, it } from "vitest";
import { placed } from "../src/screens/scrubber.tsx";

it("names of marks never meet, whatever their letters; the first is always said", () => {
  const rounds = [0, 10, 20, 30, 40, 50, 60];
  for (const [label, said] of [
    ["round 1 of 7", 4],
    ["ラウンド1/7", 7],
    ["r1", 7],
  ] as const) {
    const marks = placed(
      rounds.map((at) => ({ at, label })),
      70,
    );
    expect(marks.map(({ at }) => at)).toEqual(rounds);
    expect(marks[0]?.label).toBe(label);
    expect(marks.filter((mark) => mark.label !== "")).toHaveLength(said);
  }
});
