"""On continents: placing stones and selling (Rule: itc 14.1, 14.2, 14.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat
from bluebear.rules.itc.desk import Desk
from bluebear.rules.itc.market import controls, leave, not_controller
from bluebear.rules.itc.moves import STONES, Sell, Stone
from bluebear.rules.itc.points import no_inland, pays_inland
from bluebear.rules.itc.state import Selling, Table, Turn
from bluebear.rules.itc.stores import SALES, cheapest_sellable, sellable, without_ordinary
from bluebear.rules.itc.terms import CONTINENTS, GOODS, PLACES, Place
from bluebear.rules.itc.trade_events import Sold, StonePlaced

_ON_CONTINENTS: Final = tuple(move for move in STONES if move.place is not Place.MARKET)

_SALES: Final = {place: tuple(Sell(place, good) for good in GOODS) for place in PLACES}
"""Each sale by place and rank of the colour."""


def placings(table: Table) -> Sequence[Stone]:
    """Where the seat on turn can place a stone, if it has a point (Rule: itc 1.6, 14.6)."""
    if not table.seats[table.turn.seat].stock:
        return ()
    return STONES if controls(table) else _ON_CONTINENTS


def no_stone(table: Table, move: Stone) -> NotAllowed | None:
    """What forbids to place a stone somewhere (Rule: itc 14.1)."""
    refusal = no_inland(table.turn)
    if refusal is not None:
        return refusal
    allowed = placings(table)
    if move in allowed:
        return None
    return not_controller(table) if allowed else NotAllowed("no_stones", rule="1.6")


def place_stone(desk: Desk, move: Stone) -> None:
    """A stone from stock comes to a continent or, for the controller, to the grey market.

    Rule: itc 14.1, 14.6.
    """
    seat = desk.seat
    desk.table.turn.points -= 1
    desk.place_stones(move.place, seat, 1)
    desk.tell(StonePlaced(seat, move.place))


def sales(table: Table) -> list[Sell]:
    """What the seat on turn can sell now, at most one colour at each place.

    In the grey market only the controller has stones (Rule: itc 2.8, 14.2, 14.3).
    """
    at = table.turn.seat - 1
    found: list[Sell] = []
    for place in _paid_places(table.turn):
        store = table.places[place]
        standing = store.stones[at]
        rank = cheapest_sellable(store) if standing else None
        if rank is None:
            continue
        able = standing + used_stones(table, place)
        if able >= sellable(store, rank) or place is Place.MARKET:
            found.append(_SALES[place][rank])
    return found


def _paid_places(turn: Turn) -> Sequence[Place]:
    """Where a point for a sale is left; the extra one is for continents (Rule: itc 11.18)."""
    if pays_inland(turn):
        return PLACES
    return CONTINENTS if turn.extra else ()


def no_sale(table: Table, move: Sell) -> NotAllowed | None:
    """What forbids a sale (Rule: itc 14.2, 14.3)."""
    if move in sales(table):
        return None
    place, turn = move.place, table.turn
    if place not in _paid_places(turn):
        return no_inland(turn)
    refusal = not_controller(table) if place is Place.MARKET else None
    if refusal is not None:
        return refusal
    store = table.places[place]
    rank = cheapest_sellable(store)
    if rank is None:
        return NotAllowed("nothing_to_sell", rule="14.2", place=place)
    if move.good is not GOODS[rank]:
        return NotAllowed("cheapest_first", rule="14.2", place=place, good=GOODS[rank])
    needs = max(sellable(store, rank) - used_stones(table, place), 1)
    standing = store.stones[turn.seat - 1]
    return NotAllowed("too_few_stones", rule="14.2", place=place, needs=needs, count=standing)


def sell(desk: Desk, move: Sell) -> None:
    """All goods of the cheapest colour are sold (Rule: itc 14.2, 14.3)."""
    place, seat = move.place, desk.seat
    rank = GOODS.index(move.good)
    store = desk.table.places[place]
    count = sellable(store, rank)
    _spend_point(desk.table.turn, place)
    desk.table.places[place] = without_ordinary(store, rank)
    amount = count * SALES[rank]
    source = "market" if place is Place.MARKET else "sales"
    desk.pay(seat, source, amount, Sold(seat, place, move.good, count, amount))
    if place is Place.MARKET:
        leave(desk, seat)
    else:
        _use_stone(desk, seat, place)


def _spend_point(turn: Turn, place: Place) -> None:
    """The extra point goes first; it pays for sales on continents only (Rule: itc 11.18)."""
    if turn.extra and place is not Place.MARKET:
        turn.extra -= 1
    else:
        turn.points -= 1


def used_stones(table: Table, place: Place) -> int:
    """How many stones the running sale has used at a place (Rule: itc 14.2)."""
    busy = table.turn.busy
    return busy.used if isinstance(busy, Selling) and busy.place is place else 0


def _use_stone(desk: Desk, seat: Seat, place: Place) -> None:
    used = used_stones(desk.table, place)
    desk.place_stones(place, seat, -1)
    desk.table.turn.busy = Selling(place, used + 1)
