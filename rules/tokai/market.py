"""Properties: bought on arrival, sold when the fare cannot be paid, fought for in auctions.

Rule: tokai 9, 11.2.1 to 11.2.6.
"""

from __future__ import annotations

from typing import Final

from rules.core.refusal import NotAllowed
from rules.core.vision import Event, Seat, but
from rules.tokai.atlas import LineId
from rules.tokai.course import Going, Next
from rules.tokai.fares import due_to, end_tickets, give_tickets
from rules.tokai.money_events import (
    AuctionBegan,
    AuctionWon,
    Bought,
    BoughtNothing,
    CannotBid,
    HasBid,
    NobodyBid,
    Passed,
    SetOff,
    SoldToBank,
    TicketBought,
)
from rules.tokai.moves import EXPRESS, NOTHING, PASS, Bid, Buy, Choice, Deal, Sale, Sell
from rules.tokai.network import CONSTANTS, LINES
from rules.tokai.setting_up import price_of
from rules.tokai.state import Auction, Due, Phase, Table, clockwise

HIGHEST_BID: Final = 400
"""So that all bids can be listed; ten times the dearest card (Rule: tokai 16.4)."""

_IN_ORDER: Final = tuple(sorted(line.id for line in LINES))
"""All lines as their ids are sorted, which is the order of canonical lines."""
_BEFORE_EXPRESS: Final = tuple(line for line in _IN_ORDER if line < EXPRESS)
_BEFORE_NOTHING: Final = tuple(line for line in _IN_ORDER if EXPRESS < line < NOTHING)
_LAST: Final = tuple(line for line in _IN_ORDER if line > NOTHING)
_ITEMS: Final = (*_BEFORE_EXPRESS, EXPRESS, *_BEFORE_NOTHING, NOTHING, *_LAST)
_BUYS: Final = {item: Buy(item) for item in _ITEMS}
_BIDS: Final = tuple(
    sorted((Bid(bid) for bid in range(1, HIGHEST_BID + 1)), key=lambda each: f"{each.bid}000")
)


def face_half(line: LineId) -> int:
    """What the bank pays for a line: half of its face, rounded down (Rule: tokai 11.2.2)."""
    return price_of(line) // 2


def offers(table: Table) -> list[Buy]:
    """What the active seat can pay for, in the order of canonical lines (Rule: tokai 9.1, 9.2)."""
    mover = table.mover
    return [
        _BUYS[item]
        for item in _ITEMS
        if item != NOTHING and _is_free(table, item) and _price(item) <= mover.cash
    ]


def _price(item: str) -> int:
    return CONSTANTS.express_ticket_price if item == EXPRESS else price_of(LineId(item))


def _is_free(table: Table, item: str) -> bool:
    return not table.mover.express if item == EXPRESS else LineId(item) not in table.owners


def purchases(table: Table) -> list[Buy]:
    """All answers to the question what to buy, in the order of canonical lines."""
    affordable = frozenset(offers(table))
    return [buy for buy in _BUYS.values() if buy in affordable or buy.item == NOTHING]


def is_rash(table: Table, move: Buy) -> bool:
    """Whether a purchase takes the money for the fare of this turn (Rule: tokai 9.2).

    Not while an extra half may still bring money, nor for the line that ends the game. The last
    line ends the turn in any case, with the fare or without (Rule: tokai 12.1, 17.1).
    """
    if move.item == NOTHING:
        return False
    is_last = _is_last(table, move.item)
    no_fare_yet = not table.settlelast if is_last else table.granted and not table.extra
    return not no_fare_yet and table.mover.cash - _price(move.item) < table.owed


def _is_last(table: Table, item: str) -> bool:
    return item != EXPRESS and len(table.owners) == len(LINES) - 1


def buy(table: Table, move: Buy, events: list[Event]) -> Going:
    """The active seat buys one property, or nothing (Rule: tokai 9.1 to 9.5)."""
    seat, mover = table.active, table.mover
    if move.item == NOTHING:
        events.append(BoughtNothing(seat))
        return Going(table, Next.HALF_END)
    price = _price(move.item)
    if not _is_free(table, move.item):
        raise _not_for_sale(table, move.item)
    if price > mover.cash:
        raise NotAllowed("cannot_afford", rule="9.2", item=move.item, price=price, cash=mover.cash)
    cash = mover.cash - price
    if move.item == EXPRESS:
        events.append(TicketBought(seat, price, cash))
        rider = but(mover, cash=cash, express=True)
        return Going(but(table, seats=table.seats.put(seat, rider)), Next.HALF_END)
    line = LineId(move.item)
    events.append(Bought(seat, line, price, cash))
    seats = table.seats.put(seat, but(mover, cash=cash))
    seats = give_tickets(seats, line, seat, events)
    table = but(table, seats=seats, owners=table.owners.put(line, seat))
    return Going(table, Next.LAST_LINE if len(table.owners) == len(LINES) else Next.HALF_END)


def _not_for_sale(table: Table, item: str) -> NotAllowed:
    if item == EXPRESS:
        return NotAllowed("has_ticket", rule="9.3")
    line = LineId(item)
    owner = table.owners[line]
    if owner == table.active:
        return NotAllowed("is_yours", rule="9.1", line=line)
    return NotAllowed("is_owned", rule="9.1", line=line, owner=owner)


