// A refusal at the place that was pressed: the server's sentence beside it, and a frame round it. It
// takes no presses, and goes with the next press or key.

import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { bareSentence } from "../line/suggestions.ts";
import type { Refusal } from "../state/state.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";
import "../style/refusalBubble.css";

/** The distance of a sentence to its place, and to the border of the window. */
export const GAP = 8;

export interface Spot {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Where a place is on the screen; undefined if it is not drawn. */
function spotOf(target: string): Spot | undefined {
  const drawn = document.querySelectorAll(`.board-root [data-place="${CSS.escape(target)}"]`);
  return [...drawn]
    .map((each) => each.getBoundingClientRect())
    .find(({ width, height }) => width > 0 && height > 0);
}

/** Below the place if there is space, else above it; never over it. */
export function besideSpot(
  spot: Spot,
  size: Pick<Spot, "width" | "height">,
  area: Pick<Spot, "width" | "height">,
): { readonly left: number; readonly top: number } {
  const below = spot.top + spot.height + GAP;
  const top =
    below + size.height + GAP <= area.height ? below : Math.max(GAP, spot.top - size.height - GAP);
  const centred = spot.left + (spot.width - size.width) / 2;
  return { left: Math.max(GAP, Math.min(centred, area.width - size.width - GAP)), top };
}

export function RefusalBubble(
  props: ViewProps & {
    readonly refusal: Refusal & { readonly target: string };
    readonly onDismiss: () => void;
  },
): VNode {
  const { state, refusal, onDismiss } = props;
  const note = useRef<HTMLParagraphElement>(null);
  const [spot, setSpot] = useState<Spot>();
  useLayoutEffect(() => {
    const visible = spotOf(refusal.target);
    setSpot(visible);
    const element = note.current;
    if (element === null) return;
    const area = { width: innerWidth, height: innerHeight };
    const size = element.getBoundingClientRect();
    const at = besideSpot(
      visible ?? { left: 0, top: area.height / 2, width: area.width, height: 0 },
      size,
      area,
    );
    element.style.left = `${at.left}px`;
    element.style.top = `${at.top}px`;
  }, [refusal]);
  useLayoutEffect(() => {
    const types = ["pointerdown", "keydown", "wheel", "resize"] as const;
    for (const type of types) addEventListener(type, onDismiss, { capture: true, once: true });
    return () => {
      for (const type of types) removeEventListener(type, onDismiss, { capture: true });
    };
  }, [refusal]);
  return (
    <div class="refusal-bubble">
      {spot !== undefined && (
        <i
          style={{
            left: `${spot.left}px`,
            top: `${spot.top}px`,
            width: `${spot.width}px`,
            height: `${spot.height}px`,
          }}
        />
      )}
      {/* The announcer reads it out. */}
      <p ref={note}>{bareSentence(refusal.text, refusal.rule, stringsOf(state).perhaps)}</p>
    </div>
  );
}
