// The keyboard shortcuts as a table: the dispatcher and the help read the same rows.

import type { KeyHelp } from "../strings/keyHelp.ts";

export interface KeyRow {
  readonly keys: readonly string[];
  readonly where: "anywhere" | "line" | "board" | "replay";
  readonly help: keyof KeyHelp;
}

export const KEYS: readonly KeyRow[] = [
  { keys: ["a–z", "/"], where: "anywhere", help: "type" },
  { keys: ["Enter"], where: "line", help: "send" },
  { keys: ["Tab"], where: "line", help: "take" },
  { keys: ["↑", "↓"], where: "line", help: "history" },
  { keys: ["Esc"], where: "anywhere", help: "escape" },
  { keys: ["F6", "Shift+F6"], where: "anywhere", help: "areas" },
  { keys: ["← ↑ ↓ →"], where: "board", help: "neighbour" },
  { keys: ["Space", "Enter"], where: "board", help: "press" },
  { keys: ["N", "Shift+N"], where: "board", help: "legal" },
  { keys: ["Home"], where: "board", help: "firstLegal" },
  { keys: ["Alt+U"], where: "anywhere", help: "undo" },
  { keys: ["Alt+Y"], where: "anywhere", help: "accept" },
  { keys: ["Alt+X"], where: "anywhere", help: "refuse" },
  { keys: ["←", "→"], where: "replay", help: "steps" },
  { keys: ["Space"], where: "replay", help: "playOn" },
  { keys: ["?"], where: "board", help: "help" },
];

/** The action of a key that works wherever the focus is; undefined: not a shortcut. */
export type Global = "undo" | "accept" | "refuse" | "areas" | "areas back";

export interface Pressed {
  readonly key: string;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** The action of a key that works anywhere. */
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

/** The steps that a key goes in a replay; 0: play, or stop; undefined: none of its keys. */
export function replaySteps({ key, altKey, ctrlKey, metaKey }: Pressed): number | undefined {
  if (altKey || ctrlKey || metaKey) return undefined;
  return new Map([
    ["ArrowLeft", -1],
    ["ArrowRight", 1],
    [" ", 0],
  ]).get(key);
}

/** Whether a key types a character. */
export function isTyping(event: Pressed): boolean {
  return event.key.length === 1 && !event.altKey && !event.ctrlKey && !event.metaKey;
}
