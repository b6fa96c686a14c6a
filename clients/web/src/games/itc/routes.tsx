// Four routes as ladders, with the loads on them.

import type { VNode } from "preact";
import { Icon, linesWith, Piece, Place, Plus } from "../../board/index.ts";
import { Good, ICONS } from "./goodIcon.tsx";
import {
  type At,
  alternatives,
  type Fixed,
  type Just,
  type Load,
  linesOn,
  loadLabel,
  loadOf,
  loadsOf,
  ON_LOAD,
  thousands,
} from "./selectors.ts";
import { nameIn, routeName, SHORT, strings } from "./strings.ts";

const HEAD = 26;
const EDGE = 18;
const GAP = 8;

/** The layout of the signs on a load of a given size: side by side, or one below the other. */
function loadLayout(width: number, height: number) {
  const wide = width >= 42;
  const step = !wide ? 4.4 : height < 46 ? 6.4 : 9.2;
  const across = Math.floor((width - 5) / step);
  return {
    wide,
    across,
    rows: Math.max(2, Math.floor((height - (wide ? 23 : 24)) / step)),
    font: wide && width >= 48 ? 12 : width < 25 ? 11.2 : 11.5,
    pip: (width - 6) / across,
    top: wide ? 23 : 13.5,
    r: wide ? (width < 48 ? 5.5 : 6.4) : Math.min(5.4, (height - 22.5) / 2),
  };
}

function LoadCard(props: {
  readonly load: Load;
  /** The values printed on the card for its route. */
  readonly pay: string;
  readonly width: number;
  readonly height: number;
}): VNode {
  const { load, pay, width, height } = props;
  const { wide, across, rows, font, pip, top, r } = loadLayout(width, height);
  const isOwned = load.owner > 0;
  const name = isOwned
    ? { x: wide ? width - 3 : width / 2, anchor: wide ? "end" : "middle" }
    : { x: wide ? 4 : width / 2, anchor: wide ? "start" : "middle" };
  return (
    <g class="load-card">
      <text class="strong" x={name.x} y={wide ? 16 : 12} text-anchor={name.anchor} font-size={font}>
        {load.cards[0]}
      </text>
      {isOwned ? (
        <Piece
          seat={load.owner}
          x={wide ? 8.5 : 7}
          y={wide ? 12 : height - r - 1.5}
          r={r}
          text=""
        />
      ) : (
        <Bound load={load} width={width} height={height} />
      )}
      {load.goods.slice(0, across * rows).map((good, at) => (
        <Good
          key={at}
          good={good}
          x={3 + (at % across) * pip}
          y={top + Math.floor(at / across) * pip}
          size={pip - (wide ? 1.2 : 0.7)}
        />
      ))}
      <Covered load={load} pay={pay} width={width} height={height} />
    </g>
  );
}

/** The destination of a neutral load. */
function Bound({ load, width, height }: { load: Load; width: number; height: number }): VNode {
  const beside = width >= 56;
  const middle = width < 42;
  return (
    <text
      class="strong"
      x={middle ? width / 2 : width - 4}
      y={beside ? 16 : height - (middle ? 2 : 4)}
      text-anchor={middle ? "middle" : "end"}
      font-size={middle ? 11.2 : 11.5}
    >
      {SHORT[load.to ?? ""]}
    </text>
  );
}

/** At the foot of a load: what its card pays, whether there are two, and the card below it. */
function Covered(props: {
  readonly load: Load;
  readonly pay: string;
  readonly width: number;
  readonly height: number;
}): VNode {
  const { load, pay, width, height } = props;
  const r = width < 42 ? 5.4 : 6.5;
  const covered = load.under !== "none";
  const priced = width >= 42 && height >= 56 && load.cards.length === 1;
  // If a price is written, the icon is above it.
  const foot = priced ? 15 : 1;
  return (
    <>
      {priced && (
        <text class="soft" x={4} y={height - 5} font-size={11.5}>
          {pay}
        </text>
      )}
      {load.cards.length > 1 && (
        <text
          class="strong"
          x={width - (covered ? 2 * r + 3 : 3)}
          y={height - (width < 42 ? 1 : 3)}
          text-anchor="end"
          font-size={11}
        >
          ×2
        </text>
      )}
      {covered && (
        <g class="under" transform={`translate(${width - r - 1.5} ${height - r - foot})`}>
          <circle r={r} />
          <text y={4} font-size={11}>
            {load.under === "hidden" ? "?" : (load.under[0] ?? "")}
          </text>
        </g>
      )}
    </>
  );
}

const SHIFT = { left: -1, straight: 0, right: 1 } as const;

