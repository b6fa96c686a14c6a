// Which lines are left out of the log and the history.

import { describe, expect, it } from "vitest";
import { isSecret, masked } from "../src/line/secretLines.ts";

describe("a line with a password", () => {
  it.each([
    ["/login Ken hunter2", "/login Ken ***"],
    ["/ログイン けん hunter2", "/ログイン けん ***"],
    ["/ろぐいん けん hunter2", "/ろぐいん けん ***"],
    ["/とうろく hunter2", "/とうろく ***"],
    ["/あいことば ひらけごま", "/あいことば ***"],
    ["/しんへや manhattan ひこうかい hunter2", "/しんへや manhattan ひこうかい ***"],
  ])("%s is shown as %s", (line, shown) => {
    expect(masked(line)).toBe(shown);
  });

  it.each(["/login Ken", "/ろぐいん けん", "/register", "/とうろく", "hunter2"])(
    "%s is none",
    (line) => {
      expect(isSecret(line)).toBe(false);
    },
  );
});
