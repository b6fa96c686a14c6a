// What was copied; where the browser refuses, the text itself, selected, to be copied by hand.

import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../board/index.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";

/** A copied text is shown for this long, in ms: the bar covers the line. */
const SHOWN_MS = 5000;

export function CopyBar({ state, emit }: ViewProps): VNode | null {
  const strings = stringsOf(state);
  const { copied } = state;
  const field = useRef<HTMLInputElement>(null);
  const dismiss = () => emit({ type: "copy_dismissed" });
  useLayoutEffect(() => {
    if (copied?.done) {
      const timer = setTimeout(dismiss, SHOWN_MS);
      return () => clearTimeout(timer);
    }
    field.current?.focus();
    field.current?.select();
  }, [copied]);
  if (copied === undefined) return null;
  return (
    <div class="copy-bar" role="status">
      <span>{copied.done ? strings.copied : strings.copyYourself}</span>
      {copied.done ? (
        // A report of many lines would cover the page.
        !copied.text.includes("\n") && <span class="mono">{copied.text}</span>
      ) : (
        <input ref={field} readOnly value={copied.text} aria-label={strings.copyYourself} />
      )}
      <button type="button" class="btn flat" aria-label={strings.close} onClick={dismiss}>
        <Icon name="x" size={16} />
      </button>
    </div>
  );
}
