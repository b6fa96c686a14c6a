// Words of a board, in both languages, with equal keys. Server sentences stay the server's.

import type { Both, Lang } from "./contract.ts";

/** The words of a language: strings, and functions that make sentences of named parts. */
export type StringTable = Readonly<Record<string, string | ((...parts: never[]) => string)>>;

/**
 * `const words = bothLanguages(en, ja)`; then `words(lang).most`. `ja` must have the very keys and
 * parts of `en`: a missing one is a type error.
 */
export function bothLanguages<Table extends StringTable>(
  en: Table,
  ja: { readonly [Key in keyof Table]: Table[Key] extends string ? string : Table[Key] },
): (lang: Lang) => Table {
  const tables = { en, ja: ja as Table };
  return (lang) => tables[lang];
}

/** A name that comes in both languages. */
export function inLang(both: Both, lang: Lang): string {
  return both[lang];
}

const NUMBERS: Record<Lang, Intl.NumberFormat> = {
  en: new Intl.NumberFormat("en"),
  ja: new Intl.NumberFormat("ja"),
};

/** 42000 as "42,000"; a minus is a real one. */
export function number(value: number, lang: Lang = "en"): string {
  return NUMBERS[lang].format(value).replace("-", "−");
}

/** A change: "+4", "−2". */
export function signed(value: number, lang: Lang = "en"): string {
  return value > 0 ? `+${number(value, lang)}` : number(value, lang);
}

/** A name of somebody at the table; the seat's letter where nobody sits. */
export function nameOf(
  seats: { readonly [seat: string]: { readonly name: string } },
  seat: number,
): string {
  return seats[String(seat)]?.name ?? String(seat);
}
