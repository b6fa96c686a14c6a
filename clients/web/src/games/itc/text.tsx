// The board as text: who has what, loads, continents, and everything that is legal as buttons.

import type { VNode } from "preact";
import { linesWith, nameOf, number, PlaceButton } from "../../board/index.ts";
import {
  type At,
  justHappened,
  linesOn,
  loadLabel,
  loadsOf,
  ON_LOAD,
  placeAct,
  placeLabel,
  whoIs,
} from "./selectors.ts";
import { nameIn, words } from "./strings.ts";
import { Dice, Doing, Hand, helpFor, Ways } from "./tray.tsx";

export function Everybody({ position }: { readonly position: At }): VNode {
  const { view, room, lang } = position;
  const said = words(lang);
  const market = view.places.market?.[2] ?? [];
  return (
    <table class="facts">
      <thead>
        <tr>
          <th scope="col">{said.seat}</th>
          <th scope="col">{said.money}</th>
          <th scope="col">{said.transports}</th>
          <th scope="col">{said.actions}</th>
          <th scope="col">{said.stockHead}</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(view.seats).map(([seat, own]) => (
          <tr key={seat}>
            <th scope="row">
              <bdi>{nameOf(room.seats, Number(seat))}</bdi>
              {(market[Number(seat) - 1] ?? 0) > 0 && ` (${said.controls})`}
            </th>
            <td>{number(own.money, lang)}</td>
            <td>{own.transports}</td>
            <td>{own.actions}</td>
            <td>{own.stock}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function AsText({ position }: { readonly position: At }): VNode {
  const { lang, view, room, draft, moves, fixed } = position;
  const said = words(lang);
  const just = justHappened(position.since);
  const loads = loadsOf(position).toSorted((a, b) => b.row - a.row || a.column - b.column);
  const turn = room.turn.map((seat) => whoIs(position, seat)).join(said.and);
  const landed = view.turn.landed.map((place) => nameIn(place, lang)).join(said.and);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <div class="board-text fit" tabIndex={0}>
      <p>
        {turn !== "" && said.wait(turn)} {helpFor(position)} {landed !== "" && said.landed(landed)}
      </p>
      <h2>{said.decide}</h2>
      <Dice position={position} />
      <Ways position={position} all />
      <div class="do-row">
        <Doing position={position} />
        {spacesOf(position)}
      </div>
      <h2>{said.hand}</h2>
      <Hand position={position} small={false} />
      <h2>{said.loads}</h2>
      {loads.length === 0 && <p>{said.noLoads}</p>}
      {fixed.routes.map(({ route }) => {
        const here = loads.filter((load) => load.route === route);
        return here.length === 0 ? null : (
          <ul key={route}>
            {here.map((load) => {
              const moved = load.cards.some((card) => just.cards.has(card));
              const label = loadLabel(position, load, moved);
              const may = [...ON_LOAD, "obstacle"].some(
                (verb) =>
                  linesOn(position, load, verb).length > 0 &&
                  (verb !== "obstacle" || draft.verb === verb),
              );
              return (
                <li key={load.cards[0]}>
                  {may ? (
                    <PlaceButton id={`on ${load.cards[0]}`} label={label} may just={moved}>
                      {label}
                    </PlaceButton>
                  ) : (
                    label
                  )}
                </li>
              );
            })}
          </ul>
        );
      })}
      <h2>{said.continents}</h2>
      <ul>
        {fixed.places.map(({ place }) => {
          const label = placeLabel(position, place);
          return (
            <li key={place}>
              {placeAct(position, place) === undefined ? (
                label
              ) : (
                <PlaceButton
                  id={`place ${place}`}
                  label={label}
                  may
                  chosen={draft.slots.place === place}
                >
                  {label}
                </PlaceButton>
              )}
              {fixed.goods.map(({ good }) => {
                if (linesWith(moves, { place, good }, "sell").length === 0) return null;
                const sale = said.sellHere(nameIn(good, lang), nameIn(place, lang));
                return (
                  <PlaceButton key={good} id={`sell ${place} ${good}`} label={sale} may>
                    {sale}
                  </PlaceButton>
                );
              })}
            </li>
          );
        })}
      </ul>
      <h2>{said.everybody}</h2>
      <Everybody position={position} />
      <p>{said.secrets}</p>
    </div>
  );
}

/** The spaces where the chosen card may be loaded. */
function spacesOf(position: At): readonly VNode[] {
  const { draft, lang } = position;
  const said = words(lang);
  if (draft.verb !== "load" && draft.verb !== "hide" && draft.verb !== "mega") return [];
  const { route: _, column: __, ...rest } = draft.slots;
  const seen = new Set<string>();
  for (const { slots } of linesWith(position.moves, rest, draft.verb)) {
    if (slots.route !== undefined && slots.column !== undefined) {
      seen.add(`${slots.route} ${slots.column}`);
    }
  }
  return [...seen].map((key) => {
    const [route = "", column = ""] = key.split(" ");
    const label = said.space(nameIn(route, lang), 1, Number(column));
    return (
      <PlaceButton key={key} id={`space ${key}`} label={`${label}${said.and}${said.loadHere}`} may>
        {label}
      </PlaceButton>
    );
  });
}
