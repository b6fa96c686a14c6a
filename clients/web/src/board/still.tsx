// A component that is not drawn again while its inputs are equal.
//
// A node is never cached for that, in a ref or by `useMemo`: Preact copies a node that is rendered
// a second time, and the first one retains its former parent, and through it the whole former page
// with all its elements. A component retains only its newest node.

import { Component, type ComponentChildren } from "preact";

interface StillProps {
  /** All values that the children are drawn from. */
  readonly of: readonly unknown[];
  readonly children: () => ComponentChildren;
}

/** Draws its children again when one of `of` has changed. */
export class Still extends Component<StillProps> {
  override shouldComponentUpdate({ of }: StillProps): boolean {
    const before = this.props.of;
    return before.length !== of.length || !before.every((value, at) => Object.is(value, of[at]));
  }

  override render(): ComponentChildren {
    return this.props.children();
  }
}
