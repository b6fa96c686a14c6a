// Places as text and as choices: what text boards and trays list.

import type { ComponentChildren, VNode } from "preact";
import type { Position } from "./contract.ts";
import { PlaceButton, type PlaceState } from "./place.tsx";

/** A place of a text board: a button where a press does something, else its label. */
export function PlaceText(props: PlaceState): ComponentChildren {
  return props.may ? <PlaceButton {...props} /> : props.label;
}

/** What a button shows: its label, and the drawing if that is another one. */
export type Face = readonly [label: string, drawn?: ComponentChildren];

/** A button for each value of a slot that a legal line has; its id is the kind and the value. */
export function slotButtons<Value extends string>(
  { draft }: Pick<Position, "draft">,
  kind: string,
  slot: string,
  values: readonly Value[],
  face: (value: Value) => Face,
): readonly VNode[] {
  return values.map((value) => {
    const [label, drawn] = face(value);
    const chosen = draft.slots[slot] === value;
    return (
      <PlaceButton key={value} id={`${kind} ${value}`} label={label} may chosen={chosen}>
        {drawn}
      </PlaceButton>
    );
  });
}
