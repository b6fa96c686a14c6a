// The strings of analyses, in both languages; they are loaded with the first one.

import type { Lang } from "../protocol/terms.ts";

const en = {
  nothingJudged: "In this game moves cannot be compared with each other yet.",
  onlyDraws: "Nobody's moves could be compared with others, only what was drawn.",
  chancesBy: "Chance of each to be first, as the program judged it at that moment:",
  turningPoints: "Where it turned",
  chancesTable: "The chances as a table",
  stepColumn: "Step",
  // In wins: what many decisions cost together can be more than one chance of 100 %.
  lostAndLuck: (lost: number | undefined, luck: number, error: number) =>
    `${lost === undefined ? "" : `decisions cost ${lost / 100} wins, `}luck ${luck < 0 ? "−" : "+"}${Math.abs(luck) / 100} (±${error / 100})`,
  worseMoves: (count: number) =>
    `${count} of their moves worse than another, in stages without numbers`,
  someNumbers:
    "Chances stand in numbers only in stages of the game where they have proved right; elsewhere there are words.",
  noNumbers:
    "Chances have not proved right at a table like this one yet, so there are words and no numbers.",
  pointOf: (at: number, count: number) => `Turning point ${at} of ${count}`,
  points: (count: number) => (count === 1 ? "1 turning point" : `${count} turning points`),
  played: "played",
  better: "better",
  previousPoint: "The one before",
  nextPoint: "The next one",
};

export type AnalysisStrings = typeof en;

const ja: AnalysisStrings = {
  nothingJudged: "このゲームでは、まだ手どうしを比べられません。",
  onlyDraws: "手どうしは比べられませんでした。引きだけを評価しています。",
  chancesBy: "そのときにプログラムが見積もった、それぞれが1位になる見込み:",
  turningPoints: "流れが変わったところ",
  chancesTable: "見込みの表",
  stepColumn: "手数",
  lostAndLuck: (lost, luck, error) =>
    `${lost === undefined ? "" : `判断で${lost / 100}勝分を失い、`}運で${luck < 0 ? "−" : "+"}${Math.abs(luck) / 100}勝(±${error / 100})`,
  worseMoves: (count) => `数字を出さない局面で、ほかによい手があったのは${count}手`,
  someNumbers:
    "見込みの数字は、当たると確かめられた局面だけで出します。ほかの局面は言葉で評価します。",
  noNumbers:
    "このような卓での見込みは、当たるとまだ確かめられていないため、数字を出さず、言葉で評価します。",
  pointOf: (at, count) => `流れが変わったところ ${at}/${count}`,
  points: (count) => `流れが変わったところ ${count}か所`,
  played: "指した手",
  better: "よりよい手",
  previousPoint: "前へ",
  nextPoint: "次へ",
};

const TABLES: Readonly<Record<Lang, AnalysisStrings>> = { en, ja };

export function analysisStrings(lang: Lang): AnalysisStrings {
  return TABLES[lang];
}
