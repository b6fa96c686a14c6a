// The board as text: all seats, loads, continents, and all legal actions as buttons.

import type { VNode } from "preact";
import { nameOf, number, PlaceButton } from "../../board/index.ts";
import { FactTable, hasLine, PlaceList, Scroll, turnNames } from "../../board/parts.ts";
import { targets } from "./routes.tsx";
import {
  type At,
  justHappened,
  loadLabel,
  loadsOf,
  mayTouch,
  named,
  placeAct,
  placeLabel,
} from "./selectors.ts";
import { strings } from "./strings.ts";
import { CardActions, Dice, Doing, Hand, helpFor } from "./tray.tsx";

export function AllPlayers({ position }: { readonly position: At }): VNode {
  const { view, room, lang } = position;
  const labels = strings(lang);
  const market = view.places.market?.[2] ?? [];
  return (
    <FactTable
      heads={[labels.seat, labels.money, labels.transports, labels.actions, labels.stockHead]}
      rows={Object.entries(view.seats).map(([seat, { money, transports, actions, stock }]) => ({
        key: seat,
        head: (
          <>
            <bdi>{nameOf(room.seats, Number(seat))}</bdi>
            {(market[Number(seat) - 1] ?? 0) > 0 && ` (${labels.controls})`}
          </>
        ),
        cells: [number(money, lang), transports, actions, stock],
      }))}
    />
  );
}

export function AsText({ position }: { readonly position: At }): VNode {
  const { lang, view, draft, moves, fixed } = position;
  const labels = strings(lang);
  const just = justHappened(position.since);
  const loads = loadsOf(position).toSorted((a, b) => b.row - a.row || a.column - b.column);
  const turn = turnNames(position, labels.and);
  const landed = view.turn.landed.map((place) => named(position, place)).join(labels.and);
  return (
    <Scroll class="board-text fit">
      <p>
        {turn !== "" && labels.wait(turn)} {helpFor(position)}{" "}
        {landed !== "" && labels.landed(landed)}
      </p>
      <h2>{labels.decide}</h2>
      <Dice position={position} />
      <CardActions position={position} all />
      <div class="do-row">
        <Doing position={position} />
        {spacesOf(position)}
      </div>
      <h2>{labels.hand}</h2>
      <Hand position={position} small={false} />
      <h2>{labels.loads}</h2>
      {loads.length === 0 && <p>{labels.noLoads}</p>}
      {fixed.routes.map(({ route }) => {
        const here = loads.filter((load) => load.route === route);
        return here.length === 0 ? null : (
          <PlaceList
            key={route}
            places={here.map((load) => {
              const moved = load.cards.some((card) => just.cards.has(card));
              const may = mayTouch(position, load);
              const label = loadLabel(position, load, moved);
              return { id: `on ${load.cards[0]}`, label, may, just: moved };
            })}
          />
        );
      })}
      <h2>{labels.continents}</h2>
      <PlaceList
        places={fixed.places.map(({ place }) => ({
          id: `place ${place}`,
          label: placeLabel(position, place),
          may: placeAct(position, place) !== undefined,
          chosen: draft.slots.place === place,
          more: fixed.goods.map(({ good }) => {
            if (!hasLine(moves, { place, good }, "sell")) return null;
            const sale = labels.sellHere(named(position, place), named(position, good));
            return <PlaceButton key={good} id={`sell ${place} ${good}`} label={sale} may />;
          }),
        }))}
      />
      <h2>{labels.allPlayers}</h2>
      <AllPlayers position={position} />
      <p>{labels.secrets}</p>
    </Scroll>
  );
}

/** The spaces where the chosen card may be loaded. */
function spacesOf(position: At): readonly VNode[] {
  const labels = strings(position.lang);
  const open = position.draft.verb ? targets(position).values() : [];
  return [...open].flatMap((id) => {
    const [kind, route = "", column] = id.split(" ");
    if (kind !== "space") return [];
    const label = labels.space(named(position, route), 1, Number(column));
    return [<PlaceButton key={id} id={id} label={`${label}${labels.and}${labels.loadHere}`} may />];
  });
}
