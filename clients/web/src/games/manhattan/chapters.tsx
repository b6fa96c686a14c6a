// The pictures of the chapters of Manhattan's rules.

import { bothLanguages, type Lang, type RulePictures } from "../../board/index.ts";
import { borrowed, type Drawing, picture, piece, scaled, text } from "../../board/pictureRow.tsx";

const captionsOf = bothLanguages(
  {
    material: "Blocks of one to four floors",
    start: "Four cards, each with a site",
    blocks: "Six blocks for one round",
    scoring: "1 for each building, 3 for the tallest",
    next: "The start goes round clockwise",
    options: "Four blocks a round, six rounds",
    example: "3 floors on 3: taken over",
    lines: "Card, block, city",
    facts: "47 floors for each player",
  },
  {
    material: "1階から4階のコマ",
    start: "エリアの書かれた4枚のカード",
    blocks: "1ラウンド分の6個",
    scoring: "ビル1つに1点、最も高ければ3点",
    next: "スタートは時計回りに移る",
    options: "4個ずつ、6ラウンド",
    example: "3階に3階: 奪える",
    lines: "カード、コマ、都市",
    facts: "各自47階分",
  },
);

/** Floors of one player, as towers are drawn on the board. */
function tower(seat: number, floors: number): Drawing {
  const high = floors * (floors > 4 ? 5.4 : 8);
  const front = `M2 ${40 - high}h24l7-5v${high}l-7 5h-24z`;
  const drawing = (
    <>
      <path class={`wall seat-${seat}`} d={front} />
      <path class="shade" d={`M26 ${40 - high}l7-5v${high}l-7 5z`} />
    </>
  );
  return scaled({ box: "0 0 36 44", drawing });
}

function card(site: number): Drawing {
  const drawing = (
    <g class="card-picture">
      {Array.from({ length: 9 }, (_, at) => (
        <rect
          key={at}
          class={at + 1 === site ? "filled" : ""}
          x={(at % 3) * 10 + 0.8}
          y={Math.floor(at / 3) * 10 + 0.8}
          width="8.4"
          height="8.4"
          rx="1.5"
        />
      ))}
    </g>
  );
  return scaled({ box: "0 0 30 30", drawing }, 4);
}

export function chaptersIn(lang: Lang, drawn: () => RulePictures): RulePictures {
  const captions = captionsOf(lang);
  const blocks = (...sizes: readonly number[]) => sizes.map((size) => tower(1, size));
  return {
    1: picture(captions.material, ...blocks(1, 2, 3, 4)),
    2: picture(captions.start, ...[1, 5, 6, 9].map(card)),
    3: picture(captions.blocks, ...blocks(4, 3, 2, 2, 1, 1)),
    5: picture(captions.scoring, tower(1, 2), text("+1"), tower(2, 6), text("+1 +3")),
    6: picture(captions.next, piece(1), text("→"), piece(2), text("→"), piece(3)),
    7: picture(captions.options, ...blocks(3, 2, 2, 1), text("× 6")),
    8: picture(captions.example, borrowed(drawn(), 4, 0)),
    9: picture(captions.lines, card(5), tower(1, 3), text("/3F5")),
    11: picture(captions.facts, tower(1, 4), text("= 4"), piece(1), text("= 47")),
  };
}
