// Which form the sheet has in an area, and how large it is beside its tools.

import type { At } from "./selectors.ts";

const PHONE = 600;
/** Below this width the form depends on the height, too. */
export const TABLET = 900;
/** From this ratio of height to width on a sheet beside its tools would be too small. */
const TALL = 0.8;
/** Up to this many sheets of other players are beside the dice; more get a column of their own. */
const FEW_OTHER_BOARDS = 3;

/** Whether the sheet is drawn alone, with one row of tools in the tray. */
export function isCompact({ area: { width, height } }: At): boolean {
  return width < PHONE || (width < TABLET && height > width * TALL);
}

/**
 * Where the sheets of the other players are: beside the dice, in a column of their own, or below.
 */
type Where = "beside" | "column" | "below";

/** The table around sheet and panels, and the space between them, as in `board.css`. */
const TABLE = 12;
const GAP = 16;

interface Shape {
  readonly where: Where;
  readonly size: number;
  readonly side: number;
}

export function shapeFor(width: number, height: number, otherCount: number): Shape {
  const many = otherCount > FEW_OTHER_BOARDS;
  const where = !many ? "beside" : width < 860 ? "below" : "column";
  const side = where === "column" ? width * 0.38 : Math.min(330, Math.max(250, width * 0.3));
  const below = { beside: 0, column: 204, below: 130 }[where];
  // The edge of the table around the sheet.
  const inner = { width: width - 2 * TABLE, height: height - 2 * TABLE };
  return {
    where,
    side,
    size: Math.max(220, Math.min(inner.width - side - GAP, inner.height - below)),
  };
}
