// Above a map that shows a part of itself: the whole of it, small, with that part marked, and at the
// border an arrow to what is out of sight. A press on either moves the camera.

import type { ComponentChildren, VNode } from "preact";
import { type Box, crosses, type Spot } from "./labelGrid.ts";
import type { Camera } from "./panzoom.tsx";
import "./overview.css";

/** A map's camera, and the size of the whole map. */
export interface Sight {
  readonly camera: Camera;
  readonly size: Spot;
  readonly go: (camera: Camera) => void;
}

/** From this magnification on a map shows a part of itself. */
const ZOOMED = 1.15;

/** The visible part of a map. */
function frameOf({ camera: { x, y, zoom }, size }: Sight): Box {
  const [wide, high] = [size.x / zoom / 2, size.y / zoom / 2];
  return { left: x - wide, top: y - high, right: x + wide, bottom: y + high };
}

/** Whether a spot of the map is visible. */
export function isInSight(sight: Sight, { x, y }: Spot): boolean {
  return crosses(frameOf(sight), { left: x, top: y, right: x, bottom: y });
}

/** The whole map in a corner, while a part of it is shown; no place of it has a label. */
export function MiniMap(props: {
  readonly sight: Sight;
  readonly children: ComponentChildren;
}): VNode | null {
  const { camera, size, go } = props.sight;
  if (camera.zoom < ZOOMED) return null;
  const { left, top, right, bottom } = frameOf(props.sight);
  const jump = (event: MouseEvent): void => {
    if (!(event.currentTarget instanceof Element)) return;
    const box = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * size.x;
    go({ ...camera, x, y: ((event.clientY - box.top) / box.height) * size.y });
  };
  return (
    <svg class="mini-map" viewBox={`0 0 ${size.x} ${size.y}`} aria-hidden="true" onClick={jump}>
      {props.children}
      <rect class="shown" x={left} y={top} width={right - left} height={bottom - top} />
    </svg>
  );
}

/** Keeps a share between two others, in percent. */
function percent(share: number, least: number, most: number): string {
  return `${(Math.max(least, Math.min(share, most)) * 100).toFixed(0)}%`;
}

/** Where the arrow to a spot stands: at the border that a line from the middle crosses. */
function borderOf({ camera, size }: Sight, to: Spot): Record<string, string> {
  const across = ((to.x - camera.x) * camera.zoom) / size.x;
  const down = ((to.y - camera.y) * camera.zoom) / size.y;
  if (Math.abs(across) >= Math.abs(down)) {
    const top = percent(0.5 + (down / Math.abs(across)) * 0.5, 0.42, 0.76);
    return across < 0 ? { left: "6px", top } : { right: "6px", top };
  }
  const left = percent(0.5 + (across / Math.abs(down)) * 0.5, 0.1, 0.45);
  return down < 0 ? { left, top: "6px" } : { left, bottom: "62px" };
}

/** An arrow to a spot out of sight, with its name. */
export function Beacon(props: {
  readonly sight: Sight;
  readonly to: Spot;
  readonly name: string;
  readonly note: string;
}): VNode | null {
  const { sight, to, name, note } = props;
  const { camera, go } = sight;
  if (camera.zoom < ZOOMED || isInSight(sight, to)) return null;
  const angle = (Math.atan2(to.y - camera.y, to.x - camera.x) * 180) / Math.PI;
  return (
    <button
      type="button"
      class="beacon"
      style={borderOf(sight, to)}
      onClick={() => go({ ...camera, x: to.x, y: to.y })}
    >
      <svg viewBox="-10 -10 20 20" width={20} height={20} aria-hidden="true">
        <path d="M-4 -8 6 0 -4 8" transform={`rotate(${angle.toFixed(0)})`} />
      </svg>
      <span>
        <b>{name}</b> <small>{note}</small>
      </span>
    </button>
  );
}
