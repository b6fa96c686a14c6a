// Line icons on a 22 by 22 grid, in the colour of the text.

import type { VNode } from "preact";

// Functions, not nodes: a node that is drawn twice retains its first parent, see `still.tsx`.
const PATHS = {
  undo: () => (
    <>
      <path d="M7 5 3 9l4 4M3 9h9a5 5 0 0 1 0 10H8" />
    </>
  ),
  list: () => (
    <>
      <path d="M4 5h14M4 11h14M4 17h14" />
    </>
  ),
  hint: () => (
    <>
      <path d="M11 3a6 6 0 0 0-3 11v2h6v-2a6 6 0 0 0-3-11zM9 19h4" />
    </>
  ),
  book: () => (
    <>
      <path d="M4 3h11a3 3 0 0 1 3 3v13H7a3 3 0 0 1-3-3zM4 16a3 3 0 0 1 3-3h11" />
    </>
  ),
  vote: () => (
    <>
      <path d="M4 11l5 5L19 5" />
    </>
  ),
  more: () => (
    <>
      <circle cx="5" cy="11" r="1.2" />
      <circle cx="11" cy="11" r="1.2" />
      <circle cx="17" cy="11" r="1.2" />
    </>
  ),
  send: () => (
    <>
      <path d="M3 11h15M12 5l6 6-6 6" />
    </>
  ),
  menu: () => (
    <>
      <path d="M3 6h16M3 11h16M3 16h16" />
    </>
  ),
  sun: () => (
    <>
      <circle cx="11" cy="11" r="4" />
      <path d="M11 2v3M11 17v3M2 11h3M17 11h3" />
    </>
  ),
  link: () => (
    <>
      <path d="M9 13a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M13 9a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1" />
    </>
  ),
  bot: () => (
    <>
      <rect x="4" y="8" width="14" height="10" rx="3" />
      <path d="M11 4v4" />
      <circle cx="8.5" cy="13" r="1" />
      <circle cx="13.5" cy="13" r="1" />
    </>
  ),
  lock: () => (
    <>
      <rect x="5" y="10" width="12" height="9" rx="2" />
      <path d="M8 10V7a3 3 0 0 1 6 0v3" />
    </>
  ),
  rot: () => (
    <>
      <path d="M18 11a7 7 0 1 1-2-5M18 3v4h-4" />
    </>
  ),
  flip: () => (
    <>
      <path d="M11 3v16M8 6 3 16h5zM14 6l5 10h-5z" />
    </>
  ),
  plus: () => (
    <>
      <path d="M11 4v14M4 11h14" />
    </>
  ),
  minus: () => (
    <>
      <path d="M4 11h14" />
    </>
  ),
  fit: () => (
    <>
      <path d="M3 8V3h5M14 3h5v5M19 14v5h-5M8 19H3v-5" />
    </>
  ),
  me: () => (
    <>
      <circle cx="11" cy="11" r="3" />
      <path d="M11 2v4M11 16v4M2 11h4M16 11h4" />
    </>
  ),
  flag: () => (
    <>
      <path d="M5 20V3h12l-3 4 3 4H5" />
    </>
  ),
  play: () => (
    <>
      <path d="M6 4v14l12-7z" fill="currentColor" />
    </>
  ),
  pause: () => (
    <>
      <path d="M7 4v14M15 4v14" />
    </>
  ),
  up: () => (
    <>
      <path d="M4 14l7-7 7 7" />
    </>
  ),
  down: () => (
    <>
      <path d="M4 8l7 7 7-7" />
    </>
  ),
  back: () => (
    <>
      <path d="M13 4 6 11l7 7" />
    </>
  ),
  fwd: () => (
    <>
      <path d="M9 4l7 7-7 7" />
    </>
  ),
  eye: () => (
    <>
      <path d="M2 11s3-6 9-6 9 6 9 6-3 6-9 6-9-6-9-6z" />
      <circle cx="11" cy="11" r="2.5" />
    </>
  ),
  truck: () => (
    <>
      <path d="M2 6h10v9H2zM12 9h4l3 3v3h-7z" />
      <circle cx="6" cy="16" r="2" />
      <circle cx="15" cy="16" r="2" />
    </>
  ),
  train: () => (
    <>
      <rect x="5" y="3" width="12" height="12" rx="3" />
      <path d="M5 10h12M8 18l-2 2M14 18l2 2" />
    </>
  ),
  ship: () => (
    <>
      <path d="M3 13h16l-3 6H6zM11 3v10M11 4l6 6h-6" />
    </>
  ),
  plane: () => (
    <>
      <path d="M11 2v18M11 8 2 13v2l9-3 9 3v-2zM7 20l4-2 4 2" />
    </>
  ),
  x: () => (
    <>
      <path d="M5 5l12 12M17 5 5 17" />
    </>
  ),
  clock: () => (
    <>
      <circle cx="11" cy="11" r="8" />
      <path d="M11 6v5l3 2" />
    </>
  ),
  copy: () => (
    <>
      <rect x="7" y="7" width="11" height="12" rx="2" />
      <path d="M14 7V3H4v11h3" />
    </>
  ),
  sound: () => (
    <>
      <path d="M3 8v6h4l5 4V4L7 8zM15 8a4 4 0 0 1 0 6" />
    </>
  ),
} as const;

export type IconName = keyof typeof PATHS;

/** An icon. The text or label beside it gives its meaning. */
export function Icon({
  name,
  size = 18,
}: {
  readonly name: IconName;
  readonly size?: number;
}): VNode {
  return (
    <svg class="icon" viewBox="0 0 22 22" width={size} height={size} aria-hidden="true">
      {PATHS[name]()}
    </svg>
  );
}
