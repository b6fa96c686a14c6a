// What the values of slots are called, in both languages: the `words` of the `game` message.

import type { Lang, OptionNames } from "../board/contract.ts";

/** One value's words, and what else may be typed for it. */
export interface ValueName {
  readonly en: string;
  readonly ja: string;
  readonly names?: readonly string[];
}

/** By slot and value. A slot whose words are those of another one has that slot's name. */
export type ValueNames = Readonly<Record<string, Readonly<Record<string, ValueName>> | string>>;

/** What is told of a value; undefined where it is called as it is written. */
export function valueName(words: ValueNames | undefined, slot: string, value: string) {
  const table = words?.[slot];
  const known = typeof table === "string" ? words?.[table] : table;
  return typeof known === "object" && Object.hasOwn(known, value) ? known[value] : undefined;
}

/** A value as people call it in a language. */
export function localValue(
  words: ValueNames | undefined,
  slot: string,
  value: string,
  lang: Lang,
): string {
  return valueName(words, slot, value)?.[lang] ?? value;
}

/** The value of an option as people call it in a language. */
export function optionValue(option: OptionNames, value: string, lang: Lang): string {
  const told = Object.hasOwn(option.words, value) ? option.words[value] : undefined;
  const days = option.type === "clock" && lang === "ja" ? /^(\d+)d$/.exec(value)?.[1] : undefined;
  return days === undefined ? (told?.[lang] ?? value) : `${days}日`;
}

/** What a whole line names, in words; undefined where it says no more than the line. A value that is
 * called differently in different slots stays as it is. */
export function lineInNames(
  words: ValueNames | undefined,
  line: string,
  lang: Lang,
): string | undefined {
  const tables = Object.values(words ?? {}).filter((table) => typeof table === "object");
  const [, ...values] = line.split(" ");
  const said = values.map((value) => {
    const known = tables.flatMap((table) =>
      Object.hasOwn(table, value) ? [table[value]?.[lang] ?? value] : [],
    );
    return new Set(known).size === 1 ? (known[0] ?? value) : value;
  });
  return said.some((word, at) => word !== values[at]) ? said.join(" ") : undefined;
}

/** Everything by which a value may be known. */
export function namesOf(told: ValueName | undefined): readonly string[] {
  return told === undefined ? [] : [told.en, told.ja, ...(told.names ?? [])];
}

/** Both words of a value, the reader's own first; nothing where they say no more than the value. */
export function bothNames(
  told: ValueName | undefined,
  value: string,
  lang: Lang,
): string | undefined {
  if (told === undefined) return undefined;
  const words = lang === "ja" ? [told.ja, told.en] : [told.en, told.ja];
  const more = [...new Set(words)].filter((word) => word.toLowerCase() !== value);
  return more.length === 0 ? undefined : more.join(" · ");
}
