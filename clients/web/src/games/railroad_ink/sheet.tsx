// A sheet of paper: seven by seven squares, exits around it, drawings, and legal squares.

import type { VNode } from "preact";
import { Place, Plus } from "../../board/index.ts";
import { type Arms, armOn, CELL, SIDES, STATION, STEP, strokesOf } from "./piecePaths.ts";
import {
  type At,
  type End,
  erasable,
  type Fixed,
  inCentre,
  incomingAt,
  justDrawn,
  linesFor,
  openEnds,
  orientationsOf,
  pieceOf,
  placeOf,
  planned,
  type Sheet,
  SQUARES,
  type Stroke,
} from "./selectors.ts";
import { armsText, pieceName, sideName, strings } from "./strings.ts";

/** A piece in ink, its middle at (x, y). */
export function Ink(props: {
  readonly arms: Arms;
  readonly station: boolean;
  readonly x?: number;
  readonly y?: number;
  readonly small?: boolean;
  readonly class?: string;
}): VNode {
  const { arms, station, x = 0, y = 0, small = false } = props;
  const { lines, dashes } = strokesOf(arms, station, small);
  return (
    <g class={`ink ${props.class ?? ""}`} transform={`translate(${x} ${y})`} aria-hidden="true">
      <path d={lines} />
      {dashes !== "" && !small && <path class="dashes" d={dashes} />}
      {station && (
        <rect
          class="station"
          x={-STATION}
          y={-STATION}
          width={2 * STATION}
          height={2 * STATION}
          rx={2.5}
        />
      )}
    </g>
  );
}

function middle(square: string): readonly [number, number] {
  const [x, y] = placeOf(square);
  return [(x + 0.5) * CELL, (y + 0.5) * CELL];
}

/** Paper, grid and the frame of the middle: static. */
function Paper({ pad }: { readonly pad: number }): VNode {
  const fullSize = 7 * CELL;
  const lines = [1, 2, 3, 4, 5, 6]
    .map((each) => `M${each * CELL} 0V${fullSize}M0 ${each * CELL}H${fullSize}`)
    .join("");
  const box = { x: 2 * CELL, y: 2 * CELL, width: 3 * CELL, height: 3 * CELL };
  return (
    <g aria-hidden="true">
      <rect
        class="paper"
        x={-pad}
        y={-pad}
        width={fullSize + 2 * pad}
        height={fullSize + 2 * pad}
        rx={14}
      />
      <rect class="centre" {...box} />
      <path class="grid" d={lines} />
      <rect class="border" width={fullSize} height={fullSize} />
      <rect class="centre-frame" {...box} />
    </g>
  );
}

/** The exits outside of the border; dark when a drawing meets them. */
function Exits(props: { fixed: Fixed; sheet: Sheet; length: number }): VNode {
  const { fixed, sheet, length } = props;
  return (
    <g aria-hidden="true">
      {fixed.exits.map(([square, side, kind]) => {
        const [mx, my] = middle(square);
        const [dx, dy] = STEP[side];
        const x = mx + (dx * CELL) / 2;
        const y = my + (dy * CELL) / 2;
        const arms = sheet.strokes.get(square)?.arms;
        const joined = arms !== undefined && armOn(arms, side) !== undefined;
        const edge = CELL * 0.13;
        const bar = (along: number): string =>
          `M${x + dx * along - dy * CELL * 0.1} ${y + dy * along - dx * CELL * 0.1}l${dy * CELL * 0.2} ${dx * CELL * 0.2}`;
        const d =
          kind === "road"
            ? [1, -1]
                .map(
                  (sign) =>
                    `M${x + dy * edge * sign} ${y + dx * edge * sign}l${dx * length} ${dy * length}`,
                )
                .join("")
            : `M${x} ${y}l${dx * length} ${dy * length}${bar(length * 0.35)}${bar(length * 0.78)}`;
        return <path key={`${square}${side}`} class={joined ? "exit joined" : "exit"} d={d} />;
      })}
    </g>
  );
}

function Ends({ ends, r }: { readonly ends: readonly End[]; readonly r: number }): VNode {
  const arm = r * 0.42;
  return (
    <g class="ends" aria-hidden="true">
      {ends.map(({ square, side }) => {
        const [mx, my] = middle(square);
        const [dx, dy] = STEP[side];
        return (
          <g
            key={`${square}${side}`}
            transform={`translate(${mx + (dx * CELL) / 2} ${my + (dy * CELL) / 2})`}
          >
            <circle r={r} />
            <path d={`M${-arm} ${-arm}L${arm} ${arm}M${arm} ${-arm}L${-arm} ${arm}`} />
          </g>
        );
      })}
    </g>
  );
}

