// A map that can be dragged, pinched and zoomed. The camera is local state: it changes sixty times
// a second during a drag, and no other component needs it. It moves by itself only when `aim`
// changes.

import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** The visible part of the drawing: its middle, and the magnification relative to the whole. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export interface PanZoomProps {
  /** The size of the drawing itself. */
  readonly width: number;
  readonly height: number;
  readonly steps: readonly number[];
  /** Move the camera there when `aim.key` changes, and only then. */
  readonly aim?: { readonly key: string; readonly camera: Camera } | undefined;
  readonly label: string;
  /** Draws for a camera; static layers memoize on `camera.zoom`. */
  readonly children: (camera: Camera) => ComponentChildren;
  /** What lies above the map, and depends on the camera. */
  readonly over?: (camera: Camera, go: (camera: Camera) => void) => ComponentChildren;
  /** Buttons above the map; `go` moves the camera. */
  readonly controls: (camera: Camera, go: (camera: Camera) => void) => ComponentChildren;
}

/** A pointer that moves less than this many pixels has tapped. */
const TAP_PIXELS = 8;

/** The camera, clamped to the drawing. */
export function clamped(camera: Camera, width: number, height: number, most: number): Camera {
  const zoom = Math.min(Math.max(camera.zoom, 1), most);
  const halfX = width / zoom / 2;
  const halfY = height / zoom / 2;
  return {
    zoom,
    x: Math.min(Math.max(camera.x, halfX), width - halfX),
    y: Math.min(Math.max(camera.y, halfY), height - halfY),
  };
}

/** Zooms about a point of the drawing, which stays at its position on the screen. */
export function zoomedAbout(camera: Camera, zoom: number, x: number, y: number): Camera {
  const ratio = camera.zoom / zoom;
  return { zoom, x: x - (x - camera.x) * ratio, y: y - (y - camera.y) * ratio };
}

/** The next zoom step up or down. */
export function nextStep(zoom: number, steps: readonly number[], up: boolean): number {
  const beyond = up
    ? steps.find((step) => step > zoom + 0.01)
    : steps.findLast((step) => step < zoom - 0.01);
  return beyond ?? zoom;
}

interface Finger {
  readonly x: number;
  readonly y: number;
}

function middle(fingers: readonly Finger[]): Finger {
  const sum = fingers.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y }), { x: 0, y: 0 });
  return { x: sum.x / fingers.length, y: sum.y / fingers.length };
}

function spread(fingers: readonly Finger[]): number {
  const [a, b] = fingers;
  return a === undefined || b === undefined ? 0 : Math.hypot(a.x - b.x, a.y - b.y);
}

/** A drawing of `width` by `height` that fills its container. */
export function PanZoom(props: PanZoomProps): VNode {
  const { width, height, steps, aim } = props;
  const most = steps.at(-1) ?? 1;
  const overview: Camera = { x: width / 2, y: height / 2, zoom: 1 };
  const shown = useRef<Camera>(aim?.camera ?? overview);
  const aimed = useRef(aim?.key);
  // Not by an effect: the map would be drawn twice.
  if (aim !== undefined && aim.key !== aimed.current) {
    shown.current = clamped(aim.camera, width, height, most);
  }
  aimed.current = aim?.key;
  const camera = shown.current;
  const [, redraw] = useState<unknown>();
  const svg = useRef<SVGSVGElement>(null);
  const fingers = useRef(new Map<number, Finger>());
  const moved = useRef(0);
  const go = (to: Camera): void => {
    shown.current = clamped(to, width, height, most);
    redraw(shown.current);
  };

  /** Drawing units per pixel, and the point under the pointer. */
  const scale = (): number => {
    const matrix = svg.current?.getScreenCTM();
    return matrix == null || matrix.a === 0 ? 1 : 1 / matrix.a;
  };
  const under = (x: number, y: number): Finger => {
    const box = svg.current?.getBoundingClientRect();
    const unit = scale();
    const at = shown.current;
    if (box === undefined) return at;
    return {
      x: at.x + (x - box.left - box.width / 2) * unit,
      y: at.y + (y - box.top - box.height / 2) * unit,
    };
  };

  useEffect(() => {
    const element = svg.current;
    if (element === null) return;
    // Not passive: the page must not scroll while the map zooms.
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const at = under(event.clientX, event.clientY);
      const zoom = Math.min(Math.max(shown.current.zoom * 1.0015 ** -event.deltaY, 1), most);
      go(zoomedAbout(shown.current, zoom, at.x, at.y));
    };
    // A lesson points at a place: it comes to the middle.
    const onReveal = ({ target }: Event): void => {
      const { left, top, width, height } = (target as Element).getBoundingClientRect();
      go({ ...shown.current, ...under(left + width / 2, top + height / 2) });
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    element.addEventListener("reveal", onReveal);
    return () => {
      element.removeEventListener("wheel", onWheel);
      element.removeEventListener("reveal", onReveal);
    };
  }, []);

  const onPointerDown = (event: PointerEvent): void => {
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    moved.current = 0;
  };
  const onPointerMove = (event: PointerEvent): void => {
    const before = [...fingers.current.values()];
    const last = fingers.current.get(event.pointerId);
    if (last === undefined) return;
    moved.current += Math.hypot(event.clientX - last.x, event.clientY - last.y);
    if (moved.current < TAP_PIXELS) return;
    svg.current?.setPointerCapture(event.pointerId);
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const after = [...fingers.current.values()];
    const from = middle(before);
    const to = middle(after);
    const unit = scale();
    let next: Camera = {
      ...shown.current,
      x: shown.current.x - (to.x - from.x) * unit,
      y: shown.current.y - (to.y - from.y) * unit,
    };
    if (after.length === 2 && spread(before) > 0) {
      const at = under(to.x, to.y);
      next = zoomedAbout(next, (next.zoom * spread(after)) / spread(before), at.x, at.y);
    }
    go(next);
  };
  const onPointerEnd = (event: PointerEvent): void => {
    fingers.current.delete(event.pointerId);
  };
  // A drag that ends on a station must not choose it.
  const onClickCapture = (event: MouseEvent): void => {
    if (moved.current >= TAP_PIXELS) event.stopPropagation();
    moved.current = 0;
  };

  const seenWidth = width / camera.zoom;
  const seenHeight = height / camera.zoom;
  return (
    <div class="panzoom">
      <svg
        ref={svg}
        viewBox={`${camera.x - seenWidth / 2} ${camera.y - seenHeight / 2} ${seenWidth} ${seenHeight}`}
        role="group"
        aria-label={props.label}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerEnd}
        onPointerCancel={onPointerEnd}
        onClickCapture={onClickCapture}
      >
        {props.children(camera)}
      </svg>
      {props.over?.(camera, go)}
      <div class="panzoom-controls">{props.controls(camera, go)}</div>
    </div>
  );
}
