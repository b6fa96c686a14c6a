// A map that is redrawn at each zoom step, with its buttons.

import type { ComponentChildren, VNode } from "preact";
import { MapButtons } from "./cameraControls.tsx";
import type { Spot } from "./labelGrid.ts";
import type { Sight } from "./overview.tsx";
import { type Camera, PanZoom } from "./panzoom.tsx";

/** The smallest size of a map, in CSS pixels. */
const LEAST = { x: 200, y: 160 };

type Go = (camera: Camera) => void;

/** The labels of a map and its buttons. */
interface MapLabels {
  readonly map: string;
  readonly zoomIn: string;
  readonly zoomOut: string;
  readonly all: string;
}

export function LeveledMap(props: {
  readonly width: number;
  readonly height: number;
  /** The zoom steps at which the map is drawn, for its size in whole pixels. */
  readonly steps: (width: number, height: number) => readonly number[];
  readonly labels: MapLabels;
  /** Where to move the camera, and the key that starts the move when it changes. */
  readonly aim: (
    size: Spot,
    steps: readonly number[],
  ) => { readonly key: string; readonly camera: Camera } | undefined;
  /** Whether to leave out the zoom-out button on a small screen. */
  readonly few?: boolean;
  /** Further buttons of the game. */
  readonly buttons: (
    camera: Camera,
    go: Go,
    size: Spot,
    steps: readonly number[],
  ) => ComponentChildren;
  /** What lies above the map. */
  readonly over?: (sight: Sight) => ComponentChildren;
  /** The drawing at one zoom step. */
  readonly children: (size: Spot, level: number) => ComponentChildren;
}): VNode {
  const { labels, few = false } = props;
  const width = Math.max(Math.round(props.width), LEAST.x);
  const height = Math.max(Math.round(props.height), LEAST.y);
  const size = { x: width, y: height };
  const steps = props.steps(width, height);
  const levelFor = (zoom: number): number => steps.findLast((step) => step <= zoom + 0.01) ?? 1;
  return (
    <PanZoom
      key={`${width} ${height}`}
      width={width}
      height={height}
      steps={steps}
      label={labels.map}
      aim={props.aim(size, steps)}
      over={(camera, go) => props.over?.({ camera, go, size })}
      controls={(camera, go) => (
        <MapButtons {...{ camera, go, steps, width, height, labels, few }}>
          {props.buttons(camera, go, size, steps)}
        </MapButtons>
      )}
    >
      {(camera) => props.children(size, levelFor(camera.zoom))}
    </PanZoom>
  );
}
