// Places: the clickable targets of a board. The frame handles the clicks; see `contract.ts`.

import type { ComponentChildren, VNode } from "preact";

/** The appearance of a place and its label. */
export interface PlaceState {
  /** Unique on the board; the argument of `press`. */
  readonly id: string;
  /** One sentence for screen readers: what it is, what is on it, what a click does. */
  readonly label: string;
  /** Whether a legal line leads here: dashed. */
  readonly may?: boolean;
  /** Whether the draft contains it: thick. */
  readonly chosen?: boolean;
  /** Whether something happened here since my last move: tinted. */
  readonly just?: boolean;
  /** Whether a click does nothing; it is drawn, read out and reachable by the arrow keys. */
  readonly idle?: boolean;
}

function classOf(name: string, state: PlaceState, more: string | undefined): string {
  const classes = [name];
  if (state.may) classes.push("may");
  if (state.chosen) classes.push("chosen");
  if (state.just) classes.push("just");
  if (more !== undefined) classes.push(more);
  return classes.join(" ");
}

function attributes(state: PlaceState): Record<string, string | number | boolean | undefined> {
  return {
    role: "button",
    // In lower case: SVG accepts no other spelling.
    tabindex: -1,
    "data-place": state.id,
    "aria-label": state.label,
    "aria-pressed": state.chosen === undefined ? undefined : state.chosen,
    "aria-disabled": state.idle ? "true" : undefined,
  };
}

/**
 * A place in an SVG: a `<g>`. Its class has `may`, `chosen`, `just`; the kit's CSS draws the child
 * with class `field` accordingly (dashed, thick, tinted).
 */
export function Place(
  props: PlaceState & {
    readonly transform?: string;
    readonly class?: string;
    readonly children?: ComponentChildren;
  },
): VNode {
  return (
    <g
      class={classOf("place", props, props.class)}
      transform={props.transform}
      {...attributes(props)}
    >
      {props.children}
    </g>
  );
}

/** A place outside of an SVG: cards, dice, blocks of a tray. It shows its label, if nothing else. */
export function PlaceButton(
  props: PlaceState & {
    readonly class?: string;
    /** A card: it turns over as it comes to the hand, and it is found again by this name. */
    readonly card?: string;
    readonly children?: ComponentChildren;
  },
): VNode {
  const { card } = props;
  return (
    <button
      type="button"
      class={classOf("place-button", props, props.class)}
      {...(card !== undefined && {
        "data-piece": `card ${card}`,
        "data-state": card,
        "data-turns": "",
      })}
      {...attributes(props)}
      aria-label={undefined}
    >
      {/* The label describes it completely: its content is not read out. */}
      <span class="vh">{props.label}</span>
      <span class="drawn" aria-hidden="true">
        {props.children ?? props.label}
      </span>
    </button>
  );
}

/** The black plus sign of a legal place. */
export function Plus({
  x,
  y,
  r = 7,
}: {
  readonly x: number;
  readonly y: number;
  readonly r?: number;
}): VNode {
  const arm = r * 0.55;
  return (
    <g class="plus" transform={`translate(${x} ${y})`} aria-hidden="true">
      <circle r={r} />
      <path d={`M${-arm} 0H${arm}M0 ${-arm}V${arm}`} />
    </g>
  );
}
