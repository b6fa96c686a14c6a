"""On continents: placing stones and selling (Rule: itc 14.1, 14.2, 14.3)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.core.refusal import NotAllowed
from rules.core.vision import Seat
from rules.itc.desk import Desk
from rules.itc.market import leave
from rules.itc.moves import Sell, Stone
from rules.itc.points import need_inland, pays_inland, spend
from rules.itc.state import Selling, Table
from rules.itc.stores import SALES, cheapest_sellable, sellable, without_ordinary
from rules.itc.terms import GOODS, Place
from rules.itc.trade_events import Sold, StonePlaced


def place_stone(desk: Desk, move: Stone) -> None:
    """A stone from stock comes to a continent or, for the controller, to the grey market.

    Rule: itc 14.1, 14.6.
    """
    need_inland(desk.table.turn)
    seat = desk.seat
    if not desk.trader.stock:
        raise NotAllowed("no_stones", rule="1.6")
    if move.place is Place.MARKET and desk.table.controller != seat:
        raise NotAllowed("not_controller", rule="14.6")
    spend(desk)
    desk.take_stock(seat, 1)
    desk.add_stones(move.place, seat, 1)
    desk.tell(StonePlaced(seat, move.place))


def sell(desk: Desk, move: Sell) -> None:
    """All goods of the cheapest colour are sold (Rule: itc 14.2, 14.3)."""
    place = move.place
    _need_point(desk.table, place)
    seat = desk.seat
    if place is Place.MARKET and desk.table.controller != seat:
        raise NotAllowed("not_controller", rule="14.6")
    store = desk.table.places[place]
    rank = cheapest_sellable(store)
    if rank is None:
        raise NotAllowed("nothing_to_sell", rule="14.2", place=place)
    good, count = GOODS[rank], sellable(store, rank)
    if move.good is not good:
        raise NotAllowed("cheapest_first", rule="14.2", place=place, good=good)
    if place is not Place.MARKET:
        _need_stones(desk.table, seat, place, count)
    _spend_point(desk, place)
    desk.change_store(place, without_ordinary(store, rank))
    amount = count * SALES[rank]
    source = "market" if place is Place.MARKET else "sales"
    desk.pay(seat, source, amount, Sold(seat, place, good, count, amount))
    if place is Place.MARKET:
        leave(desk, seat)
    else:
        _use_stone(desk, seat, place)


def _need_point(table: Table, place: Place) -> None:
    if place is Place.MARKET or not table.turn.extra:
        need_inland(table.turn)


def _spend_point(desk: Desk, place: Place) -> None:
    """The extra point goes first; it pays for sales on continents only (Rule: itc 11.18)."""
    extra = desk.table.turn.extra
    if extra and place is not Place.MARKET:
        desk.change_turn(extra=extra - 1)
    else:
        spend(desk)


def _need_stones(table: Table, seat: Seat, place: Place, count: int) -> None:
    standing = table.places[place].stones[seat - 1]
    used = used_stones(table, place)
    if not standing or standing + used < count:
        needs = max(count - used, 1)
        raise NotAllowed("too_few_stones", rule="14.2", place=place, needs=needs, count=standing)


def used_stones(table: Table, place: Place) -> int:
    """How many stones the running sale has used at a place (Rule: itc 14.2)."""
    busy = table.turn.busy
    return busy.used if isinstance(busy, Selling) and busy.place is place else 0


def _use_stone(desk: Desk, seat: Seat, place: Place) -> None:
    used = used_stones(desk.table, place)
    desk.add_stones(place, seat, -1)
    desk.take_stock(seat, -1)
    desk.change_turn(busy=Selling(place, used + 1))


def placings(table: Table, seat: Seat) -> Iterator[Stone]:
    """Where a seat can place a stone for a point now."""
    if not pays_inland(table.turn) or not table.seats[seat].stock:
        return
    for place in Place:
        if place is not Place.MARKET or table.controller == seat:
            yield Stone(place)


def sales(table: Table, seat: Seat) -> Iterator[Sell]:
    """What a seat can sell now, at most one colour at each place."""
    turn = table.turn
    pays = pays_inland(turn)
    if not pays and not turn.extra:
        return
    for place, store in table.places.items():
        standing = store.stones[seat - 1]
        if not standing or (place is Place.MARKET and not pays):
            continue
        rank = cheapest_sellable(store)
        if rank is None:
            continue
        enough = standing + used_stones(table, place) >= sellable(store, rank)
        if place is Place.MARKET or enough:
            yield Sell(place, GOODS[rank])
