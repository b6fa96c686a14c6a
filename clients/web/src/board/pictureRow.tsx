// A picture of a chapter of the rules: parts of a board side by side, all of one height.

import type { VNode } from "preact";
import type { RulePicture, RulePictures } from "./contract.ts";
import { Icon, type IconName } from "./icons.tsx";
import { Piece } from "./piece.tsx";

const HEIGHT = 48;
const GAP = 6;
/** An average letter of a text in a picture, and a wide one. */
const LETTER = 9.8;
const WIDE = 15.5;

/** A part of a picture, drawn in a box of its width and `HEIGHT`. */
export interface Drawing {
  readonly width: number;
  readonly drawing: VNode;
}

/** A picture of the game's board, brought to the height of the row; empty if there is none. */
export function scaled({ box, drawing }: Pick<RulePicture, "box" | "drawing">, room = 0): Drawing {
  const [x = 0, y = 0, width = 1, height = 1] = box.split(" ").map(Number);
  const scale = (HEIGHT - 2 * room) / height;
  const to = `translate(0 ${room}) scale(${scale.toFixed(3)}) translate(${-x} ${-y})`;
  return { width: width * scale, drawing: <g transform={to}>{drawing}</g> };
}

/** A picture of another chapter, by its place there; empty where the board draws none. */
export function borrowed(pictures: RulePictures, chapter: number, at: number, room = 0): Drawing {
  const shape = pictures[chapter]?.[at];
  return shape === undefined ? text("") : scaled(shape, room);
}

export function piece(seat: number, text?: string): Drawing {
  const letter = text === undefined ? {} : { text };
  return { width: 34, drawing: <Piece seat={seat} x={17} y={24} r={14} {...letter} /> };
}

/** A die by its number; "?" before it is thrown. */
export function die(value: number | "?"): Drawing {
  return {
    width: 40,
    drawing: (
      <>
        <rect x={2} y={6} width={36} height={36} rx={8} fill="none" stroke="currentColor" />
        <text class="words" x={20} y={30} text-anchor="middle">
          {value}
        </text>
      </>
    ),
  };
}

export function icon(name: IconName): Drawing {
  return {
    width: 34,
    drawing: (
      <g transform="translate(2 9)" fill="none" stroke="currentColor" stroke-width={1.8}>
        <Icon name={name} size={30} />
      </g>
    ),
  };
}

/** Words, figures or a typed line. */
export function text(shown: string): Drawing {
  const width = [...shown].reduce((sum, each) => sum + (each > "\u2fff" ? WIDE : LETTER), 4);
  return {
    width,
    drawing: (
      <text class="words" x={width / 2} y={30} text-anchor="middle">
        {shown}
      </text>
    ),
  };
}

/** The one picture of a chapter, with its caption. */
export function picture(name: string, ...parts: readonly Drawing[]): readonly RulePicture[] {
  let at = 0;
  const drawing = parts.map((each) => {
    const x = at;
    at += each.width + GAP;
    return (
      <g key={x} transform={`translate(${x.toFixed(1)} 0)`}>
        {each.drawing}
      </g>
    );
  });
  return [{ name, box: `0 0 ${(at - GAP).toFixed(1)} ${HEIGHT}`, drawing: <>{drawing}</> }];
}