/** Spaces that are targets for the load of the line, as "route row column" to a place id. */
function ahead(position: At, load: Load): ReadonlyMap<string, string> {
  const { draft, fixed } = position;
  const result = new Map<string, string>();
  if (draft.verb === "express") {
    const rows = fixed.routes.find((each) => each.route === load.route)?.rows ?? 0;
    for (const { slots } of alternatives(position, "column")) {
      if (slots.column !== undefined) {
        result.set(`${load.route} ${rows} ${slots.column}`, `top ${slots.column}`);
      }
    }
    return result;
  }
  const row = load.row + (draft.verb === "move" ? 1 : -1);
  for (const { slots } of alternatives(position, "side")) {
    const side = slots.side as keyof typeof SHIFT | undefined;
    if (side !== undefined) {
      result.set(`${load.route} ${row} ${load.column + SHIFT[side]}`, `side ${side}`);
    }
  }
  return result;
}

/** Spaces that the line in the input can still name, as "route row column" to a place id. */
function targets(position: At): ReadonlyMap<string, string> {
  const { draft, moves } = position;
  const { verb = "load" } = draft;
  if (["move", "obstacle", "express"].includes(verb)) {
    const load = loadOf(position, draft.slots.card ?? "");
    return load === undefined ? new Map() : ahead(position, load);
  }
  const result = new Map<string, string>();
  if (!["load", "hide", "mega"].includes(verb)) return result;
  const { route: _, column: __, ...rest } = draft.slots;
  for (const { slots } of linesWith(moves, rest, verb)) {
    if (slots.route === undefined || slots.column === undefined) continue;
    result.set(`${slots.route} 1 ${slots.column}`, `space ${slots.route} ${slots.column}`);
  }
  return result;
}

function mayTouch(position: At, load: Load): boolean {
  const { verb } = position.draft;
  if (verb === "obstacle") return linesOn(position, load, verb).length > 0;
  return ON_LOAD.some((each) => linesOn(position, load, each).length > 0);
}

export function Routes(props: {
  readonly position: At;
  readonly just: Just;
  readonly width: number;
  readonly height: number;
}): VNode {
  const { position, just, width, height } = props;
  const { fixed, lang } = position;
  const labels = strings(lang);
  const columns = fixed.routes.reduce((sum, route) => sum + route.columns, 0);
  const most = Math.max(...fixed.routes.map((route) => route.rows));
  // In a very large window cells grow instead of leaving a hole.
  const grown = Math.max(1, height / 760);
  const cell = Math.min(66 * grown, (width - EDGE - 4 - GAP * (fixed.routes.length - 1)) / columns);
  const tall = Math.min(78 * grown, (height - HEAD - 10) / most);
  const base = 4 + most * tall;
  const loads = loadsOf(position);
  const open = targets(position);
  let left = EDGE;
  return (
    <svg
      class="routes"
      viewBox={`0 0 ${width} ${base + HEAD + 5}`}
      width={width}
      height={base + HEAD + 5}
      role="group"
      aria-label={labels.routes}
    >
      {Array.from({ length: most }, (_, at) => (
        <text
          key={at}
          class="soft"
          x={EDGE - 6}
          y={base - (at + 0.5) * tall + 4}
          font-size={12}
          text-anchor="end"
        >
          {at + 1}
        </text>
      ))}
      {fixed.routes.map((form) => {
        const x = left;
        left += form.columns * cell + GAP;
        return (
          <Ladder
            key={form.route}
            position={position}
            just={just}
            form={form}
            loads={loads}
            open={open}
            grid={{ x, base, cell, tall }}
          />
        );
      })}
    </svg>
  );
}

interface Grid {
  readonly x: number;
  readonly base: number;
  readonly cell: number;
  readonly tall: number;
}

