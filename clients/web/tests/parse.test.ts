import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { applyAct } from "../src/board/applyAct.ts";
import type { GameBody } from "../src/board/contract.ts";
import { type Parts, positionOf } from "../src/board/position.ts";
import { suggestions } from "../src/line/complete.ts";
import { linesWith, readDraft, readLine, readLines, slotValues } from "../src/line/parse.ts";
import { bareSentence, refusalSuggestions } from "../src/line/suggestions.ts";
import { lineLabel } from "../src/line/valueNames.ts";

function recorded<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(`../gallery/${path}.json`, import.meta.url), "utf8")) as T;
}

const { verbs } = recorded<GameBody>("manhattan/game");
const moves = readLines(
  ["/build 1 cairo 2", "/build 1 cairo 5", "/build 2 cairo 2", "/build 2 sydney 5"],
  verbs,
);

describe("reading lines", () => {
  it("names the slots", () => {
    expect(readLine("/build 2 cairo 5", verbs)).toEqual({
      text: "/build 2 cairo 5",
      verb: "build",
      slots: { block: "2", city: "cairo", site: "5" },
    });
  });

  it("keeps a list together", () => {
    expect(readLine("/take 4 3 1", verbs).slots).toEqual({ blocks: "4 3 1" });
  });

  it("gives a word that an optional slot does not take to the next one", () => {
    const tokai = recorded<GameBody>("tokai/game").verbs;
    expect(readLine("/go jr_taita kani ccw", tokai).slots).toEqual({
      line: "jr_taita",
      point: "kani",
      ccw: "ccw",
    });
  });

  it("finds what fits, whatever the order of choosing", () => {
    expect(linesWith(moves, { site: "5" }).map((line) => line.text)).toEqual([
      "/build 1 cairo 5",
      "/build 2 sydney 5",
    ]);
    expect(slotValues(moves, "city")).toEqual(["cairo", "sydney"]);
  });

  it("reads a draft with an open slot", () => {
    const draft = readDraft("/build _ cairo 2", moves, verbs);
    expect(draft.slots).toEqual({ city: "cairo", site: "2" });
    expect(draft.lines).toHaveLength(2);
    expect(draft.complete).toBeUndefined();
  });

  it("counts only what a legal line combines as chosen", () => {
    const old = readDraft("/build 3 cairo 2", moves, verbs);
    expect(old.slots).toEqual({ city: "cairo", site: "2" });
    expect([old.lines, old.complete]).toEqual([[], undefined]);
    expect(readDraft("/build 2 cairo 5", moves, verbs).slots).toEqual({
      block: "2",
      city: "cairo",
    });
  });

  it("reads another name of the verb", () => {
    expect(readDraft("/建てる 2 cairo 2", moves, verbs).complete?.text).toBe("/build 2 cairo 2");
  });
});

describe("completion", () => {
  const body = recorded<GameBody>("manhattan/game");
  const offered = (text: string, lang: "en" | "ja" = "en") =>
    suggestions({
      text,
      draft: undefined,
      moves,
      verbs,
      catalogue: [],
      options: [],
      valueNames: body.words,
      lang,
    });

  it("finds a value by its name in either language, and shows the reader's own", () => {
    const cairo = { text: "/build 2 cairo", insertion: "cairo" };
    expect(offered("/build 2 カイ")).toEqual([{ ...cairo, help: undefined }]);
    expect(offered("/build 2 ca", "ja")).toEqual([{ ...cairo, help: "カイロ" }]);
    expect(offered("/build 2 シド")[0]?.text).toBe("/build 2 sydney");
  });

  it("goes on behind a value that was typed in Japanese", () => {
    expect(offered("/build 2 カイロ ")).toMatchObject([{ text: "/build 2 カイロ 2" }]);
  });
});

describe("what a refusal offers", () => {
  it.each([
    ["It meets a road. Perhaps: /draw a A1, /draw a A2 (5.3)", "Perhaps:", "It meets a road."],
    ["道路にぶつかります。 候補: /描く A1 (5.3)", "候補:", "道路にぶつかります。"],
    ["It meets a road. (5.3)", "Perhaps:", "It meets a road."],
  ])("is not in its sentence: %s", (text, perhaps, sentence) => {
    expect(bareSentence(text, "5.3", perhaps)).toBe(sentence);
  });

  const refusal = { code: "bad_argument", text: "No.", line: "/build 2 kairo 2", rule: undefined };

  it("is a line with just the wrong word replaced", () => {
    const span = [9, 14] as const;
    expect(
      refusalSuggestions({ ...refusal, candidates: ["cairo"], span: span, offers: "word" }),
    ).toEqual([{ insertion: "cairo", text: "/build 2 cairo 2" }]);
  });

  it("is a whole line, or nothing where it is only to be read", () => {
    const candidates = ["/build 2 cairo 2"];
    expect(refusalSuggestions({ ...refusal, candidates, offers: "line" })).toMatchObject([
      { text: "/build 2 cairo 2" },
    ]);
    expect(
      refusalSuggestions({ ...refusal, candidates: ["1-4"], span: [7, 8], offers: "range" }),
    ).toEqual([]);
  });
});

