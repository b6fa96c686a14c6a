// What a board loads after it is drawn: motion, dragging, and the texts about its places.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Position } from "../board/contract.ts";
import type { DragScene } from "./dragging.ts";
import { useModule } from "./lazy.tsx";

interface Root {
  readonly current: HTMLElement | null;
}

/** Listens for drags, if places of the board can be dragged; a replay has no lines, and none. */
export function useDrags(root: Root, scene: DragScene): void {
  const now = useRef(scene);
  now.current = scene;
  const module = useModule(scene.board?.drag !== undefined, () => import("./dragging.ts"));
  useEffect(() => {
    if (root.current !== null) return module?.listenToDrags(root.current, () => now.current);
  }, [module]);
}

/**
 * Moves what an update has changed; in a replay, which has no live position, nothing moves. Returns
 * the texts about places, once they are loaded.
 */
export function useMotion(root: Root, live: Position | undefined) {
  const module = useModule(true, () => import("./explanation.tsx"));
  // The drawing on the screen is still the former one.
  module?.beforeDrawing(root.current, live);
  useLayoutEffect(() => module?.afterDrawing(root.current));
  return module?.Explanation;
}