/** One route with its spaces, icon and jams. */
function Ladder(props: {
  readonly position: At;
  readonly just: Just;
  readonly form: Fixed["routes"][number];
  readonly loads: readonly Load[];
  readonly open: ReadonlyMap<string, string>;
  readonly grid: Grid;
}): VNode {
  const { position, just, form, loads, open, grid } = props;
  const { route, columns, rows } = form;
  const { x, base, cell, tall } = grid;
  const { lang, view } = position;
  const jams = view.turn.duties[route] ?? [];
  const middle = x + (columns * cell) / 2;
  const spaces: VNode[] = [];
  for (let row = rows; row >= 1; row -= 1) {
    for (let column = 1; column <= columns; column += 1) {
      const load = loads.find(
        (each) => each.route === route && each.row === row && each.column === column,
      );
      const target = open.get(`${route} ${row} ${column}`);
      const at = `translate(${(x + (column - 1) * cell).toFixed(1)} ${(base - row * tall).toFixed(1)})`;
      const common = { position, at, cell, tall };
      spaces.push(
        load !== undefined ? (
          <LoadSpace key={load.cards[0]} {...common} load={load} just={just} />
        ) : target !== undefined ? (
          <Target key={target} {...common} target={target} space={[route, row, column]} />
        ) : (
          <g key={`${row} ${column}`} transform={at}>
            <rect class="void" x={0.5} y={0.5} width={cell - 1} height={tall - 1} />
          </g>
        ),
      );
    }
  }
  const wide = columns * cell + 2;
  return (
    <g class={`route route-${route}`}>
      <rect class="bed" x={x} y={base - rows * tall} width={wide - 2} height={rows * tall} />
      {spaces}
      <rect
        class="rim"
        x={x - 1}
        y={base - rows * tall - 1}
        width={wide}
        height={rows * tall + 2}
        rx={6}
      />
      <rect class="plate" x={x - 1} y={base + 4} width={wide} height={HEAD - 2} rx={6} />
      <g class="sign" transform={`translate(${cell >= 40 ? x + 6 : middle - 9} ${base + 6})`}>
        <Icon name={ICONS[route] ?? "truck"} size={20} />
      </g>
      {cell >= 40 && (
        <text x={x + 30} y={base + 21} font-size={12.5}>
          {routeName(route, lang)}
        </text>
      )}
      {jams.map((row) => (
        <g
          key={row}
          class="jam"
          transform={`translate(${middle} ${base - row * tall + tall - (cell >= 40 ? 13 : 2)})`}
        >
          <rect x={-26} y={-4} width={52} height={15} rx={7.5} />
          <text y={7.7} font-size={11.5}>
            {strings(lang).jam}
          </text>
        </g>
      ))}
    </g>
  );
}

interface SpaceProps {
  readonly position: At;
  readonly at: string;
  readonly cell: number;
  readonly tall: number;
}

function LoadSpace(props: SpaceProps & { readonly load: Load; readonly just: Just }): VNode {
  const { position, at, cell, tall, load, just } = props;
  const { draft, view, fixed } = position;
  const moved = load.cards.some((card) => just.cards.has(card));
  const may = mayTouch(position, load);
  const jammed = (view.turn.duties[load.route] ?? []).includes(load.row);
  const full = fixed.transports[load.cards[0] ?? ""]?.full[load.route];
  const pay = full === undefined || jammed ? "" : `${thousands(full)}k`;
  const width = cell - 4;
  const height = tall - 4;
  return (
    <>
      <Place
        id={`on ${load.cards[0]}`}
        label={loadLabel(position, load, moved)}
        may={may}
        chosen={draft.slots.card !== undefined && load.cards.includes(draft.slots.card)}
        just={moved}
        idle={!may}
        class={`${load.owner === 0 ? "neutral" : "own"}${jammed ? " jammed" : ""}`}
        transform={at}
      >
        <rect class="field" x={0.5} y={0.5} width={cell - 1} height={tall - 1} />
        <rect class="paper" x={2} y={2} width={width} height={height} rx={5} />
        <rect class="mark" x={2} y={2} width={cell - 4} height={tall - 4} rx={5} />
      </Place>
      {/* Text is drawn above the place, not in it: the label names the place. */}
      <g class="writing" transform={at} aria-hidden="true">
        <g transform="translate(2 2)">
          <LoadCard load={load} pay={pay} width={width} height={height} />
        </g>
      </g>
    </>
  );
}

function Target(
  props: SpaceProps & {
    readonly target: string;
    readonly space: readonly [route: string, row: number, column: number];
  },
): VNode {
  const { position, at, cell, tall, target, space } = props;
  const { draft, lang } = position;
  const labels = strings(lang);
  const [route, row, column] = space;
  const loading = target.startsWith("space");
  const chosen = loading && draft.slots.route === route && draft.slots.column === String(column);
  return (
    <Place
      id={target}
      label={`${labels.space(nameIn(route, lang), row, column)}${labels.and}${loading ? labels.loadHere : labels.stepHere}`}
      may
      chosen={chosen}
      transform={at}
    >
      <rect class="field" x={0.5} y={0.5} width={cell - 1} height={tall - 1} />
      <Plus x={cell / 2} y={tall / 2} r={8} />
      <rect class="mark" x={3} y={3} width={cell - 6} height={tall - 6} rx={5} />
    </Place>
  );
}
