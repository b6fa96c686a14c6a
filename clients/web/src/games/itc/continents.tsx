// The continents and the grey market as a table: goods, refused goods, stones.

import type { VNode } from "preact";
import { linesWith, Piece, Place, Tag } from "../../board/index.ts";
import { Good } from "./goodIcon.tsx";
import { type At, type Just, placeAct, placeLabel, placeSlot } from "./selectors.ts";
import { nameIn, SHORT, strings } from "./strings.ts";

function Stones(props: {
  readonly stones: readonly number[];
  readonly y: number;
  readonly width: number;
  readonly low: boolean;
}): VNode {
  const there = props.stones
    .map((count, at) => ({ count, seat: at + 1 }))
    .filter(({ count }) => count > 0);
  const step = Math.min(28, (props.width - 6) / Math.max(there.length, 1));
  const r = step < 22 || props.low ? 4.8 : 6;
  return (
    <g aria-hidden="true">
      {there.map(({ seat, count }, at) => (
        <g key={seat} transform={`translate(${(at * step).toFixed(1)} ${props.y})`}>
          <Piece seat={seat} x={r} y={0} r={r} text="" />
          <text class="strong" x={r * 2 + 1.5} y={4} font-size={r < 6 ? 11.2 : 12}>
            {count}
          </text>
        </g>
      ))}
    </g>
  );
}

function Cell(props: {
  readonly good: string;
  readonly count: number;
  readonly fresh: number;
  readonly spaces: number;
  readonly width: number;
  readonly height: number;
}): VNode {
  const { good, count, fresh, spaces, width, height } = props;
  const pips = height >= 54 && width >= 44;
  const middle = width / 2;
  const size = 9.6;
  const step = 11.2;
  const across = spaces > 8 ? 5 : 4;
  const left = middle - (across * (across === 5 ? 9.4 : step)) / 2;
  const wide = across === 5 ? 9.4 : step;
  return (
    <g aria-hidden="true" class="cell">
      <text
        class={count > 0 ? "strong" : "soft"}
        x={middle}
        y={pips ? height / 2 - 7 : height / 2 + 5}
        font-size={14}
        text-anchor="middle"
      >
        {count > 0 ? count : "·"}
        {fresh > 0 && (
          <tspan class="fresh" font-size={11} dx={2}>
            ({fresh})
          </tspan>
        )}
      </text>
      {pips &&
        Array.from({ length: spaces }, (_, at) => (
          <rect
            key={at}
            class={at < count ? `pip good-${good}` : "pip"}
            x={left + (at % across) * wide}
            y={height / 2 + 14 - Math.floor(at / across) * step}
            width={Math.min(size, wide - 1.4)}
            height={size}
            rx={1.5}
          />
        ))}
      {pips && fresh > 0 && <title>{fresh}</title>}
    </g>
  );
}

/**
 * The goods of a continent that can be sold. While a line asks for a continent, the whole row is
 * its target instead.
 */
function Sales(props: {
  readonly position: At;
  readonly place: string;
  readonly first: number;
  readonly wide: number;
  readonly y: number;
  readonly tall: number;
}): VNode | null {
  const { position, place, first, wide, y, tall } = props;
  const { fixed, lang, draft, moves } = position;
  const asking = draft.verb !== undefined && draft.verb !== "sell";
  if (asking && placeSlot(position) !== undefined) return null;
  return (
    <>
      {fixed.goods.map(({ good }, at) =>
        linesWith(moves, { place, good }, "sell").length === 0 ? null : (
          <g key={good}>
            <Place
              id={`sell ${place} ${good}`}
              label={strings(lang).sellHere(nameIn(good, lang), nameIn(place, lang))}
              may
              chosen={draft.verb === "sell" && draft.slots.place === place}
              class="sale"
              transform={`translate(${(first + at * wide).toFixed(1)} ${y.toFixed(1)})`}
            >
              <rect class="field hollow" x={2} y={4} width={wide - 4} height={tall - 8} rx={5} />

              <rect class="mark" x={3} y={5.5} width={wide - 6} height={tall - 11} rx={5} />
            </Place>
            {wide >= 46 && (
              <g
                class="price writing"
                aria-hidden="true"
                transform={`translate(${(first + (at + 1) * wide - 11).toFixed(1)} ${(y + 13).toFixed(1)})`}
              >
                <circle r={7} />
                <text y={4} font-size={11.2}>
                  €
                </text>
              </g>
            )}
          </g>
        ),
      )}
    </>
  );
}

