// A link to another screen of the page, which is shown without loading the page again.

import type { ComponentChildren, VNode } from "preact";
import { pathOf } from "../state/address.ts";
import type { Address } from "../state/state.ts";
import type { ViewProps } from "./viewProps.ts";

export function PageLink(
  props: Pick<ViewProps, "emit"> & {
    readonly to: Address;
    readonly class?: string;
    readonly label?: string;
    readonly current?: boolean;
    readonly children: ComponentChildren;
  },
): VNode {
  return (
    <a
      class={props.class}
      href={pathOf(props.to)}
      aria-label={props.label}
      aria-current={props.current ? "page" : undefined}
      onClick={(event) => {
        // With a modifier the browser opens a tab of its own.
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        props.emit({ type: "navigated", address: props.to });
      }}
    >
      {props.children}
    </a>
  );
}
