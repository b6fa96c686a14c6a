// That a text was copied, for a moment; where the browser refuses, the text itself, selected, to be
// copied by hand.

import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { Dialog } from "./dialogs.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

/** So long it is said that a text was copied, in ms. */
const SHOWN_MS = 3000;

export function CopyBar({ state, emit }: ViewProps): VNode | null {
  const strings = stringsOf(state);
  const { copied } = state;
  const dismiss = () => emit({ type: "copy_dismissed" });
  useEffect(() => {
    const timer = copied?.done && setTimeout(dismiss, SHOWN_MS);
    return () => clearTimeout(timer || 0);
  }, [copied]);
  if (copied === undefined) return null;
  // Presses go through it; the announcer reads it out.
  if (copied.done)
    return (
      <p class="copy-bar" inert>
        {strings.copied}
      </p>
    );
  return (
    <Dialog title={strings.copyYourself} close={strings.close} onClose={dismiss}>
      <input
        class="mono copy-text"
        readOnly
        autofocus
        value={copied.text}
        aria-label={strings.copyYourself}
        onFocus={(event) => event.currentTarget.select()}
      />
    </Dialog>
  );
}
