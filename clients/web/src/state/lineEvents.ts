// Events of the line: typed, sent, or written by a press on the board.

import { boardActed } from "./boardActs.ts";
import type { Handlers } from "./events.ts";
import { inputOf, textsOf, withInput } from "./lineInput.ts";
import { sendLine, submitLine } from "./lineSubmit.ts";

export const lineEvents = {
  typed: (state, event) => {
    const { text } = event;
    const after = withInput(state, event.inputKey, { text, next: undefined, refusal: undefined });
    return [after, [{ type: "store", key: "texts", value: textsOf(after) }]];
  },
  line_submitted: (state, event, context) => submitLine(state, event.inputKey, context),
  line_chosen: (state, event, context) => {
    const { text, pending } = inputOf(state, event.inputKey);
    // A button pressed twice sends its line once.
    if (pending !== undefined) return [state, []];
    return sendLine(state, event.inputKey, event.text, context, text === event.text ? "" : text);
  },
  acted: (state, event, context) => boardActed(state, event, context),
} satisfies Partial<Handlers>;
