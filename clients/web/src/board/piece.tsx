// A seat's piece: colour, shape and letter, always all three.

import type { VNode } from "preact";
import type { Seat } from "./contract.ts";

const LETTERS = "ABCDEFGHIJKL";

/** With more seats than this, seats are numbers in boxes: people can tell six colours apart. */
export const COLOURED_SEATS = 6;

/** The letter of a seat: A for 1. */
export function letterOf(seat: Seat): string {
  return LETTERS[seat - 1] ?? String(seat);
}

/** The corners of a polygon on radius `r`, or of a star with its dents at `dent` of it. */
export function corners(n: number, r: number, turn = -90, dent = 1): string {
  const count = dent < 1 ? n * 2 : n;
  const points: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const radius = dent < 1 && i % 2 === 1 ? r * dent : r;
    const angle = ((turn + (i * 360) / count) * Math.PI) / 180;
    points.push(
      `${(radius * Math.cos(angle)).toFixed(1)},${(radius * Math.sin(angle)).toFixed(1)}`,
    );
  }
  return points.join(" ");
}

function shape(seat: Seat, r: number): VNode {
  switch (((seat - 1) % COLOURED_SEATS) + 1) {
    case 1:
      return <circle r={r * 0.92} />;
    case 2:
      return <rect x={-r * 0.84} y={-r * 0.84} width={r * 1.68} height={r * 1.68} rx={r * 0.16} />;
    case 3:
      return (
        <polygon points={corners(3, r * 1.2)} transform={`translate(0 ${(r * 0.2).toFixed(1)})`} />
      );
    case 4:
      return <polygon points={corners(4, r * 1.14)} />;
    case 5:
      return <polygon points={corners(6, r * 1.02, 0)} />;
    default:
      return <polygon points={corners(6, r * 1.16, -90, 0.68)} />;
  }
}

export interface PieceProps {
  readonly seat: Seat;
  readonly x?: number;
  readonly y?: number;
  readonly r?: number;
  /** Shown instead of the seat's letter; "" for no letter. */
  readonly text?: string | number | undefined;
  /** Extra class, such as `pale`. */
  readonly class?: string;
}

/** A piece inside an SVG, its middle at (x, y). It moves by `transform`, so that it can glide. */
export function Piece({ seat, x = 0, y = 0, r = 11, text, class: more }: PieceProps): VNode {
  const shown = String(text ?? letterOf(seat));
  return (
    <g
      class={more === undefined ? `piece seat-${seat}` : `piece seat-${seat} ${more}`}
      transform={`translate(${x} ${y})`}
      aria-hidden="true"
    >
      {shape(seat, r)}
      {shown !== "" && r > 5 && (
        <text y={r * (seat === 3 ? 0.58 : 0.4)} font-size={r * (shown.length < 2 ? 1.1 : 0.9)}>
          {shown}
        </text>
      )}
    </g>
  );
}

/** A piece outside of an SVG, for lists and sentences; a boxed number beyond six seats. */
export function SeatMark(props: {
  readonly seat: Seat;
  readonly size?: number;
  readonly text?: string | undefined;
  readonly many?: boolean;
}): VNode {
  const { seat, size = 26, text, many = false } = props;
  if (many) return <span class="seat-number">{seat}</span>;
  return (
    <svg class="seat-mark" viewBox="-13 -13 26 26" width={size} height={size} aria-hidden="true">
      <Piece seat={seat} r={10.5} text={text} />
    </svg>
  );
}
