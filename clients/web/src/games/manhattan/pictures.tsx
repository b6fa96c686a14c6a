// The pictures of Manhattan's rules: who may take a building over.

import {
  bothLanguages,
  type Lang,
  type RuleDrawing,
  type RulePictures,
} from "../../board/index.ts";
import { scaled } from "../../board/pictureRow.tsx";
import { GhostFloors, type Shape, Tower, TowerPatterns } from "./tower.tsx";
import { CardSquares } from "./tray.tsx";

const labelsOf = bothLanguages(
  {
    equal: "3 on 3: equal is enough",
    sum: "1 + 2 against 3: own floors add up",
    fewer: "3 against 4: not allowed",
  },
  {
    equal: "3階に3階: 同数でよい",
    sum: "1+2階対3階: 自分の階は合計する",
    fewer: "3階対4階: 置けない",
  },
);

const SHAPE: Shape = { left: 8, width: 40, depth: 9, rise: 7, floor: 9, ground: 92 };
const ME = 1;
const OWNER = 2;

export function picturesIn(lang: Lang): RulePictures {
  const labels = labelsOf(lang);
  const picture = (name: string, added: number, theirs: number, mine = 0) => {
    const height = theirs + mine;
    const shares = [
      { seat: OWNER, floors: theirs },
      { seat: ME, floors: mine },
    ];
    const drawing = (
      <>
        <TowerPatterns />
        <Tower
          building={{ owner: OWNER, height, shares: shares.filter(({ floors }) => floors > 0) }}
          shape={SHAPE}
        />
        <GhostFloors
          shape={SHAPE}
          seat={ME}
          base={SHAPE.ground - height * SHAPE.floor}
          floors={added}
        />
      </>
    );
    return { name, box: "0 16 70 82", drawing };
  };
  return {
    4: [picture(labels.equal, 3, 3), picture(labels.sum, 2, 3, 1), picture(labels.fewer, 3, 4)],
  };
}

/** Floors of one player, as towers are drawn on the board. */
function tower(seat: number, floors: number): RuleDrawing {
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

function card(site: number): RuleDrawing {
  return scaled({ box: "0 0 30 30", drawing: <CardSquares site={site} /> }, 4);
}

export const parts = { tower, card };
