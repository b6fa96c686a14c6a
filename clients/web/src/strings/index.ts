// The strings of the page in a language. Each language is a chunk that is loaded when it is needed.

import type { Lang } from "../protocol/terms.ts";
import type { Strings } from "./en.ts";

export type { Strings } from "./en.ts";

/** The languages by their own names. */
export const LANG_NAMES: Readonly<Record<Lang, string>> = { en: "English", ja: "日本語" };

const LOADERS: Readonly<Record<Lang, () => Promise<Strings>>> = {
  en: () => import("./en.ts").then(({ en }) => en),
  ja: () => import("./ja.ts").then(({ ja }) => ja),
};

const tables = new Map<Lang, Strings>();

/** Load a language; at once if it is there. */
export async function loadStrings(lang: Lang): Promise<void> {
  if (!tables.has(lang)) tables.set(lang, await LOADERS[lang]());
}

export function hasStrings(lang: Lang): boolean {
  return tables.has(lang);
}

/** A string by the server's key; undefined for a key that only a later server has. */
export function stringFor<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** The strings of a language; of the one that is loaded, until it has arrived. */
export function stringsIn(lang: Lang): Strings {
  const table = tables.get(lang) ?? [...tables.values()][0];
  if (table === undefined) throw new Error("no language is loaded");
  return table;
}

/** A length of time: "1:05", from one hour on "2:01:05", from one day on "3 d 4 h". */
export function clockText(ms: number, strings: Strings): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const hours = Math.floor(seconds / 3600);
  if (hours >= 24) return strings.days(Math.floor(hours / 24), hours % 24);
  // "00:01:05" without the zeros before its minutes.
  return new Date(seconds * 1000)
    .toISOString()
    .slice(11, 19)
    .replace(/^[0:]{1,4}/, "");
}
