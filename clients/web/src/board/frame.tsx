// The frame of a board: handles the clicks on its places and carries out what `press` returns.

import type { ComponentChildren, VNode } from "preact";
import type { Act, AnyEvent, Board, Position } from "./contract.ts";

/** The place that is the target of an event. */
export function placeOf(target: EventTarget | null): string | undefined {
  if (!(target instanceof Element)) return undefined;
  const place = target.closest("[data-place]");
  return place?.getAttribute("data-place") ?? undefined;
}

/** One listener for all places of a drawing or of its text. */
export function BoardFrame<View, Event extends AnyEvent, Fixed>(props: {
  /** Undefined while it is being loaded. */
  readonly board: Pick<Board<View, Event, Fixed>, "press"> | undefined;
  readonly position: Position<View, Event, Fixed> | undefined;
  readonly act: (act: Act, place: string) => void;
  readonly children: ComponentChildren;
}): VNode {
  const { board, position, act } = props;
  const onClick = (event: MouseEvent): void => {
    const place = placeOf(event.target);
    if (place === undefined || board === undefined || position === undefined) return;
    const wanted = board.press(place, position);
    if (wanted !== undefined) act(wanted, place);
  };
  return (
    <div class={position === undefined ? "board" : `board board-${position.key}`} onClick={onClick}>
      {props.children}
    </div>
  );
}
