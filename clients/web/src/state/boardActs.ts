// The acts of clicks on a board.

import { applyAct } from "../board/applyAct.ts";
import type { Context, Event, StepResult } from "./events.ts";
import { inputOf, textsOf, withInput } from "./lineInput.ts";
import { sendLine } from "./lineSubmit.ts";
import { ask } from "./queries.ts";
import { positionAt } from "./selectors.ts";
import type { State } from "./state.ts";

/** The state does not know the area; a position that is only used for its lines needs none. */
const NO_AREA = { width: 0, height: 0 };

/** Carry out the act of a click on a board. */
export function boardActed(
  state: State,
  { inputKey: key, act, target }: Extract<Event, { type: "acted" }>,
  context: Context,
): StepResult<State> {
  const input = inputOf(state, key);
  if (act.act === "look")
    return [withInput(state, key, { look: { ...input.look, ...act.look } }), []];
  const room = state.session.mirror.rooms[key];
  if (room === undefined) return [state, []];
  if (act.act === "ask") {
    if (act.line in input.answers) return [state, []];
    const answers = { ...input.answers, [act.line]: undefined };
    const about = { about: "query", room: room.id, line: act.line } as const;
    return ask(withInput(state, key, { answers }), "query", { text: act.line }, about, room.id);
  }
  const position = positionAt(state, key, { ...NO_AREA, touch: context.touch });
  if (position === undefined) return [state, []];
  // While a line waits, or the room is out of sync, a click may refer to a past moment: it becomes
  // a draft, which the player may still send.
  const ready = input.pending === undefined && room.inSync;
  if (act.act === "why")
    return ready && position.moves.length > 0
      ? sendLine(state, key, act.line, context, input.text, target ?? "")
      : [state, []];
  const typed = applyAct(act, position, sendingOf(state, context));
  if (typed === null) return [state, []];
  const after = withInput(state, key, { text: typed.text, refusal: undefined });
  if (typed.send && ready) return sendLine(after, key, typed.text, context);
  return [after, [{ type: "store", key: "texts", value: textsOf(after) }]];
}

function sendingOf(state: State, context: Context): "at once" | "ask" {
  const { sending } = state.settings;
  if (sending !== "auto") return sending;
  return context.touch ? "ask" : "at once";
}
