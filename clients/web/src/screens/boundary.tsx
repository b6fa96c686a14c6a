// Error boundary of a panel: a panel that throws is replaced by a sentence, and the rest of the
// page works on.

import { Component, type ComponentChildren, type VNode } from "preact";
import { whyOf } from "../state/faults.ts";
import { stringsOf, type ViewProps } from "./viewProps.ts";

interface BoundaryProps {
  /** The input of the panel: with another one, drawing is tried again. */
  readonly of: unknown;
  readonly instead: ComponentChildren;
  readonly onError: (why: string) => void;
  readonly children: ComponentChildren;
}

/** The children; `instead` after an error in them, until `of` changes. */
export class Boundary extends Component<BoundaryProps, { readonly broken: boolean }> {
  override state = { broken: false };

  override componentDidCatch(error: unknown): void {
    this.setState({ broken: true });
    this.props.onError(whyOf(error));
  }

  override componentDidUpdate(before: BoundaryProps): void {
    if (this.state.broken && before.of !== this.props.of) this.setState({ broken: false });
  }

  render(): ComponentChildren {
    return this.state.broken ? this.props.instead : this.props.children;
  }
}

/** A panel of the page, with its place in the layout even when it is broken. */
export function Guarded(
  props: ViewProps & {
    readonly name: string;
    readonly of: unknown;
    readonly class?: string;
    readonly children: ComponentChildren;
  },
): VNode {
  const { state, emit, name, of } = props;
  return (
    <Boundary
      of={of}
      onError={(why) => emit({ type: "drawing_failed", where: name, why })}
      instead={
        <p class={props.class === undefined ? "broken" : `broken ${props.class}`} role="alert">
          {stringsOf(state).brokenSection}
        </p>
      }
    >
      {props.children}
    </Boundary>
  );
}