/** The drawing in a square. */
function drawnParts(position: At, sheet: Sheet, stroke: Stroke): readonly string[] {
  const { lang } = position;
  const labels = strings(lang);
  const { square, piece, arms, round } = stroke;
  const when = round === undefined ? labels.thisRound : labels.inRound(round);
  const parts = [[pieceName(piece, lang), armsText(arms, lang), when].join(labels.and)];
  const ends = openEnds(sheet)
    .filter((end) => end.square === square)
    .map((end) => sideName(end.side, lang));
  if (ends.length > 0) parts.push(labels.openEnd(ends.join(labels.and)));
  if (sheet.seat === position.seat && erasable(position, square)) parts.push(labels.takeBack);
  return parts;
}

/** The arms and exits that meet a free square. */
function comingParts(position: At, sheet: Sheet, square: string): readonly string[] {
  const { lang } = position;
  const labels = strings(lang);
  return SIDES.flatMap((side) => {
    const incoming = incomingAt(position, sheet, square, side);
    if (incoming === undefined) return [];
    const kind = incoming.kind === "H" ? labels.road_one : labels.rail_one;
    return [(incoming.exit ? labels.exit : labels.incoming)(kind, sideName(side, lang))];
  });
}

/** The legal pieces of a free square, and the drawing of the line. */
function fittingParts(position: At, square: string): readonly string[] {
  const { lang } = position;
  const labels = strings(lang);
  const parts: string[] = [];
  const plan = planned(position);
  if (plan?.square === square) {
    parts.push(labels.wouldDraw(pieceName(plan.piece, lang), armsText(plan.arms, lang)));
  }
  const counts = new Map<string, number>();
  for (const line of linesFor(position, square)) {
    const piece = pieceOf(line.verb, line.slots) ?? "";
    counts.set(piece, (counts.get(piece) ?? 0) + 1);
  }
  for (const [piece, count] of counts) {
    const name = pieceName(piece, lang);
    parts.push(count === 1 ? labels.fitsOnce(name) : labels.fits(name, count));
  }
  return parts;
}

/** The content of a square, and the act of a press: one sentence. */
export function squareLabel(position: At, sheet: Sheet, square: string): string {
  const labels = strings(position.lang);
  const name = inCentre(square) ? `${square}${labels.and}${labels.centreSquare}` : square;
  const stroke = sheet.strokes.get(square);
  const parts =
    stroke !== undefined
      ? drawnParts(position, sheet, stroke)
      : [
          labels.empty,
          ...comingParts(position, sheet, square),
          ...(sheet.seat === position.seat ? fittingParts(position, square) : []),
        ];
  return [name, ...parts].join(labels.clause);
}

interface SquareProps {
  readonly position: At;
  readonly sheet: Sheet;
  readonly square: string;
  readonly unit: number;
  readonly isMySheet: boolean;
  readonly just: boolean;
}

function Square(props: SquareProps): VNode {
  const { position, sheet, square, unit, isMySheet, just } = props;
  const [x, y] = placeOf(square);
  const stroke = sheet.strokes.get(square);
  const may = isMySheet && stroke === undefined && linesFor(position, square).length > 0;
  const mayErase = isMySheet && erasable(position, square);
  const plan = isMySheet ? planned(position) : undefined;
  const here = plan?.square === square ? plan : undefined;
  const chosen =
    isMySheet &&
    (position.draft.slots.square === square || position.draft.text === `/erase ${square}`);
  const half = CELL / 2;
  const now = stroke !== undefined && stroke.round === undefined;
  return (
    <Place
      id={isMySheet ? `square ${square}` : `seen ${square}`}
      label={squareLabel(position, sheet, square)}
      may={may}
      chosen={chosen}
      just={now || just}
      idle={!may && !mayErase}
      class={now ? "now" : ""}
      transform={`translate(${x * CELL} ${y * CELL})`}
    >
      <rect class="field" x={1} y={1} width={CELL - 2} height={CELL - 2} />
      {stroke !== undefined && (
        <g data-piece={square}>
          <Ink
            arms={stroke.arms}
            station={stroke.station}
            x={half}
            y={half}
            class={now ? "draft" : "pen"}
          />
        </g>
      )}
      {stroke?.round !== undefined && unit >= 0.62 && (
        <text class="round" x={CELL - 5} y={CELL - 5} font-size={Math.max(12, unit * 12) / unit}>
          {stroke.round}
        </text>
      )}
      {here !== undefined && (
        <>
          <rect class="ghost" x={2} y={2} width={CELL - 4} height={CELL - 4} rx={6} />
          <Ink arms={here.arms} station={here.station} x={half} y={half} class="draft" />
        </>
      )}
      {may && !chosen && <Plus x={17} y={17} r={Math.max(8, 6 / unit)} />}
      <rect class="mark" x={4} y={4} width={CELL - 8} height={CELL - 8} rx={6} />
    </Place>
  );
}

