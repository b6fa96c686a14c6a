// A load on its route: number, owner, goods, and what is below it.

import type { VNode } from "preact";
import { Piece } from "../../board/index.ts";
import { Good } from "./goodIcon.tsx";
import type { Load } from "./selectors.ts";
import { SHORT } from "./strings.ts";
import { Vehicle } from "./vehicle.tsx";

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

/** Whether a load has room for its vehicle below its number. */
function isDrawn(width: number, height: number): boolean {
  return width >= 40 && height >= width * 0.73 + 18;
}

export function LoadCard(props: {
  readonly load: Load;
  /** The values printed on the card for its route. */
  readonly pay: string;
  readonly width: number;
  readonly height: number;
}): VNode {
  const { load, pay, width, height } = props;
  const { wide, across, rows, font, pip, top, r } = loadLayout(width, height);
  const isOwned = load.owner > 0;
  const drawn = isDrawn(width, height);
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
      {drawn ? (
        <Vehicle route={load.route} goods={load.goods} width={width - 4} y={height - 2} />
      ) : (
        load.goods
          .slice(0, across * rows)
          .map((good, at) => (
            <Good
              key={at}
              good={good}
              x={3 + (at % across) * pip}
              y={top + Math.floor(at / across) * pip}
              size={pip - (wide ? 1.2 : 0.7)}
            />
          ))
      )}
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
      y={beside ? 16 : isDrawn(width, height) ? 29 : height - (middle ? 2 : 4)}
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
  const drawn = isDrawn(width, height);
  const priced = !drawn && width >= 42 && height >= 56 && load.cards.length === 1;
  // If a price is written, the icon is above it.
  const foot = drawn ? height - 2 * r - 18 : priced ? 15 : 1;
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
          y={drawn ? 29 : height - (width < 42 ? 1 : 3)}
          text-anchor="end"
          font-size={11}
        >
          ×2
        </text>
      )}
      {covered && (
        <g class="under" transform={`translate(${width - r - 1.5} ${height - r - foot})`}>
          <circle r={r} />
          <text class="strong middle" y={4} font-size={11}>
            {load.under === "hidden" ? "?" : (load.under[0] ?? "")}
          </text>
        </g>
      )}
    </>
  );
}
