// Icons of the board: weapons and the castle on pieces.

import type { VNode } from "preact";
import type { Seat } from "../../board/index.ts";
import type { Kind } from "./selectors.ts";
import weapons from "./weapons.json";

/** In a box of 22. */
const SHAPES: Readonly<Record<Kind, string>> = weapons;

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
    <svg viewBox="0 0 22 22" width={size} height={size} aria-hidden="true">
      <path class="weapon" d={SHAPES[props.kind]} />
    </svg>
  );
}