/** The sign that the planned piece can be turned, above all else. */
function TurnSign({ plan, unit }: { readonly plan: Stroke; readonly unit: number }): VNode {
  const [x, y] = middle(plan.square);
  const r = Math.max(12, 9 / unit);
  return (
    <g
      class="turn-sign"
      transform={`translate(${x + CELL / 2 - 7} ${y - CELL / 2 + 7}) scale(${r / 12})`}
      aria-hidden="true"
    >
      <circle r={12} />
      <path d="M6.2 0.4a6.2 6.2 0 1 1-1.8-4.8M6.2 -7v3.5h-3.5" />
    </g>
  );
}

/** A sheet in full size: `size` is its side in CSS pixels. */
export function LargeSheet(props: {
  readonly position: At;
  readonly sheet: Sheet;
  readonly size: number;
}): VNode {
  const { position, sheet, size } = props;
  const just = justDrawn(position.since, sheet.seat);
  const isMySheet = sheet.seat === position.seat;
  const pad = size < 420 ? 30 : 42;
  const fullSize = 7 * CELL + 2 * pad;
  const unit = size / fullSize;
  const font = Math.max(12, size / 64) / unit;
  const plan = isMySheet ? planned(position) : undefined;
  return (
    <svg
      class="sheet"
      viewBox={`${-pad} ${-pad} ${fullSize} ${fullSize}`}
      role="group"
      aria-label={strings(position.lang).squares}
    >
      <Paper pad={pad} />
      <g class="legend" aria-hidden="true">
        {[0, 1, 2, 3, 4, 5, 6].map((at) => {
          // Beside the exit, if there is one.
          const offset = at % 2 === 1 ? 0.3 * CELL : 0;
          return (
            <g key={at}>
              <text x={(at + 0.5) * CELL + offset} y={-pad * 0.32} font-size={font}>
                {"ABCDEFG"[at]}
              </text>
              <text x={-pad * 0.5} y={(at + 0.5) * CELL - offset + font * 0.36} font-size={font}>
                {at + 1}
              </text>
            </g>
          );
        })}
      </g>
      {SQUARES.map((square) => (
        <Square
          key={square}
          position={position}
          sheet={sheet}
          square={square}
          unit={unit}
          isMySheet={isMySheet}
          just={just.has(square)}
        />
      ))}
      <Exits fixed={position.fixed} sheet={sheet} length={pad * 0.6} />
      <Ends ends={openEnds(sheet)} r={Math.max(8, 5 / unit)} />
      {plan !== undefined && orientationsOf(position).length > 1 && (
        <TurnSign plan={plan} unit={unit} />
      )}
    </svg>
  );
}

/** A small sheet of another player. */
export function SmallSheet(props: {
  readonly fixed: Fixed;
  readonly sheet: Sheet;
  readonly just: ReadonlySet<string>;
}): VNode {
  const { fixed, sheet, just } = props;
  const pad = 26;
  const fullSize = 7 * CELL + 2 * pad;
  return (
    <svg class="sheet small" viewBox={`${-pad} ${-pad} ${fullSize} ${fullSize}`} aria-hidden="true">
      <Paper pad={pad} />
      {[...sheet.strokes.values()].map(({ square, arms, station, round }) => {
        const [x, y] = middle(square);
        const tinted = round === undefined || just.has(square);
        return (
          <g key={square}>
            {tinted && (
              <rect class="tint" x={x - CELL / 2} y={y - CELL / 2} width={CELL} height={CELL} />
            )}
            <Ink
              arms={arms}
              station={station}
              x={x}
              y={y}
              small
              class={round === undefined ? "draft" : "pen"}
            />
          </g>
        );
      })}
      <Exits fixed={fixed} sheet={sheet} length={pad * 0.8} />
    </svg>
  );
}
