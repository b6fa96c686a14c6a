// What a key does in the line. Pure, so that it can be tested without a page.

import type { Suggestion } from "./nextValues.ts";

export type LineKey =
  | { readonly type: "send" }
  | { readonly type: "take"; readonly taken: Suggestion }
  | { readonly type: "choose"; readonly at: number }
  | { readonly type: "recall"; readonly step: 1 | -1 }
  | { readonly type: "shorten" };

export interface LineAt {
  readonly text: string;
  readonly suggestions: readonly Suggestion[];
  /** The index of the selected suggestion; -1 for none. */
  readonly chosen: number;
  /** How many lines back in the history; 0 for the line being typed. */
  readonly back: number;
}

interface Key {
  readonly key: string;
  readonly shiftKey: boolean;
}

/** What a key does to the line; undefined: the browser handles it. */
export function lineKey({ key, shiftKey }: Key, line: LineAt): LineKey | undefined {
  switch (key) {
    case "Enter":
      return enterPressed(line);
    case "Tab":
      return shiftKey ? undefined : takeSuggestion(line);
    case "ArrowUp":
    case "ArrowDown":
      return arrowPressed(line, key === "ArrowDown");
    case "Escape":
      return line.text === "" ? undefined : { type: "shorten" };
    default:
      return undefined;
  }
}

/** Enter accepts the suggestion selected with the arrows, else sends the line. */
function enterPressed({ text, suggestions, chosen }: LineAt): LineKey {
  const choice = suggestions[chosen];
  return choice === undefined || choice.text === text
    ? { type: "send" }
    : { type: "take", taken: choice };
}

function takeSuggestion({ text, suggestions, chosen }: LineAt): LineKey | undefined {
  const choice = suggestions[Math.max(chosen, 0)];
  if (text === "" || choice === undefined || choice.text === text) return undefined;
  return { type: "take", taken: choice };
}

/** Up and Down select a suggestion while a command is typed, else they step through the history. */
function arrowPressed({ text, suggestions, chosen, back }: LineAt, down: boolean): LineKey {
  const count = suggestions.length;
  if (!text.startsWith("/") || count === 0 || back > 0) {
    return { type: "recall", step: down ? -1 : 1 };
  }
  const step = down ? 1 : count - 1;
  return { type: "choose", at: chosen < 0 && !down ? count - 1 : (chosen + step + count) % count };
}

/** A line without its last token; empty for talk. */
export function shortened(text: string): string {
  const shorter = text.trimEnd().replace(/\s*\S+$/, "");
  return shorter.startsWith("/") ? shorter : "";
}
