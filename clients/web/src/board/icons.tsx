// Line icons on a 22 by 22 grid, in the colour of the text.

import type { VNode } from "preact";
import paths from "./icons.json";

export type IconName = keyof typeof paths;

/** An icon. The text or label beside it gives its meaning. */
export function Icon(props: { readonly name: IconName; readonly size?: number }): VNode {
  const { name, size = 18 } = props;
  return (
    <svg class="icon" viewBox="0 0 22 22" width={size} height={size} aria-hidden="true">
      <path d={paths[name]} fill={name === "play" ? "currentColor" : undefined} />
    </svg>
  );
}
