// Strokes of a piece as SVG paths in a square of 84 units, the middle at 0 0. A road is two strokes
// and a dashed one between them, a railway a stroke with ties, a station a filled square; the road
// of an overpass runs through, its railway stops short of it.

import { stored } from "../../board/parts.ts";

/** A square's side. */
export const CELL = 84;
const HALF = CELL / 2;
/** Half a road's width, half a tie, half a station. */
const ROAD = CELL * 0.13;
const TIE = CELL * 0.1;
export const STATION = CELL * 0.19;
const GAP = CELL * 0.2;

export type Side = "N" | "E" | "S" | "W";
export const SIDES: readonly Side[] = ["N", "E", "S", "W"];

export const STEP: Readonly<Record<Side, readonly [number, number]>> = {
  N: [0, -1],
  E: [1, 0],
  S: [0, 1],
  W: [-1, 0],
};

export const OPPOSITE: Readonly<Record<Side, Side>> = { N: "S", S: "N", E: "W", W: "E" };

/** The arms of a turned piece: "HR.." is road north, railway east. */
export type Arms = string;

export type Kind = "H" | "R";

/** The arm of a piece on a side. */
export function armOn(arms: Arms, side: Side): Kind | undefined {
  const arm = arms[SIDES.indexOf(side)];
  return arm === "H" || arm === "R" ? arm : undefined;
}

/** The sides that have an arm of a kind. */
export function sidesOf(arms: Arms, kind: Kind): readonly Side[] {
  return SIDES.filter((side) => armOn(arms, side) === kind);
}

export interface Strokes {
  /** Rails, ties and the edges of roads. */
  readonly lines: string;
  /** The middles of roads. */
  readonly dashes: string;
}

function at(x: number, y: number): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

function segment(x1: number, y1: number, x2: number, y2: number): string {
  return `M${at(x1, y1)}L${at(x2, y2)}`;
}

/** A road from the middle to a side; its edges leave a crossing free. */
function roadArm(side: Side, crossed: boolean): Strokes {
  const [dx, dy] = STEP[side];
  const from = crossed ? ROAD : 0;
  const edge = (sign: number): string => {
    const ox = -dy * ROAD * sign;
    const oy = dx * ROAD * sign;
    return segment(ox + dx * from, oy + dy * from, ox + dx * HALF, oy + dy * HALF);
  };
  return {
    lines: edge(1) + edge(-1),
    dashes: segment(dx * CELL * 0.08, dy * CELL * 0.08, dx * HALF, dy * HALF),
  };
}

function tie(x: number, y: number, nx: number, ny: number): string {
  return segment(x + nx * TIE, y + ny * TIE, x - nx * TIE, y - ny * TIE);
}

/** A railway from the middle, or from the edge of a road above it, to a side. */
function railArm(side: Side, below: boolean, ties: number): string {
  const [dx, dy] = STEP[side];
  const from = below ? GAP : 0;
  let lines = segment(dx * from, dy * from, dx * HALF, dy * HALF);
  const length = HALF - from;
  const count = below ? Math.max(2, Math.round(ties * 0.6)) : ties;
  for (let each = 0; each < count; each += 1) {
    const along = from + (length * (each + 0.6)) / count;
    lines += tie(dx * along, dy * along, -dy, dx);
  }
  return lines;
}

/** A bend between two neighbouring sides: arcs about the corner between them. */
function bend(kind: Kind, a: Side, b: Side, ties: number): Strokes {
  const [ax, ay] = STEP[a];
  const [bx, by] = STEP[b];
  const cornerX = (ax + bx) * HALF;
  const cornerY = (ay + by) * HALF;
  const sweep = ax * by - ay * bx > 0 ? 0 : 1;
  const arc = (radius: number): string =>
    `M${at(cornerX - bx * radius, cornerY - by * radius)}A${radius.toFixed(1)} ${radius.toFixed(1)} 0 0 ${sweep} ${at(cornerX - ax * radius, cornerY - ay * radius)}`;
  if (kind === "H") return { lines: arc(HALF - ROAD) + arc(HALF + ROAD), dashes: arc(HALF) };
  let lines = arc(HALF);
  const begin = Math.atan2(-by, -bx);
  const turn = ((Math.atan2(-ay, -ax) - begin + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
  const count = Math.round(ties * 1.6);
  for (let each = 0; each < count; each += 1) {
    const angle = begin + (turn * (each + 0.5)) / count;
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    lines += tie(cornerX + HALF * cos, cornerY + HALF * sin, cos, sin);
  }
  return { lines, dashes: "" };
}

function bends(sides: readonly Side[]): boolean {
  const [a, b] = sides;
  return sides.length === 2 && a !== undefined && b !== undefined && OPPOSITE[a] !== b;
}

/** The closed side of a T. */
function wall(arms: Arms): string {
  const side = SIDES.find((each) => armOn(arms, each) === undefined);
  if (side === undefined) return "";
  const [dx, dy] = STEP[side];
  return segment(
    dx * ROAD - dy * ROAD,
    dy * ROAD + dx * ROAD,
    dx * ROAD + dy * ROAD,
    dy * ROAD - dx * ROAD,
  );
}

function draw(arms: Arms, station: boolean, ties: number): Strokes {
  const roads = sidesOf(arms, "H");
  const rails = sidesOf(arms, "R");
  if (!station && bends(roads) && rails.length === 0) {
    return bend("H", roads[0] as Side, roads[1] as Side, ties);
  }
  if (!station && bends(rails) && roads.length === 0) {
    return bend("R", rails[0] as Side, rails[1] as Side, ties);
  }
  const crossed = (side: Side): boolean =>
    roads.some((other) => other !== side && other !== OPPOSITE[side]);
  const below = !station && roads.length > 0;
  const arcs = roads.map((side) => roadArm(side, crossed(side)));
  return {
    lines:
      arcs.map((each) => each.lines).join("") +
      rails.map((side) => railArm(side, below, ties)).join("") +
      (roads.length === 3 && !station ? wall(arms) : ""),
    dashes: arcs.map((each) => each.dashes).join(""),
  };
}

/** The strokes of a piece; a small one has fewer ties. */
export const strokesOf = stored(500, (arms: Arms, station: boolean, small: boolean) =>
  draw(arms, station, small ? 2 : 4),
);
