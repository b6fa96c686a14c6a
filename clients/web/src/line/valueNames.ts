// What the values of slots are called, in both languages: the `words` of the `game` message.

import type { Lang, OptionNames, ValueName, ValueNames } from "../protocol/terms.ts";

/** What is told of a value; undefined where it is called as it is written. */
export function valueName(valueNames: ValueNames | undefined, slot: string, value: string) {
  const table = valueNames?.[slot];
  const match = typeof table === "string" ? valueNames?.[table] : table;
  return typeof match === "object" && Object.hasOwn(match, value) ? match[value] : undefined;
}

/** A value as people call it in a language. */
export function localValue(
  valueNames: ValueNames | undefined,
  slot: string,
  value: string,
  lang: Lang,
): string {
  return valueName(valueNames, slot, value)?.[lang] ?? value;
}

/** The value of an option as people call it in a language. */
export function optionValue(option: OptionNames, value: string, lang: Lang): string {
  const named = Object.hasOwn(option.words, value) ? option.words[value] : undefined;
  const days = option.type === "clock" && lang === "ja" ? /^(\d+)d$/.exec(value)?.[1] : undefined;
  return days === undefined ? (named?.[lang] ?? value) : `${days}日`;
}

/** What a whole line names, in words; undefined where it says no more than the line. A value that is
 * called differently in different slots stays as it is. */
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

/** Everything by which a value may be known. */
export function namesOf(named: ValueName | undefined): readonly string[] {
  return named === undefined ? [] : [named.en, named.ja, ...(named.names ?? [])];
}

/** Both words of a value, the reader's own first; nothing where they say no more than the value. */
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
