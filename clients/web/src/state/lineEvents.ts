// Events of the line: typed, sent, or written by a press on the board.

import { boardActed } from "./boardActs.ts";
import type { Handlers } from "./events.ts";
import { chosenOf, inputOf, textsOf, withInput } from "./lineInput.ts";
import { chooseLine, submitLine } from "./lineSubmit.ts";

export const lineEvents = {
  typed: (state, event) => {
    const { inputKey, text } = event;
    const queue = chosenOf(inputOf(state, inputKey));
    const after = withInput(state, inputKey, { text, queue, refusal: undefined });
    return [after, [{ type: "store", key: "texts", value: textsOf(after) }]];
  },
  line_submitted: (state, event, context) => submitLine(state, event.inputKey, context),
  line_chosen: (state, event, context) => chooseLine(state, event.inputKey, event.text, context),
  acted: (state, event, context) => boardActed(state, event, context),
} satisfies Partial<Handlers>;
