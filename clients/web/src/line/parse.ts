// Parses lines, legal or half typed, into a verb and named slots.
//
// A line is a sequence of tokens: the verb, then slots in the order of the game's grammar (`verbs`
// of the `game` message). Canonical lines only: ASCII tokens, one space between them. No rules: a
// line is legal if it is in `moves`.

import type { SlotForm, VerbForm } from "../protocol/answers.gen.ts";

/** Slot name to value; the values of a list slot are joined by one space. */
export type Slots = Readonly<Record<string, string>>;

/** A canonical line and the values of its slots. */
export interface Line {
  readonly text: string;
  readonly verb: string;
  readonly slots: Slots;
}

/** Stands for a slot that is still open while a later one is chosen. */
export const OPEN = "_";

/** The line being typed, as far as it can be parsed. */
export interface Draft {
  /** Exactly the text of the input. */
  readonly text: string;
  /** The verb, if its token is complete and has a legal line. */
  readonly verb: string | undefined;
  /** The values chosen so far, without those that no legal line has together with earlier ones. */
  readonly slots: Slots;
  /** The legal lines that fit the whole text; all of them while nothing is typed. */
  readonly lines: readonly Line[];
  /** The legal line that equals the text. */
  readonly complete: Line | undefined;
}

function accepts(slot: SlotForm, value: string): boolean {
  if (slot.values !== undefined && slot.values.length > 0) return slot.values.includes(value);
  if (slot.low !== undefined || slot.high !== undefined) {
    if (!/^-?\d+$/.test(value)) return false;
    const number = Number(value);
    return number >= (slot.low ?? -Infinity) && number <= (slot.high ?? Infinity);
  }
  return true;
}

/** Assigns values to slots. A value that an optional slot does not take goes to the next slot. */
function readSlots(form: VerbForm, values: readonly string[]): Slots {
  const slots: Record<string, string> = {};
  let at = 0;
  for (const slot of form.slots) {
    const most = slot.most ?? 1;
    const taken: string[] = [];
    while (at < values.length && taken.length < most) {
      const value = values[at] ?? "";
      if (value === OPEN && slot.most === undefined) {
        at += 1;
        break;
      }
      if (!accepts(slot, value)) break;
      taken.push(value);
      at += 1;
    }
    if (taken.length > 0) slots[slot.name] = taken.join(" ");
  }
  return slots;
}

/** The tokens after the slash; empty for talk. */
export function lineTokens(text: string): readonly string[] {
  const trimmed = text.trim();
  if (!trimmed.startsWith("/")) return [];
  return trimmed.slice(1).split(/\s+/).filter(Boolean);
}

/** Parses a canonical line by the game's grammar. */
export function readLine(text: string, verbs: readonly VerbForm[]): Line {
  const [verb = "", ...rest] = lineTokens(text);
  const form = verbs.find((each) => each.verb === verb);
  return { text, verb, slots: form === undefined ? {} : readSlots(form, rest) };
}

/** Parses the legal lines of a seat. */
export function readLines(texts: readonly string[], verbs: readonly VerbForm[]): readonly Line[] {
  return texts.map((text) => readLine(text, verbs));
}

/** Whether a line has these values in these slots. A chosen list may be a prefix of the line's. */
export function fits(line: Line, slots: Slots, verb?: string): boolean {
  if (verb !== undefined && line.verb !== verb) return false;
  for (const name in slots) {
    const chosen = slots[name];
    const value = line.slots[name];
    if (value === chosen) continue;
    if (value === undefined || chosen === undefined || !`${value} `.startsWith(`${chosen} `)) {
      return false;
    }
  }
  return true;
}

/** The lines that have these values in these slots; all highlighting is based on it. */
export function linesWith(lines: readonly Line[], slots: Slots, verb?: string): readonly Line[] {
  return lines.filter((line) => fits(line, slots, verb));
}

