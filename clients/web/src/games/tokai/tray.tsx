// Below the map: the trip, and whatever is to be decided now.

import type { VNode } from "preact";
import { PlaceButton, SeatMark, slotValues } from "../../board/index.ts";
import { lineLabel, ownerWord } from "./ariaLabels.ts";
import { AuctionHead, Bid } from "./auction.tsx";
import { Choices, Owner } from "./choices.tsx";
import { LineName, ownRoute } from "./panels.tsx";
import { Ways } from "./routeChoices.tsx";
import {
  type At,
  atlasOf,
  basketLine,
  lineName,
  mayPick,
  payoffOf,
  picksOf,
  placeOfPawn,
  pointName,
  regionName,
  rivals,
  whoIs,
} from "./selectors.ts";
import { words, yen } from "./strings.ts";

const EXPRESS = "express";

/** Who is to be paid what for this turn. */
function Dues({ position }: { position: At }): VNode | null {
  const { view, lang } = position;
  const said = words(lang);
  if (view.phase === "prebuy" || view.phase === "start") return null;
  if (view.dues.length === 0) return <span class="soft none">{said.noDues}</span>;
  return (
    <span class="dues">
      {said.dues}{" "}
      {view.dues.map(([payee, amount]) => (
        <span key={payee} class="due">
          {payee === 0 ? (
            said.bank
          ) : (
            <>
              <SeatMark seat={payee} size={18} />
              <span class="vh">{whoIs(position, payee)}</span>
            </>
          )}{" "}
          {yen(amount, lang)}
        </span>
      ))}
    </span>
  );
}

/** Whose trip is shown: mine, or that of whoever has the turn. */
function tripSeat({ view, seat }: At): number {
  return seat ?? view.active;
}

/** Why somebody has no pawn on the map: the game has not begun, or he is out of it. */
function pawnless(phase: At["view"]["phase"]): "prebuyPhase" | "out" {
  return phase === "prebuy" || phase === "start" ? "prebuyPhase" : "out";
}

export function Trip({ position }: { readonly position: At }): VNode {
  const { view, lang, fixed } = position;
  const said = words(lang);
  const seat = tripSeat(position);
  const own = view.seats[seat];
  const at = placeOfPawn(view, seat);
  const to = own?.destination;
  const mine = seat === position.seat;
  const riding = seat === view.active && view.phase === "move";
  const facts = [
    ...(to === undefined ? [] : [said.payoff(yen(own?.payoff ?? 0, lang))]),
    ...(riding ? [view.extra ? said.extraRoll(view.roll) : said.roll(view.roll)] : []),
    ...(seat === view.active && view.granted && !view.extra ? [said.extraToCome] : []),
  ];
  return (
    <div class="trip">
      <h3>{mine ? said.trip : said.tripOf(whoIs(position, seat))}</h3>
      <p class="goal">
        {at === undefined
          ? said[pawnless(view.phase)]
          : to === undefined
            ? said.at(pointName(fixed, at, lang))
            : said.fromTo(pointName(fixed, at, lang), pointName(fixed, to, lang))}
      </p>
      <p class="soft">
        {at === undefined ? "" : to === undefined ? said.noGoal : facts.join(said.and)}
      </p>
      {to === undefined && facts.length > 0 && <p class="soft">{facts.join(said.and)}</p>}
    </div>
  );
}

function Prebuy({ position }: { position: At }): VNode {
  const { seat, view, lang, fixed } = position;
  const said = words(lang);
  const picks = picksOf(position);
  const own = seat === undefined ? undefined : view.seats[seat];
  const toggle = (word: string, name: string, price: number, body: VNode): VNode => {
    const chosen = picks.includes(word);
    return (
      <PlaceButton
        key={word}
        id={word === EXPRESS ? "express" : `pick ${word}`}
        label={`${chosen ? said.dropLine(name) : said.takeLine(name)}${said.and}${said.price(yen(price, lang))}`}
        may={!chosen && mayPick(position, [...picks, word])}
        chosen={chosen}
      >
        {body} <b>{yen(price, lang)}</b>
      </PlaceButton>
    );
  };
  const line = basketLine(position, picks);
  return (
    <Choices title={said.prebuy}>
      <PlaceButton
        id="done"
        label={said.done}
        may={line !== undefined}
        idle={line === undefined}
        class="main"
      >
        {said.done}
      </PlaceButton>
      {own?.hand.map((id) =>
        toggle(
          id,
          lineName(fixed, id, lang),
          atlasOf(fixed).line.get(id)?.price ?? 0,
          <LineName position={position} id={id} />,
        ),
      )}
      {toggle(EXPRESS, said.express, fixed.express_ticket_price, <span>{said.express}</span>)}
    </Choices>
  );
}

