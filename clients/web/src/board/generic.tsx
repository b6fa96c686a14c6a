// The board of a game without a drawing: the server's text, and forms made from the grammar.

import type { VNode } from "preact";
import {
  type Act,
  type BoardProps,
  bothLanguages,
  defineBoard,
  Group,
  type Line,
  linesWith,
  PlaceButton,
  type Position,
  type SlotForm,
  slotValues,
  Tray,
} from "./index.ts";

const strings = bothLanguages(
  {
    nothing: "Nothing to decide now.",
    verbs: "What",
    table: "The table as text",
    forms: "Your move",
    choose: (slot: string, value: string) => `${slot}: ${value}`,
  },
  {
    nothing: "いまは決めることがありません。",
    verbs: "手",
    table: "文字の盤面",
    forms: "あなたの手",
    choose: (slot: string, value: string) => `${slot}: ${value}`,
  },
);

/** A slot with more values than this has no buttons; the line and its completion offer them. */
const BUTTONS_MAX = 120;

/** The legal lines that fit all chosen slots except this one. */
function alternatives(position: Position, slot: string): readonly Line[] {
  const { [slot]: _, ...rest } = position.draft.slots;
  return linesWith(position.moves, rest, position.draft.verb);
}

function SlotGroup(props: { readonly position: Position; readonly slot: SlotForm }): VNode | null {
  const { position, slot } = props;
  const offered = slotValues(alternatives(position, slot.name), slot.name);
  if (offered.length === 0 || offered.length > BUTTONS_MAX) return null;
  const chosen = position.draft.slots[slot.name];
  return (
    <Group title={slot.name}>
      {offered.map((value) => (
        <PlaceButton
          key={value}
          id={`slot ${slot.name} ${value}`}
          label={strings(position.lang).choose(slot.name, value)}
          may={value !== chosen}
          chosen={value === chosen}
        >
          {value}
        </PlaceButton>
      ))}
    </Group>
  );
}

function Forms({ position }: { readonly position: Position }): VNode {
  const labels = strings(position.lang);
  const verbs = [...new Set(position.moves.map((line) => line.verb))];
  const form = position.game.verbs.find((each) => each.verb === position.draft.verb);
  if (verbs.length === 0) return <Tray label={labels.forms}>{labels.nothing}</Tray>;
  return (
    <Tray label={labels.forms}>
      <Group title={labels.verbs}>
        {verbs.map((verb) => (
          <PlaceButton
            key={verb}
            id={`verb ${verb}`}
            label={`/${verb}`}
            may={verb !== position.draft.verb}
            chosen={verb === position.draft.verb}
          >
            <span class="mono">/{verb}</span>
          </PlaceButton>
        ))}
      </Group>
      {form?.slots.map((slot) => (
        <SlotGroup key={slot.name} position={position} slot={slot} />
      ))}
    </Tray>
  );
}

function Drawing({ position }: BoardProps): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region is reached by keyboard
    <section class="board-text fit" aria-label={strings(position.lang).table} tabIndex={0}>
      <pre>{position.answers["/board"]?.text}</pre>
    </section>
  );
}

function press(place: string, position: Position): Act | undefined {
  const [kind, name = "", ...rest] = place.split(" ");
  if (kind === "verb") return { act: "pick", verb: name, slots: {} };
  if (kind !== "slot" || position.draft.verb === undefined) return undefined;
  return { act: "pick", verb: position.draft.verb, slots: { [name]: rest.join(" ") } };
}

export const generic = defineBoard({ Drawing, Tray: Forms, AsText: Drawing, press });
