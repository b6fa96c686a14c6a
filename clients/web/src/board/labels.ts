// Strings of a board in both languages, with equal keys. Server sentences are not among them.

import type { Lang } from "./contract.ts";

/** The strings of one language, and functions that build sentences from named parameters. */
export type StringTable = Readonly<Record<string, string | ((...parts: never[]) => string)>>;

/**
 * `const strings = bothLanguages(en, ja)`; then `strings(lang).most`. `ja` must have the same keys
 * and parameters as `en`: a missing one is a type error.
 */
export function bothLanguages<Table extends StringTable>(
  en: Table,
  ja: { readonly [Key in keyof Table]: Table[Key] extends string ? string : Table[Key] },
): (lang: Lang) => Table {
  const tables = { en, ja: ja as Table };
  return (lang) => tables[lang];
}

const NUMBERS: Record<Lang, Intl.NumberFormat> = {
  en: new Intl.NumberFormat("en"),
  ja: new Intl.NumberFormat("ja"),
};

/** 42000 as "42,000", with a typographic minus sign. */
export function number(value: number, lang: Lang = "en"): string {
  return NUMBERS[lang].format(value).replace("-", "−");
}

/** The name of the player in a seat; the seat's number if the seat is empty. */
export function nameOf(
  seats: { readonly [seat: string]: { readonly name: string } },
  seat: number,
): string {
  return seats[String(seat)]?.name ?? String(seat);
}
