"""Action cards that move players' stones: 2, 3, 16 and 17 (Rule: itc 11.12, 11.13, 11.26, 11.27).

Cards 16 and 17 move several stones: the first with the card, each further one by a move of its
own, until something else is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rules.core.refusal import NotAllowed
from rules.core.vision import Seat, held
from rules.itc.data import ACTIONS
from rules.itc.desk import Desk
from rules.itc.hands import code_of, need_card, play_card, playable_kinds
from rules.itc.moves import Fetch, Organize, Recruit, Resettle, Shift, Transfer
from rules.itc.state import Organizing, Resettling, Table
from rules.itc.terms import CONTINENTS, Kind, Place
from rules.itc.trade_events import StoneLost, StoneMoved, StonePlaced

SETTLERS: Final = ACTIONS[code_of(Kind.NEW_LOCATION)].amount
"""How many stones a new location takes (Rule: itc 11.26)."""
RECRUITS: Final = ACTIONS[code_of(Kind.ORGANIZATION)].amount
"""How many stones an organization sends (Rule: itc 11.27)."""


def transfer(desk: Desk, given: Transfer) -> None:
    """A stone of another player moves between continents (Rule: itc 11.12)."""
    need_card(desk.table, Kind.RELOCATE_RIVAL)
    if given.seat == desk.seat:
        raise NotAllowed("own_stone", rule="11.12")
    _check_way(given.origin, given.place, "11.12")
    _need_stone(desk.table, given.seat, given.origin, "11.12")
    play_card(desk, Kind.RELOCATE_RIVAL)
    _move(desk, given.seat, given.origin, given.place)


def shift(desk: Desk, given: Shift) -> None:
    """An own stone moves to another continent or, if controlled, the market (Rule: itc 11.13)."""
    need_card(desk.table, Kind.RELOCATE_OWN)
    _check_origin(given.origin, given.place, "11.13")
    if given.place is Place.MARKET and desk.table.controller != desk.seat:
        raise NotAllowed("not_controller", rule="14.6")
    _need_stone(desk.table, desk.seat, given.origin, "11.13")
    play_card(desk, Kind.RELOCATE_OWN)
    _move(desk, desk.seat, given.origin, given.place)


def resettle(desk: Desk, given: Resettle) -> None:
    """The first stone comes to a new location (Rule: itc 11.26)."""
    need_card(desk.table, Kind.NEW_LOCATION)
    _check_way(given.origin, given.place, "11.26")
    if _standing(desk.table, desk.seat, given.place):
        raise NotAllowed("not_new", rule="11.26", place=given.place)
    _need_stone(desk.table, desk.seat, given.origin, "11.26")
    play_card(desk, Kind.NEW_LOCATION)
    _move(desk, desk.seat, given.origin, given.place)
    desk.change_turn(busy=Resettling(given.place, SETTLERS - 1))


def fetch(desk: Desk, given: Fetch) -> None:
    """A further stone comes to the new location (Rule: itc 11.26)."""
    busy = desk.table.turn.busy
    if not isinstance(busy, Resettling):
        raise NotAllowed("no_resettling", rule="11.26")
    _check_way(given.origin, busy.place, "11.26")
    _need_stone(desk.table, desk.seat, given.origin, "11.26")
    _move(desk, desk.seat, given.origin, busy.place)
    left = busy.left - 1
    desk.change_turn(busy=Resettling(busy.place, left) if left else None)


def organize(desk: Desk, given: Organize) -> None:
    """The first stone goes to the grey market (Rule: itc 11.27)."""
    need_card(desk.table, Kind.ORGANIZATION)
    if desk.table.controller != desk.seat:
        raise NotAllowed("not_controller", rule="14.6")
    if given.place is Place.MARKET:
        raise NotAllowed("from_continents", rule="11.27")
    _check_recruit(desk.table, given.seat, given.place)
    play_card(desk, Kind.ORGANIZATION)
    _recruit(desk, given.seat, given.place)
    desk.change_turn(busy=Organizing(given.place, (given.seat,)))


def recruit(desk: Desk, given: Recruit) -> None:
    """A further stone, of another colour, goes from the same continent (Rule: itc 11.27)."""
    busy = desk.table.turn.busy
    if not isinstance(busy, Organizing):
        raise NotAllowed("no_organizing", rule="11.27")
    if given.seat in busy.taken:
        raise NotAllowed("colour_taken", rule="11.27", other=given.seat)
    _check_recruit(desk.table, given.seat, busy.place)
    _recruit(desk, given.seat, busy.place)
    taken = tuple(sorted((*busy.taken, given.seat)))
    desk.change_turn(busy=Organizing(busy.place, taken) if len(taken) < RECRUITS else None)


def _check_way(origin: Place, place: Place, rule: str) -> None:
    """NotAllowed if a stone would not go from a continent to another one."""
    if place is Place.MARKET:
        raise NotAllowed("to_continents", rule=rule)
    _check_origin(origin, place, rule)


def _check_origin(origin: Place, place: Place, rule: str) -> None:
    """NotAllowed if a stone would not go from a continent to another place."""
    if origin is Place.MARKET:
        raise NotAllowed("from_continents", rule=rule)
    if origin is place:
        raise NotAllowed("same_place", rule=rule, place=place)


def _need_stone(table: Table, seat: Seat, place: Place, rule: str) -> None:
    if not 1 <= seat <= len(table.seats):
        raise NotAllowed("nobody_there", rule="1.1", count=len(table.seats))
    if not _standing(table, seat, place):
        raise NotAllowed("no_stone_there", rule=rule, other=seat, place=place)


def _standing(table: Table, seat: Seat, place: Place) -> int:
    return table.places[place].stones[seat - 1]


def _move(desk: Desk, seat: Seat, origin: Place, place: Place) -> None:
    desk.add_stones(origin, seat, -1)
    desk.add_stones(place, seat, 1)
    desk.tell(StoneMoved(seat, origin, place))


def _check_recruit(table: Table, seat: Seat, place: Place) -> None:
    _need_stone(table, seat, place, "11.27")
    if seat != table.turn.seat and not table.seats[table.turn.seat].stock:
        raise NotAllowed("no_stones", rule="1.6")


def _recruit(desk: Desk, seat: Seat, place: Place) -> None:
    """An own stone goes to the grey market; for a rival's one an own stone from stock does."""
    if seat == desk.seat:
        _move(desk, seat, place, Place.MARKET)
        return
    desk.add_stones(place, seat, -1)
    desk.take_stock(seat, -1)
    desk.tell(StoneLost(seat, place))
    desk.add_stones(Place.MARKET, desk.seat, 1)
    desk.take_stock(desk.seat, 1)
    desk.tell(StonePlaced(desk.seat, Place.MARKET))


