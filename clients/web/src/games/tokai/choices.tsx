// The components of the tray that all decisions use.

import type { ComponentChildren, VNode } from "preact";
import { SeatMark } from "../../board/index.ts";
import type { At } from "./selectors.ts";

/** A row of choices that scrolls if it is too long. */
export function Choices(props: {
  readonly title: string;
  /** Whether all of them are compared: then a narrow tray has two rows. */
  readonly many?: boolean;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <div
      class={props.many ? "choices many" : "choices"}
      role="group"
      aria-label={props.title}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region is reached by keyboard
      tabIndex={0}
    >
      {props.children}
    </div>
  );
}

export function Owner({ position, line }: { position: At; line: string }): VNode | null {
  const owner = position.view.owners[line];
  return owner === undefined ? null : <SeatMark seat={owner} size={18} />;
}