describe("clicking", () => {
  const position = (text: string) =>
    positionOf({
      ...recorded<Parts>("manhattan/4-middle"),
      game: recorded<GameBody>("manhattan/game"),
      moves: { 1: moves.map((line) => line.text) },
      eyes: [1],
      text,
      since: [],
      lang: "en",
      look: {},
      answers: {},
      area: { width: 1, height: 1, touch: false },
    });
  const pick = (text: string, slots: Record<string, string>) =>
    applyAct({ act: "pick", slots }, position(text), "at once");

  it("types what was chosen, and leaves open what was not", () => {
    expect(pick("", { city: "cairo", site: "2" })).toEqual({
      text: "/build _ cairo 2",
      send: false,
    });
  });

  it("sends a line that is complete", () => {
    expect(pick("/build _ cairo 2", { block: "2" })).toEqual({
      text: "/build 2 cairo 2",
      send: true,
    });
  });

  it("fills in what is determined", () => {
    expect(pick("", { site: "5", block: "2" })?.text).toBe("/build 2 sydney 5");
  });

  it("drops what contradicts the newest choice, and no more", () => {
    expect(pick("/build 2 sydney 5", { city: "cairo" })?.text).toBe("/build 2 cairo 2");
    expect(pick("/build 1 cairo 5", { block: "2" })?.text).toBe("/build 2 cairo 2");
  });

  it("types nothing for what no legal line has", () => {
    expect(pick("/build 2", { site: "9" })).toBeNull();
  });

  it("asks for a second press on a touch screen", () => {
    const act = { act: "pick", slots: { city: "sydney" } } as const;
    expect(applyAct(act, position(""), "ask")).toEqual({ text: "/build 2 sydney 5", send: false });
    expect(applyAct(act, position("/build 2 sydney 5"), "ask")?.send).toBe(true);
  });
});

describe("completion of options", () => {
  const season = {
    name: "season",
    names: ["季節"],
    label: { en: "Season", ja: "季節" },
    type: "choice",
    default: "summer",
    values: ["summer", "winter"],
    words: {
      summer: { en: "summer", ja: "夏", names: ["夏"] },
      winter: { en: "winter", ja: "冬", names: ["冬"] },
    },
    help: { en: "", ja: "" },
  };
  const command = {
    kind: "command",
    name: "option",
    names: ["オプション"],
    help: "",
    arguments: [
      { name: "option", candidates: ["season", "help"] },
      { name: "value", candidates: [] },
    ],
  };
  const offered = (text: string, lang: "en" | "ja") =>
    suggestions({
      text,
      draft: undefined,
      moves: [],
      verbs: [],
      catalogue: [command],
      options: [season],
      lang,
    }).map(({ insertion }) => insertion);

  it("offers names and values as a reader types them", () => {
    expect(offered("/option ", "en")).toEqual(["season", "help"]);
    expect(offered("/オプション ", "ja")).toEqual(["季節", "help"]);
    expect(offered("/option season ", "en")).toEqual(["summer", "winter"]);
    expect(offered("/オプション 季節 ", "ja")).toEqual(["夏", "冬"]);
  });

  it("goes on from what was typed, in either language", () => {
    expect(offered("/オプション 季節 冬", "ja")).toEqual(["冬"]);
    expect(offered("/オプション 季節 w", "ja")).toEqual(["winter"]);
    expect(offered("/option season 冬", "en")).toEqual(["winter"]);
  });
});

it("a candidate is said in words, but for what is called differently in different slots", () => {
  const words = {
    line: { jr_tokaido: { en: "JR Tokaido Line", ja: "JR東海道本線" } },
    point: { nagoya: { en: "Nagoya", ja: "名古屋" }, north: { en: "North", ja: "北駅" } },
    region: { north: { en: "the north", ja: "北" } },
    destination: "point",
  };
  const verbs = [{ verb: "go", names: ["行く"], slots: [] }];
  const labelOf = (line: string) => lineLabel(verbs, words, line, "ja");
  expect(labelOf("/go jr_tokaido nagoya 3")).toBe("行く JR東海道本線 名古屋 3");
  expect(labelOf("/go north")).toBe("行く north");
  expect(labelOf("/option clock 5")).toBe("/option clock 5");
  expect(lineLabel(verbs, words, "/go jr_tokaido nagoya", "en")).toBe("Go JR Tokaido Line Nagoya");
  expect(lineLabel(verbs, undefined, "/go nagoya", "ja")).toBe("行く nagoya");
});
