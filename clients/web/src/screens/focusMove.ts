// Keyboard focus on a board: one place has the focus, arrows move it to the nearest place in their
// direction. Positions are read from the drawn elements.

/** A place's middle, and whether a legal line leads to it. */
export interface Spot {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly may: boolean;
}

type Direction = "left" | "right" | "up" | "down";

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

/** The cost of moving across the direction, relative to moving along it. */
const SIDEWAYS_WEIGHT = 2.5;

/** A direction as steps on the screen. */
const STEPS: Readonly<Record<Direction, readonly [number, number]>> = {
  left: [-1, 0],
  right: [1, 0],
  up: [0, -1],
  down: [0, 1],
};

/** The cost of moving from one spot to another in a direction; undefined: it lies behind. */
function costOf(from: Spot, spot: Spot, to: Direction): number | undefined {
  const [x, y] = STEPS[to];
  const dx = spot.x - from.x;
  const dy = spot.y - from.y;
  const along = dx * x + dy * y;
  const sideways = Math.abs(dx * y) + Math.abs(dy * x);
  return along <= 1 ? undefined : along + sideways * SIDEWAYS_WEIGHT;
}

/** The nearest spot in a direction; undefined if there is none. */
export function nearest(spots: readonly Spot[], from: Spot, to: Direction): Spot | undefined {
  let best: Spot | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const spot of spots) {
    const cost = costOf(from, spot, to) ?? least;
    if (cost < least) {
      least = cost;
      best = spot;
    }
  }
  return best;
}

/** The next legal spot in reading order after the current one, cyclically. */
export function nextLegal(
  spots: readonly Spot[],
  from: string | undefined,
  back: boolean,
): Spot | undefined {
  const ordered = spots.toSorted((a, b) => a.y - b.y || a.x - b.x);
  if (back) ordered.reverse();
  const at = ordered.findIndex((spot) => spot.id === from);
  const onwards = [...ordered.slice(at + 1), ...ordered.slice(0, at + 1)];
  return onwards.find((spot) => spot.may);
}

function spotOf(target: Element): Spot {
  const box = target.getBoundingClientRect();
  return {
    id: target.getAttribute("data-place") ?? "",
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
    may: target.classList.contains("may"),
  };
}

/** The place to which a key moves the focus from `here`; undefined: none in that direction. */
export function stepOf(
  { key, shiftKey }: KeyboardEvent,
  targets: readonly Element[],
  here: string | undefined,
): string | undefined {
  const spots = targets.map(spotOf);
  const from = spots.find((spot) => spot.id === here);
  const direction = ARROWS[key];
  if (direction === undefined)
    return nextLegal(spots, key === "Home" ? undefined : here, key !== "Home" && shiftKey)?.id;
  return (from === undefined ? spots[0] : nearest(spots, from, direction))?.id;
}
