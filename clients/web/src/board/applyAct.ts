// What an act of a board does to the line in the input.

import { draftAfterPick } from "../line/parse.ts";
import type { Act, Position } from "./contract.ts";

/** The line after an act, and whether to send it now. */
export interface AppliedAct {
  readonly text: string;
  readonly send: boolean;
}

/** How a complete line is sent: at once, or by a second press. */
export type Sending = "at once" | "ask";

/**
 * The line after a click; null if the act does not change the line.
 *
 * With `at once` a pick that completes the line sends it. With `ask` it arms the button: pressing
 * the same target again sends the complete line.
 */
export function applyAct(act: Act, position: Position, sending: Sending): AppliedAct | null {
  switch (act.act) {
    case "clear":
      return { text: "", send: false };
    case "type":
      return { text: act.text, send: act.send ?? false };
    case "pick": {
      const { draft, moves, game } = position;
      const text = draftAfterPick(draft, act, moves, game.verbs);
      if (text === null) return null;
      const complete = moves.some((line) => line.text === text);
      const again = text === draft.text;
      return { text, send: complete && act.send !== false && (sending === "at once" || again) };
    }
    default:
      return null;
  }
}
