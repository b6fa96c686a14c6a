// Road, rail, sea and air.

import type { VNode } from "preact";
import "./lanes.css";

export { LoadCard } from "./loadCard.tsx";
export { Vehicle } from "./vehicle.tsx";

interface Lane {
  readonly columns: number;
  readonly rows: number;
  /** The size of a space. */
  readonly cell: number;
  readonly tall: number;
}

/** Sleepers and rails in the middle of each column. */
function Rails({ columns, rows, cell, tall }: Lane): VNode {
  const gauge = Math.min(13, cell / 5);
  return (
    <>
      {Array.from({ length: columns }, (_, at) => {
        const x = (at + 0.5) * cell;
        return (
          <g key={at}>
            <path class="sleepers" d={`M${x} 3V${rows * tall - 3}`} stroke-width={gauge * 3} />
            <path
              class="rails"
              d={`M${x - gauge} 2V${rows * tall - 2}M${x + gauge} 2V${rows * tall - 2}`}
            />
          </g>
        );
      })}
    </>
  );
}

/** The line in the middle of a road. */
function Markings({ columns, rows, cell, tall }: Lane): VNode {
  const lines = Array.from({ length: columns - 1 }, (_, at) => (at + 1) * cell);
  return <path class="markings" d={lines.map((x) => `M${x} 6V${rows * tall - 6}`).join("")} />;
}

/** A wave or a cloud in every space, in turn at the left and at the right. */
function Spots(props: Lane & { readonly class: string; readonly d: string }): VNode {
  const { columns, rows, cell, tall } = props;
  const spots = Array.from({ length: columns * rows }, (_, at) => {
    const row = Math.floor(at / columns);
    const x = (at % columns) * cell + (row % 2 === 0 ? 0.15 : 0.5) * cell;
    return `translate(${x.toFixed(1)} ${(row * tall + tall * 0.3).toFixed(1)})`;
  });
  return (
    <>
      {spots.map((transform) => (
        <path key={transform} class={props.class} transform={transform} d={props.d} />
      ))}
    </>
  );
}

/** The ground of a route, from its top left corner. */
export function Bed(props: Lane & { readonly route: string }): VNode {
  const { route, columns, rows, cell, tall } = props;
  return (
    <g class="lane" aria-hidden="true">
      <rect class="bed" width={columns * cell} height={rows * tall} rx="6" />
      {route === "red" && <Rails {...props} />}
      {route === "grey" && <Markings {...props} />}
      {route === "blue" && <Spots {...props} class="wave" d="M0 6q5-6 10 0t10 0" />}
      {route === "green" && (
        <Spots {...props} class="cloud" d="M0 10q-1-8 7-8 3-7 10-2 8-2 8 6 4 4-2 6H3q-5 0-3-2z" />
      )}
    </g>
  );
}
