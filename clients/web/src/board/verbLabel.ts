// The label of the button that sends the line: what the move does, in words.

import { localValue, verbName } from "../line/valueNames.ts";
import type { Board, Position } from "./contract.ts";

/** The verb of the line; of all legal lines, if the line has none yet and they have the same. */
function verbOf({ draft, moves }: Position): string | undefined {
  const verbs = new Set(moves.map((line) => line.verb));
  return draft.verb ?? (verbs.size === 1 ? [...verbs][0] : undefined);
}

/** What the line in the input does; undefined if that is open. */
export function verbLabel(position: Position, labels: Board["verbs"]): string | undefined {
  const { draft, game, lang } = position;
  const verb = verbOf(position);
  const form = game.verbs.find((each) => each.verb === verb);
  if (verb === undefined || form === undefined) return undefined;
  const [alone = verbName(form, lang), filled = alone] =
    (typeof labels === "function" ? labels(lang)[verb] : labels?.[verb]?.[lang]) ?? [];
  const slots = draft.complete?.slots;
  if (slots === undefined) return alone;
  let open = false;
  const label = filled.replace(/\{(\w+)\}/g, (_, slot: string) => {
    const value = slots[slot];
    open ||= value === undefined;
    return value === undefined ? "" : localValue(game.words, slot, value, lang);
  });
  return open ? alone : label;
}
