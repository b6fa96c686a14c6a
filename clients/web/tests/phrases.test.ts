// The phrases of boards: both languages have the same parameters, and none is left in a drawing.

import { describe, expect, it } from "vitest";
import { type PhraseData, phraseBook } from "../src/board/phrases.ts";
import { boardOf, DRAWN } from "../src/board/registry.ts";
import { at, drawn, names } from "./recorded.ts";

const book = phraseBook({
  en: async () => ({
    default: {
      texts: { trip: "Trip" },
      sentences: { ride: "Ride to {0} on the {1}", steps: "{0} {0|step|steps} left" },
      names: { side: { N: "north" } },
      verbs: { go: ["Ride", "Ride to {point}"] },
    },
  }),
  ja: async () => ({
    default: {
      texts: { trip: "旅" },
      sentences: { ride: "{1}で{0}へ", steps: "残り{0}歩" },
      names: { side: { N: "北" } },
      verbs: { go: ["乗る"] },
    },
  }),
});

describe("a phrase book", () => {
  it("has the phrases of another language until the wanted one is loaded", async () => {
    expect(() => book.strings("ja")).toThrow("not loaded");
    await book.load("en");
    expect(book.strings("ja").trip).toBe("Trip");
    await book.load("ja");
    expect(book.strings("ja").trip).toBe("旅");
    expect(book.verbs("ja").go).toEqual(["乗る"]);
  });

  it("has the parameters of a sentence in the order of each language", () => {
    expect(book.strings("en").ride("Gifu", "Main")).toBe("Ride to Gifu on the Main");
    expect(book.strings("ja").ride("岐阜", "本線")).toBe("本線で岐阜へ");
  });

  it("has a form for one, and a form for other numbers", () => {
    expect(book.strings("en").steps(1)).toBe("1 step left");
    expect(book.strings("en").steps(12)).toBe("12 steps left");
  });

  it("has names, and the value itself where it has none", () => {
    const side = book.names("side");
    expect([side("N", "ja"), side("S", "ja")]).toEqual(["北", "S"]);
  });
});

const FILES = import.meta.glob<PhraseData>("../src/games/*/phrases.*.json", {
  eager: true,
  import: "default",
});

function parametersOf(form: string): readonly string[] {
  return [...new Set([...form.matchAll(/\{(\d)/g)].map(([, at = ""]) => at))].toSorted();
}

describe.each(DRAWN)("the phrases of %s", (key) => {
  const [en, ja] = ["en", "ja"].map((lang) => FILES[`../src/games/${key}/phrases.${lang}.json`]);

  it("are in both languages, with the same parameters", () => {
    expect(Object.keys(en?.texts ?? {})).toEqual(Object.keys(ja?.texts ?? {}));
    expect(Object.keys(en?.verbs ?? {})).toEqual(Object.keys(ja?.verbs ?? {}));
    for (const [name, table] of Object.entries(en?.names ?? {})) {
      expect(Object.keys(table), name).toEqual(Object.keys(ja?.names?.[name] ?? {}));
    }
    for (const [name, form] of Object.entries(en?.sentences ?? {})) {
      const parameters = parametersOf(form);
      expect(parameters, name).toEqual(parameters.map((_, at) => String(at)));
      expect(parametersOf(ja?.sentences[name] ?? ""), name).toEqual(parameters);
    }
  });
});

describe.each(DRAWN)("%s", (key) => {
  it.each(names(key))("%s leaves no parameter open", async (name) => {
    const board = await boardOf(key);
    for (const lang of ["en", "ja"] as const) {
      for (const shape of ["Drawing", "AsText"] as const) {
        const text = drawn(board, at(key, name, { lang }), shape);
        expect(text.match(/\{\w+[|}]|NaN/g)).toBeNull();
      }
    }
  });
});
