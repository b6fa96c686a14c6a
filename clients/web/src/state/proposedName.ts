// A name for a person who has not typed one.

import type { Lang } from "../protocol/terms.ts";
import type { Context } from "./events.ts";
import type { State } from "./state.ts";

const NAME_PARTS: Readonly<Record<Lang, readonly (readonly string[])[]>> = {
  en: [
    ["Blue", "Calm", "Swift", "Bright", "Quiet", "Sunny", "Brave", "Merry"],
    ["Otter", "Bear", "Fox", "Crane", "Badger", "Heron", "Lynx", "Hare"],
  ],
  ja: [
    ["あお", "しろ", "まる", "こ", "やま", "うみ", "ゆき", "はな"],
    ["かわうそ", "ぐま", "ぎつね", "たぬき", "つばめ", "うさぎ", "りす", "かもめ"],
  ],
};

/** A name that is probably free, made of random hex. */
export function proposedName(lang: Lang, fresh: string): string {
  const digits = [...fresh].map((digit) => Number.parseInt(digit, 16));
  const parts = NAME_PARTS[lang].map((list, at) => list[(digits[at] ?? 0) % list.length] ?? "");
  const number = 10 + (((digits[2] ?? 0) * 16 + (digits[3] ?? 0)) % 90);
  return `${parts.join("")}${number}`;
}

/** With a proposed name, another one each time. */
export function renamed(state: State, context: Context): State {
  return { ...state, name: proposedName(state.settings.lang, context.fresh) };
}
