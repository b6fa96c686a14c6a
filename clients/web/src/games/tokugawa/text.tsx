// The board as text: the decision, then province by province, contracts, stocks.

import type { VNode } from "preact";
import { PlaceText, playerName, Scroll } from "../../board/parts.ts";
import { bankLabel, mayTax, townLabels } from "./ariaLabels.ts";
import { Decide, Turn } from "./card.tsx";
import {
  type At,
  choiceOf,
  chosenTowns,
  newsOf,
  provinceName,
  roundOf,
  townName,
} from "./selectors.ts";
import { strings, terrainName } from "./strings.ts";
import { Contracts, Stocks } from "./tables.tsx";

function TownItem(props: { position: At; town: string; label: string }): VNode {
  const { position, town, label } = props;
  return (
    <li>
      <PlaceText
        id={`town ${town}`}
        label={label}
        may={choiceOf(position, town) !== undefined}
        {...(chosenTowns(position).has(town) ? { chosen: true } : {})}
      />
      <Roads position={position} town={town} />
    </li>
  );
}

/** The roads of a town by terrain. */
function Roads({ position, town }: { position: At; town: string }): VNode {
  const { fixed, lang } = position;
  const labels = strings(lang);
  const roads = fixed.roads
    .filter(({ a, b }) => a === town || b === town)
    .map(
      ({ a, b, terrain }) =>
        `${townName(position, a === town ? b : a)} (${terrainName(terrain, lang)})`,
    );
  return <span class="soft"> → {roads.join(labels.and)}</span>;
}

export function AsText({ position }: { readonly position: At }): VNode {
  const { fixed, lang, view } = position;
  const labels = strings(lang);
  const label = townLabels(position);
  const { fought } = newsOf(position);
  return (
    <Scroll class="board-text fit">
      <p>{view.number > 0 ? labels.phaseOf(roundOf(view)) : labels.placing}</p>
      <Turn position={position} />
      {fought.map(({ seat, origin, town, result }, n) => (
        <p key={`${n} ${town}`}>
          {labels.fought(
            playerName(position, seat),
            townName(position, town),
            townName(position, origin),
            result ?? "",
          )}
        </p>
      ))}
      <h2>{labels.decide}</h2>
      <Decide position={position} />
      {Object.keys(fixed.provinces).map((province) => (
        <section key={province}>
          <h2>{provinceName(position, province)}</h2>
          <p>
            <PlaceText
              id={`bank ${province}`}
              label={bankLabel(position, province)}
              may={mayTax(position, province)}
            />
          </p>
          <ul>
            {Object.keys(fixed.towns)
              .filter((town) => fixed.towns[town]?.province === province)
              .map((town) => (
                <TownItem key={town} position={position} town={town} label={label(town)} />
              ))}
          </ul>
        </section>
      ))}
      <h2>{labels.contracts}</h2>
      <Contracts position={position} />
      <h2>{labels.stocks}</h2>
      <Stocks position={position} />
    </Scroll>
  );
}
