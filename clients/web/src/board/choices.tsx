// Places as text and as choices: what text boards and trays list.

import type { ComponentChildren, VNode } from "preact";
import type { Position } from "./contract.ts";
import { PlaceButton, type PlaceState } from "./place.tsx";

interface PlaceItem extends PlaceState {
  /** What else is to be said of it. */
  readonly more?: ComponentChildren;
}

/** Places of a text board as a list: buttons where a press does something, else their labels. */
export function PlaceList({ places }: { readonly places: readonly PlaceItem[] }): VNode {
  return (
    <ul>
      {places.map(({ more, ...place }) => (
        <li key={place.id}>
          {place.may ? <PlaceButton {...place} /> : place.label}
          {more}
        </li>
      ))}
    </ul>
  );
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
