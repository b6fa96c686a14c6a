// Below the map: the trip, and the current decision.

import type { VNode } from "preact";
import { PlaceButton, slotValues } from "../../board/index.ts";
import { joined, playerName, Scroll, slotButtons } from "../../board/parts.ts";
import { listIn } from "../../board/picks.ts";
import { lineLabel, ownerLabel } from "./ariaLabels.ts";
import { AuctionHead, Bid } from "./auction.tsx";
import { DueList, Owner } from "./choices.tsx";
import { art } from "./drawings.ts";
import { LineName } from "./panels.tsx";
import {
  type At,
  lineName,
  myGoal,
  myRouteQuery,
  myStop,
  payoffOf,
  placeOfPawn,
  pointName,
  priceOf,
  regionName,
  rivals,
} from "./selectors.ts";
import { strings, yen } from "./strings.ts";

const EXPRESS = "express";

/** The payments due for this turn, with their receivers. */
function Dues({ position }: { position: At }): VNode | null {
  const { view, lang } = position;
  const labels = strings(lang);
  if (view.phase === "prebuy" || view.phase === "start") return null;
  if (view.dues.length === 0) return <span class="soft none">{labels.noDues}</span>;
  return (
    <span class="dues">
      {labels.dues} <DueList position={position} dues={view.dues} size={18} />
    </span>
  );
}

/** My trip, or that of the active player. */
export function Trip({ position }: { readonly position: At }): VNode {
  const { view, lang, fixed } = position;
  const labels = strings(lang);
  const { seat = view.active } = position;
  const seatView = view.seats[seat];
  const at = placeOfPawn(view, seat);
  const to = seatView?.destination;
  const isActive = seat === view.active;
  const isBefore = view.phase === "prebuy" || view.phase === "start";
  const roll = view.extra ? labels.extraRoll(view.roll) : labels.roll(view.roll);
  // No second half follows once the last line is sold.
  const extraToCome = isActive && view.granted && !view.extra && !view.closing;
  const facts = joined(
    labels.and,
    to !== undefined && labels.payoff(yen(seatView?.payoff ?? 0, lang)),
    isActive && view.phase === "move" && roll,
    extraToCome && labels.extraToCome,
  );
  const where = at === undefined ? "" : pointName(fixed, at, lang);
  return (
    <div class="trip">
      <h3>{seat === position.seat ? labels.trip : labels.tripOf(playerName(position, seat))}</h3>
      <p class="goal">
        {at === undefined
          ? labels[isBefore ? "prebuyPhase" : "out"]
          : to === undefined
            ? labels.at(where)
            : labels.fromTo(where, pointName(fixed, to, lang))}
      </p>
      <p class="soft">{at === undefined ? "" : to === undefined ? labels.noGoal : facts}</p>
      {to === undefined && facts !== "" && <p class="soft">{facts}</p>}
    </div>
  );
}

function Prebuy({ position }: { position: At }): VNode {
  const { seat, view, lang, fixed } = position;
  const labels = strings(lang);
  const { picks, may, lineOf } = listIn(position, "prebuy");
  const seatView = seat === undefined ? undefined : view.seats[seat];
  const toggle = (value: string, name: string, body: VNode): VNode => {
    const chosen = picks.includes(value);
    const price = yen(priceOf(fixed, value), lang);
    return (
      <PlaceButton
        key={value}
        id={value === EXPRESS ? "express" : `pick ${value}`}
        label={`${(chosen ? labels.dropLine : labels.takeLine)(name)}${labels.and}${labels.price(price)}`}
        may={!chosen && may([...picks, value])}
        chosen={chosen}
      >
        {body} <b>{price}</b>
      </PlaceButton>
    );
  };
  const line = lineOf(picks);
  return (
    <Scroll class="choices many" label={labels.prebuy}>
      <PlaceButton
        id="done"
        label={labels.done}
        may={line !== undefined}
        idle={line === undefined}
        class="main"
      />
      {seatView?.hand.map((id) =>
        toggle(id, lineName(fixed, id, lang), <LineName position={position} id={id} />),
      )}
      {toggle(EXPRESS, labels.express, <span>{labels.express}</span>)}
    </Scroll>
  );
}

