// What moves after an update: see `board/motion.ts`, which is loaded once there is a board.

import { Component, type ComponentChildren } from "preact";
import type { Position } from "../board/contract.ts";
import type { Snapshot } from "../board/motion.ts";

type Motion = typeof import("../board/motion.ts");

let motion: Motion | undefined;

interface MovingProps {
  /** Undefined while no motion is wanted: in a replay. */
  readonly position: Position | undefined;
  readonly root: { readonly current: HTMLElement | null };
  readonly children: ComponentChildren;
}

/** Whether an update of the game, and nothing else, has changed what is drawn. */
function isUpdate(before: Position | undefined, now: Position | undefined): boolean {
  if (before === undefined || now === undefined) return false;
  const { area, lang, look, key } = before;
  const same = area.width === now.area.width && area.height === now.area.height;
  return same && lang === now.lang && look === now.look && key === now.key;
}

/** Shows its children, and moves the pieces that an update has changed. */
export class Moving extends Component<MovingProps> {
  override componentDidMount(): void {
    import("../board/motion.ts").then(
      (loaded) => {
        motion = loaded;
        for (const type of ["pointerdown", "keydown"])
          addEventListener(type, loaded.skipMotion, true);
      },
      () => undefined,
    );
  }

  override getSnapshotBeforeUpdate(before: MovingProps): Snapshot | null {
    const { position } = before;
    const { current } = this.props.root;
    const changed = position?.view !== this.props.position?.view;
    if (motion === undefined || current === null || !changed) return null;
    return isUpdate(position, this.props.position) ? motion.snapshot(current) : null;
  }

  override componentDidUpdate(_: MovingProps, __: unknown, before: Snapshot | null): void {
    const { current } = this.props.root;
    if (before && current !== null) motion?.moveChanged(current, before);
  }

  override render({ children }: MovingProps): ComponentChildren {
    return children;
  }
}
