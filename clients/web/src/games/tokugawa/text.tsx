// The board as text: the decision, then province by province, contracts, stocks.

import type { VNode } from "preact";
import { localValue } from "../../board/index.ts";
import { PlaceList, playerName, Scroll } from "../../board/parts.ts";
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
import { strings } from "./strings.ts";
import { Contracts, Stocks } from "./tables.tsx";

/** The roads of a town by terrain. */
function Roads({ position, town }: { position: At; town: string }): VNode {
  const { fixed, lang, game } = position;
  const labels = strings(lang);
  const roads = fixed.roads
    .filter(({ a, b }) => a === town || b === town)
    .map(
      ({ a, b, terrain }) =>
        `${townName(position, a === town ? b : a)} (${localValue(game.words, "way", terrain, lang)})`,
    );
  return <span class="soft"> → {roads.join(labels.and)}</span>;
}

export function AsText({ position }: { readonly position: At }): VNode {
  const { fixed, lang, view } = position;
  const labels = strings(lang);
  const label = townLabels(position);
  const { fought } = newsOf(position);
  const chosen = chosenTowns(position);
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
          <PlaceList
            places={[
              {
                id: `bank ${province}`,
                label: bankLabel(position, province),
                may: mayTax(position, province),
              },
              ...Object.keys(fixed.towns)
                .filter((town) => fixed.towns[town]?.province === province)
                .map((town) => ({
                  id: `town ${town}`,
                  label: label(town),
                  may: choiceOf(position, town) !== undefined,
                  ...(chosen.has(town) && { chosen: true }),
                  more: <Roads position={position} town={town} />,
                })),
            ]}
          />
        </section>
      ))}
      <h2>{labels.contracts}</h2>
      <Contracts position={position} />
      <h2>{labels.stocks}</h2>
      <Stocks position={position} />
    </Scroll>
  );
}
