// The auction of a line: its state, and bidding.

import type { VNode } from "preact";
import { PlaceButton } from "../../board/index.ts";
import { playerName, Scroll } from "../../board/parts.ts";
import { Owner } from "./choices.tsx";
import { type At, bidOf, bidsOf, lineName, priceOf } from "./selectors.ts";
import { strings, yen } from "./strings.ts";

/** The state of the auction. */
export function auctionText(position: At): string {
  const { view, lang, fixed } = position;
  const labels = strings(lang);
  const { auction } = view;
  if (auction === undefined) return "";
  const { by } = auction;
  const best = by ? labels.best(yen(auction.best, lang), playerName(position, by)) : labels.noBid;
  const price = priceOf(fixed, auction.line);
  const names = auction.bidders.map((seat) => playerName(position, seat)).join(labels.and);
  return [labels.price(yen(price, lang)), best, labels.bidders(names)].join(labels.and);
}

export function AuctionHead({ position }: { position: At }): VNode | null {
  const { view, lang, fixed } = position;
  const { auction } = view;
  if (auction === undefined) return null;
  return (
    <div class="trip">
      <h3>{strings(lang).auction}</h3>
      <p class="goal">
        <Owner position={position} line={auction.line} /> {lineName(fixed, auction.line, lang)}
      </p>
      <p class="soft">{auctionText(position)}</p>
    </div>
  );
}

/** The bid of the buttons: the typed one, else the lowest. */
export function shownBid(position: At): number | undefined {
  return bidOf(position) ?? bidsOf(position)[0];
}

export function Bid({ position }: { position: At }): VNode {
  const { lang, draft } = position;
  const labels = strings(lang);
  const bids = bidsOf(position);
  const bid = shownBid(position);
  const step = bid === undefined ? -1 : bids.indexOf(bid);
  return (
    <Scroll class="choices" label={labels.auction}>
      {bid !== undefined && (
        <>
          <PlaceButton id="lower" label={labels.lower} idle={step <= 0}>
            −
          </PlaceButton>
          <PlaceButton
            id="bid"
            label={labels.bid(yen(bid / 1000, lang))}
            may
            chosen={bidOf(position) === bid}
            class="bid"
          />
          <PlaceButton id="higher" label={labels.higher} idle={step >= bids.length - 1}>
            +
          </PlaceButton>
        </>
      )}
      <PlaceButton
        id="say /bid pass"
        label={labels.pass}
        may
        chosen={draft.complete?.text === "/bid pass"}
      />
    </Scroll>
  );
}
