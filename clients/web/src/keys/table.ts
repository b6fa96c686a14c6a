// The keys, as a table: the dispatcher and the help read the same rows.

import type { Words } from "../strings/index.ts";

export interface KeyRow {
  readonly keys: readonly string[];
  readonly where: "anywhere" | "line" | "board";
  readonly word: keyof Words["keyWords"];
}

export const KEYS: readonly KeyRow[] = [
  { keys: ["a–z", "/"], where: "anywhere", word: "type" },
  { keys: ["Enter"], where: "line", word: "send" },
  { keys: ["Tab"], where: "line", word: "take" },
  { keys: ["↑", "↓"], where: "line", word: "history" },
  { keys: ["Esc"], where: "anywhere", word: "escape" },
  { keys: ["F6", "Shift+F6"], where: "anywhere", word: "areas" },
  { keys: ["← ↑ ↓ →"], where: "board", word: "places" },
  { keys: ["Space", "Enter"], where: "board", word: "press" },
  { keys: ["N", "Shift+N"], where: "board", word: "legal" },
  { keys: ["Home"], where: "board", word: "own" },
  { keys: ["Alt+U"], where: "anywhere", word: "undo" },
  { keys: ["Alt+Y"], where: "anywhere", word: "accept" },
  { keys: ["Alt+X"], where: "anywhere", word: "refuse" },
  { keys: ["?"], where: "board", word: "help" },
];

/** What a key means that acts wherever the focus is; undefined: nothing of ours. */
export type Global = "undo" | "accept" | "refuse" | "areas" | "areas back";

export interface Pressed {
  readonly key: string;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** Keys that act anywhere. */
export function globalKey(event: Pressed): Global | undefined {
  if (event.key === "F6") return event.shiftKey ? "areas back" : "areas";
  if (!event.altKey || event.ctrlKey || event.metaKey) return undefined;
  switch (event.key.toLowerCase()) {
    case "u":
      return "undo";
    case "y":
      return "accept";
    case "x":
      return "refuse";
    default:
      return undefined;
  }
}

/** Whether a key types something. */
export function types(event: Pressed): boolean {
  return event.key.length === 1 && !event.altKey && !event.ctrlKey && !event.metaKey;
}
