// Walking over a board by keyboard: one place has the focus, arrows go to the nearest in their
// direction. The places say where they are by being drawn there.

/** A place's middle, and whether a legal line leads to it. */
export interface Spot {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly may: boolean;
}

export type Direction = "left" | "right" | "up" | "down";

/** Going sideways off the direction costs so much more than going along it. */
const ASIDE = 2.5;

/** The nearest spot in a direction; undefined where there is none. */
export function nearest(spots: readonly Spot[], from: Spot, to: Direction): Spot | undefined {
  let best: Spot | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const spot of spots) {
    if (spot.id === from.id) continue;
    const dx = spot.x - from.x;
    const dy = spot.y - from.y;
    const along = to === "left" ? -dx : to === "right" ? dx : to === "up" ? -dy : dy;
    const aside = Math.abs(to === "left" || to === "right" ? dy : dx);
    if (along <= 1) continue;
    const cost = along + aside * ASIDE;
    if (cost < least) {
      least = cost;
      best = spot;
    }
  }
  return best;
}

/** The next legal spot in reading order, round and round. */
export function nextLegal(
  spots: readonly Spot[],
  from: string | undefined,
  back: boolean,
): Spot | undefined {
  const legal = spots.filter((spot) => spot.may);
  const ordered = legal.toSorted((a, b) => a.y - b.y || a.x - b.x);
  if (back) ordered.reverse();
  const at = ordered.findIndex((spot) => spot.id === from);
  return ordered[at + 1] ?? ordered[0];
}

/** The places that are drawn in an element. */
export function spotsIn(element: Element): readonly Spot[] {
  return [...element.querySelectorAll("[data-place]")].map((place) => {
    const box = place.getBoundingClientRect();
    return {
      id: place.getAttribute("data-place") ?? "",
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      may: place.classList.contains("may"),
    };
  });
}
