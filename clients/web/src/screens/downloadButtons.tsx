// The buttons that save a game: its record, and its minutes.

import type { VNode } from "preact";
import { stringsOf, type ViewProps } from "./viewProps.ts";

export function Downloads({
  state,
  emit,
  inputKey,
}: ViewProps & { readonly inputKey: string }): VNode {
  const strings = stringsOf(state);
  return (
    <>
      {(["record", "minutes"] as const).map((paper) => (
        <button
          key={paper}
          type="button"
          class="btn"
          title={paper === "record" ? strings.saveRecordHelp : strings.saveMinutesHelp}
          onClick={() => emit({ type: "download_requested", inputKey: inputKey, paper })}
        >
          {paper === "record" ? strings.saveRecord : strings.saveMinutes}
        </button>
      ))}
    </>
  );
}
