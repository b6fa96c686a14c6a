// The strings of Railroad Ink's board.

import { bothLanguages, type Lang, type VerbLabels } from "../../board/index.ts";
import { type Arms, armOn, SIDES, type Side, sidesOf } from "./piecePaths.ts";

export const strings = bothLanguages(
  {
    you: "you",
    myBoard: "My board",
    sheetOf: (name: string) => `Board of ${name}`,
    otherPlayers: "Others",
    otherPlayersAsOf: (round: number) => `The others, as of round ${round}`,
    now: "Now",
    score: "Score",
    special: "Special routes",
    specialShort: "Special",
    diceShort: "Dice",
    dice: (round: number) => `Dice of round ${round}`,
    drawnOf: (count: number, all: number) => `${count} of ${all} drawn`,
    specialUsed: (count: number) => `${count} drawn`,
    die: (at: number, face: string) => `Die ${at}, ${face}`,
    drawn: "drawn",
    used: "used",
    orientations: (square: string, piece: string, count: number) =>
      count === 1 ? `${square}: ${piece}, 1 way fits` : `${square}: ${piece}, ${count} ways fit`,
    turnHelp: "Press the square again to turn it; R turns, F flips.",
    turnsHere: "The ways in which a piece fits are shown here.",
    planHelp: "Choose a die, then a square, or drag.",
    specialHelp: "The dice are drawn. You may add a special route, or be done.",
    doneHelp: "Nothing more can be drawn. A drawing of this round can be pressed to take it back.",
    erased: (square: string) => `${square} would be taken back.`,
    next: "Turn it",
    drawIt: (square: string | undefined) => (square === undefined ? "Draw" : `Draw ${square}`),
    eraseIt: (square: string) => `Take back ${square}`,
    done: "Done",
    notDone: "Done with this round: not yet",
    doneSure: "Really done?",
    doneRound: "Done with this round",
    ifStop: "If you stop here",
    points: "Points",
    exits: "Exits",
    road: "Road",
    rail: "Rail",
    centre: "Centre",
    open: "Open",
    total: "Total",
    seat: "Seat",
    draws: "draws",
    isDone: "done",
    back: "Back",
    squares: "7 by 7 squares",
    round: (round: number, rounds: number) => `round ${round} of ${rounds}`,
    empty: "empty",
    thisRound: "this round",
    inRound: (round: number) => `round ${round}`,
    centreSquare: "centre",
    openEnd: (side: string) => `open end ${side}`,
    incoming: (kind: string, side: string) => `${kind} from ${side}`,
    exit: (kind: string, side: string) => `${kind} exit ${side}`,
    fits: (piece: string, count: number) =>
      count === 1 ? `${piece} fits in one way` : `${piece} fits in ${count} ways`,
    takeBack: "press to take back",
    wouldDraw: (piece: string, arms: string) => `planned: ${piece}, ${arms}`,
    and: ", ",
    clause: "; ",
    nothing: "Nothing is drawn.",
    openEnds: "Open ends",
    mayDraw: "Where you may draw",
    road_one: "road",
    rail_one: "railway",
    over: "The game is over.",
    waiting: (names: string) => `Still drawing: ${names}.`,
  },
  {
    you: "あなた",
    myBoard: "自分の盤面",
    sheetOf: (name: string) => `${name}の盤面`,
    otherPlayers: "ほかの人",
    otherPlayersAsOf: (round: number) => `ほかの人(ラウンド${round}まで)`,
    now: "いま",
    score: "得点",
    special: "スペシャルルート",
    specialShort: "特別",
    diceShort: "ダイス",
    dice: (round: number) => `ラウンド${round}のダイス`,
    drawnOf: (count: number, all: number) => `${count}/${all} 記入`,
    specialUsed: (count: number) => `${count}つ使用`,
    die: (at: number, face: string) => `ダイス${at}、${face}`,
    drawn: "記入ずみ",
    used: "使用ずみ",
    orientations: (square: string, piece: string, count: number) =>
      `${square}: ${piece}、${count}通り`,
    turnHelp: "マスをもう一度押すと回ります。Rで回転、Fで反転。",
    turnsHere: "入る向きがここに並びます。",
    planHelp: "ダイスを選び、マスを選びます。ドラッグもできます。",
    specialHelp: "ダイスは描き終えました。スペシャルルートを足すか、完了できます。",
    doneHelp: "もう描けるものはありません。このラウンドの線は押すと消せます。",
    erased: (square: string) => `${square}を消します。`,
    next: "回す",
    drawIt: (square: string | undefined) => (square === undefined ? "描く" : `${square}に描く`),
    eraseIt: (square: string) => `${square}を消す`,
    done: "完了",
    notDone: "このラウンドを完了する(まだできません)",
    doneSure: "完了しますか?",
    doneRound: "このラウンドを完了する",
    ifStop: "ここで終えると",
    points: "内訳",
    exits: "出口",
    road: "道路",
    rail: "線路",
    centre: "中央",
    open: "途切れ",
    total: "合計",
    seat: "席",
    draws: "記入中",
    isDone: "完了",
    back: "戻る",
    squares: "7×7のマス",
    round: (round: number, rounds: number) => `ラウンド${round}/${rounds}`,
    empty: "空き",
    thisRound: "このラウンド",
    inRound: (round: number) => `ラウンド${round}`,
    centreSquare: "中央エリア",
    openEnd: (side: string) => `${side}に途切れ`,
    incoming: (kind: string, side: string) => `${side}から${kind}`,
    exit: (kind: string, side: string) => `${side}に${kind}の出口`,
    fits: (piece: string, count: number) => `${piece}が${count}通り`,
    takeBack: "押すと消します",
    wouldDraw: (piece: string, arms: string) => `予定: ${piece}、${arms}`,
    and: "、",
    clause: "。",
    nothing: "何も描かれていません。",
    openEnds: "途切れ",
    mayDraw: "描けるマス",
    road_one: "道路",
    rail_one: "線路",
    over: "ゲームは終わりました。",
    waiting: (names: string) => `記入中: ${names}。`,
  },
);

