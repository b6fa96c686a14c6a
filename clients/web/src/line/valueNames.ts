// Localized names of slot values: the `words` of the `game` message.

import type { Lang, OptionNames, ValueName, ValueNames } from "../protocol/terms.ts";

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

/**
 * The values of a line by their names; undefined if the names add nothing to the line. A value that
 * has different names in different slots is left as it is.
 */
export function lineInNames(
  valueNames: ValueNames | undefined,
  line: string,
  lang: Lang,
): string | undefined {
  const tables = Object.values(valueNames ?? {}).filter((table) => typeof table === "object");
  const [, ...values] = line.split(" ");
  const localized = values.map((value) => {
    const match = tables.flatMap((table) =>
      Object.hasOwn(table, value) ? [table[value]?.[lang] ?? value] : [],
    );
    return new Set(match).size === 1 ? (match[0] ?? value) : value;
  });
  return localized.some((name, at) => name !== values[at]) ? localized.join(" ") : undefined;
}

/** All names of a value. */
export function namesOf(named: ValueName | undefined): readonly string[] {
  return named === undefined ? [] : [named.en, named.ja, ...(named.names ?? [])];
}

/** Both names of a value, the reader's own first; undefined if they add nothing to the value. */
export function bothNames(
  named: ValueName | undefined,
  value: string,
  lang: Lang,
): string | undefined {
  if (named === undefined) return undefined;
  const valueNames = lang === "ja" ? [named.ja, named.en] : [named.en, named.ja];
  const more = [...new Set(valueNames)].filter((name) => name.toLowerCase() !== value);
  return more.length === 0 ? undefined : more.join(" · ");
}
