import { describe, expect, it } from "vitest";
import { localizedHint } from "../src/line/valueNames.ts";

const VERBS = [
  { verb: "draw", names: ["描く"], slots: [] },
  { verb: "done", names: ["完了"], slots: [] },
] as never;
const NAMES = { face: { rail_t: { en: "railway T", ja: "三叉線路" } } };

describe("the text of a hint", () => {
  it("has its lines in words, also before others", () => {
    const text = "/draw rail_t D1 2! After that, as it is planned: /draw rail_t A2 0, /done.";
    expect(localizedHint(VERBS, NAMES, text, "en")).toBe(
      "Draw railway T D1 2! After that, as it is planned: Draw railway T A2 0, Done.",
    );
  });

  it("leaves what follows a line as it is", () => {
    const text = "/draw rail_t D1 2 is all that you can play.";
    expect(localizedHint(VERBS, NAMES, text, "en")).toBe(
      "Draw railway T D1 2 is all that you can play.",
    );
  });

  it("has Japanese lines without their slashes", () => {
    const text = "/描く 三叉線路 D1。次の予定: /完了。";
    expect(localizedHint(VERBS, NAMES, text, "ja")).toBe("描く 三叉線路 D1。次の予定: 完了。");
  });
});
