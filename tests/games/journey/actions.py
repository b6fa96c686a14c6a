"""Legal moves of Journey and their effects."""

from __future__ import annotations

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Move, Seat, require
from tests.games.journey.state import (
    Back,
    Counted,
    Dig,
    Dug,
    Go,
    Gone,
    Lake,
    Rest,
    Rested,
    Returned,
    Station,
)


def refuse(lake: Lake, seat: Seat, move: Move) -> NotAllowed | None:
    """The refusal of a move of the seat on turn; None if it is legal."""
    traveller = lake.seats[seat]
    here, steps = traveller.path[-1], len(traveller.path) - 1
    match move:
        case Go() if steps == lake.most_steps:
            return NotAllowed("no_steps", rule="2.1")
        case Go(station=station) if not _are_neighbours(here, station):
            return NotAllowed("not_next", rule="2.1", station=station)
        case Back() if not steps:
            return NotAllowed("nothing_taken", rule="2.2")
        case Dig() if here in traveller.dug:
            return NotAllowed("dug_here", rule="2.3")
    return None


def apply(lake: Lake, seat: Seat, move: Move, chance: Chance, emit: Emit) -> None:
    """Carry out a legal move."""
    traveller = lake.seats[seat]
    here = traveller.path[-1]
    match move:
        case Go(station=station):
            traveller.path = (*traveller.path, station)
            emit(Gone(seat, station))
        case Back():
            traveller.path = traveller.path[:-1]
            emit(Returned(seat, traveller.path[-1]))
        case Dig():
            pile = require(lake.pile)
            worth = list(pile)[chance.weighted(list(pile.values()))]
            pile[worth] -= 1
            traveller.dug = (*traveller.dug, here)
            traveller.found = tuple(sorted((*require(traveller.found), worth)))
            emit(Dug(seat, here, worth))
        case _:
            emit(Rested(seat))
    if isinstance(move, Dig | Rest):
        _end_day(lake, emit)


def _end_day(lake: Lake, emit: Emit) -> None:
    traveller = lake.seats[lake.turn]
    traveller.path = traveller.path[-1:]
    last = lake.turn == len(lake.seats)
    lake.turn = Seat(1) if last else Seat(lake.turn + 1)
    lake.day += last
    if lake.day > lake.days:  # Rule: journey 3.1
        for each, one in lake.seats.items():
            emit(Counted(each, sum(require(one.found))))


def _are_neighbours(one: Station, other: Station) -> bool:
    around = list(Station)
    return abs(around.index(one) - around.index(other)) in (1, len(around) - 1)
