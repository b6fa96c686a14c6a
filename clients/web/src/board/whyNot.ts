// Asks for the reason why a press fits no legal line.

import { linesWith, type Slots, writeDraft } from "../line/parse.ts";
import type { Act, Position } from "./contract.ts";

/**
 * Asks why the line does not take these values: the started one, or else the only verb that is
 * legal. Slots before them that are open get the values of a legal line, so that the reason is
 * about these. Undefined if no line is started, or its verb does not have these slots.
 */
export function whyNot({ draft, moves, game }: Position, slots: Slots): Act | undefined {
  const [first] = moves;
  const verb = draft.verb ?? (moves.every((line) => line.verb === first?.verb) && first?.verb);
  const form = game.verbs.find((each) => each.verb === verb);
  const [legal] = linesWith(moves, draft.slots, form?.verb);
  if (form === undefined || legal === undefined) return undefined;
  const names = form.slots.map(({ name }) => name);
  const last = names.findLastIndex((name) => name in slots);
  if (last < 0) return undefined;
  const typed: Slots = { ...legal.slots, ...draft.slots, ...slots };
  const upTo = names.slice(0, last + 1).flatMap((name) => {
    const value = typed[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { act: "why", line: writeDraft(form, Object.fromEntries(upTo)) };
}
