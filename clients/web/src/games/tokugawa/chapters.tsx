// The pictures of the chapters of Tokugawa's rules.

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
    map: "Six roads between the capitals",
    start: "Eight samurai, without paying",
    turns: "Three actions a turn",
    tax: "Three against one: 2 koku",
    moving: "Archers walk, others roll",
    attack: "An attack with a supporter",
    battle: "Two dice and the strength",
    result: "Beaten once: weak; twice: gone",
    end: "More koku, samurai, buildings: 5 each",
    open: "Only the next contracts are covered",
    lines: "From town to town",
    capital: "Castle, wall and shrine guard best",
    facts: "75 koku, always",
  },
  {
    map: "首都の間は6マス",
    start: "侍8枚を無料で",
    turns: "1手番に3アクション",
    tax: "3対1なら二石",
    moving: "弓使いは歩き、ほかは振る",
    attack: "援軍のいる攻撃",
    battle: "ダイス2個と戦力",
    result: "1度負けると弱体化、2度で退場",
    end: "石・侍・建物の多い方に5点ずつ",
    open: "秘密は次の契約だけ",
    lines: "街から街へ",
    capital: "守りは城と城壁と神社",
    facts: "石はいつも75石",
  },
);

const KINDS = ["archer", "spear", "sword"] as const;
const BUILDINGS = ["wall", "castle", "shrine"] as const;

const ROADS: Drawing = {
  width: 180,
  drawing: (
    <>
      <path d="M12 24h156" fill="none" stroke="currentColor" stroke-width={3} />
      {[0, 1, 2, 3, 4, 5, 6].map((at) => (
        <circle key={at} cx={12 + at * 26} cy={24} r={at % 6 ? 5 : 9} fill="currentColor" />
      ))}
    </>
  ),
};

export function chaptersIn(lang: Lang, drawn: () => RulePictures): RulePictures {
  const captions = captionsOf(lang);
  const shown = (chapter: number, at: number): Drawing => borrowed(drawn(), chapter, at, 7);
  const samurai = (kind: (typeof KINDS)[number]): Drawing => shown(1, KINDS.indexOf(kind));
  const building = (name: (typeof BUILDINGS)[number]): Drawing =>
    shown(10, BUILDINGS.indexOf(name));
  const archers = [1, 2, 3, 4, 5].map(() => samurai("archer"));
  return {
    2: picture(captions.map, ROADS),
    3: picture(captions.start, ...archers, samurai("spear"), samurai("spear"), samurai("sword")),
    4: picture(captions.turns, text("1"), icon("vote"), text("2"), icon("vote"), text("3")),
    5: picture(captions.tax, piece(1), piece(1), piece(1), piece(2), text("+2")),
    6: picture(captions.moving, samurai("archer"), text("→"), samurai("spear"), die(4)),
    7: picture(captions.attack, piece(1), text("→"), piece(2), text("+"), samurai("spear")),
    8: picture(captions.battle, die(4), die(5), samurai("sword"), text("+2")),
    9: picture(captions.result, samurai("spear"), text("−1"), icon("x")),
    11: picture(captions.end, text("75"), samurai("sword"), building("castle"), text("+5")),
    12: picture(captions.open, icon("lock"), icon("list")),
    13: picture(captions.lines, text(lang === "en" ? "/move nara osaka" : "/移動 奈良 大坂")),
    14: picture(captions.capital, ...BUILDINGS.map(building)),
    17: picture(captions.facts, piece(1), text("+"), piece(2), text("+"), text("9 = 75")),
  };
}
