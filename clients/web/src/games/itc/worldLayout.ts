// Where the continents and the grey market stand in the world of a window.

import lands from "./lands.json";

/** Where each continent lies in the world, and its outline in a box of 158 by 118. */
export const LANDS: Readonly<Record<string, { column: number; row: number; outline: string }>> =
  lands;
/** Below this width the continents stand in two columns instead of three. */
const THREE = 440;
const GAP = 4;
/** The least height of a continent, so that its crates can be counted; the window scrolls. */
const LEAST = 100;
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The boxes of the continents, as on a globe, and of the market below them. */
export function boxesIn(
  width: number,
  height: number,
): { boxOf: (place: string) => Box; end: number } {
  const columns = width < THREE ? 2 : 3;
  const rows = 6 / columns;
  const stall = Math.max(64, Math.min(130, height * 0.17));
  const wide = (width - GAP * (columns - 1)) / columns;
  const tall = Math.max(LEAST, Math.min(wide * 1.45, (height - stall) / rows - GAP));
  const boxOf = (place: string): Box => {
    const land = LANDS[place];
    if (land === undefined)
      return { x: 0, y: rows * (tall + GAP) + GAP, width, height: stall - GAP };
    // In two columns Asia and Australia are below the others.
    const below = land.column >= columns;
    const [column, row] = below ? [land.row, 2] : [land.column, land.row];
    return { x: column * (wide + GAP), y: row * (tall + GAP), width: wide, height: tall };
  };
  return { boxOf, end: rows * (tall + GAP) + stall };
}