export function Continents(props: {
  readonly position: At;
  readonly just: Just;
  readonly width: number;
  readonly height: number;
}): VNode {
  const { position, just, width, height } = props;
  const { fixed, view, lang, draft } = position;
  const labels = strings(lang);
  const head = 36;
  const tall = Math.min(80 * Math.max(1, height / 760), (height - head - 2) / fixed.places.length);
  const first = width < 420 ? 116 : 150;
  const wide = (width - first - 4) / fixed.goods.length;
  // Two lines of a row: the name, and the stones below it.
  const high = tall >= 54;
  const lines = high ? [tall / 2 - 10, tall / 2 + 14] : [tall / 2 - 3, tall / 2 + 7.5];
  const [nameAt = 0, stonesAt = 0] = lines;
  return (
    <svg
      class="continents"
      viewBox={`0 0 ${width} ${head + tall * fixed.places.length + 2}`}
      width={width}
      height={head + tall * fixed.places.length + 2}
      role="group"
      aria-label={labels.continents}
    >
      <text class="soft" x={6} y={32} font-size={11.5}>
        {labels.soldFor}, 1,000 €
      </text>
      {fixed.goods.map(({ good, sale }, at) => (
        <g key={good} transform={`translate(${first + (at + 0.5) * wide} 0)`}>
          <Good good={good} x={-9} y={1} size={18} />
          <text class="soft" y={32} font-size={11.5} text-anchor="middle">
            {sale / 1000}
          </text>
        </g>
      ))}
      {fixed.places.map(({ place, accepts, spaces }, row) => {
        const [goods = [], fresh = [], stones = []] = view.places[place] ?? [];
        const y = head + row * tall;
        const act = placeAct(position, place);
        const change = just.places.get(place);
        const chosen = draft.slots.place === place || draft.slots.origin === place;
        return (
          <g key={place}>
            <Place
              id={`place ${place}`}
              label={placeLabel(position, place)}
              may={act !== undefined}
              chosen={chosen}
              just={change !== undefined}
              idle={act === undefined}
              class={place === "market" ? "market" : "continent"}
              transform={`translate(1 ${y.toFixed(1)})`}
            >
              <rect class="field" x={0.5} y={1.5} width={width - 3} height={tall - 3} rx={7} />
              <rect class="mark" x={1.5} y={2.5} width={width - 5} height={tall - 5} rx={6} />
            </Place>
            <g class="writing" transform={`translate(1 ${y.toFixed(1)})`} aria-hidden="true">
              <text class="strong" x={8} y={nameAt} font-size={high ? 12.5 : 12}>
                {nameIn(place, lang)}
              </text>
              {first > 130 && (
                <text class="soft" x={first - 6} y={nameAt} font-size={11} text-anchor="end">
                  {SHORT[place]}
                </text>
              )}
              <g transform="translate(8 0)">
                <Stones
                  stones={stones}
                  y={stonesAt}
                  low={!high}
                  width={first - 10 - (change === undefined ? 0 : 38)}
                />
              </g>
              {fixed.goods.map(({ good }, at) => (
                <g key={good} transform={`translate(${(first + at * wide - 1).toFixed(1)} 0)`}>
                  {accepts.includes(good) ? (
                    <Cell
                      good={good}
                      count={goods[at] ?? 0}
                      fresh={fresh[at] ?? 0}
                      spaces={spaces}
                      width={wide}
                      height={tall}
                    />
                  ) : (
                    <path class="cross" d={`M${wide / 2 - 7} ${tall / 2 - 7}l14 14m0-14l-14 14`} />
                  )}
                </g>
              ))}
            </g>

            <Sales position={position} place={place} first={first} wide={wide} y={y} tall={tall} />
            {change !== undefined && (
              <Tag
                x={first - 22}
                y={y + stonesAt}
                text={change > 0 ? `+${change}` : `−${-change}`}
              />
            )}
          </g>
        );
      })}
    </svg>
  );
}
