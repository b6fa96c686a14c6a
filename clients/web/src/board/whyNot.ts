// Asks for the reason why a press fits no legal line.

import { linesWith, type Slots, writeDraft } from "../line/parse.ts";
import type { Act, Position } from "./contract.ts";

/**
 * Asks why the line does not take these values: the started one, or else the only verb that is
 * legal. Slots before them that are open get the values of a legal line, so that the reason is
 * about these. Undefined if no line is started, or its verb does not have these slots.
 */
export function whyNot({ draft, moves, game }: Position, slots: Slots): Act | undefined {
  const verb = draft.verb ?? moves[0]?.verb;
  const form = game.verbs.find((each) => each.verb === verb);
  const [legal] = linesWith(moves, draft.slots, verb);
  const last = form?.slots.findLastIndex(({ name }) => name in slots) ?? -1;
  const isStarted = draft.verb !== undefined || moves.every((line) => line.verb === verb);
  if (form === undefined || legal === undefined || last < 0 || !isStarted) return undefined;
  const upTo = { ...form, slots: form.slots.slice(0, last + 1) };
  return {
    act: "why",
    line: writeDraft(upTo, { ...legal.slots, ...draft.slots, ...slots }),
  };
}