const PIECES: Readonly<Record<Lang, Readonly<Record<string, string>>>> = {
  en: {
    rail_curve: "railway curve",
    rail_t: "railway T",
    rail_straight: "straight railway",
    road_curve: "road curve",
    road_t: "road T",
    road_straight: "straight road",
    overpass: "overpass",
    station_straight: "straight station",
    station_curve: "curved station",
  },
  ja: {
    rail_curve: "曲線線路",
    rail_t: "三叉線路",
    rail_straight: "直線線路",
    road_curve: "曲線道路",
    road_t: "三叉道路",
    road_straight: "直線道路",
    overpass: "立体交差",
    station_straight: "直線駅",
    station_curve: "曲線駅",
  },
};

export function pieceName(piece: string, lang: Lang): string {
  if (piece.startsWith("special_")) {
    return lang === "ja" ? `スペシャル${piece.slice(8)}` : `special route ${piece.slice(8)}`;
  }
  return PIECES[lang][piece] ?? piece;
}

const SIDE_NAMES: Readonly<Record<Lang, Readonly<Record<Side, string>>>> = {
  en: { N: "north", E: "east", S: "south", W: "west" },
  ja: { N: "北", E: "東", S: "南", W: "西" },
};

export function sideName(side: Side, lang: Lang): string {
  return SIDE_NAMES[lang][side];
}

/** "road north, railway east"; only the sides if all arms are of a kind. */
export function armsText(arms: Arms, lang: Lang): string {
  const labels = strings(lang);
  const roads = sidesOf(arms, "H");
  const rails = sidesOf(arms, "R");
  const mixed = roads.length > 0 && rails.length > 0;
  return [...roads, ...rails]
    .toSorted((a, b) => SIDES.indexOf(a) - SIDES.indexOf(b))
    .map((side) => {
      const name = sideName(side, lang);
      if (!mixed) return name;
      const kind = armOn(arms, side) === "H" ? labels.road_one : labels.rail_one;
      return lang === "ja" ? `${name}に${kind}` : `${kind} ${name}`;
    })
    .join(labels.and);
}

const DRAW = { en: ["Draw", "Draw in {square}"], ja: ["描く", "{square}に描く"] } as const;

/** What the button does that sends the line. */
export const VERB_LABELS: VerbLabels = {
  draw: DRAW,
  special: DRAW,
  erase: { en: ["Take back", "Take back {square}"], ja: ["消す", "{square}を消す"] },
  done: { en: ["I am done"], ja: ["描き終えた"] },
};