/** The legs that lead to the station chosen, or the lines that one can take. */
function Ride({ position }: { position: At }): VNode {
  const { lang, fixed, moves, view, seat, draft } = position;
  const said = words(lang);
  const goal = seat === undefined ? undefined : view.seats[seat]?.destination;
  const found = rivals(position);
  const buttons = (
    <>
      {goal !== undefined && (
        <PlaceButton
          id={`journey ${goal}`}
          label={said.journey(pointName(fixed, goal, lang))}
          may
          chosen={draft.text === `/go ${goal}`}
        >
          {said.journey(pointName(fixed, goal, lang))}
        </PlaceButton>
      )}
      {moves.some((line) => line.verb === "back") && (
        <PlaceButton id="say /back" label={said.backLabel} may>
          {said.back}
        </PlaceButton>
      )}
      {goal !== undefined && position.answers[ownRoute(position) ?? ""] === undefined && (
        <PlaceButton id={`ask /route ${goal}`} label={said.waysLabel(pointName(fixed, goal, lang))}>
          {said.ways}
        </PlaceButton>
      )}
      <PlaceButton id="ask /fares" label={said.faresLabel}>
        {said.fares}
      </PlaceButton>
      <PlaceButton id="ask /look here" label={said.aroundLabel}>
        {said.around}
      </PlaceButton>
    </>
  );
  if (found.length > 0) {
    return (
      <Choices title={said.which(pointName(fixed, draft.slots.point ?? "", lang))}>
        {found.map((line) => {
          const { line: id = "", point = "", cw, ccw } = line.slots;
          const turn = cw !== undefined ? said.cw : ccw !== undefined ? said.ccw : "";
          return (
            <PlaceButton
              key={line.text}
              id={`say ${line.text}`}
              label={`${said.rideTo(pointName(fixed, point, lang), lineName(fixed, id, lang))} ${turn} ${ownerWord(position, id)}`}
              may
              chosen={draft.complete?.text === line.text}
            >
              <LineName position={position} id={id} /> {turn}
              <Owner position={position} line={id} />
            </PlaceButton>
          );
        })}
        {buttons}
      </Choices>
    );
  }
  return (
    <Choices title={said.chooseStation}>
      {slotValues(moves, "line").map((id) => (
        <PlaceButton
          key={id}
          id={`take ${id}`}
          label={lineLabel(position, id, false)}
          may={draft.slots.line !== id}
          chosen={draft.slots.line === id}
        >
          <LineName position={position} id={id} />
          <Owner position={position} line={id} />
        </PlaceButton>
      ))}
      {buttons}
    </Choices>
  );
}

function Buy({ position }: { position: At }): VNode {
  const { lang, fixed, moves, draft } = position;
  const said = words(lang);
  const price = (id: string): number =>
    id === EXPRESS ? fixed.express_ticket_price : (atlasOf(fixed).line.get(id)?.price ?? 0);
  const items = slotValues(moves, "item").toSorted((a, b) => price(b) - price(a));
  return (
    <Choices title={said.buy}>
      {items.includes("none") && (
        <PlaceButton id="say /buy none" label={said.buyNothing} may>
          {said.nothing}
        </PlaceButton>
      )}
      {items
        .filter((id) => id !== "none")
        .map((id) => {
          const name = id === EXPRESS ? said.express : lineName(fixed, id, lang);
          return (
            <PlaceButton
              key={id}
              id={`say /buy ${id}`}
              label={said.buyLabel(name, yen(price(id), lang))}
              may
              chosen={draft.slots.item === id}
            >
              {id === EXPRESS ? <span>{name}</span> : <LineName position={position} id={id} />}{" "}
              <b>{yen(price(id), lang)}</b>
            </PlaceButton>
          );
        })}
    </Choices>
  );
}

function Sell({ position }: { position: At }): VNode {
  const { lang, fixed, moves, draft } = position;
  const said = words(lang);
  const chosen = draft.verb === "sell" ? draft.slots.line : undefined;
  const shown = slotValues(moves, "line").toSorted(
    (a, b) => Number(b === chosen) - Number(a === chosen),
  );
  return (
    <Choices title={said.sell}>
      {shown.map((id) => {
        const name = lineName(fixed, id, lang);
        const line = atlasOf(fixed).line.get(id);
        return (
          <span key={id} class={id === chosen ? "lot chosen" : "lot"}>
            <span class="lot-name">
              <LineName position={position} id={id} /> <b>{yen(line?.price ?? 0, lang)}</b>
            </span>
            {moves
              .filter((move) => move.verb === "sell" && move.slots.line === id)
              .map((move) => (
                <PlaceButton
                  key={move.text}
                  id={`say ${move.text}`}
                  label={move.slots.sale === "bank" ? said.sellBank(name) : said.sellAuction(name)}
                  may
                  chosen={draft.complete?.text === move.text}
                >
                  {move.slots.sale === "bank" ? said.toBank : said.toAuction}
                </PlaceButton>
              ))}
          </span>
        );
      })}
    </Choices>
  );
}

