// The world: six continents with their goods as stacks, and the stall of the grey market below.

import type { VNode } from "preact";
import { Piece, Place, type Sized, Tag } from "../../board/index.ts";
import { hasLine } from "../../board/parts.ts";
import {
  type At,
  type Just,
  named,
  placeAct,
  placeLabel,
  placeSlot,
  thousands,
} from "./selectors.ts";
import { LETTER, strings } from "./strings.ts";
import { type Box, boxesIn, LANDS } from "./worldLayout.ts";
import "./world.css";

/** The top of the stacks: below the name, the stones and a number. */
const TOP = 52;

function Stones({ stones, width }: { readonly stones: readonly number[]; readonly width: number }) {
  const there = [...stones.entries()].filter(([, count]) => count > 0);
  const step = Math.min(29, width / Math.max(there.length, 1));
  return (
    <>
      {there.map(([at, count], nth) => (
        <g key={at} transform={`translate(${8 + nth * step} 30)`}>
          <Piece seat={at + 1} x={6} y={0} r={6} text="" />
          <text class="strong" x={13.5} y={4} font-size={12}>
            {count}
          </text>
        </g>
      ))}
    </>
  );
}

/** The goods of a kind: crates one above the other, those of this turn pale, and their number. */
function Stack(props: {
  readonly place: string;
  readonly good: string;
  readonly count: number;
  readonly fresh: number;
  /** The middle and the foot of the stack, and the size of a crate. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly tall: number;
  readonly across?: number;
}): VNode {
  const { place, good, count, fresh, x, y, width, tall, across = 1 } = props;
  return (
    <>
      {Array.from({ length: count }, (_, at) => (
        <rect
          key={at}
          data-piece={`crate ${place} ${good}`}
          data-state={good}
          class={at < count - fresh ? "crate" : "crate fresh"}
          fill={`var(--g-${good})`}
          x={x - (across * width) / 2 + (at % across) * width}
          y={y - (Math.floor(at / across) + 1) * tall}
          width={width}
          height={tall}
        />
      ))}
      {count > 0 && (
        <text
          class="count strong middle"
          x={x}
          y={y - Math.ceil(count / across) * tall - 3}
          font-size={12.5}
        >
          {count}
        </text>
      )}
    </>
  );
}

interface PanelProps {
  readonly position: At;
  readonly form: At["fixed"]["places"][number];
  readonly box: Box;
  /** Goods that came or went since my last move. */
  readonly change: number | undefined;
}

/** The columns of the goods in a panel. */
interface Columns {
  readonly left: number;
  readonly wide: number;
}

function columnsIn(place: string, { width }: Box): Columns {
  const left = place in LANDS ? 6 : Math.max(104, width * 0.3);
  return { left, wide: (width - left - 6) / 6 };
}

/** The stacks of a continent under a dashed lid, a cross for goods that it refuses. */
function Goods({ position, form, box }: PanelProps): VNode {
  const { fixed, view } = position;
  const { place, accepts, spaces } = form;
  const [goods = [], fresh = []] = view.places[place] ?? [];
  const { left, wide } = columnsIn(place, box);
  const foot = box.height - 20;
  const width = Math.min(34, wide - 5);
  const tall = Math.min(width * 0.6, (foot - TOP) / spaces);
  return (
    <>
      {fixed.goods.map(({ good }, at) => {
        const x = left + (at + 0.5) * wide;
        if (!accepts.includes(good)) {
          return <path key={good} class="cross" d={`M${x - 6} ${foot - 13}l12 12m0-12l-12 12`} />;
        }
        const newly = fresh[at] ?? 0;
        return (
          <g key={good}>
            <path
              class="lid"
              d={`M${x - width / 2} ${foot}V${foot - spaces * tall}h${width}V${foot}`}
            />
            <Stack
              {...{ place, good, x, width, tall }}
              count={goods[at] ?? 0}
              fresh={newly}
              y={foot}
            />
            <text class="letter strong middle" x={x} y={foot + 13} font-size={11.5}>
              {LETTER[good]}
              {newly > 0 && `(${newly})`}
            </text>
          </g>
        );
      })}
    </>
  );
}

/** The goods of the grey market, two crates beside each other, above their prices everywhere. */
function Stall({ position, form, box }: PanelProps): VNode {
  const { fixed, view } = position;
  const [goods = [], fresh = []] = view.places[form.place] ?? [];
  const { left, wide } = columnsIn(form.place, box);
  const { width, height } = box;
  const awning = height > 84 ? 14 : 0;
  const foot = height - 18;
  return (
    <>
      {awning > 0 && (
        <>
          <path class="awning" d={`M7 7H${width - 7}`} />
          <path class="awning stripes" d={`M21 7H${width - 7}`} />
        </>
      )}
      {fixed.goods.map(({ good, sale }, at) => {
        const x = left + (at + 0.5) * wide;
        const newly = fresh[at] ?? 0;
        return (
          <g key={good}>
            <rect
              class="shelf"
              x={x - wide / 2 + 2}
              y={awning + 5}
              width={wide - 4}
              height={height - awning - 8}
              rx={5}
            />
            <Stack
              {...{ place: form.place, good, x }}
              count={goods[at] ?? 0}
              fresh={newly}
              y={foot}
              width={Math.min(18, wide / 2 - 4)}
              tall={(foot - awning - 20) / 5}
              across={2}
            />
            <text class="letter strong middle" x={x} y={height - 6} font-size={11.5}>
              {thousands(sale)}k{newly > 0 && `(${newly})`}
            </text>
          </g>
        );
      })}
    </>
  );
}

/**
 * The goods of a continent that can be sold. While a line asks for a continent, the whole panel is
 * its target instead.
 */
function Sales({ position, form, box }: PanelProps): VNode | null {
  const { fixed, lang, draft, moves } = position;
  const { place } = form;
  const asking = draft.verb !== undefined && draft.verb !== "sell";
  if (asking && placeSlot(position) !== undefined) return null;
  const { left, wide } = columnsIn(place, box);
  const top = place in LANDS ? TOP - 15 : 3;
  const tall = box.height - top - 3;
  return (
    <>
      {fixed.goods.map(({ good }, at) =>
        !hasLine(moves, { place, good }, "sell") ? null : (
          <Place
            key={good}
            id={`sell ${place} ${good}`}
            label={strings(lang).sellHere(named(position, place), named(position, good))}
            may
            chosen={draft.verb === "sell" && draft.slots.place === place}
            class="sale"
            transform={`translate(${(left + at * wide).toFixed(1)} ${top})`}
          >
            <rect class="field" x={0.5} width={wide - 1} height={tall} rx={5} />
            <rect class="mark" x={1.5} y={1} width={wide - 3} height={tall - 2} rx={5} />
          </Place>
        ),
      )}
    </>
  );
}

/** A continent or the market: its place, what is written on it, and what can be sold there. */
function Panel(props: PanelProps): VNode {
  const { position, form, box, change } = props;
  const { view, draft } = position;
  const { place } = form;
  const { x, y, width, height } = box;
  const land = LANDS[place];
  const act = placeAct(position, place);
  const stones = view.places[place]?.[2] ?? [];
  const head = land === undefined && height > 84 ? 15 : 0;
  return (
    <g class={land === undefined ? "stall" : "continent"} transform={`translate(${x} ${y})`}>
      <Place
        id={`place ${place}`}
        label={placeLabel(position, place)}
        may={act !== undefined}
        chosen={draft.slots.place === place || draft.slots.origin === place}
        just={change !== undefined}
        idle={act === undefined}
      >
        <rect class="field" width={width} height={height} rx={9} />
        {land !== undefined && (
          <path
            class="land"
            d={land.outline}
            transform={`translate(3 20) scale(${((width - 6) / 158).toFixed(3)} ${((height - 24) / 118).toFixed(3)})`}
          />
        )}
        <rect class="mark" x={2} y={2} width={width - 4} height={height - 4} rx={7} />
      </Place>
      {/* Text is drawn above the place, not in it: the label names the place. */}
      <g class="writing" aria-hidden="true">
        <g transform={`translate(0 ${head})`}>
          <text class="strong" x={8} y={17} font-size={12.5}>
            {named(position, place)}
          </text>
          <Stones stones={stones} width={land === undefined ? width * 0.28 : width - 10} />
        </g>
        {land === undefined ? <Stall {...props} /> : <Goods {...props} />}
      </g>
      <Sales {...props} />
      {change !== undefined && (
        <Tag x={width - 22} y={13} text={change > 0 ? `+${change}` : `−${-change}`} />
      )}
    </g>
  );
}

export function World(props: Sized<At> & { readonly just: Just }): VNode {
  const { position, just, width, height } = props;
  const { boxOf, end } = boxesIn(width, height);
  return (
    <svg
      class="world"
      viewBox={`0 0 ${width} ${end}`}
      width={width}
      height={end}
      role="group"
      aria-label={strings(position.lang).continents}
    >
      {position.fixed.places.map((form) => (
        <Panel
          key={form.place}
          position={position}
          form={form}
          box={boxOf(form.place)}
          change={just.places.get(form.place)}
        />
      ))}
    </svg>
  );
}
