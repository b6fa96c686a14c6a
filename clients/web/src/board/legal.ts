// Whether a press would do something: it has a legal line.

import { type Line, linesWith, type Slots } from "../line/parse.ts";
import type { Act, Position } from "./contract.ts";

/** Whether a line has these values in these slots. */
export function hasLine(lines: readonly Line[], slots: Slots, verb?: string): boolean {
  return linesWith(lines, slots, verb).length > 0;
}

/** The act that picks these values; undefined if no legal line has them. */
export function legalPick(
  { moves }: Pick<Position, "moves">,
  verb: string,
  slots: Slots,
  send = true,
): Act | undefined {
  return hasLine(moves, slots, verb) ? { act: "pick", verb, slots, send } : undefined;
}
