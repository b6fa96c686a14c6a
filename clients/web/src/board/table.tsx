// Tables of facts, and boxes that scroll.

import type { ComponentChildren, VNode } from "preact";
import { joined } from "./players.tsx";

/** A row of a table: its head, if it has one, and its cells. */
export interface FactRow {
  readonly key: string | number;
  readonly head?: ComponentChildren;
  readonly cells: readonly ComponentChildren[];
}

export function FactTable(props: {
  readonly class?: string;
  readonly caption?: string;
  readonly heads: readonly ComponentChildren[];
  readonly rows: readonly FactRow[];
}): VNode {
  const { class: more, caption, heads, rows } = props;
  return (
    <table class={joined(" ", "facts", more)}>
      {caption && <caption class="soft">{caption}</caption>}
      <thead>
        <tr>
          {heads.map((head, at) => (
            <th key={at} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, head, cells }) => (
          <tr key={key}>
            {head !== undefined && <th scope="row">{head}</th>}
            {cells.map((cell, at) => (
              <td key={at}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A box that scrolls, and that the keyboard can therefore reach. */
export function Scroll(props: {
  readonly class: string;
  /** Names it as a group. */
  readonly label?: string;
  readonly children: ComponentChildren;
}): VNode {
  const { label } = props;
  return (
    <div
      class={props.class}
      {...(label !== undefined && { role: "group", "aria-label": label })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
    >
      {props.children}
    </div>
  );
}
