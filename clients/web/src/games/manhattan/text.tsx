// The board as text: headings, lists and tables in reading order, with all legal actions.

import type { VNode } from "preact";
import { nameOf } from "../../board/index.ts";
import { joined, PlaceList, Scroll, turnNames } from "../../board/parts.ts";
import {
  type At,
  buildingAt,
  type Just,
  justBuilt,
  leadText,
  mayBuild,
  SITES,
  siteLabel,
} from "./selectors.ts";
import { CITIES, cityName, SHORT, strings } from "./strings.ts";
import { AllPlayers, Below, Played } from "./tray.tsx";

function City(props: { position: At; city: string; just: ReadonlyMap<string, Just> }): VNode {
  const { position, city, just } = props;
  const { lang, view, draft } = position;
  const labels = strings(lang);
  const shown = SITES.filter(
    (site) => buildingAt(view, city, site) !== undefined || mayBuild(position, city, site),
  );
  const empty = SITES.filter((site) => !shown.includes(site));
  return (
    <section>
      <h3>
        {joined(
          labels.clause,
          `${cityName(position, city)} (${SHORT[city]})`,
          leadText(position, city),
        )}
      </h3>
      <PlaceList
        places={shown.map((site) => ({
          id: `site ${city} ${site}`,
          label: siteLabel(position, city, site, just.get(`${city} ${site}`)),
          may: mayBuild(position, city, site),
          chosen: draft.slots.city === city && draft.slots.site === String(site),
          just: just.has(`${city} ${site}`),
        }))}
      />
      {empty.length > 0 && <p>{labels.emptySites(empty.join(labels.and))}</p>}
    </section>
  );
}

export function AsText({ position }: { readonly position: At }): VNode {
  const { lang, view, room } = position;
  const labels = strings(lang);
  const just = justBuilt(position.since);
  const turn = turnNames(position, labels.and);
  return (
    <Scroll class="board-text fit">
      <p>
        {labels[view.phase]} {turn !== "" && labels.turn(turn)}{" "}
        {labels.startPlayer(nameOf(room.seats, view.start))}
      </p>
      <Below position={position} wide={false} />
      <h2>{labels.cities}</h2>
      {CITIES.map((city) => (
        <City key={city} position={position} city={city} just={just} />
      ))}
      <h2>{labels.allPlayers}</h2>
      <AllPlayers position={position} />
      <h2>{labels.played}</h2>
      <Played position={position} />
    </Scroll>
  );
}
