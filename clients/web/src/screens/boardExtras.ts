// What a board loads after it is drawn: its keyboard, motion, dragging, the texts about its places.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Position } from "../board/contract.ts";
import type { BoardInput, InputScene } from "./boardInput.ts";
import { useModule } from "./lazy.tsx";
import type { ViewProps } from "./viewProps.ts";

type Emit = ViewProps["emit"];

interface Root {
  readonly current: HTMLElement | null;
}

/** Listens for keys and drags on the board. */
export function useBoardInput(emit: Emit, root: Root, scene: InputScene): void {
  const now = useRef(scene);
  now.current = scene;
  const input = useRef<BoardInput | undefined>(undefined);
  const module = useModule(emit, true, () => import("./boardInput.ts"));
  useLayoutEffect(() => {
    if (root.current !== null) {
      input.current ??= module?.listenToBoard(root.current, () => now.current);
    }
    input.current?.drawn();
  });
  useEffect(() => () => input.current?.stop(), []);
}

/**
 * Moves what an update has changed; in a replay, which has no live position, nothing moves. Returns
 * the texts about places, once they are loaded.
 */
export function useMotion(emit: Emit, root: Root, live: Position | undefined) {
  const module = useModule(emit, true, () => import("./explanation.tsx"));
  // The drawing on the screen is still the former one.
  module?.beforeDrawing(root.current, live);
  useLayoutEffect(() => module?.afterDrawing(root.current));
  return module?.Explanation;
}
