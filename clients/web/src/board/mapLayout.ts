// The layout of maps: spots and lines between them, the names beside them, and layouts that are stored.

import type { Lang } from "./contract.ts";
import type { Anchor, Box, Spot } from "./labelGrid.ts";
import { once, stored } from "./stored.ts";

/** The spot at a fraction of the way between two. */
export function between(from: Spot, to: Spot, fraction: number): Spot {
  return { x: from.x + (to.x - from.x) * fraction, y: from.y + (to.y - from.y) * fraction };
}

export function distance(a: Spot, b: Spot): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** How far the nearest other spot is. */
export function nearest(spot: Spot, spots: readonly Spot[]): number {
  return Math.min(...spots.map((other) => distance(spot, other)).filter((far) => far > 0));
}

/** The `transform` that moves a drawing to a spot. */
export function moveTo({ x, y }: Spot): string {
  return `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
}

/** A line through some spots, as a path. */
export function lineThrough(spots: readonly Spot[]): string {
  if (spots.length < 2) return "";
  return `M${spots.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
}

/** A name on a map, and its position. */
export interface Label extends Spot {
  readonly text: string;
  readonly anchor: Anchor;
}

/** A name on a side of a spot: across and down in gaps, and further down in heights of the font. */
export function labelBeside(
  spot: Spot,
  [across = 0, down = 0, drop = 0]: readonly number[],
  gap: number,
  text: string,
  font: number,
): Label {
  const anchor = across > 0 ? "start" : across < 0 ? "end" : "middle";
  return { x: spot.x + across * gap, y: spot.y + down * gap + drop * font, text, anchor };
}

/** The box of a name of this width. */
export function labelBox({ x, y, anchor }: Label, width: number, font: number): Box {
  const left = x - { start: 0, middle: width / 2, end: width }[anchor];
  return { left, top: y - font * 0.86, right: left + width, bottom: y + font * 0.24 };
}

/** Whether a box is within a map of this size, and not at its edge. */
export function isWithin({ left, top, right, bottom }: Box, size: Spot): boolean {
  return left >= 2 && top >= 2 && right <= size.x - 2 && bottom <= size.y - 2;
}

/** How many layouts of a map are stored. */
const LAYOUTS_MAX = 12;

type Made<Fixed, Layout> = (
  fixed: Fixed,
  width: number,
  height: number,
  /** The zoom step. */
  level: number,
  lang: Lang,
) => Layout;

/** The layouts of a map; equal arguments return the same object. */
export function layoutsOf<Fixed extends object, Layout>(
  made: Made<Fixed, Layout>,
): Made<Fixed, Layout> {
  const layouts = once((fixed: Fixed) =>
    stored(LAYOUTS_MAX, (width: number, height: number, level: number, lang: Lang) =>
      made(fixed, width, height, level, lang),
    ),
  );
  return (fixed, ...size) => layouts(fixed)(...size);
}
