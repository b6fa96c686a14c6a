// The selector of what the coach rings.

/** What is ringed of a place: its mark, a button as a whole, or the closed tab that shows its kind. */
export function ringed(points: readonly string[]): string {
  return points
    .flatMap((id) => [
      `[data-place="${id}"] > .mark`,
      `button[data-place="${id}"]`,
      `[data-shows="${id.split(" ", 1)[0]}"]`,
    ])
    .join();
}
