// What is not drawn again while nothing that it is drawn from has changed.
//
// A node is never kept for that, in a ref or by `useMemo`: Preact gives a node that comes a second
// time a copy, and the first one keeps pointing at its parent of then, and by that at the whole page
// of then with all its elements. A component keeps its newest node alone.

import { Component, type ComponentChildren } from "preact";

interface StillProps {
  /** All that the children are drawn from. */
  readonly of: readonly unknown[];
  readonly children: () => ComponentChildren;
}

/** Draws its children anew when one of the values that they are drawn from is another one. */
export class Still extends Component<StillProps> {
  override shouldComponentUpdate({ of }: StillProps): boolean {
    const before = this.props.of;
    return before.length !== of.length || !before.every((value, at) => Object.is(value, of[at]));
  }

  override render(): ComponentChildren {
    return this.props.children();
  }
}
