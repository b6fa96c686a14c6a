// The pictures of the chapters of Railroad Ink's rules.

import { bothLanguages, type Lang, type RulePictures } from "../../board/index.ts";
import { borrowed, type Drawing, icon, picture, piece, text } from "../../board/pictureRow.tsx";

const captionsOf = bothLanguages(
  {
    board: "From an exit to the next square",
    dice: "Four faces, the same for everybody",
    course: "Everybody draws, seven rounds",
    where: "Joined to a line of its own kind",
    must: "A face that fits must be drawn",
    hidden: "Covered until both are done",
    scoring: "Three squares: a road of 3",
    example: "A special route joins two networks",
    facts: "Crossing, and meeting in a station",
    lines: "Die, square, turn",
  },
  {
    board: "出口から次のマスへ",
    dice: "全員に同じ4つの目",
    course: "全員が描いて7ラウンド",
    where: "同じ種類の線につなぐ",
    must: "描ける目は必ず描く",
    hidden: "2人とも完了するまで秘密",
    scoring: "3マスの道路は3点",
    example: "スペシャルルートが2つをつなぐ",
    facts: "交差と、駅での接続",
    lines: "ダイス、マス、向き",
  },
);

/** The faces of the dice in the order of chapter 2, and the special routes in that of chapter 7. */
const FACES = [
  "rail curve",
  "rail t",
  "rail",
  "road curve",
  "road t",
  "road",
  "overpass",
  "station",
] as const;

export function chaptersIn(lang: Lang, drawn: () => RulePictures): RulePictures {
  const captions = captionsOf(lang);
  const face = (name: (typeof FACES)[number]): Drawing =>
    borrowed(drawn(), 2, FACES.indexOf(name), 3);
  return {
    1: picture(captions.board, text("↓"), face("road")),
    3: picture(captions.dice, face("rail t"), face("road curve"), face("road"), face("station")),
    4: picture(captions.course, ...[1, 2, 3, 4].map((seat) => piece(seat)), text("× 7")),
    5: picture(captions.where, face("rail"), face("rail curve"), icon("vote")),
    6: picture(captions.must, face("overpass"), text("→"), icon("plus")),
    8: picture(captions.hidden, face("road t"), icon("lock")),
    9: picture(captions.scoring, face("road"), face("road curve"), face("road t"), text("= 3")),
    10: picture(captions.example, borrowed(drawn(), 7, 1, 3), text("23 → 42")),
    11: picture(captions.facts, face("overpass"), face("station")),
    12: picture(captions.lines, text(lang === "en" ? "/draw 3 C4 2" : "/描く 3 C4 2")),
  };
}
