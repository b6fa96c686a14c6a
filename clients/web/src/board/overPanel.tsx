// A panel above a map.

import type { ComponentChildren, VNode } from "preact";
import type { Act, Look } from "./contract.ts";
import { Icon } from "./icons.tsx";
import { Scroll } from "./table.tsx";
import "./overPanel.css";

/** A panel above a map, shown while `look.panel` names it. */
export function OverPanel(props: {
  readonly title: string;
  readonly close: string;
  readonly class?: string;
  readonly act: (act: Act) => void;
  readonly children: ComponentChildren;
}): VNode {
  const { title, act } = props;
  return (
    <section class={`over ${props.class ?? ""}`.trimEnd()} aria-label={title}>
      <header>
        <b>{title}</b>
        <button
          type="button"
          class="btn"
          aria-label={props.close}
          onClick={() => act({ act: "look", look: { panel: undefined } })}
        >
          <Icon name="x" size={16} />
        </button>
      </header>
      <Scroll class="scroll" label={title}>
        {props.children}
      </Scroll>
    </section>
  );
}

/** The buttons that open and close the panels above a map, by the name of each panel. */
export function Openers(props: {
  readonly look: Look;
  readonly panels: Readonly<Record<string, string>>;
  readonly act: (act: Act) => void;
}): VNode {
  const { look, panels, act } = props;
  const toggle = (panel: string): void =>
    act({ act: "look", look: { panel: look.panel === panel ? undefined : panel } });
  return (
    <div class="openers">
      {Object.entries(panels).map(([panel, label]) => (
        <button
          key={panel}
          type="button"
          class="btn"
          aria-expanded={look.panel === panel}
          onClick={() => toggle(panel)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
