"""Properties: bought, sold, put up for auction (Rule: tokai 9, 11.2.1 to 11.2.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from bluebear.rules.core.game import Emit, Rash
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokai.data.map_data import LineId
from bluebear.rules.tokai.rules import events, moves
from bluebear.rules.tokai.rules.fares import due_to, end_tickets, give_tickets
from bluebear.rules.tokai.rules.network import CONSTANTS, LINES
from bluebear.rules.tokai.rules.setup import price_of
from bluebear.rules.tokai.rules.state import Auction, Due, Next, Phase, State, clockwise

HIGHEST_BID: Final = 400
"""So that all bids can be listed; ten times the dearest card (Rule: tokai 16.4)."""

PRICES: Final[Mapping[str, int]] = {
    moves.EXPRESS: CONSTANTS.express_ticket_price,
    **{line.id: line.price for line in LINES},
}
_BUYS: Final = {item: moves.Buy(item) for item in sorted((*PRICES, moves.NOTHING))}
"""By item, in the order of canonical lines."""
_BIDS: Final = tuple(
    sorted((moves.Bid(bid) for bid in range(1, HIGHEST_BID + 1)), key=lambda each: f"{each.bid}000")
)
"""All bids, in the order of canonical lines."""


def face_half(line: LineId) -> int:
    """What the bank pays for a line: half of its face, rounded down (Rule: tokai 11.2.2)."""
    return price_of(line) // 2


def can_buy(table: State, item: str) -> bool:
    """Whether a property is for sale and the active seat can pay it (Rule: tokai 9.1, 9.2)."""
    return PRICES[item] <= table.mover.cash and _is_free(table, item)


def _is_free(table: State, item: str) -> bool:
    return not table.mover.express if item == moves.EXPRESS else item not in table.owners


def purchases(table: State) -> Iterator[moves.Buy | Rash]:
    """All answers to the question what to buy, in the order of canonical lines.

    Rash is a purchase that takes the money for the fare of this turn (Rule: tokai 9.2).
    """
    for item, move in _BUYS.items():
        if item == moves.NOTHING:
            yield move
        elif can_buy(table, item):
            yield Rash(move) if _takes_fare(table, item) else move


def _takes_fare(table: State, item: str) -> bool:
    """Whether a purchase takes the money for the fare of this turn (Rule: tokai 9.2).

    Not while an extra half may still bring money, nor for the line that ends the game. The last
    line ends the turn in any case, with the fare or without (Rule: tokai 12.1, 17.1).
    """
    is_last = item != moves.EXPRESS and len(table.owners) == len(LINES) - 1
    no_fare_yet = not table.settlelast if is_last else table.granted and not table.extra
    return not no_fare_yet and table.mover.cash - PRICES[item] < table.owed


def no_purchase(table: State, move: moves.Buy) -> NotAllowed | None:
    """What forbids a purchase; None if it is legal (Rule: tokai 9.1, 9.2, 9.3)."""
    item = move.item
    if item == moves.NOTHING or can_buy(table, item):
        return None
    if _is_free(table, item):
        price, cash = PRICES[item], table.mover.cash
        return NotAllowed("cannot_afford", rule="9.2", item=item, price=price, cash=cash)
    if item == moves.EXPRESS:
        return NotAllowed("has_ticket", rule="9.3")
    line = LineId(item)
    owner = table.owners[line]
    if owner == table.active:
        return NotAllowed("is_yours", rule="9.1", line=line)
    return NotAllowed("is_owned", rule="9.1", line=line, owner=owner)


def buy(table: State, move: moves.Buy, emit: Emit) -> Next:
    """The active seat buys one property, or nothing (Rule: tokai 9.1 to 9.5)."""
    seat = table.active
    if move.item == moves.NOTHING:
        emit(events.BoughtNothing(seat))
        return Next.HALF_END
    mover, price = table.mover, PRICES[move.item]
    mover.cash -= price
    if move.item == moves.EXPRESS:
        mover.express = True
        emit(events.TicketBought(seat, price, mover.cash))
        return Next.HALF_END
    line = LineId(move.item)
    table.owners[line] = seat
    emit(events.Bought(seat, line, price, mover.cash))
    give_tickets(table, line, seat, emit)
    return Next.LAST_LINE if len(table.owners) == len(LINES) else Next.HALF_END


def sales(table: State) -> list[moves.Sell]:
    """The lines that the active seat may sell, and how, in the order of canonical lines."""
    owned = table.lines_of(table.active)
    return [
        moves.Sell(line, sale) for line in owned for sale in (moves.Sale.AUCTION, moves.Sale.BANK)
    ]


def no_sale(table: State, move: moves.Sell) -> NotAllowed | None:
    """What forbids a sale; None if it is legal (Rule: tokai 11.2.1)."""
    owned = table.lines_of(table.active)
    if move.line in owned:
        return None
    return NotAllowed("not_yours", rule="11.2.1", line=move.line, lines=owned)


def sell(table: State, move: moves.Sell, emit: Emit) -> Next:
    """The active seat sells a line, to the bank or by auction (Rule: tokai 11.2.2, 11.2.3)."""
    seat = table.active
    if move.sale is moves.Sale.BANK:
        return _to_bank(table, move.line, emit)
    emit(events.AuctionBegan(seat, move.line, face_half(move.line)))
    rest = clockwise(seat, len(table.seats))[1:]
    bidders = tuple(other for other in rest if other not in table.fallen)
    table.phase = Phase.AUCTION
    table.auction = Auction(line=move.line, best=0, by=None, bidders=bidders)
    return _ask(table, emit)


def _to_bank(table: State, line: LineId, emit: Emit) -> Next:
    """The line is unowned again, and through tickets for it end (Rule: tokai 11.2.2, 11.10)."""
    amount = face_half(line)
    table.mover.cash += amount
    emit(events.SoldToBank(table.active, line, amount))
    del table.owners[line]
    end_tickets(table, (line,))
    table.auction = None
    return Next.SETTLE


def _going_on(table: State) -> Auction:
    assert table.auction is not None
    return table.auction


def span(table: State, auction: Auction, bidder: Seat) -> range:
    """What a seat may bid next, nothing if it cannot bid (Rule: tokai 11.2.5).

    At least more than the best bid, or half of the face; at most its cash and what the seller owes
    it, within 16.4.
    """
    least = auction.best + 1 if auction.best else face_half(auction.line)
    most = min(table.seats[bidder].cash + due_to(table.dues, bidder), HIGHEST_BID)
    return range(least, most + 1)


def bids(table: State) -> Iterator[moves.Bid]:
    """What the next bidder may answer, in the order of canonical lines."""
    auction = _going_on(table)
    fitting = span(table, auction, auction.bidders[0])
    yield from (bid for bid in _BIDS if bid.bid in fitting)
    yield moves.Bid(moves.PASS)


def no_bid(table: State, move: moves.Bid) -> NotAllowed | None:
    """What forbids a bid of the next bidder; None if it is legal."""
    auction = _going_on(table)
    fitting = span(table, auction, auction.bidders[0])
    if move.bid == moves.PASS or move.bid in fitting:
        return None
    least, most = fitting.start, fitting.stop - 1
    return NotAllowed("bid_does_not_fit", rule="11.2.5", bid=move.bid, lowest=least, highest=most)


def bid(table: State, move: moves.Bid, emit: Emit) -> Next:
    """The next bidder bids, or passes for good (Rule: tokai 11.2.5)."""
    auction = _going_on(table)
    seat, *rest = auction.bidders
    if move.bid == moves.PASS:
        auction.bidders = tuple(rest)
        emit(events.Passed(seat))
    else:
        auction.best, auction.by, auction.bidders = move.bid, seat, (*rest, seat)
        emit(events.HasBid(seat, auction.line, move.bid))
    return _ask(table, emit)


def _ask(table: State, emit: Emit) -> Next:
    """Go on to the next bidder who can bid, or end the auction (Rule: tokai 11.2.5)."""
    auction = _going_on(table)
    while auction.bidders and auction.bidders[0] != auction.by:
        if span(table, auction, auction.bidders[0]):
            return Next.DECISION
        emit(events.CannotBid(auction.bidders[0]))
        auction.bidders = auction.bidders[1:]
    if not auction.bidders:
        emit(events.NobodyBid(auction.line))
        return _to_bank(table, auction.line, emit)
    table.phase = Phase.DEAL
    return Next.DECISION


def deal(table: State, move: moves.Deal, emit: Emit) -> Next:
    """The seller takes the best bid, or sells to the bank (Rule: tokai 11.2.3, 11.2.6)."""
    auction = _going_on(table)
    line, winner, price = auction.line, auction.by, auction.best
    assert winner is not None
    if move.deal is moves.Choice.BANK:
        return _to_bank(table, line, emit)
    seat, buyer = table.active, table.seats[winner]
    cancelled = min(price, due_to(table.dues, winner))
    emit(events.AuctionWon(winner, line, seat, price))
    if cancelled:
        emit(events.SetOff(seat, winner, cancelled))
    buyer.through = tuple(each for each in buyer.through if each != line)
    buyer.cash -= price - cancelled
    table.mover.cash += price - cancelled
    table.owners[line] = winner
    table.dues = _less(table.dues, winner, cancelled)
    table.auction = None
    return Next.SETTLE


def _less(dues: tuple[Due, ...], payee: int, amount: int) -> tuple[Due, ...]:
    """The dues with a part of one set off; what is owed no more is dropped."""
    left = (Due(payee, due.amount - amount) if due.payee == payee else due for due in dues)
    return tuple(due for due in left if due.amount)
