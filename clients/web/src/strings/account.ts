// The strings of the account, in both languages; they are loaded with its panel.

import type { Lang } from "../protocol/terms.ts";

const en = {
  youAre: "You are",
  accountPassword: "password",
  register: "Register this name",
  registerHint: "Keeps your name, seats and games with a password.",
  changePassword: "Change the password",
  logInHint: "With a name that you have registered before.",
  logOut: "Log out",
  logOutHint: "A registered name can come back; a guest's name is free again.",
  logOutHere: "Here",
  logOutEverywhere: "Everywhere",
  myBots: "My bots",
  myBotsHint: "A bot of yours comes in with a token, which is shown once.",
  makeToken: "Make a token",
  botMay: "It may look on, and:",
  scopeName: { chat: "talk", play: "play", host: "make rooms and do what hosts do" },
  listTokens: "List my bots",
};

const ja: typeof en = {
  youAre: "いまの名前:",
  accountPassword: "パスワード",
  register: "この名前を登録",
  registerHint: "名前、席、棋譜をパスワード付きで残します。",
  changePassword: "パスワードを変える",
  logInHint: "前に登録した名前で入ります。",
  logOut: "ログアウト",
  logOutHint: "登録した名前にはまた戻れます。ゲストの名前は空きます。",
  logOutHere: "この場所だけ",
  logOutEverywhere: "すべての場所",
  myBots: "自分のボット",
  myBotsHint: "ボットはトークンで入ります。トークンが表示されるのは一度だけです。",
  makeToken: "トークンを作る",
  botMay: "見ることのほかに、できること:",
  scopeName: { chat: "会話", play: "対局", host: "部屋を作る、ホストの操作" },
  listTokens: "ボットの一覧",
};

export function accountStrings(lang: Lang): typeof en {
  return lang === "ja" ? ja : en;
}
