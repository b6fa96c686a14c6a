// The pictures of the chapters of I.T.C.'s rules.

import { bothLanguages, type Lang, type RulePictures } from "../../board/index.ts";
import {
  borrowed,
  type Drawing,
  die,
  icon,
  picture,
  piece,
  text,
} from "../../board/pictureRow.tsx";

const captionsOf = bothLanguages(
  {
    material: "Loads, dice and stones",
    cards: "Goods of a card, and one at risk",
    neutral: "A load that belongs to nobody",
    start: "Five stones on continents",
    turn: "Roll two dice, use one",
    dice: "Blue carries, green sells, red does both",
    transport: "Load, a step a point, land",
    steps: "Neutral loads step by themselves",
    actions: "One action card a turn",
    arrival: "A 6: the dearest good is stolen",
    end: "The goal is reached",
    sales: "As many stones as goods: sold",
    options: "Rules that a room may change",
    hidden: "What lies under a load is covered",
    lines: "Card and continent",
  },
  {
    material: "荷物、ダイス、石",
    cards: "カードの商品、1つは盗まれうる",
    neutral: "持ち主のない荷物",
    start: "大陸に5個の石",
    turn: "2個振って1個を使う",
    dice: "青は輸送、緑は販売、赤は両方",
    transport: "積む、1ポイントで1段、上陸",
    steps: "中立の荷物は自動で進む",
    actions: "手番ごとにAカード1枚",
    arrival: "6なら最も高い商品を盗まれる",
    end: "目標額に達する",
    sales: "商品の数だけ石があれば売れる",
    options: "部屋で変えられる規則",
    hidden: "荷物の下は秘密",
    lines: "カードと大陸",
  },
);

const ROUTES = ["grey", "red", "blue", "green"];
const GOODS = ["black", "white", "red", "green", "yellow", "blue"];

export function chaptersIn(lang: Lang, drawn: () => RulePictures): RulePictures {
  const captions = captionsOf(lang);
  const shown = (chapter: number, at: number): Drawing => borrowed(drawn(), chapter, at, 4);
  const vehicle = (route: string): Drawing => shown(2, ROUTES.indexOf(route));
  const good = (name: string): Drawing => shown(3, GOODS.indexOf(name));
  return {
    1: picture(captions.material, vehicle("grey"), good("red"), good("white"), die(4), piece(1)),
    4: picture(captions.cards, good("black"), good("red"), good("blue"), text("!")),
    5: picture(captions.neutral, vehicle("blue"), good("green"), good("yellow"), text("?")),
    6: picture(captions.start, ...[1, 1, 1, 2, 2].map((seat) => piece(seat))),
    7: picture(captions.turn, die(3), die(5), text("→"), die(5)),
    8: picture(captions.dice, vehicle("red"), text("/"), good("white"), text("/"), die(6)),
    9: picture(
      captions.transport,
      vehicle("grey"),
      good("blue"),
      icon("up"),
      icon("up"),
      icon("flag"),
    ),
    10: picture(captions.steps, vehicle("green"), good("white"), icon("up")),
    11: picture(captions.actions, icon("book"), text("+1")),
    12: picture(captions.arrival, vehicle("blue"), good("blue"), good("red"), die(6), good("blue")),
    13: picture(captions.end, piece(1), text("200,000"), icon("flag")),
    14: picture(captions.sales, good("red"), good("red"), piece(1), piece(1)),
    15: picture(captions.options, icon("list"), text("200,000")),
    16: picture(captions.hidden, vehicle("red"), good("black"), icon("lock")),
    17: picture(captions.lines, text(lang === "en" ? "/land 170 asia" : "/上陸 170 アジア")),
  };
}
