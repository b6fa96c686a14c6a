// Whether a press would do something: it has a legal line.

import { type Line, linesWith, type Slots } from "../line/parse.ts";

/** Whether a line has these values in these slots. */
export function hasLine(lines: readonly Line[], slots: Slots, verb?: string): boolean {
  return linesWith(lines, slots, verb).length > 0;
}