/** The legs that lead to the chosen station, or the lines available from here. */
function Ride({ position }: { position: At }): VNode {
  const { lang, fixed, moves, draft } = position;
  const labels = strings(lang);
  const goal = myGoal(position);
  const result = rivals(position);
  const buttons = (
    <>
      {goal !== undefined && (
        <PlaceButton
          id={`journey ${goal}`}
          label={labels.journey(pointName(fixed, goal, lang))}
          may
          chosen={draft.text === `/go ${goal}`}
        />
      )}
      {moves.some((line) => line.verb === "back") && (
        <PlaceButton id="say /back" label={labels.backLabel} may>
          {labels.back}
        </PlaceButton>
      )}
      {goal !== undefined && position.answers[myRouteQuery(position) ?? ""] === undefined && (
        <PlaceButton
          id={`ask /route ${goal}`}
          label={labels.routesLabel(pointName(fixed, goal, lang))}
        >
          {labels.routes}
        </PlaceButton>
      )}
      <PlaceButton id="ask /fares" label={labels.faresLabel}>
        {labels.fares}
      </PlaceButton>
      <PlaceButton id="ask /look here" label={labels.aroundLabel}>
        {labels.around}
      </PlaceButton>
    </>
  );
  if (result.length > 0) {
    return (
      <Scroll class="choices" label={labels.which(pointName(fixed, draft.slots.point ?? "", lang))}>
        {result.map((line) => {
          const { line: id = "", point = "", cw, ccw } = line.slots;
          const turn = cw !== undefined ? labels.cw : ccw !== undefined ? labels.ccw : "";
          return (
            <PlaceButton
              key={line.text}
              id={`say ${line.text}`}
              label={`${labels.rideTo(pointName(fixed, point, lang), lineName(fixed, id, lang))} ${turn} ${ownerLabel(position, id)}`}
              may
              chosen={draft.complete?.text === line.text}
            >
              <LineName position={position} id={id} /> {turn}
              <Owner position={position} line={id} />
            </PlaceButton>
          );
        })}
        {buttons}
      </Scroll>
    );
  }
  return (
    <Scroll class="choices" label={labels.chooseStation}>
      {slotButtons(position, "take", "line", slotValues(moves, "line"), (id) => [
        lineLabel(position, id, false),
        <>
          <LineName position={position} id={id} />
          <Owner position={position} line={id} />
        </>,
      ])}
      {buttons}
    </Scroll>
  );
}

function Buy({ position }: { position: At }): VNode {
  const { lang, fixed, moves } = position;
  const labels = strings(lang);
  const price = (id: string): number => priceOf(fixed, id);
  const offered = slotValues(moves, "item");
  const items = offered.filter((id) => id !== "none").toSorted((a, b) => price(b) - price(a));
  return (
    <Scroll class="choices" label={labels.buy}>
      {offered.includes("none") && (
        <PlaceButton id="say /buy none" label={labels.buyNothing} may>
          {labels.nothing}
        </PlaceButton>
      )}
      {slotButtons(position, "say /buy", "item", items, (id) => {
        const name = id === EXPRESS ? labels.express : lineName(fixed, id, lang);
        const cost = yen(price(id), lang);
        const drawn = (
          <>
            {id === EXPRESS ? <span>{name}</span> : <LineName position={position} id={id} />}{" "}
            <b>{cost}</b>
          </>
        );
        return [labels.buyLabel(name, cost), drawn];
      })}
    </Scroll>
  );
}

function Sell({ position }: { position: At }): VNode {
  const { lang, fixed, moves, draft } = position;
  const labels = strings(lang);
  const chosen = draft.verb === "sell" ? draft.slots.line : undefined;
  const shown = slotValues(moves, "line").toSorted(
    (a, b) => Number(b === chosen) - Number(a === chosen),
  );
  return (
    <Scroll class="choices" label={labels.sell}>
      {shown.map((id) => {
        const name = lineName(fixed, id, lang);
        return (
          <span key={id} class={id === chosen ? "lot chosen" : "lot"}>
            <span class="lot-name">
              <LineName position={position} id={id} /> <b>{yen(priceOf(fixed, id), lang)}</b>
            </span>
            {moves
              .filter((move) => move.verb === "sell" && move.slots.line === id)
              .map((move) => (
                <PlaceButton
                  key={move.text}
                  id={`say ${move.text}`}
                  label={
                    move.slots.sale === "bank" ? labels.sellBank(name) : labels.sellAuction(name)
                  }
                  may
                  chosen={draft.complete?.text === move.text}
                >
                  {move.slots.sale === "bank" ? labels.toBank : labels.toAuction}
                </PlaceButton>
              ))}
          </span>
        );
      })}
    </Scroll>
  );
}

