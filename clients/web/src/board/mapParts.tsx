// What maps have in common: names, the camera above a spot, and a query that the map sends.

import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { Act } from "./contract.ts";
import type { Spot } from "./labelGrid.ts";
import type { Label } from "./mapLayout.ts";
import type { Camera } from "./panzoom.tsx";

/** A name on a map; nothing where it has no room. */
export function MapName(props: {
  readonly label: Label | undefined;
  readonly font: number;
  readonly class?: string | undefined;
}): VNode | null {
  const { label, font, class: more } = props;
  if (label === undefined) return null;
  return (
    <text
      class={more === undefined ? "name" : `name ${more}`}
      x={label.x}
      y={label.y}
      text-anchor={label.anchor}
      font-size={font}
    >
      {label.text}
    </text>
  );
}

/** The camera above a spot; without one the whole map. */
export function cameraOn(spot: Spot | undefined, size: Spot, zoom = 1): Camera {
  if (spot === undefined) return { x: size.x / 2, y: size.y / 2, zoom: 1 };
  return { x: spot.x, y: spot.y, zoom };
}

/** Sends a query of a map, again when what it depends on has changed. */
export function useQuestion(
  act: (act: Act) => void,
  line: string | undefined,
  of: readonly unknown[],
): void {
  useEffect(() => {
    if (line !== undefined) act({ act: "ask", line });
  }, [line, ...of]);
}