def relocations(
    table: Table, seat: Seat
) -> Iterator[Transfer | Shift | Resettle | Fetch | Organize | Recruit]:
    """Every way in which a seat can move stones with its cards now."""
    yield from _further(table, seat)
    if not held(table.seats[seat].kept):
        return
    kinds = playable_kinds(table)
    if Kind.RELOCATE_RIVAL in kinds:
        yield from _transfers(table, seat)
    if Kind.RELOCATE_OWN in kinds:
        yield from _shifts(table, seat)
    if Kind.NEW_LOCATION in kinds:
        yield from _resettlings(table, seat)
    if Kind.ORGANIZATION in kinds and table.controller == seat:
        for place in CONTINENTS:
            for other in _recruitable(table, seat, place):
                yield Organize(place, other)


def _transfers(table: Table, seat: Seat) -> Iterator[Transfer]:
    for origin in CONTINENTS:
        for other in _others_at(table, seat, origin):
            for place in CONTINENTS:
                if place is not origin:
                    yield Transfer(other, origin, place)


def _shifts(table: Table, seat: Seat) -> Iterator[Shift]:
    places = tuple(Place) if table.controller == seat else CONTINENTS
    for origin in _own_continents(table, seat):
        for place in places:
            if place is not origin:
                yield Shift(origin, place)


def _resettlings(table: Table, seat: Seat) -> Iterator[Resettle]:
    own = _own_continents(table, seat)
    for place in CONTINENTS:
        if place not in own:
            for origin in own:
                yield Resettle(place, origin)


def _further(table: Table, seat: Seat) -> Iterator[Fetch | Recruit]:
    busy = table.turn.busy
    if isinstance(busy, Resettling):
        for origin in CONTINENTS:
            if origin is not busy.place and _standing(table, seat, origin):
                yield Fetch(origin)
    elif isinstance(busy, Organizing):
        for other in _recruitable(table, seat, busy.place):
            if other not in busy.taken:
                yield Recruit(other)


def _own_continents(table: Table, seat: Seat) -> list[Place]:
    return [place for place in CONTINENTS if _standing(table, seat, place)]


def _others_at(table: Table, seat: Seat, place: Place) -> list[Seat]:
    stones = table.places[place].stones
    return [Seat(at) for at, count in enumerate(stones, start=1) if count and at != seat]


def _recruitable(table: Table, seat: Seat, place: Place) -> list[Seat]:
    stones = table.places[place].stones
    stock = table.seats[seat].stock
    return [Seat(at) for at, count in enumerate(stones, start=1) if count and (at == seat or stock)]
