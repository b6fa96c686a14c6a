// The selector of what the coach rings.

/** What is ringed of a place: its mark, a button as a whole, or the closed tab that shows its kind. */
export function ringed(points: readonly string[]): string {
  return points
    .map((id) => {
      const target = `[data-place=${JSON.stringify(id)}]`;
      return `${target} > .mark,button${target},[data-shows=${JSON.stringify(id.split(" ", 1)[0])}]`;
    })
    .join();
}
