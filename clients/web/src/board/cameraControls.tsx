// Camera controls of a map: keys that move the camera, and the buttons above the map.

import type { ComponentChildren, VNode } from "preact";
import type { Act, Look } from "./contract.ts";
import { Icon, type IconName } from "./icons.tsx";
import { type Camera, nextStep } from "./panzoom.tsx";

/**
 * The act of a key that moves the camera. The number changes with every press, so that the map
 * moves each time.
 */
export function aimed(what: string): (position: { readonly look: Look }) => Act {
  return ({ look }) => {
    const count = typeof look.aim === "string" ? Number(look.aim.split(" ")[1]) : 0;
    return { act: "look", look: { aim: `${what} ${count + 1}` } };
  };
}

/** A button above a map: an icon, with its label for screen readers. */
export function MapButton(props: {
  readonly label: string;
  readonly icon: IconName;
  readonly onClick: () => void;
}): VNode {
  const { label, icon, onClick } = props;
  return (
    <button type="button" class="btn" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} size={20} />
    </button>
  );
}

/** Buttons to zoom in, zoom out and show the whole map, then the game's own buttons. */
export function MapButtons(props: {
  readonly camera: Camera;
  readonly go: (camera: Camera) => void;
  readonly steps: readonly number[];
  /** The size of the drawing at zoom 1. */
  readonly width: number;
  readonly height: number;
  readonly labels: { readonly zoomIn: string; readonly zoomOut: string; readonly all: string };
  /**
   * Whether to leave out the zoom-out button on a small screen: "show the whole map" replaces it.
   */
  readonly few?: boolean;
  readonly children?: ComponentChildren;
}): VNode {
  const { camera, go, steps, width, height, labels, few = false } = props;
  const zoom = (up: boolean) => (): void =>
    go({ ...camera, zoom: nextStep(camera.zoom, steps, up) });
  const overview = (): void => go({ x: width / 2, y: height / 2, zoom: 1 });
  return (
    <>
      <MapButton label={labels.zoomIn} icon="plus" onClick={zoom(true)} />
      {!few && <MapButton label={labels.zoomOut} icon="minus" onClick={zoom(false)} />}
      <MapButton label={labels.all} icon="fit" onClick={overview} />
      {props.children}
    </>
  );
}
