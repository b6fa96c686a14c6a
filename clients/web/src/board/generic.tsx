// The board of a game without a drawing: seats and hands as a table, the server's text, and buttons
// made from the grammar. A value's button implies its verb, so a move with two values is two presses.

import { Fragment, type VNode } from "preact";
import { localValue, verbName } from "../line/valueNames.ts";
import type { VerbForm } from "../protocol/answers.gen.ts";
import { hasFields, labelOf, SeatTable, TableFacts } from "./genericTable.tsx";
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
  Tray,
} from "./index.ts";
import { textBoard } from "./textBoard.tsx";
import "./generic.css";

const strings = bothLanguages(
  {
    nothing: "Nothing to decide now.",
    forms: "Your move",
    again: "Choose again",
    either: (verbs: readonly string[]) => `${verbs.join(" or ")}?`,
    open: (verb: string, slots: readonly string[]) => `${verb}: choose ${slots.join(", ")}.`,
    value: (verb: string, slot: string, value: string) => `${verb}, ${slot}: ${value}`,
  },
  {
    nothing: "いまは決めることがありません。",
    forms: "あなたの手",
    again: "選び直す",
    either: (verbs: readonly string[]) => `手を選んでください: ${verbs.join("、")}。`,
    open: (verb: string, slots: readonly string[]) =>
      `${verb}: ${slots.join("と")}を選んでください。`,
    value: (verb: string, slot: string, value: string) => `${verb} ${slot} ${value}`,
  },
);

/** A slot with more values than this has no buttons; the line and its completion offer them. */
const BUTTONS_MAX = 120;

/** The slots that the line has so far, if it is a line of this verb. */
function chosenIn({ draft }: Position, verb: string) {
  return draft.verb === verb ? draft.slots : {};
}

/** The next value of a slot in some lines: of a list the one after those that are chosen. */
function nextOf(lines: readonly Line[], slot: SlotForm, chosen: string): readonly string[] {
  const begun = slot.most === undefined || chosen === "" ? "" : `${chosen} `;
  const values = new Set<string>();
  for (const line of lines) {
    const value = line.slots[slot.name];
    if (value === undefined || !value.startsWith(begun)) continue;
    values.add(slot.most === undefined ? value : (value.slice(begun.length).split(" ")[0] ?? ""));
  }
  return inOrder([...values]);
}

/** Numbers by size; other values in the order of the legal lines. */
export function inOrder(values: readonly string[]): readonly string[] {
  const numbers = values.every((value) => /^-?\d+$/.test(value));
  return numbers ? values.toSorted((a, b) => Number(a) - Number(b)) : values;
}

interface Offered {
  readonly values: readonly string[];
  /** Those that go together with what is chosen in other slots. */
  readonly fitting: readonly string[];
}

/** The values of a slot; only the fitting ones where all would be too many. */
function offered(position: Position, verb: string, slot: SlotForm): Offered {
  const { [slot.name]: chosen = "", ...rest } = chosenIn(position, verb);
  const fitting = nextOf(linesWith(position.moves, rest, verb), slot, chosen);
  const all = slot.most === undefined ? nextOf(linesWith(position.moves, {}, verb), slot, "") : [];
  const values = all.length === 0 || all.length > BUTTONS_MAX ? fitting : all;
  return { values: values.length > BUTTONS_MAX ? [] : values, fitting };
}

function SlotGroup(props: {
  readonly position: Position;
  readonly form: VerbForm;
  readonly slot: SlotForm;
}): VNode | null {
  const { position, form, slot } = props;
  const { lang, game } = position;
  const { values, fitting } = offered(position, form.verb, slot);
  if (values.length === 0) return null;
  const chosen = chosenIn(position, form.verb)[slot.name]?.split(" ") ?? [];
  const title = labelOf(game, slot.name, lang);
  const verb = verbName(form, lang);
  const labels = strings(lang);
  return (
    <Group title={title} class="generic-slot">
      {values.map((value) => {
        const label = localValue(game.words, slot.name, value, lang);
        return (
          <PlaceButton
            key={value}
            id={`${form.verb} ${slot.name} ${value}`}
            label={labels.value(verb, title, label)}
            may={fitting.includes(value) && !chosen.includes(value)}
            chosen={chosen.includes(value)}
          >
            {label}
          </PlaceButton>
        );
      })}
    </Group>
  );
}

/** The verbs with a legal line, in the order of the grammar. */
function verbsOf({ game, moves }: Position): readonly VerbForm[] {
  const legal = new Set(moves.map((line) => line.verb));
  return game.verbs.filter((form) => legal.has(form.verb));
}

function VerbForms({
  position,
  form,
}: {
  readonly position: Position;
  readonly form: VerbForm;
}): VNode {
  const name = verbName(form, position.lang);
  const bare = position.moves.some((line) => line.text === `/${form.verb}`);
  return (
    <Fragment>
      {bare && (
        <Group title="" class="generic-verb">
          <PlaceButton id={form.verb} label={name} may chosen={position.draft.verb === form.verb}>
            {name}
          </PlaceButton>
        </Group>
      )}
      {form.slots.map((slot) => (
        <SlotGroup key={slot.name} position={position} form={form} slot={slot} />
      ))}
    </Fragment>
  );
}

function Forms({ position }: BoardProps): VNode {
  const labels = strings(position.lang);
  const verbs = verbsOf(position);
  if (verbs.length === 0) return <Tray label={labels.forms}>{labels.nothing}</Tray>;
  return (
    <Tray label={labels.forms}>
      {verbs.map((form) => (
        <VerbForms key={form.verb} position={position} form={form} />
      ))}
      {position.draft.text !== "" && (
        <Group title="" class="generic-verb">
          <PlaceButton id="" label={labels.again} idle={false}>
            {labels.again}
          </PlaceButton>
        </Group>
      )}
    </Tray>
  );
}

function Drawing(props: BoardProps): VNode {
  if (!hasFields(props.position)) return <textBoard.Drawing {...props} />;
  return (
    <div class="generic fit">
      <SeatTable position={props.position} />
      <TableFacts position={props.position} />
      <textBoard.Drawing {...props} />
    </div>
  );
}

function press(place: string, position: Position): Act | undefined {
  const [verb = "", name = "", ...values] = place.split(" ");
  if (verb === "") return { act: "clear" };
  if (name === "") return { act: "pick", verb, slots: {} };
  const slot = position.game.verbs
    .find((form) => form.verb === verb)
    ?.slots.find((each) => each.name === name);
  const before = slot?.most === undefined ? undefined : chosenIn(position, verb)[name];
  const value = [...(before === undefined ? [] : [before]), ...values].join(" ");
  return { act: "pick", verb, slots: { [name]: value } };
}

/** What is still to be chosen; between which moves, if the line has none yet. */
function task(position: Position): string | undefined {
  const { lang, game, draft } = position;
  const verbs = verbsOf(position);
  if (verbs.length === 0) return undefined;
  const form = verbs.length === 1 ? verbs[0] : verbs.find((each) => each.verb === draft.verb);
  if (form === undefined) return strings(lang).either(verbs.map((each) => verbName(each, lang)));
  const open = form.slots.filter((slot) => chosenIn(position, form.verb)[slot.name] === undefined);
  const names = open.map((slot) => labelOf(game, slot.name, lang)).filter((name) => name !== "");
  const verb = verbName(form, lang);
  return names.length === 0 ? undefined : strings(lang).open(verb, names);
}

export const generic = defineBoard({ ...textBoard, Drawing, Tray: Forms, press, task });
