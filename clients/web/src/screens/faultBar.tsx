// The bar that reports a bug of the page, with a report to copy.

import type { VNode } from "preact";
import { Icon } from "../board/index.ts";
import { reportOf } from "../state/faults.ts";
import { LOADING } from "./lazy.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

export function FaultBar({ state, emit }: ViewProps): VNode | null {
  const strings = stringsOf(state);
  if (state.fault === undefined) return null;
  return (
    <div class="fault-bar" role="alert">
      <span>{state.fault.where === LOADING ? strings.notLoaded : strings.bug}</span>
      <button
        type="button"
        class="btn"
        onClick={() => emit({ type: "copied", text: reportOf(state) })}
      >
        {strings.copyReport}
      </button>
      <button type="button" class="btn" onClick={() => emit({ type: "reloaded" })}>
        {strings.reloadPage}
      </button>
      <button
        type="button"
        class="btn flat"
        aria-label={strings.close}
        onClick={() => emit({ type: "fault_dismissed" })}
      >
        <Icon name="x" size={16} />
      </button>
    </div>
  );
}
