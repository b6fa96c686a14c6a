// What was copied; where the browser refuses, the text itself, selected, to be copied by hand.

import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../board/index.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";

export function CopyBar({ state, emit }: ViewProps): VNode | null {
  const strings = stringsOf(state);
  const { copied } = state;
  const field = useRef<HTMLInputElement>(null);
  const byHand = copied?.done === false ? copied.text : undefined;
  useLayoutEffect(() => {
    if (byHand === undefined) return;
    field.current?.focus();
    field.current?.select();
  }, [byHand]);
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
      <button
        type="button"
        class="btn flat"
        aria-label={strings.close}
        onClick={() => emit({ type: "copy_dismissed" })}
      >
        <Icon name="x" size={16} />
      </button>
    </div>
  );
}
