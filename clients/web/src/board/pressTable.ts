// The acts of presses by kind of place. The id of a place is its kind, then its values: "site cairo 2".

import type { Act } from "./contract.ts";

/** The act of a press on a place of one kind. */
export type Press<At> = (position: At, ...values: readonly string[]) => Act | undefined;

/** `press` of a board: each kind of place has its function, which gets the values of the place. */
export function pressTable<At>(
  table: Readonly<Record<string, Press<At>>>,
): (place: string, position: At) => Act | undefined {
  return (place, position) => {
    const [kind = "", ...values] = place.split(" ");
    return Object.hasOwn(table, kind) ? table[kind]?.(position, ...values) : undefined;
  };
}
