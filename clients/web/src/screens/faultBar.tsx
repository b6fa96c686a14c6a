// What the page says when it has a bug: a bar over everything, with a report to copy.

import type { VNode } from "preact";
import { Icon } from "../board/index.ts";
import { reportOf } from "../state/faults.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";

export function FaultBar({ state, emit }: ViewProps): VNode | null {
  const words = stringsOf(state);
  if (state.fault === undefined) return null;
  return (
    <div class="fault-bar" role="alert">
      <span>{words.bug}</span>
      <button
        type="button"
        class="btn"
        onClick={() => emit({ type: "copied", text: reportOf(state) })}
      >
        {words.copyReport}
      </button>
      <button type="button" class="btn" onClick={() => emit({ type: "reloaded" })}>
        {words.reloadPage}
      </button>
      <button
        type="button"
        class="btn flat"
        aria-label={words.close}
        onClick={() => emit({ type: "fault_seen" })}
      >
        <Icon name="x" size={16} />
      </button>
    </div>
  );
}
