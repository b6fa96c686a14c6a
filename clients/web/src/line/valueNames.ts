// Localized names of slot values: the `words` of the `game` message.

import type { OptionNames, ValueName, VerbForm } from "../protocol/answers.gen.ts";
import type { Lang, ValueNames } from "../protocol/terms.ts";

/** The names of a value; undefined if the value is its own name. */
export function valueName(valueNames: ValueNames | undefined, slot: string, value: string) {
  const table = valueNames?.[slot];
  const match = typeof table === "string" ? valueNames?.[table] : table;
  return typeof match === "object" && Object.hasOwn(match, value) ? match[value] : undefined;
}

/** A value's name in a language. */
export function localValue(
  valueNames: ValueNames | undefined,
  slot: string,
  value: string,
  lang: Lang,
): string {
  return valueName(valueNames, slot, value)?.[lang] ?? value;
}

/** The name of an option's value in a language. */
export function optionValue(option: OptionNames, value: string, lang: Lang): string {
  const named = Object.hasOwn(option.words, value) ? option.words[value] : undefined;
  const days = option.type === "clock" && lang === "ja" ? /^(\d+)d$/.exec(value)?.[1] : undefined;
  return days === undefined ? (named?.[lang] ?? value) : `${days}日`;
}

/** A verb of the grammar as a word of a language: "build" is "Build", "建てる" in Japanese. */
export function verbName({ verb, names }: Pick<VerbForm, "verb" | "names">, lang: Lang): string {
  if (lang === "ja") return names.find((name) => !/^[ -~]*$/.test(name)) ?? verb;
  return verb.slice(0, 1).toUpperCase() + verb.slice(1);
}

/**
 * A line in words: the verb and the values by their names. A value that has different names in
 * different slots is left as it is, and so is a line of another grammar.
 */
export function lineLabel(
  verbs: readonly VerbForm[],
  valueNames: ValueNames | undefined,
  line: string,
  lang: Lang,
): string {
  const tables = Object.values(valueNames ?? {}).filter((table) => typeof table === "object");
  const [head = "", ...values] = line.split(" ");
  const verb = verbs.find((each) => `/${each.verb}` === head);
  if (verb === undefined) return line;
  const localized = values.map((value) => {
    const match = tables.flatMap((table) =>
      Object.hasOwn(table, value) ? [table[value]?.[lang] ?? value] : [],
    );
    return new Set(match).size === 1 ? (match[0] ?? value) : value;
  });
  return [verbName(verb, lang), ...localized].join(" ");
}

/** A hint's text with its lines in words; a Japanese line is in words already, but for its slash. */
export function localizedHint(
  verbs: readonly VerbForm[],
  valueNames: ValueNames | undefined,
  text: string,
  lang: Lang,
): string {
  return text
    .replace(/\/[a-z]+( [\w-]+)*/g, (line) => lineLabel(verbs, valueNames, line, lang))
    .replace(/(^|[\s:、。(])\/(?=\S)/g, "$1");
}

/** All names of a value. */
export function namesOf(named: ValueName | undefined): readonly string[] {
  return named === undefined ? [] : [named.en, named.ja, ...(named.names ?? [])];
}

/** A value's name in a language; undefined if it adds nothing to the value. */
export function nameBeside(
  named: ValueName | undefined,
  value: string,
  lang: Lang,
): string | undefined {
  const name = named?.[lang];
  return name?.toLowerCase() === value.toLowerCase() ? undefined : name;
}
