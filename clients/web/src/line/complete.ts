// Completion of the line: computed from the legal lines and the catalogue, in the page, without a
// request. Loaded once the line is used.

import type { OptionForm, ValueName, VerbForm } from "../protocol/answers.gen.ts";
import type { Lang, ValueNames } from "../protocol/terms.ts";
import type { Suggestion } from "./nextValues.ts";
import { type Draft, type Line, OPEN } from "./parse.ts";
import { fold } from "./secretLines.ts";
import { nameBeside, namesOf, optionValue, valueName } from "./valueNames.ts";

/** The fields of a catalogue entry that completion reads. */
export interface Offered {
  readonly kind: string;
  readonly name: string;
  readonly names: readonly string[];
  readonly help: string;
  readonly arguments?: readonly { readonly name: string; readonly candidates: readonly string[] }[];
}

export interface Source {
  readonly text: string;
  readonly draft: Draft | undefined;
  readonly moves: readonly Line[];
  readonly verbs: readonly VerbForm[];
  readonly catalogue: readonly Offered[];
  /** The options of the room. */
  readonly options: readonly OptionForm[];
  /** The names of slot values. */
  readonly valueNames?: ValueNames | undefined;
  readonly lang: Lang;
}

const SUGGESTIONS_MAX = 60;

/** Slashes of either width, and the middle dot that Japanese keyboards have at hand. */
const SLASH = /^[/／・]/;

/** The completions of a text, likely ones first. None for talk. */
export function suggestions(source: Source): readonly Suggestion[] {
  const { text } = source;
  if (!SLASH.test(text)) return [];
  const at = text.search(/\s/);
  if (at < 0) return headSuggestions(source, fold(text.slice(1)));
  const head = text.slice(1, at);
  const verb = source.verbs.find((each) => each.verb === head || each.names.includes(head));
  const legal = verb !== undefined && source.moves.some((line) => line.verb === verb.verb);
  const result = legal ? slotSuggestions(source, verb) : argumentSuggestions(source, head);
  return result.slice(0, SUGGESTIONS_MAX);
}

function headSuggestions(source: Source, partial: string): readonly Suggestion[] {
  const result: Suggestion[] = [];
  const seen = new Set<string>();
  const offer = (name: string, help: string | undefined): void => {
    if (seen.has(name) || !fold(name).startsWith(partial)) return;
    seen.add(name);
    result.push({ text: `/${name}`, insertion: `/${name}`, help });
  };
  const helps = new Map(source.catalogue.map((item) => [item.name, item.help]));
  for (const line of source.moves) offer(line.verb, helps.get(line.verb));
  // The catalogue's moves may be out of date; `moves` are current.
  const commands = source.catalogue.filter((item) => item.kind !== "move");
  for (const item of commands) offer(item.name, item.help);
  // Other names are offered only after a letter is typed, or to a Japanese reader.
  if (partial !== "" || source.lang === "ja") {
    const legal = new Set(source.moves.map((line) => line.verb));
    const now = source.catalogue.filter((item) => item.kind !== "move" || legal.has(item.name));
    for (const item of now) for (const name of item.names) offer(name, item.help);
  }
  return result;
}

/** The token being typed, and the text before it. */
function splitLast(text: string): { readonly before: string; readonly partial: string } {
  const match = /[^\s]*$/.exec(text);
  const partial = match?.[0] ?? "";
  return { before: text.slice(0, text.length - partial.length), partial: fold(partial) };
}

function slotSuggestions(source: Source, verb: VerbForm): readonly Suggestion[] {
  const { before, partial } = splitLast(source.text);
  const typed = before.trim().split(/\s+/).slice(1);
  const result = new Map<string, ValueName | undefined>();
  for (const line of source.moves) {
    if (line.verb !== verb.verb) continue;
    const values = line.text.split(" ").slice(1);
    const next = values[typed.length];
    const nameFor = (candidate: string): ValueName | undefined =>
      valueName(source.valueNames, slotOf(line, candidate), candidate);
    const fitting = typed.every((candidate, at) => {
      const value = values[at] ?? "";
      return candidate === value || candidate === OPEN || isNamed(candidate, nameFor(value));
    });
    if (next === undefined || !fitting || result.has(next)) continue;
    if ([next, ...namesOf(nameFor(next))].some((name) => fold(name).startsWith(partial))) {
      result.set(next, nameFor(next));
    }
  }
  return [...result].map(([candidate, nameFor]) => ({
    text: before + candidate,
    insertion: candidate,
    help: nameBeside(nameFor, candidate, source.lang),
  }));
}

function isNamed(candidate: string, nameFor: ValueName | undefined): boolean {
  return namesOf(nameFor).some((name) => fold(name) === fold(candidate));
}

/** The slot of a line that contains a value. */
function slotOf(line: Line, candidate: string): string {
  const result = Object.entries(line.slots).find(([, value]) =>
    value.split(" ").includes(candidate),
  );
  return result?.[0] ?? "";
}

function argumentSuggestions(source: Source, head: string): readonly Suggestion[] {
  const folded = fold(head);
  const command = source.catalogue.find(
    (item) => item.name === folded || item.names.some((name) => fold(name) === folded),
  );
  const { before, partial } = splitLast(source.text);
  const typed = before.trim().split(/\s+/).slice(1);
  const argument = command?.arguments?.[typed.length];
  if (argument === undefined) return [];
  const option = argument.name === "value" ? optionOf(source, typed[0] ?? "") : undefined;
  const values = option?.values ?? argument.candidates;
  const result = values.map((value) => {
    const named = argument.name === "option" ? optionOf(source, value) : undefined;
    return named === undefined
      ? valueCandidate(option, value)
      : optionCandidate(named, source.lang);
  });
  return result
    .filter(({ names }) => names.some((name) => fold(name).startsWith(partial)))
    .map(({ value, names, help }) => {
      const candidate = source.lang === "ja" && !ROMAN.test(partial) ? (names[1] ?? value) : value;
      return { text: before + candidate, insertion: candidate, help };
    });
}

/**
 * A value that may be typed: its canonical form, and all its names with the Japanese one second.
 */
interface Candidate {
  readonly value: string;
  readonly names: readonly string[];
  readonly help?: string | undefined;
}

/** A typed text that only a Roman name can continue. */
const ROMAN = /^[\x21-\x7e]+$/;

/** The option that a typed name refers to. */
function optionOf(source: Source, typed: string): OptionForm | undefined {
  const named = (option: OptionForm): readonly string[] => [option.name, ...option.names];
  return source.options.find((option) => named(option).some((name) => fold(name) === fold(typed)));
}

function optionCandidate({ name, names, label }: OptionForm, lang: Lang): Candidate {
  const otherNames = names.filter((each) => each !== label.ja);
  const help = lang === "en" && label.en !== name ? label.en : undefined;
  return { value: name, names: [name, label.ja, ...otherNames], help };
}

function valueCandidate(option: OptionForm | undefined, value: string): Candidate {
  if (option === undefined) return { value, names: [value] };
  const nameFor = Object.hasOwn(option.words, value) ? option.words[value] : undefined;
  return { value, names: [value, optionValue(option, value, "ja"), ...(nameFor?.names ?? [])] };
}
