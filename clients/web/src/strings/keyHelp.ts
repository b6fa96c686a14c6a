// What the keyboard shortcuts do, in both languages; loaded with their table.

import type { Lang } from "../protocol/terms.ts";

const en = {
  type: "Type into the line, wherever you are",
  send: "Send the line; take what is suggested",
  take: "Take the completion",
  history: "Earlier lines, or choose a suggestion",
  escape: "Close, or empty the line",
  areas: "Line, board, log, seats, tools",
  neighbour: "On the board: to the neighbouring place",
  press: "On the board: press the place",
  legal: "On the board: next, previous legal place",
  firstLegal: "On the board: first legal place",
  undo: "Undo",
  accept: "Agree to the vote",
  refuse: "Refuse the vote",
  steps: "One step back or on",
  playOn: "Play, or stop",
  help: "This table",
};

export type KeyHelp = typeof en;

const ja: KeyHelp = {
  type: "どこにいても入力行に入る",
  send: "行を送る、候補を取る",
  take: "補完を取る",
  history: "前の行、または候補を選ぶ",
  escape: "閉じる、行を空にする",
  areas: "入力行、盤面、記録、席、道具",
  neighbour: "盤面: 隣の場所へ",
  press: "盤面: その場所を押す",
  legal: "盤面: 次、前の選べる場所へ",
  firstLegal: "盤面: 最初の選べる場所へ",
  undo: "待った",
  accept: "投票に賛成",
  refuse: "投票に反対",
  steps: "1手戻る、進む",
  playOn: "再生、停止",
  help: "この表",
};

export const KEY_HELP: Readonly<Record<Lang, KeyHelp>> = { en, ja };
