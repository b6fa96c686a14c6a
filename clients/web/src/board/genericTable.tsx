// What the view of any game has, as a table of seats and a list of facts, by the view's schema.

import type { VNode } from "preact";
import { localValue } from "../line/valueNames.ts";
import {
  bothLanguages,
  type GameBody,
  type Lang,
  nameOf,
  number,
  type Position,
  SeatMark,
  type ViewSchema,
} from "./index.ts";

const strings = bothLanguages(
  { seats: "Seats", player: "Player", yes: "yes", no: "no", hidden: "hidden", none: "none" },
  {
    seats: "席",
    player: "プレイヤー",
    yes: "あり",
    no: "なし",
    hidden: "見えません",
    none: "なし",
  },
);

/** The name of a slot or field; empty if it has none in this language. */
export function labelOf(game: GameBody, name: string, lang: Lang): string {
  const option = game.options.find((each) => each.name === name)?.label;
  const named = game.fields?.[name] ?? game.slots?.[name] ?? option;
  return named?.[lang] ?? (lang === "en" ? name.replaceAll("_", " ") : "");
}

type Branch = { readonly [key: string]: unknown };

function isBranch(value: unknown): value is Branch {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One column: how to read it for a seat, and its name in the schema. */
interface Column {
  readonly name: string;
  readonly schema: ViewSchema;
  readonly of: (seat: string) => unknown;
}

const SCALAR = /^(integer|number|string|boolean)$/;

function isShown({ type, items, enum: choices }: ViewSchema): boolean {
  if (type === "array") return SCALAR.test(String(items?.type)) || items?.enum !== undefined;
  return SCALAR.test(String(type)) || choices !== undefined;
}

/** The columns of all that the view has by seat. */
function columnsOf({ game, view, room }: Position): readonly Column[] {
  const fields = Object.entries(game.view?.properties ?? {});
  return fields.flatMap(([name, { additionalProperties: each }]) => {
    const bySeat = isBranch(view) ? view[name] : undefined;
    if (!isBranch(each) || !isBranch(bySeat)) return [];
    const seats = Object.keys(bySeat);
    if (seats.length === 0 || !seats.every((seat) => seat in room.seats)) return [];
    const schema: ViewSchema = each;
    if (schema.properties === undefined) {
      return isShown(schema) ? [{ name, schema, of: (seat: string) => bySeat[seat] }] : [];
    }
    return Object.entries(schema.properties).flatMap(([below, inner]) => {
      const of = (seat: string): unknown => {
        const branch = bySeat[seat];
        return isBranch(branch) ? branch[below] : undefined;
      };
      return isShown(inner) ? [{ name: below, schema: inner, of }] : [];
    });
  });
}

/** Whether the view has anything that a table can show. */
export function hasFields(position: Position): boolean {
  return columnsOf(position).length > 0;
}

interface ValueProps {
  readonly position: Position;
  readonly name: string;
  readonly schema: ViewSchema;
  readonly value: unknown;
}

function scalarText({ position, name, value }: Omit<ValueProps, "schema">): string {
  const { lang, game } = position;
  if (typeof value === "number") return number(value, lang);
  if (typeof value === "boolean") return value ? strings(lang).yes : strings(lang).no;
  return localValue(game.words, name, String(value), lang);
}

function Value(props: ValueProps): VNode {
  const { position, schema, value } = props;
  const labels = strings(position.lang);
  if (value === undefined || value === null) {
    const label = schema["x-owner"] ? labels.hidden : labels.none;
    return (
      <span role="img" aria-label={label}>
        {schema["x-owner"] ? "？" : "–"}
      </span>
    );
  }
  if (!Array.isArray(value)) return <>{scalarText(props)}</>;
  if (value.length === 0) return <>–</>;
  const counted = new Map<string, number>();
  const keys = value.map((each) => {
    const text = scalarText({ ...props, value: each });
    const before = counted.get(text) ?? 0;
    counted.set(text, before + 1);
    return [`${text} ${before}`, text] as const;
  });
  return (
    <span class="generic-list">
      {keys.map(([key, text]) => (
        <span key={key}>{text}</span>
      ))}
    </span>
  );
}

/** A row for each seat, mine marked; a column for each field that the view has by seat. */
export function SeatTable({ position }: { readonly position: Position }): VNode {
  const { lang, game, room, eyes } = position;
  const columns = columnsOf(position);
  const labels = strings(lang);
  return (
    <table class="facts generic-seats" aria-label={labels.seats}>
      <thead>
        <tr>
          <th scope="col">{labels.player}</th>
          {columns.map(({ name }) => (
            <th key={name} scope="col">
              {labelOf(game, name, lang)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Object.keys(room.seats).map((seat) => (
          <tr
            key={seat}
            class={eyes.includes(Number(seat)) ? "mine" : undefined}
            aria-current={room.turn.includes(Number(seat)) ? "true" : undefined}
          >
            <th scope="row">
              <SeatMark seat={Number(seat)} size={20} />
              <bdi>{nameOf(room.seats, Number(seat))}</bdi>
            </th>
            {columns.map(({ name, schema, of }) => (
              <td key={name}>
                <Value position={position} name={name} schema={schema} value={of(seat)} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The single values of the view that have a name in both languages. */
export function TableFacts({ position }: { readonly position: Position }): VNode | null {
  const { game, view, lang } = position;
  if (!isBranch(view)) return null;
  const facts = Object.entries(game.view?.properties ?? {}).filter(
    ([name, schema]) =>
      SCALAR.test(String(schema.type)) && name in view && labelOf(game, name, "ja") !== "",
  );
  if (facts.length === 0) return null;
  return (
    <dl class="generic-facts">
      {facts.map(([name, schema]) => (
        <div key={name}>
          <dt>{labelOf(game, name, lang)}</dt>
          <dd>
            <Value position={position} name={name} schema={schema} value={view[name]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
