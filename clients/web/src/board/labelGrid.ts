// Collision grid for the labels of a map: boxes, and the cost of drawing over them.

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export type Anchor = "start" | "middle" | "end";

export interface Spot {
  readonly x: number;
  readonly y: number;
}

const CELL = 40;

/** Boxes that labels should avoid, with the cost of covering each. */
export class LabelGrid {
  private readonly cells = new Map<number, { readonly box: Box; readonly weight: number }[]>();

  private *keys(box: Box): Generator<number> {
    for (let i = Math.floor(box.left / CELL); i <= Math.floor(box.right / CELL); i += 1) {
      for (let j = Math.floor(box.top / CELL); j <= Math.floor(box.bottom / CELL); j += 1) {
        yield i * 1000 + j;
      }
    }
  }

  add(box: Box, weight: number): void {
    const item = { box, weight };
    for (const key of this.keys(box)) {
      const cell = this.cells.get(key);
      if (cell === undefined) this.cells.set(key, [item]);
      else cell.push(item);
    }
  }

  cost(box: Box): number {
    let sum = 0;
    const seen = new Set<unknown>();
    for (const key of this.keys(box)) {
      for (const item of this.cells.get(key) ?? []) {
        const { left, top, right, bottom } = item.box;
        const wide = Math.min(box.right, right) - Math.max(box.left, left);
        const high = Math.min(box.bottom, bottom) - Math.max(box.top, top);
        if (wide <= 0 || high <= 0 || seen.has(item)) continue;
        seen.add(item);
        sum += item.weight * wide * high;
      }
    }
    return sum;
  }
}

export function around(x: number, y: number, halfWidth: number, halfHeight = halfWidth): Box {
  return {
    left: x - halfWidth,
    top: y - halfHeight,
    right: x + halfWidth,
    bottom: y + halfHeight,
  };
}

export function crosses(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** The approximate width of a text; an overestimate rather than an underestimate. */
export function widthOf(text: string, size: number): number {
  let sum = 0;
  for (const letter of text) {
    if (letter > "\u2e80") sum += 1;
    else if (/[A-Zm&w]/.test(letter)) sum += 0.72;
    else if (/[il\-.' tfj()]/.test(letter)) sum += 0.39;
    else sum += 0.6;
  }
  return sum * size;
}
