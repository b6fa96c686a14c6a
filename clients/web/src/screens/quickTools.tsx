// Undo and hint, the tools that stay in sight.

import type { VNode } from "preact";
import { Icon } from "../board/index.ts";
import type { RoomView } from "../sdk/mirror.ts";
import { inputOf } from "../state/lineInput.ts";
import { tableOf } from "../state/selectors.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";

/** Whether the table allows hints, and it is our move. */
function mayAskHint(room: RoomView): boolean {
  const { options, rated, turn } = tableOf(room);
  const allowed = (options.hints ?? "off") !== "off" && !rated;
  return allowed && turn.some((seat) => room.eyes.includes(seat));
}

/** Undo and hint: beside the task, on a phone beside the line. */
export function QuickTools({
  state,
  emit,
  inputKey,
}: ViewProps & { readonly inputKey: string }): VNode | null {
  const strings = stringsOf(state);
  const room = state.session.mirror.rooms[inputKey];
  if (room?.view.game === undefined) return null;
  const { catalogue, undo } = inputOf(state, inputKey);
  const hasCommand = (name: string): boolean => catalogue.some((item) => item.name === name);
  const choose = (command: string) => () =>
    emit({ type: "line_chosen", inputKey, text: `/${command}` });
  return (
    <div class="quick-tools">
      {hasCommand("undo") && (
        <button type="button" class="btn" disabled={undo?.can === false} onClick={choose("undo")}>
          <Icon name="undo" size={16} />
          <span>{undo?.asks ? strings.undoAsks : strings.undo}</span>
        </button>
      )}
      {hasCommand("hint") && mayAskHint(room) && (
        <button type="button" class="btn" onClick={choose("hint")}>
          <Icon name="hint" size={16} />
          <span>{strings.hint}</span>
        </button>
      )}
    </div>
  );
}
