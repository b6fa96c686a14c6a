// The logo, and a small picture of each game.

import type { VNode } from "preact";

export function Logo({ size = 28 }: { readonly size?: number }): VNode {
  return (
    <svg class="bear" viewBox="0 0 28 28" width={size} height={size} aria-hidden="true">
      <g class="fur">
        <circle cx="6.5" cy="7.5" r="4.5" />
        <circle cx="21.5" cy="7.5" r="4.5" />
        <circle cx="14" cy="15.5" r="11" />
      </g>
      <circle class="light" cx="10" cy="13.5" r="1.5" />
      <circle class="light" cx="18" cy="13.5" r="1.5" />
      <ellipse class="light" cx="14" cy="19" rx="4.2" ry="3.2" />
      <ellipse class="nose" cx="14" cy="17.8" rx="1.7" ry="1.2" />
    </svg>
  );
}

// Functions, not nodes: a node that is drawn twice retains its first parent, see `still.tsx`.
const PICTURES: Readonly<Record<string, () => VNode>> = {
  manhattan: () => (
    <g class="outlined">
      <rect class="seat-1" x="10" y="34" width="14" height="22" />
      <rect class="seat-2" x="25" y="14" width="14" height="42" />
      <rect class="seat-4" x="40" y="25" width="14" height="31" />
    </g>
  ),
  railroad_ink: () => (
    <g class="inked">
      <path d="M2 32H24M6 25v14M12 25v14M18 25v14" />
      <rect class="solid" x="23" y="22" width="18" height="20" rx="3" />
      <path d="M40 26H62M40 38H62" />
      <path class="dashed" d="M43 32H62" />
    </g>
  ),
  tokai: () => (
    <g>
      <path class="line-a" d="M32 4V60" />
      <path class="line-b" d="M8 54 56 8" />
      <circle class="station" cx="32" cy="31" r="8" />
    </g>
  ),
  itc: () => (
    <g class="outlined">
      <rect class="good-red" x="10" y="8" width="21" height="15" rx="3" />
      <rect class="good-blue" x="33" y="8" width="21" height="15" rx="3" />
      <rect class="good-yellow" x="10" y="25" width="21" height="15" rx="3" />
      <rect class="good-green" x="33" y="25" width="21" height="15" rx="3" />
      <rect class="good-black" x="10" y="42" width="21" height="15" rx="3" />
      <rect class="good-white" x="33" y="42" width="21" height="15" rx="3" />
    </g>
  ),
  tokugawa: () => (
    <g class="inked">
      <path d="M12 56H52M18 56V40H46V56M10 40Q20 38 24 30H40Q44 38 54 40ZM24 30V22H40V30M18 22Q28 20 32 10Q36 20 46 22Z" />
    </g>
  ),
};

/** The picture of a game; a die for a game without one. */
export function GamePicture({ game }: { readonly game: string }): VNode {
  const picture = PICTURES[game]?.() ?? (
    <g class="outlined">
      <rect class="good-white" x="12" y="12" width="40" height="40" rx="8" />
      <circle class="solid" cx="24" cy="24" r="4" />
      <circle class="solid" cx="40" cy="40" r="4" />
      <circle class="solid" cx="32" cy="32" r="4" />
    </g>
  );
  return (
    <svg class="game-picture" viewBox="0 0 64 64" aria-hidden="true">
      {picture}
    </svg>
  );
}
