// The shortest and the cheapest route to a station, side by side: steps, turns, fare and its
// receivers.

import type { VNode } from "preact";
import type { Answer } from "../../board/contract.ts";
import { PlaceButton } from "../../board/index.ts";
import { Scroll } from "../../board/parts.ts";
import { DueList } from "./choices.tsx";
import { type At, farthest, lineName, pointName, routeOptionsOf } from "./selectors.ts";
import { strings, yen } from "./strings.ts";
import type { Way } from "./view.gen.ts";

/** A route as a card: its price, and its first leg; a press plans the part of it for this turn. */
function Card(props: { position: At; title: string; route: Way }): VNode {
  const { position, title, route } = props;
  const { lang, fixed, draft } = position;
  const labels = strings(lang);
  const [first] = route.legs;
  const point = first && farthest(position, first.line, first.to);
  const cost = yen(route.cost, lang);
  const legs = route.legs.map(
    (leg) => `${lineName(fixed, leg.line, lang)} → ${pointName(fixed, leg.to, lang)} ${leg.steps}`,
  );
  return (
    <PlaceButton
      id={`plan ${first?.line} ${first?.to}`}
      label={[title, cost, labels.stepsTurns(route.steps, route.turns), ...legs].join(labels.and)}
      idle={point === undefined}
      chosen={
        point !== undefined && draft.slots.point === point && draft.slots.line === first?.line
      }
      class="route-card"
    >
      <span class="head">
        {title} <b>{cost}</b>
      </span>
      <span>{labels.stepsTurns(route.steps, route.turns)}</span>
      <span class="soft">{legs[0]}</span>
      <span class="soft">
        <DueList position={position} dues={route.dues} size={16} />
      </span>
    </PlaceButton>
  );
}

export function RouteChoices({ position, answer }: { position: At; answer: Answer }): VNode | null {
  const labels = strings(position.lang);
  const options = routeOptionsOf(answer);
  if (options.length === 0) return null;
  return (
    <Scroll class="way" label={labels.routes}>
      {options.map(([kind, route]) => (
        <Card key={kind} position={position} title={labels[kind]} route={route} />
      ))}
    </Scroll>
  );
}