/** The values that a slot may have, each once, in the order of the lines. */
export function slotValues(lines: readonly Line[], slot: string): readonly string[] {
  const result = new Set<string>();
  for (const line of lines) {
    const value = line.slots[slot];
    if (value !== undefined) result.add(value);
  }
  return [...result];
}

/**
 * The values that a legal line combines, in the order of the slots. A draft may be older than the
 * position: what is no longer legal must not count as chosen, or no place could be chosen next.
 */
function legalSlots(typed: Slots, lines: readonly Line[], verb: string): Slots {
  let slots: Slots = {};
  for (const [name, value] of Object.entries(typed)) {
    const more = { ...slots, [name]: value };
    if (linesWith(lines, more, verb).length > 0) slots = more;
  }
  return slots;
}

/** Parses the text of the input against the legal lines. */
export function readDraft(text: string, lines: readonly Line[], verbs: readonly VerbForm[]): Draft {
  const [typed = "", ...rest] = lineTokens(text);
  const form = verbs.find((each) => each.verb === typed || each.names.includes(typed));
  if (form === undefined || !lines.some((line) => line.verb === form.verb)) {
    const begun = typed === "" ? lines : lines.filter((line) => line.verb.startsWith(typed));
    return { text, verb: undefined, slots: {}, lines: begun, complete: undefined };
  }
  const typedSlots = readSlots(form, rest);
  const canonical = `/${[form.verb, ...rest].join(" ")}`;
  return {
    text,
    verb: form.verb,
    slots: legalSlots(typedSlots, lines, form.verb),
    lines: linesWith(lines, typedSlots, form.verb),
    complete: lines.find((line) => line.text === canonical),
  };
}

/**
 * The offset at which a refused line goes wrong: the first token that no legal line has in that
 * position. The length of the text if the page finds no error.
 */
export function wrongFrom(text: string, lines: readonly Line[]): number {
  const values = [...text.matchAll(/\S+/g)];
  let left = lines.map((line) => line.text.split(" "));
  for (const [at, value] of values.entries()) {
    left = left.filter((each) => each[at] === value[0]);
    if (left.length === 0) return at === 0 ? 0 : value.index;
  }
  return text.length;
}

/** The text for some slots of a verb: `/build _ cairo 2` while the block is not chosen. */
export function writeDraft(form: VerbForm, slots: Slots): string {
  const values = form.slots.map((slot) => slots[slot.name] ?? OPEN);
  while (values.at(-1) === OPEN) values.pop();
  return [`/${form.verb}`, ...values].join(" ");
}

/** What a click chooses. */
export interface Pick {
  readonly slots: Slots;
  readonly verb?: string;
}

/**
 * The draft's text after a click.
 *
 * Earlier choices are retained, in the order of the slots, as far as a legal line combines them
 * with the new choice. If one line is left, it is typed completely. null if no legal line has the
 * choice.
 */
export function draftAfterPick(
  draft: Draft,
  pick: Pick,
  lines: readonly Line[],
  verbs: readonly VerbForm[],
): string | null {
  const verb = pick.verb ?? bestVerb(draft, pick, lines);
  if (verb === undefined) return null;
  const form = verbs.find((each) => each.verb === verb);
  if (form === undefined) return null;
  let slots = pick.slots;
  if (linesWith(lines, slots, verb).length === 0) return null;
  for (const [name, value] of Object.entries(draft.slots)) {
    if (name in slots || !form.slots.some((slot) => slot.name === name)) continue;
    const more = { ...slots, [name]: value };
    if (linesWith(lines, more, verb).length > 0) slots = more;
  }
  const left = linesWith(lines, slots, verb);
  const only = left.length === 1 ? left[0] : undefined;
  return only?.text ?? writeDraft(form, slots);
}

/** The verb already typed if it has such a line, else the first verb that has one. */
function bestVerb(draft: Draft, pick: Pick, lines: readonly Line[]): string | undefined {
  const result = linesWith(lines, pick.slots);
  return (result.find((line) => line.verb === draft.verb) ?? result[0])?.verb;
}
