// The board as text: headings, lists and tables in reading order, with everything that is legal.

import type { VNode } from "preact";
import { nameOf, PlaceButton } from "../../board/index.ts";
import {
  type At,
  buildingAt,
  citiesOf,
  type Just,
  justBuilt,
  leadIn,
  mayBuild,
  SITES,
  siteLabel,
  whoIs,
} from "./selectors.ts";
import { cityName, SHORT, words } from "./strings.ts";
import { Below, Everybody, Played } from "./tray.tsx";

function City(props: { position: At; city: string; just: ReadonlyMap<string, Just> }): VNode {
  const { position, city, just } = props;
  const { lang, view, draft } = position;
  const said = words(lang);
  const { seats, count } = leadIn(view, city);
  const names = seats.map((seat) => whoIs(position, seat)).join(said.and);
  const shown = SITES.filter(
    (site) => buildingAt(view, city, site) !== undefined || mayBuild(position, city, site),
  );
  const empty = SITES.filter((site) => !shown.includes(site));
  return (
    <section>
      <h3>
        {cityName(city, lang)} ({SHORT[city]})
        {count > 0 &&
          `${said.clause}${seats.length > 1 ? said.tieOf(names, count) : said.mostOf(names, count)}`}
      </h3>
      <ul>
        {shown.map((site) => {
          const label = siteLabel(position, city, site, just.get(`${city} ${site}`));
          if (!mayBuild(position, city, site)) return <li key={site}>{label}</li>;
          return (
            <li key={site}>
              <PlaceButton
                id={`site ${city} ${site}`}
                label={label}
                may
                chosen={draft.slots.city === city && draft.slots.site === String(site)}
                just={just.has(`${city} ${site}`)}
              >
                {label}
              </PlaceButton>
            </li>
          );
        })}
      </ul>
      {empty.length > 0 && <p>{said.emptySites(empty.join(said.and))}</p>}
    </section>
  );
}

export function AsText({ position }: { readonly position: At }): VNode {
  const { lang, view, room } = position;
  const said = words(lang);
  const just = justBuilt(position.since);
  const phase = { choosing: said.choosing, building: said.building, over: said.ended }[view.phase];
  const turn = room.turn.map((seat) => whoIs(position, seat)).join(said.and);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <div class="board-text fit" tabIndex={0}>
      <p>
        {phase} {turn !== "" && said.turn(turn)} {said.startPlayer(nameOf(room.seats, view.start))}
      </p>
      <Below position={position} wide={false} />
      <h2>{said.cities}</h2>
      {citiesOf(position).map((city) => (
        <City key={city} position={position} city={city} just={just} />
      ))}
      <h2>{said.everybody}</h2>
      <Everybody position={position} />
      <h2>{said.played}</h2>
      <Played position={position} />
    </div>
  );
}
