// The pictures of Tokai Danshaku's rules: what a ride costs, by whose line it is.

import {
  bothLanguages,
  type Lang,
  Piece,
  type RuleDrawing,
  type RulePictures,
} from "../../board/index.ts";
import { piece } from "../../board/pictureRow.tsx";

const labelsOf = bothLanguages(
  {
    bank: "Nobody's line: 1,000 yen to the bank",
    yours: "Your line: 1,000 yen to the bank",
    other: "Another's line: 5,000 yen to its owner",
    fast: "The Shinkansen: 6,000 yen, your own 2,000, another's 10,000",
  },
  {
    bank: "所有者なし: 銀行に1,000円",
    yours: "自分の路線: 銀行に1,000円",
    other: "他人の路線: 所有者に5,000円",
    fast: "新幹線: 6,000円、自分のものは2,000円、他人のものは10,000円",
  },
);

export function picturesIn(lang: Lang): RulePictures {
  const labels = labelsOf(lang);
  const picture = (name: string, owner?: number, width = 5) => ({
    name,
    box: "0 0 96 40",
    drawing: (
      <>
        <path
          d="M8 24h80"
          fill="none"
          stroke="currentColor"
          stroke-width={width}
          {...(owner === undefined ? { "stroke-dasharray": "6 5" } : {})}
        />
        {[8, 88].map((x) => (
          <circle key={x} cx={x} cy={24} r={5} fill="currentColor" />
        ))}
        {owner !== undefined && <Piece seat={owner} x={66} y={24} r={11} />}
        <Piece seat={1} x={26} y={12} r={9} text="" />
      </>
    ),
  });
  return {
    11: [
      picture(labels.bank),
      picture(labels.yours, 1),
      picture(labels.other, 2),
      picture(labels.fast, undefined, 9),
    ],
  };
}

const STEP = 34;

/** A line with stations; the pawn stands at one, the owner's piece on the last stretch. */
function line(stations: number, pawn: number, owner?: number): RuleDrawing {
  const places = Array.from({ length: stations }, (_, at) => 12 + at * STEP);
  const width = 24 + (stations - 1) * STEP;
  return {
    width,
    drawing: (
      <>
        <path
          d={`M12 32h${width - 24}`}
          fill="none"
          stroke="currentColor"
          stroke-width={5}
          {...(owner === undefined ? { "stroke-dasharray": "6 5" } : {})}
        />
        {places.map((x) => (
          <circle key={x} cx={x} cy={32} r={5} fill="currentColor" />
        ))}
        <g transform={`translate(${(places[pawn] ?? 0) - 10} -2) scale(.6)`}>
          {piece(1, "").drawing}
        </g>
        {owner !== undefined && (
          <g transform={`translate(${width - STEP - 2} 14) scale(.66)`}>{piece(owner).drawing}</g>
        )}
      </>
    ),
  };
}

export const parts = { line };
