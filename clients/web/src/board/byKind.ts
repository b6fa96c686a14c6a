// What a board does by kind of place. The id of a place is its kind, then its values: "site cairo 2".

type Of<At, Result> = (position: At, ...values: readonly string[]) => Result | undefined;

/** A function of places: each kind of them has its own, which gets the values of the place. */
export function byKind<At, Result>(
  table: Readonly<Record<string, Of<At, Result>>>,
): (place: string, position: At) => Result | undefined {
  return (place, position) => {
    const [kind = "", ...values] = place.split(" ");
    return Object.hasOwn(table, kind) ? table[kind]?.(position, ...values) : undefined;
  };
}