def sales(table: Table) -> list[Sell]:
    """The lines that the active seat may sell, and how, in the order of canonical lines."""
    owned = table.lines_of(table.active)
    return [Sell(line, sale) for line in owned for sale in (Sale.AUCTION, Sale.BANK)]


def sell(table: Table, move: Sell, events: list[Event]) -> Going:
    """The active seat sells a line, to the bank or by auction (Rule: tokai 11.2.2, 11.2.3)."""
    seat = table.active
    if table.owners.get(move.line) != seat:
        raise NotAllowed("not_yours", rule="11.2.1", line=move.line, lines=table.lines_of(seat))
    if move.sale is Sale.BANK:
        return Going(_to_bank(table, move.line, events), Next.SETTLE)
    events.append(AuctionBegan(seat, move.line, face_half(move.line)))
    others = clockwise(seat, len(table.seats))[1:]
    bidders = tuple(other for other in others if other not in table.fallen)
    auction = Auction(line=move.line, best=0, by=None, bidders=bidders)
    return ask(but(table, phase=Phase.AUCTION, auction=auction), events)


def _to_bank(table: Table, line: LineId, events: list[Event]) -> Table:
    """The line is unowned again, and through tickets for it end (Rule: tokai 11.2.2, 11.10)."""
    seat = table.active
    amount = face_half(line)
    events.append(SoldToBank(seat, line, amount))
    seats = table.seats.put(seat, but(table.mover, cash=table.mover.cash + amount))
    return but(
        table, seats=end_tickets(seats, (line,)), owners=table.owners.drop(line), auction=None
    )


def highest(table: Table, seat: Seat) -> int:
    """The most that a seat may bid: its cash and what the seller owes it, within 16.4.

    Rule: tokai 11.2.5.
    """
    return min(table.seats[seat].cash + due_to(table.dues, seat), HIGHEST_BID)


def lowest(auction: Auction) -> int:
    """The least that the next bid must be (Rule: tokai 11.2.5)."""
    return auction.best + 1 if auction.best else face_half(auction.line)


def bids(table: Table, auction: Auction) -> list[Bid]:
    """What the next bidder may answer, in the order of canonical lines."""
    least, most = lowest(auction), highest(table, auction.bidders[0])
    return [*(bid for bid in _BIDS if least <= bid.bid <= most), Bid(PASS)]


def ask(table: Table, events: list[Event]) -> Going:
    """Goes on to the next bidder who can bid, or ends the auction (Rule: tokai 11.2.5)."""
    auction = table.auction
    assert auction is not None
    bidders = auction.bidders
    while bidders and bidders[0] != auction.by and highest(table, bidders[0]) < lowest(auction):
        events.append(CannotBid(bidders[0]))
        bidders = bidders[1:]
    if not bidders:
        events.append(NobodyBid(auction.line))
        return Going(_to_bank(table, auction.line, events), Next.SETTLE)
    table = but(table, auction=but(auction, bidders=bidders))
    if bidders[0] == auction.by:
        return Going(but(table, phase=Phase.DEAL), Next.DECISION)
    return Going(table, Next.DECISION)


def bid(table: Table, move: Bid, events: list[Event]) -> Going:
    """The next bidder bids, or passes for good (Rule: tokai 11.2.5)."""
    auction = table.auction
    assert auction is not None
    seat, others = auction.bidders[0], auction.bidders[1:]
    if move.bid == PASS:
        events.append(Passed(seat))
        return ask(but(table, auction=but(auction, bidders=others)), events)
    least, most = lowest(auction), highest(table, seat)
    if not least <= move.bid <= most:
        raise NotAllowed(
            "bid_does_not_fit", rule="11.2.5", bid=move.bid, lowest=least, highest=most
        )
    events.append(HasBid(seat, auction.line, move.bid))
    raised = but(auction, best=move.bid, by=seat, bidders=(*others, seat))
    return ask(but(table, auction=raised), events)


def deal(table: Table, move: Deal, events: list[Event]) -> Going:
    """The seller takes the best bid, or sells to the bank (Rule: tokai 11.2.3, 11.2.6)."""
    auction = table.auction
    assert auction is not None
    assert auction.by is not None
    if move.deal is Choice.BANK:
        return Going(_to_bank(table, auction.line, events), Next.SETTLE)
    seat, winner, price = table.active, auction.by, auction.best
    cancelled = min(price, due_to(table.dues, winner))
    events.append(AuctionWon(winner, auction.line, seat, price))
    if cancelled:
        events.append(SetOff(seat, winner, cancelled))
    buyer = table.seats[winner]
    held = tuple(line for line in buyer.through if line != auction.line)
    paid = price - cancelled
    seats = table.seats.put(winner, but(buyer, cash=buyer.cash - paid, through=held))
    seats = seats.put(seat, but(table.mover, cash=table.mover.cash + paid))
    return Going(
        but(
            table,
            seats=seats,
            owners=table.owners.put(auction.line, winner),
            dues=_less(table.dues, winner, cancelled),
            auction=None,
        ),
        Next.SETTLE,
    )


def _less(dues: tuple[Due, ...], payee: int, amount: int) -> tuple[Due, ...]:
    """The dues with a part of one set off; what is owed no more is dropped."""
    made = []
    for due in dues:
        left = due.amount - (amount if due.payee == payee else 0)
        if left:
            made.append(Due(due.payee, left))
    return tuple(made)
