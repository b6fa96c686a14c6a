"""Action cards that move players' stones: 2, 3, 16 and 17 (Rule: itc 11.12, 11.13, 11.26, 11.27).

Cards 16 and 17 move several stones: the first with the card, each further one by a move of its
own, until something else is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat
from bluebear.rules.itc.data.card_data import ActionCard
from bluebear.rules.itc.data.tables import ACTIONS
from bluebear.rules.itc.data.terms import CONTINENTS, PLACES, Kind, Place
from bluebear.rules.itc.rules.continents import controls, not_controller
from bluebear.rules.itc.rules.events import StoneLost, StoneMoved, StonePlaced
from bluebear.rules.itc.rules.moves import Fetch, Organize, Recruit, Resettle, Shift, Transfer
from bluebear.rules.itc.rules.state import Organizing, Resettling, State
from bluebear.rules.itc.rules.turn_context import Desk, code_of, no_card, play_card

SETTLERS: Final = ACTIONS[code_of(Kind.NEW_LOCATION)].amount
"""How many stones a new location takes (Rule: itc 11.26)."""
RECRUITS: Final = ACTIONS[code_of(Kind.ORGANIZATION)].amount
"""How many stones an organization sends (Rule: itc 11.27)."""


_WAYS: Final = tuple(
    (origin, place) for origin in CONTINENTS for place in CONTINENTS if origin is not place
)
"""From each continent to each other one."""


def transfers(table: State, card: ActionCard) -> Iterator[Transfer]:
    """Every stone of others that can be moved, and whereto."""
    rivals = {place: _rivals_at(table, place) for place in CONTINENTS}
    return (Transfer(other, origin, to) for origin, to in _WAYS for other in rivals[origin])


def no_transfer(table: State, given: Transfer) -> NotAllowed | None:
    """What forbids to move a stone of another player (Rule: itc 11.12)."""
    refusal = no_card(table, Kind.RELOCATE_RIVAL)
    if refusal is None and given.seat == table.turn.seat:
        refusal = NotAllowed("own_stone", rule="11.12")
    return (
        refusal
        or _no_way(given.origin, given.place, "11.12")
        or _none_there(table, given.seat, given.origin, "11.12")
    )


def transfer(desk: Desk, given: Transfer) -> None:
    """A stone of another player moves between continents (Rule: itc 11.12)."""
    play_card(desk, Kind.RELOCATE_RIVAL)
    _move(desk, given.seat, given.origin, given.place)


def shifts(table: State, card: ActionCard) -> Iterator[Shift]:
    """Every own stone that can be moved, and whereto."""
    places = PLACES if controls(table) else CONTINENTS
    for origin in _continents_of_mover(table):
        for place in places:
            if place is not origin:
                yield Shift(origin, place)


def no_shift(table: State, given: Shift) -> NotAllowed | None:
    """What forbids to move an own stone (Rule: itc 11.13)."""
    refusal = no_card(table, Kind.RELOCATE_OWN) or _no_origin(given.origin, given.place, "11.13")
    if refusal is None and given.place is Place.MARKET:
        refusal = not_controller(table)
    return refusal or _none_there(table, table.turn.seat, given.origin, "11.13")


def shift(desk: Desk, given: Shift) -> None:
    """An own stone moves to another continent or, if controlled, the market (Rule: itc 11.13)."""
    play_card(desk, Kind.RELOCATE_OWN)
    _move(desk, desk.seat, given.origin, given.place)


def resettlings(table: State, card: ActionCard) -> Iterator[Resettle]:
    """Every continent without own stones, and from where the first one can come."""
    settled = _continents_of_mover(table)
    return (Resettle(to, origin) for origin, to in _WAYS if origin in settled and to not in settled)


def no_resettling(table: State, given: Resettle) -> NotAllowed | None:
    """What forbids a new location (Rule: itc 11.26)."""
    refusal = no_card(table, Kind.NEW_LOCATION) or _no_way(given.origin, given.place, "11.26")
    if refusal is None and given.place in _continents_of_mover(table):
        refusal = NotAllowed("not_new", rule="11.26", place=given.place)
    return refusal or _none_there(table, table.turn.seat, given.origin, "11.26")


def resettle(desk: Desk, given: Resettle) -> None:
    """The first stone comes to a new location (Rule: itc 11.26)."""
    play_card(desk, Kind.NEW_LOCATION)
    _move(desk, desk.seat, given.origin, given.place)
    desk.table.turn.busy = Resettling(given.place, SETTLERS - 1)


def fetches(table: State) -> Iterator[Fetch]:
    """From where further stones can come to the new location."""
    return (move for move in map(Fetch, CONTINENTS) if no_fetch(table, move) is None)


def no_fetch(table: State, given: Fetch) -> NotAllowed | None:
    """What forbids to bring a further stone (Rule: itc 11.26)."""
    busy = table.turn.busy
    if not isinstance(busy, Resettling):
        return NotAllowed("no_resettling", rule="11.26")
    refusal = _no_way(given.origin, busy.place, "11.26")
    return refusal or _none_there(table, table.turn.seat, given.origin, "11.26")


def fetch(desk: Desk, given: Fetch) -> None:
    """A further stone comes to the new location (Rule: itc 11.26)."""
    turn = desk.table.turn
    busy = turn.busy
    if isinstance(busy, Resettling):
        _move(desk, turn.seat, given.origin, busy.place)
        left = busy.left - 1
        turn.busy = Resettling(busy.place, left) if left else None


def organizings(table: State, card: ActionCard) -> Iterator[Organize]:
    """Every first stone that can go to the grey market."""
    for place in CONTINENTS if controls(table) else ():
        for other in _recruitable(table, place):
            yield Organize(place, other)


def no_organizing(table: State, given: Organize) -> NotAllowed | None:
    """What forbids an organization of the grey market (Rule: itc 11.27)."""
    refusal = no_card(table, Kind.ORGANIZATION) or not_controller(table)
    if refusal is None and given.place is Place.MARKET:
        refusal = NotAllowed("from_continents", rule="11.27")
    return refusal or _not_recruitable(table, given.seat, given.place)


def organize(desk: Desk, given: Organize) -> None:
    """The first stone goes to the grey market (Rule: itc 11.27)."""
    play_card(desk, Kind.ORGANIZATION)
    _recruit(desk, given.seat, given.place)
    desk.table.turn.busy = Organizing(given.place, (given.seat,))


def recruits(table: State) -> Iterator[Recruit]:
    """Every further stone that can go to the grey market."""
    return (move for move in map(Recruit, table.seats) if no_recruit(table, move) is None)


def no_recruit(table: State, given: Recruit) -> NotAllowed | None:
    """What forbids to send a further stone (Rule: itc 11.27)."""
    busy = table.turn.busy
    if not isinstance(busy, Organizing):
        return NotAllowed("no_organizing", rule="11.27")
    if given.seat in busy.taken:
        return NotAllowed("colour_taken", rule="11.27", other=given.seat)
    return _not_recruitable(table, given.seat, busy.place)


def recruit(desk: Desk, given: Recruit) -> None:
    """A further stone, of another colour, goes from the same continent (Rule: itc 11.27)."""
    turn = desk.table.turn
    busy = turn.busy
    if isinstance(busy, Organizing):
        _recruit(desk, given.seat, busy.place)
        taken = tuple(sorted((*busy.taken, given.seat)))
        turn.busy = Organizing(busy.place, taken) if len(taken) < RECRUITS else None


def _no_way(origin: Place, place: Place, rule: str) -> NotAllowed | None:
    """What forbids a way that does not lead from a continent to another one."""
    if place is Place.MARKET:
        return NotAllowed("to_continents", rule=rule)
    return _no_origin(origin, place, rule)


def _no_origin(origin: Place, place: Place, rule: str) -> NotAllowed | None:
    """What forbids a way that does not lead from a continent to another place."""
    if origin is Place.MARKET:
        return NotAllowed("from_continents", rule=rule)
    if origin is place:
        return NotAllowed("same_place", rule=rule, place=place)
    return None


def _none_there(table: State, seat: Seat, place: Place, rule: str) -> NotAllowed | None:
    """What forbids to move a stone that does not stand there."""
    if not 1 <= seat <= len(table.seats):
        return NotAllowed("nobody_there", rule="1.1", count=len(table.seats))
    if not table.places[place].stones[seat - 1]:
        return NotAllowed("no_stone_there", rule=rule, other=seat, place=place)
    return None


def _present(table: State, place: Place) -> list[Seat]:
    """Who has stones at a place."""
    stones = table.places[place].stones
    return [Seat(at) for at, count in enumerate(stones, start=1) if count]


def _rivals_at(table: State, place: Place) -> list[Seat]:
    return [seat for seat in _present(table, place) if seat != table.turn.seat]


def _continents_of_mover(table: State) -> list[Place]:
    return [place for place in CONTINENTS if table.turn.seat in _present(table, place)]


def _recruitable(table: State, place: Place) -> list[Seat]:
    """Whose stones can go to the grey market: for a rival's an own one from stock does."""
    seat = table.turn.seat
    stock = table.seats[seat].stock
    return [other for other in _present(table, place) if stock or other == seat]


def _not_recruitable(table: State, seat: Seat, place: Place) -> NotAllowed | None:
    if seat in _recruitable(table, place):
        return None
    return _none_there(table, seat, place, "11.27") or NotAllowed("no_stones", rule="1.6")


def _move(desk: Desk, seat: Seat, origin: Place, place: Place) -> None:
    desk.add_stones(origin, seat, -1)
    desk.add_stones(place, seat, 1)
    desk.emit(StoneMoved(seat, origin, place))


def _recruit(desk: Desk, seat: Seat, place: Place) -> None:
    """An own stone goes to the grey market; for a rival's one an own stone from stock does."""
    mover = desk.seat
    if seat == mover:
        _move(desk, seat, place, Place.MARKET)
        return
    desk.place_stones(place, seat, -1)
    desk.emit(StoneLost(seat, place))
    desk.place_stones(Place.MARKET, mover, 1)
    desk.emit(StonePlaced(mover, Place.MARKET))
