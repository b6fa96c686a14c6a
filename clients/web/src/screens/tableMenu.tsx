// The menu of the table, in windows that have no space for its tools.

import type { ComponentChildren, VNode } from "preact";
import { Dialog } from "./dialogs.tsx";
import { stringsOf, type ViewProps } from "./viewProps.ts";

/** The tools of the table in a window that has no space for them. */
export function TableMenu(
  props: ViewProps & { readonly inputKey: string; readonly children: ComponentChildren },
): VNode {
  const { state, emit, inputKey, children } = props;
  const strings = stringsOf(state);
  const close = (): void => emit({ type: "panel", inputKey, panel: "none" });
  // Before the tool, which may open a panel of its own in the place of the menu.
  const closeBefore = ({ target }: MouseEvent): void => {
    if (!(target as Element).closest("[aria-expanded], header")) close();
  };
  return (
    <Dialog title={strings.menu} close={strings.close} onClose={close}>
      <div class="menu" onClickCapture={closeBefore}>
        {children}
      </div>
    </Dialog>
  );
}
