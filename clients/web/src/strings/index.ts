// The strings of the page in a language.

import type { Lang } from "../protocol/terms.ts";
import { en, type Strings } from "./en.ts";
import { ja } from "./ja.ts";

export type { Strings } from "./en.ts";

const TABLES: Readonly<Record<Lang, Strings>> = { en, ja };

/** A string by the server's key; undefined for a key that only a later server has. */
export function stringFor<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

export function stringsIn(lang: Lang): Strings {
  return TABLES[lang];
}

/** Minutes and seconds: "1:05". */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
