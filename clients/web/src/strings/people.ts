// The strings of the pages of people, in both languages; they are loaded with these pages.

import type { Lang } from "../protocol/terms.ts";

const ORDINALS = new Intl.PluralRules("en", { type: "ordinal" });
const ENDINGS: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd", other: "th" };

const en = {
  play: "Play",
  myGames: "My games",
  leaderboard: "Leaderboard",
  theirTurn: "Waiting for others",
  notBegun: "Not begun",
  nothingRunning: "No game of yours is running.",
  finished: "Finished",
  noneFinished: "No finished games yet. They stay here, with replays.",
  rank: (rank: number, seats: number) => `${rank}${ENDINGS[ORDINALS.select(rank)]} of ${seats}`,
  leftGame: "left",
  unrated: "not rated",
  rating: (change: string) => `rating ${change}`,
  replay: "Replay",
  analysis: "Analysis",
  look: "Look",
  tables: "Friends and their tables",
  noFriends: "No friends yet. Add one on a player's page.",
  // To add, to remove.
  friends: ["Add as friend", "Remove from friends"] as readonly [string, string],
  mute: ["Mute", "Unmute"] as readonly [string, string],
  block: ["Block", "Unblock"] as readonly [string, string],
  report: "Report",
  why: "To the operators: what happened?",
  online: "here",
  offline: "not here",
  freeSeats: (count: number) => (count === 1 ? "one seat free" : `${count} seats free`),
  ratingOf: "Rating",
  curve: (from: number, to: number, games: number) =>
    `From ${from} to ${to} points in ${games} games.`,
  fewGames: "A curve needs two rated games.",
  best: "best rating",
  ratedGames: "rated games",
  won: "of them won",
  mostPlayed: "played most",
  byGame: "By game",
  headToHead: "Head to head",
  withName: "with",
  games: "games",
  aheadBehind: "ahead : behind",
  notRatedYet: (name: string) => `${name} has played no rated game yet.`,
  seats: "Players",
  more: "Further down",
  top: "To the top",
  enterFirst: "Say who you are, and it is shown.",
};

export type PeopleStrings = typeof en;

const ja: PeopleStrings = {
  play: "遊ぶ",
  myGames: "自分の対局",
  leaderboard: "順位表",
  theirTurn: "相手を待つ",
  notBegun: "始まる前",
  nothingRunning: "進行中の対局はありません。",
  finished: "終わった対局",
  noneFinished: "終わった対局はまだありません。終わると、ここから再生できます。",
  rank: (rank, seats) => `${seats}人中${rank}位`,
  leftGame: "途中で退出",
  unrated: "レーティング対象外",
  rating: (change) => `レート ${change}`,
  replay: "再生",
  analysis: "分析",
  look: "見る",
  tables: "友だちの席",
  noFriends: "まだいません。相手のページから追加できます。",
  friends: ["友だちに追加", "友だちから外す"],
  mute: ["ミュート", "ミュート解除"],
  block: ["ブロック", "ブロック解除"],
  report: "通報",
  why: "運営者へ: 何がありましたか",
  online: "オンライン",
  offline: "オフライン",
  freeSeats: (count) => `空席${count}`,
  ratingOf: "レーティング",
  curve: (from, to, games) => `${games}局で${from}点から${to}点へ。`,
  fewGames: "グラフにはレーティング戦が2局必要です。",
  best: "最高レート",
  ratedGames: "レーティング戦",
  won: "そのうち勝ち",
  mostPlayed: "よく遊ぶゲーム",
  byGame: "ゲーム別",
  headToHead: "対戦成績",
  withName: "相手",
  games: "局数",
  aheadBehind: "上 : 下",
  notRatedYet: (name) => `${name}はまだレーティング戦をしていません。`,
  seats: "人数",
  more: "続き",
  top: "先頭へ",
  enterFirst: "名前を入れると表示されます。",
};

const TABLES: Readonly<Record<Lang, PeopleStrings>> = { en, ja };

export function peopleStrings(lang: Lang): PeopleStrings {
  return TABLES[lang];
}
