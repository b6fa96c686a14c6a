// The strings of Manhattan's board.

import { bothLanguages, type Lang, type VerbLabels } from "../../board/index.ts";

export const strings = bothLanguages(
  {
    cities: "Six cities",
    most: "most",
    tie: "tie",
    mostOf: (name: string, count: number) => `most buildings: ${name} ${count}`,
    tieOf: (names: string, count: number) => `most buildings: tie of ${names}, ${count} each`,
    you: "you",
    onTop: (name: string, floors: number) => `${name} ${floors} on top`,
    share: (name: string, floors: number) => `${name} ${floors}`,
    empty: (city: string, site: number) => `${city} ${site}, empty`,
    built: (city: string, site: number, height: number, shares: string) =>
      `${city} ${site}, ${height} ${height === 1 ? "floor" : "floors"}: ${shares}`,
    tallest: "tallest of all",
    tallestTie: "equally tall as another",
    fits: (blocks: string) => `your blocks that fit: ${blocks}`,
    just: (name: string, block: number) => `just now ${name} +${block}`,
    and: ", ",
    clause: "; ",
    floors: (block: number) => (block === 1 ? "1 floor" : `${block} floors`),
    cards: "Cards: where",
    card: (site: number, place: string) => `Card for site ${site}, ${place}`,
    blocks: "Blocks: which",
    block: (floors: number, count: number) =>
      `Block ${floors}${count > 1 ? ` ×${count}` : ""}: ${floors === 1 ? "1 floor" : `${floors} floors`}`,
    noBlocks: "none left",
    stock: "Stock",
    stockOf: (floors: number, left: number) =>
      `${floors} ×${left} in stock: take a block of ${floors === 1 ? "1 floor" : `${floors} floors`}`,
    taken: (count: number, most: number) => `Taken: ${count} of ${most}`,
    putBack: (floors: number) => `Put the block of ${floors} back`,
    take: "Take",
    takeThese: (blocks: string) => `Take these blocks: ${blocks}`,
    allPlayers: "Everybody",
    seat: "Seat",
    toBuild: "To build",
    points: "Points",
    pointsOf: "buildings + cities + tallest",
    played: "Played cards, of 5",
    table: "Table",
    cityView: "Cities",
    tapHint: "A site shows its floors here.",
    start: "starts",
    round: (round: number, rounds: number) => `round ${round} of ${rounds}`,
    startPlayer: (name: string) => `Start player: ${name}.`,
    choosing: "Blocks are chosen.",
    building: "Everybody builds.",
    ended: "The game is over.",
    turn: (names: string) => `To move: ${names}.`,
    hand: "Your cards",
    emptySites: (sites: string) => `Empty: ${sites}.`,
    toBuildNote: (blocks: string) => `builds ${blocks}`,
    hintNew: (city: string, site: string) => `a new building, ${city} ${site}`,
    hintOn: (city: string, site: string, height: number, myFloors: number, block: number) =>
      `${city} ${site}: ${height} floors, yours ${myFloors} + ${block}`,
    taskTake: (left: number) =>
      left === 1
        ? "Take 1 more block from your stock."
        : `Take ${left} blocks from your stock for this round.`,
    taskBuild: "Choose a site, then a block.",
    taskSite: "Choose a site for this block.",
    taskBlock: "Choose a block for this site.",
    taskCity: (site: string, block: string) => `Card ${site}, block ${block}: choose a city.`,
    score: "Score",
    name: "Name",
    lost: (floors: number) => `lost ${floors}`,
  },
  {
    cities: "6つの都市",
    most: "最多",
    tie: "同数",
    mostOf: (name: string, count: number) => `ビル最多は${name}、${count}`,
    tieOf: (names: string, count: number) => `ビル最多は${names}が同数、${count}ずつ`,
    you: "あなた",
    onTop: (name: string, floors: number) => `${name} ${floors}階で所有`,
    share: (name: string, floors: number) => `${name} ${floors}階`,
    empty: (city: string, site: number) => `${city}${site}、空き`,
    built: (city: string, site: number, height: number, shares: string) =>
      `${city}${site}、${height}階建て。${shares}`,
    tallest: "全体で最も高い",
    tallestTie: "最高層が同じ高さ",
    fits: (blocks: string) => `置けるコマは${blocks}`,
    just: (name: string, block: number) => `いま${name}が+${block}`,
    and: "、",
    clause: "。",
    floors: (block: number) => `${block}階`,
    cards: "カード(エリア)",
    card: (site: number, place: string) => `エリア${site}のカード、${place}`,
    blocks: "今回のコマ",
    block: (floors: number, count: number) =>
      `コマ ${floors}${count > 1 ? ` ×${count}` : ""}、${floors}階`,
    noBlocks: "なし",
    stock: "ストック",
    stockOf: (floors: number, left: number) =>
      `ストック ${floors} ×${left}、${floors}階のコマを取る`,
    taken: (count: number, most: number) => `選んだコマ ${count}/${most}`,
    putBack: (floors: number) => `${floors}階のコマを戻す`,
    take: "取る",
    takeThese: (blocks: string) => `このコマを取る: ${blocks}`,
    allPlayers: "全員",
    seat: "席",
    toBuild: "今回のコマ",
    points: "得点",
    pointsOf: "ビル+都市+最高層",
    played: "捨て札(各5枚中)",
    table: "一覧",
    cityView: "都市",
    tapHint: "エリアの階数の内訳がここに出ます。",
    start: "先番",
    round: (round: number, rounds: number) => `ラウンド${round}/${rounds}`,
    startPlayer: (name: string) => `スタートプレイヤーは${name}です。`,
    choosing: "コマを選んでいます。",
    building: "建設中です。",
    ended: "ゲームは終わりました。",
    turn: (names: string) => `手番は${names}です。`,
    hand: "あなたのカード",
    emptySites: (sites: string) => `空き: ${sites}。`,
    toBuildNote: (blocks: string) => `コマ ${blocks}`,
    hintNew: (city: string, site: string) => `${city}${site}に新しいビル`,
    hintOn: (city: string, site: string, height: number, myFloors: number, block: number) =>
      `${city}${site}は${height}階、自分は${myFloors}+${block}`,
    taskTake: (left: number) => `このラウンドのコマをストックからあと${left}個取ります。`,
    taskBuild: "エリアを選び、コマを選びます。",
    taskSite: "このコマを置くエリアを選びます。",
    taskBlock: "このエリアに置くコマを選びます。",
    taskCity: (site: string, block: string) => `カード${site}、${block}階のコマ: 都市を選びます。`,
    score: "得点",
    name: "名前",
    lost: (floors: number) => `失った階 ${floors}`,
  },
);

