// Looking back: the positions of this visit by slider and step. The board is the same function of
// another view; nothing can be moved meanwhile.

import type { VNode } from "preact";
import { Icon } from "../games/kit/index.ts";
import { deskOf } from "../state/desks.ts";
import { said, type ViewProps } from "./props.ts";

type DeskProps = ViewProps & { readonly desk: string };

/** Whether there is anything to look back to. */
export function canLookBack({ state, desk }: Pick<DeskProps, "state" | "desk">): boolean {
  return deskOf(state, desk).seen.length > 1;
}

export function LookBack({ state, emit, desk }: DeskProps): VNode | null {
  const words = said(state);
  const { seen, back } = deskOf(state, desk);
  if (back === undefined) return null;
  const last = seen.length - 1;
  const at = Math.min(back, last);
  const go = (to: number): void => {
    const next = Math.min(Math.max(to, 0), last);
    emit({ type: "looked_back", desk, back: next });
  };
  return (
    <section class="look-back" aria-label={words.lookBack}>
      <button
        type="button"
        class="btn"
        aria-label={words.earlier}
        disabled={at === 0}
        onClick={() => go(at - 1)}
      >
        <Icon name="back" />
      </button>
      <input
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label={words.thisVisit}
        aria-valuetext={words.stepOf(at + 1, last + 1)}
        onInput={(event) => go(Number(event.currentTarget.value))}
      />
      <button
        type="button"
        class="btn"
        aria-label={words.later}
        disabled={at === last}
        onClick={() => go(at + 1)}
      >
        <Icon name="fwd" />
      </button>
      <span>{words.stepOf(at + 1, last + 1)}</span>
      <button
        type="button"
        class="btn act"
        onClick={() => emit({ type: "looked_back", desk, back: undefined })}
      >
        {words.now}
      </button>
    </section>
  );
}
