// Dialogs above the page. Esc closes them.

import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../board/index.ts";
import { inputOf } from "../state/lineInput.ts";
import { lazy } from "./lazy.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

type InputProps = ViewProps & { readonly inputKey: string };

export const Panel = lazy<InputProps>(() => import("./panels.tsx").then((loaded) => loaded.Panel));
export const Rules = lazy<InputProps>(() =>
  import("./rulesBook.tsx").then((loaded) => loaded.RulesBook),
);

/** A native dialog: it traps the focus, and Esc closes it. */
export function Dialog(props: {
  readonly title: string;
  readonly close: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element !== null && !element.open) element.showModal();
  }, []);
  return (
    <dialog ref={dialog} class="panel" aria-label={props.title} onClose={props.onClose}>
      <header>
        <h2>{props.title}</h2>
        <button
          type="button"
          class="btn flat"
          aria-label={props.close}
          onClick={() => dialog.current?.close()}
        >
          <Icon name="x" />
        </button>
      </header>
      {props.children}
    </dialog>
  );
}

/** The open dialog of an input, if any. */
export function Dialogs(props: InputProps): VNode | null {
  const { state, emit, inputKey } = props;
  const strings = stringsOf(state);
  const { panel } = inputOf(state, inputKey);
  if (["none", "more", "menu", "options"].includes(panel)) return null;
  return (
    <Dialog
      key={panel}
      title={strings[panel.split(" ", 1)[0] as "rules"]}
      close={strings.close}
      onClose={() => emit({ type: "panel", inputKey: inputKey, panel: "none" })}
    >
      {panel.startsWith("rules") ? <Rules {...props} /> : <Panel {...props} />}
    </Dialog>
  );
}