const CITIES: Readonly<Record<Lang, Readonly<Record<string, string>>>> = {
  en: {
    newyork: "New York",
    saopaulo: "São Paulo",
    frankfurt: "Frankfurt",
    cairo: "Cairo",
    hongkong: "Hong Kong",
    sydney: "Sydney",
  },
  ja: {
    newyork: "ニューヨーク",
    saopaulo: "サンパウロ",
    frankfurt: "フランクフルト",
    cairo: "カイロ",
    hongkong: "香港",
    sydney: "シドニー",
  },
};

/** The letter of a city in short lines (`/3F5`). */
export const SHORT: Readonly<Record<string, string>> = {
  newyork: "N",
  saopaulo: "P",
  frankfurt: "F",
  cairo: "C",
  hongkong: "H",
  sydney: "S",
};

const SITES: Readonly<Record<Lang, readonly string[]>> = {
  en: [
    "top left",
    "top middle",
    "top right",
    "middle left",
    "middle",
    "middle right",
    "bottom left",
    "bottom middle",
    "bottom right",
  ],
  ja: ["左上", "上中央", "右上", "左中央", "中央", "右中央", "左下", "下中央", "右下"],
};

export function cityName(city: string, lang: Lang): string {
  return CITIES[lang][city] ?? city;
}

export function siteName(site: number, lang: Lang): string {
  return SITES[lang][site - 1] ?? String(site);
}

/** What the button does that sends the line. */
export const VERB_LABELS: VerbLabels = {
  take: { en: ["Take these"], ja: ["これを取る"] },
  build: { en: ["Build", "Build in {city}"], ja: ["建てる", "{city}に建てる"] },
};
