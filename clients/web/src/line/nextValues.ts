// The next values of a move, as chips above the line; and what a suggestion is.

import type { VerbForm } from "../protocol/answers.gen.ts";
import type { Lang, ValueNames } from "../protocol/terms.ts";
import { type Draft, type Line, linesWith, slotValues, writeDraft } from "./parse.ts";
import { localValue, verbName } from "./valueNames.ts";

/** A suggestion: the whole text that the line would have. */
export interface Suggestion {
  readonly text: string;
  /** The new part of the text. */
  readonly insertion: string;
  /** The words of the chip; the insertion itself if absent. */
  readonly label?: string | undefined;
  /** A command's help, a value's name, or the effect of a move. */
  readonly help?: string | undefined;
}

/** A few continuations for the row of chips: verbs, or the values of the next open slot. */
export function nextValues(
  draft: Draft,
  moves: readonly Line[],
  verbs: readonly VerbForm[],
  valueNames?: ValueNames,
  lang: Lang = "en",
): readonly Suggestion[] {
  if (draft.verb === undefined) {
    const names = [...new Set(draft.lines.map((line) => line.verb))];
    return names.map((name) => {
      const only = draft.lines.filter((line) => line.verb === name);
      const text = only.length === 1 && only[0] !== undefined ? only[0].text : `/${name} `;
      const form = verbs.find((each) => each.verb === name);
      return { text, insertion: text.trim(), label: form && verbName(form, lang) };
    });
  }
  const form = verbs.find((each) => each.verb === draft.verb);
  const open = form?.slots.find(
    (slot) => draft.slots[slot.name] === undefined && slotValues(draft.lines, slot.name).length > 0,
  );
  if (form === undefined || open === undefined || open.most !== undefined) return [];
  return slotValues(draft.lines, open.name).map((candidate) => {
    const slots = { ...draft.slots, [open.name]: candidate };
    const left = linesWith(moves, slots, form.verb);
    const only = left.length === 1 ? left[0] : undefined;
    const text = only?.text ?? writeDraft(form, slots);
    return {
      text,
      insertion: candidate,
      label: localValue(valueNames, open.name, candidate, lang),
    };
  });
}

/** The text that Tab would add. */
export function ghostOf(text: string, result: readonly Suggestion[]): string {
  const first = result[0]?.text;
  return text !== "" && first !== undefined && first.startsWith(text)
    ? first.slice(text.length)
    : "";
}
