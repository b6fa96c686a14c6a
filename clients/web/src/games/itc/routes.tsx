// Four routes as ladders, with the loads on them.

import type { VNode } from "preact";
import { Icon, linesWith, Place, Plus, type Sized, Still } from "../../board/index.ts";
import { lanes } from "./drawings.ts";
import { ICONS } from "./goodIcon.tsx";
import {
  type At,
  alternatives,
  type Fixed,
  type Just,
  type Load,
  loadLabel,
  loadOf,
  loadsOf,
  mayTouch,
  named,
  thousands,
} from "./selectors.ts";
import { routeName, strings } from "./strings.ts";

const HEAD = 26;
const EDGE = 18;
const GAP = 8;

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
export function targets(position: At): ReadonlyMap<string, string> {
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

export function Routes(props: Sized<At> & { readonly just: Just }): VNode {
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
  // Where cells are small, the pieces of owners are at the foot of their loads.
  const bar = cell >= 40 ? wide - 2 : 52;
  const { Bed } = lanes.get();
  return (
    <g class={`route route-${route}`}>
      <g transform={`translate(${x.toFixed(1)} ${(base - rows * tall).toFixed(1)})`}>
        <Still of={[columns, rows, cell, tall]}>
          {() => <Bed route={route} columns={columns} rows={rows} cell={cell} tall={tall} />}
        </Still>
      </g>
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
          transform={`translate(${middle} ${base - row * tall + tall - (cell >= 40 ? 8 : 2)})`}
        >
          <rect x={-bar / 2} y={-4} width={bar} height={15} rx={4} />
          <text class="strong middle" y={7.7} font-size={11.5}>
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
  const { LoadCard } = lanes.get();
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
        <g data-piece={`paper ${load.cards[0]}`} data-state={load.cards[0]}>
          <rect class="paper" x={2} y={2} width={width} height={height} rx={5} />
        </g>
        <rect class="mark" x={2} y={2} width={cell - 4} height={tall - 4} rx={5} />
      </Place>
      {/* Text is drawn above the place, not in it: the label names the place. */}
      <g class="writing" transform={`${at} translate(2 2)`} aria-hidden="true">
        <g data-piece={`load ${load.cards[0]}`} data-state={load.cards[0]}>
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
      label={`${labels.space(named(position, route), row, column)}${labels.and}${loading ? labels.loadHere : labels.stepHere}`}
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