function Deal({ position }: { position: At }): VNode {
  const { view, lang, moves } = position;
  const labels = strings(lang);
  const { auction } = view;
  const to = auction?.by === undefined ? "" : playerName(position, auction.by);
  return (
    <Scroll class="choices" label={labels.sell}>
      {moves.map(({ text, slots }) => {
        const name =
          slots.deal === "bid"
            ? labels.dealBid(to, yen(auction?.best ?? 0, lang))
            : labels.dealBank;
        return <PlaceButton key={text} id={`say ${text}`} label={name} may />;
      })}
    </Scroll>
  );
}

function NameRegion({ position }: { position: At }): VNode {
  const { lang, fixed, moves } = position;
  const labels = strings(lang);
  return (
    <Scroll class="choices" label={labels.nameRegion}>
      {slotButtons(position, "say /region", "region", slotValues(moves, "region"), (id) => {
        const { destinations = [] } = fixed.regions.find((each) => each.id === id) ?? {};
        const cities = destinations.map((each) => pointName(fixed, each, lang)).join(labels.and);
        const name = regionName(fixed, id, lang);
        return [labels.regionHas(name, cities), name];
      })}
    </Scroll>
  );
}

function NameDestination({ position }: { position: At }): VNode {
  const { lang, fixed, moves } = position;
  const labels = strings(lang);
  const from = myStop(position);
  const offered = slotValues(moves, "destination");
  return (
    <Scroll class="choices" label={labels.dest}>
      {slotButtons(position, "say /dest", "destination", offered, (id) => {
        const name = pointName(fixed, id, lang);
        const pays = from === undefined ? undefined : payoffOf(fixed, from, id);
        if (pays === undefined) return [name];
        const pay = yen(pays, lang);
        return [`${name}${labels.and}${labels.pays(pay)}`, [`${name} `, <b key="pay">{pay}</b>]];
      })}
    </Scroll>
  );
}

const DECISIONS: Readonly<Record<string, (props: { position: At }) => VNode>> = {
  prebuy: Prebuy,
  region: NameRegion,
  dest: NameDestination,
  go: Ride,
  back: Ride,
  buy: Buy,
  sell: Sell,
  bid: Bid,
  deal: Deal,
};

/** My decision, as buttons. */
export function Decision({ position }: { readonly position: At }): VNode | null {
  const Buttons = DECISIONS[position.moves[0]?.verb ?? ""];
  return Buttons === undefined ? null : <Buttons position={position} />;
}

/** The result: that the game is over, and how it ended. */
export function endedText({ view, lang }: At): string {
  const labels = strings(lang);
  return view.ending === undefined ? labels.over : labels[`ended${view.ending}`];
}

/** The current phase, in words. */
export function phaseText(position: At): string {
  const { view, lang, moves, room, seat } = position;
  const labels = strings(lang);
  if (view.phase === "over") return endedText(position);
  if (moves.length === 0) {
    if (view.phase === "prebuy" && seat !== undefined) return labels.chosen;
    const names = room.turn.map((each) => playerName(position, each)).join(labels.and);
    return names === "" ? "" : labels.wait(names);
  }
  const cash = labels.cash(yen(view.seats[seat ?? 0]?.cash ?? 0, lang));
  const texts: Partial<Record<typeof view.phase, string>> = {
    prebuy: labels.prebuyHelp,
    start: labels.start,
    region: labels.nameRegion,
    dest: labels.dest,
    move: labels.chooseStation,
    buy: joined(labels.and, labels.buy, cash),
    sell: joined(labels.and, labels.sell, cash),
  };
  return texts[view.phase] ?? cash;
}

export function TurnTray({ position }: { readonly position: At }): VNode {
  const { view } = position;
  const bidding = view.auction !== undefined && view.phase !== "over";
  const route = position.answers[myRouteQuery(position) ?? ""];
  const { RouteChoices } = art.get();
  return (
    <section class="tray" aria-label={strings(position.lang).trip}>
      {bidding ? <AuctionHead position={position} /> : <Trip position={position} />}
      <div class="decide">
        <p class="now">
          {position.moves.length === 0 && phaseText(position)}{" "}
          {!bidding && view.phase !== "over" && <Dues position={position} />}
        </p>
        <Decision position={position} />
      </div>
      {route !== undefined && <RouteChoices position={position} answer={route} />}
    </section>
  );
}
