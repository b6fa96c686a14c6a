// Above the map: the whole of it in a corner, and an arrow to the next decision or the destination.

import type { VNode } from "preact";
import type { Spot } from "../../board/index.ts";
import { distance } from "../../board/mapLayout.ts";
import { Beacon, isInSight, MiniMap, type Sight } from "../../board/overview.tsx";
import { type Layout, layoutFor } from "./layout.ts";
import {
  type At,
  mayChoose,
  myGoal,
  myRouteQuery,
  myStop,
  pawns,
  pointName,
  routeOptionsOf,
} from "./selectors.ts";
import { strings } from "./strings.ts";

interface Target {
  readonly id: string;
  readonly to: Spot;
  readonly note: string;
}

/** The nearest station to choose, if none is in sight; else my destination. */
function targetOf(position: At, sight: Sight, { stations }: Layout): Target | undefined {
  const { lang } = position;
  const labels = strings(lang);
  const open = [...mayChoose(position)]
    .flatMap((id) => stations.get(id) ?? [])
    .sort((a, b) => distance(a, sight.camera) - distance(b, sight.camera));
  const [nearest] = open;
  if (nearest !== undefined && !open.some((spot) => isInSight(sight, spot))) {
    return { id: nearest.id, to: nearest, note: labels.nextChoice };
  }
  const goal = stations.get(myGoal(position) ?? "");
  if (goal === undefined) return undefined;
  const [best] = routeOptionsOf(position.answers[myRouteQuery(position) ?? ""]);
  const note = best === undefined ? labels.myGoal : labels.goalSteps(best[1].steps);
  return { id: goal.id, to: goal, note };
}

export function Overview({ position, sight }: { position: At; sight: Sight }): VNode {
  const { fixed, lang, view, seat } = position;
  const layout = layoutFor(fixed, sight.size.x, sight.size.y, 1, lang);
  const { stations, tracks } = layout;
  const target = targetOf(position, sight, layout);
  const here = myStop(position);
  const goal = stations.get(myGoal(position) ?? "");
  const r = sight.size.x / 20;
  return (
    <>
      <MiniMap sight={sight}>
        {tracks.map(({ id, d, colour }) => (
          <path key={id} class="rail" d={d} style={{ "--line": colour }} />
        ))}
        {[...mayChoose(position)].map((id) => {
          const { x, y } = stations.get(id) ?? { x: 0, y: 0 };
          return <circle key={id} class="open" cx={x} cy={y} r={r * 0.4} />;
        })}
        {goal !== undefined && (
          <path
            class={`seat-${seat}`}
            d={`M${goal.x} ${goal.y}v${-2.4 * r}h${2 * r}v${1.3 * r}h${-2 * r}`}
          />
        )}
        {[...pawns(view)].flatMap(([id, seats]) =>
          seats.map((each) => {
            const { x, y } = stations.get(id) ?? { x: 0, y: 0 };
            const size = id === here ? r : r * 0.6;
            return <circle key={each} class={`pawn-dot seat-${each}`} cx={x} cy={y} r={size} />;
          }),
        )}
      </MiniMap>
      {target !== undefined && (
        <Beacon
          sight={sight}
          to={target.to}
          name={pointName(fixed, target.id, lang)}
          note={target.note}
        />
      )}
    </>
  );
}
