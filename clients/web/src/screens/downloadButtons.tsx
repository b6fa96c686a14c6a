// The buttons that save a game: its record, and its minutes.

import type { VNode } from "preact";
import { stringsOf, type ViewProps } from "./viewProps.ts";

export function Papers({ state, emit, desk }: ViewProps & { readonly desk: string }): VNode {
  const words = stringsOf(state);
  return (
    <>
      {(["record", "minutes"] as const).map((paper) => (
        <button
          key={paper}
          type="button"
          class="btn"
          title={paper === "record" ? words.saveRecordHelp : words.saveMinutesHelp}
          onClick={() => emit({ type: "paper_wanted", inputKey: desk, paper })}
        >
          {paper === "record" ? words.saveRecord : words.saveMinutes}
        </button>
      ))}
    </>
  );
}
