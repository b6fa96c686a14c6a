// Small components that several boards need: tags, tabs, keys.

import type { ComponentChildren, VNode } from "preact";
import type { Seat } from "./contract.ts";
import { Piece } from "./piece.tsx";

/** What just happened at a place: a piece and an amount in a pill, its middle at (x, y). */
export function Tag(props: {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly seat?: Seat;
}): VNode {
  const width = props.text.length * 7.5 + (props.seat === undefined ? 10 : 24);
  const left = -width / 2;
  return (
    <g class="tag" transform={`translate(${props.x} ${props.y})`} aria-hidden="true">
      <rect x={left} y={-9} width={width} height={18} rx={9} />
      {props.seat !== undefined && <Piece seat={props.seat} x={left + 11} y={0} r={5.5} text="" />}
      <text x={props.seat === undefined ? 0 : 7} y={4.5}>
        {props.text}
      </text>
    </g>
  );
}

/** Tabs of a board on a phone; `look` stores the selected tab. */
export function Tabs(props: {
  readonly label: string;
  readonly tabs: readonly {
    readonly key: string;
    readonly label: ComponentChildren;
    /** The kind of places that only this tab shows: a lesson that speaks of one rings the tab. */
    readonly shows?: string;
  }[];
  readonly open: string;
  readonly onOpen: (key: string) => void;
}): VNode {
  return (
    <div class="board-tabs" role="tablist" aria-label={props.label}>
      {props.tabs.map((tab) => (
        <button
          key={tab.key}
          type="button"
          role="tab"
          data-shows={tab.key === props.open ? undefined : tab.shows}
          aria-selected={tab.key === props.open}
          onClick={() => props.onOpen(tab.key)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}

/** The strip below a board: hand, dice, planned moves. */
export function Tray(props: {
  readonly label: string;
  readonly children?: ComponentChildren;
}): VNode {
  return (
    <section class="tray" aria-label={props.label}>
      {props.children}
    </section>
  );
}

/** A titled group in a tray. */
export function Group(props: {
  readonly title: string;
  readonly class?: string;
  readonly children?: ComponentChildren;
}): VNode {
  return (
    <div class={props.class === undefined ? "group" : `group ${props.class}`}>
      <h3>{props.title}</h3>
      <div class="group-body">{props.children}</div>
    </div>
  );
}
