// Icons of the board: weapons and the castle on pieces.

import type { VNode } from "preact";
import type { Seat } from "../../board/index.ts";
import type { Kind } from "./selectors.ts";

/** In a box of 22. */
const SHAPES: Readonly<Record<Kind, string>> = {
  archer: "M5 4c8 2 8 12 0 14M5 4v14M3 11h13m-4-4 4 4-4 4",
  spear: "M4 18 15 7M13 3h6v6c-3 1-6-1-6-6z",
  sword: "M18 3 8 13M5 11l5 5M7 14l-4 4",
  capital: "M3 19h16M5 19v-6h12v6M2 13l4-4h10l4 4M7 9V6h8v3M6 6l5-4 5 4",
};

/** The weapon of a samurai, or the castle of a capital, on a piece of this seat; middle at 0, 0. */
export function Weapon(props: {
  readonly kind: Kind;
  readonly seat: Seat;
  readonly size: number;
}): VNode {
  const scale = (props.size / 22).toFixed(3);
  return (
    <path
      class={`weapon seat-${props.seat}`}
      transform={`scale(${scale}) translate(-11 -11)`}
      d={SHAPES[props.kind]}
    />
  );
}

/** A piece with its weapon, for lists and buttons. */
export function WeaponMark(props: { readonly kind: Kind; readonly size?: number }): VNode {
  const { size = 20 } = props;
  return (
    <svg class="weapon-mark" viewBox="0 0 22 22" width={size} height={size} aria-hidden="true">
      <path d={SHAPES[props.kind]} />
    </svg>
  );
}