function Deal({ position }: { position: At }): VNode {
  const { view, lang, moves } = position;
  const said = words(lang);
  const { auction } = view;
  const to = auction?.by === undefined ? "" : whoIs(position, auction.by);
  return (
    <Choices title={said.sell}>
      {moves.map(({ text, slots }) => {
        const name =
          slots.deal === "bid" ? said.dealBid(yen(auction?.best ?? 0, lang), to) : said.dealBank;
        return (
          <PlaceButton key={text} id={`say ${text}`} label={name} may>
            {name}
          </PlaceButton>
        );
      })}
    </Choices>
  );
}

function NameRegion({ position }: { position: At }): VNode {
  const { lang, fixed, moves, draft } = position;
  const said = words(lang);
  return (
    <Choices title={said.nameRegion}>
      {slotValues(moves, "region").map((id) => {
        const region = fixed.regions.find((each) => each.id === id);
        const cities = (region?.destinations ?? []).map((each) => pointName(fixed, each, lang));
        return (
          <PlaceButton
            key={id}
            id={`say /region ${id}`}
            label={said.regionHas(regionName(fixed, id, lang), cities.join(said.and))}
            may
            chosen={draft.slots.region === id}
          >
            {regionName(fixed, id, lang)}
          </PlaceButton>
        );
      })}
    </Choices>
  );
}

function NameDestination({ position }: { position: At }): VNode {
  const { lang, fixed, moves, seat, view, draft } = position;
  const said = words(lang);
  const from = seat === undefined ? undefined : placeOfPawn(view, seat);
  return (
    <Choices title={said.dest}>
      {slotValues(moves, "destination").map((id) => {
        const pays = from === undefined ? undefined : payoffOf(fixed, from, id);
        const name = pointName(fixed, id, lang);
        return (
          <PlaceButton
            key={id}
            id={`say /dest ${id}`}
            label={pays === undefined ? name : `${name}${said.and}${said.pays(yen(pays, lang))}`}
            may
            chosen={draft.slots.destination === id}
          >
            {name} {pays !== undefined && <b>{yen(pays, lang)}</b>}
          </PlaceButton>
        );
      })}
    </Choices>
  );
}

/** What I have to decide, as buttons. */
export function Decision({ position }: { readonly position: At }): VNode | null {
  const { moves } = position;
  switch (moves.find((line) => line.verb !== "back")?.verb ?? moves[0]?.verb) {
    case "prebuy":
      return <Prebuy position={position} />;
    case "region":
      return <NameRegion position={position} />;
    case "dest":
      return <NameDestination position={position} />;
    case "go":
    case "back":
      return <Ride position={position} />;
    case "buy":
      return <Buy position={position} />;
    case "sell":
      return <Sell position={position} />;
    case "bid":
      return <Bid position={position} />;
    case "deal":
      return <Deal position={position} />;
    default:
      return null;
  }
}

/** That the game is over, and how it came to that. */
export function endedSaid({ view, lang }: At): string {
  const said = words(lang);
  return view.ending === undefined ? said.over : said[`ended${view.ending}`];
}

/** What happens now, in words. */
export function phaseSaid(position: At): string {
  const { view, lang, moves, room } = position;
  const said = words(lang);
  if (view.phase === "over") return endedSaid(position);
  if (moves.length === 0) {
    if (view.phase === "prebuy" && position.seat !== undefined) return said.chosen;
    const names = room.turn.map((seat) => whoIs(position, seat)).join(said.and);
    return names === "" ? "" : said.wait(names);
  }
  const cash = said.cash(yen(view.seats[position.seat ?? 0]?.cash ?? 0, lang));
  switch (view.phase) {
    case "prebuy":
      return said.prebuyHelp;
    case "start":
      return said.start;
    case "region":
      return said.nameRegion;
    case "dest":
      return said.dest;
    case "move":
      return said.chooseStation;
    case "buy":
      return `${said.buy}${said.and}${cash}`;
    case "sell":
      return `${said.sell}${said.and}${cash}`;
    default:
      return cash;
  }
}

export function TurnTray({ position }: { readonly position: At }): VNode {
  const { view } = position;
  const bidding = view.auction !== undefined && view.phase !== "over";
  const route = position.answers[ownRoute(position) ?? ""];
  return (
    <section class="tray" aria-label={words(position.lang).trip}>
      {bidding ? <AuctionHead position={position} /> : <Trip position={position} />}
      <div class="decide">
        <p class="now">
          {phaseSaid(position)} {!bidding && view.phase !== "over" && <Dues position={position} />}
        </p>
        <Decision position={position} />
      </div>
      {route !== undefined && <Ways position={position} answer={route} />}
    </section>
  );
}
