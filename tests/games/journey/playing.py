"""What a traveller may do, and what comes of it."""

from __future__ import annotations

from rules.core.chance import Chance
from rules.core.game import Outcome
from rules.core.refusal import NotAllowed
from rules.core.vision import Event, Move, Seat, but, held
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
    """Why the seat on turn may not make a move; None if it may."""
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


def after(lake: Lake, seat: Seat, move: Move, chance: Chance) -> Outcome:
    """The outcome of a move that is not refused."""
    traveller = lake.seats[seat]
    here = traveller.path[-1]
    pile = held(lake.pile)
    event: Event
    match move:
        case Go(station=station):
            traveller = but(traveller, path=(*traveller.path, station))
            event = Gone(seat, station)
        case Back():
            traveller = but(traveller, path=traveller.path[:-1])
            event = Returned(seat, traveller.path[-1])
        case Dig():
            worth = list(pile)[chance.weighted(list(pile.values()))]
            pile = pile.put(worth, pile[worth] - 1)
            found = tuple(sorted((*held(traveller.found), worth)))
            traveller = but(traveller, dug=(*traveller.dug, here), found=found)
            event = Dug(seat, here, worth)
        case _:
            event = Rested(seat)
    lake = but(lake, seats=lake.seats.put(seat, traveller), pile=pile)
    return _end_day(lake, event) if isinstance(move, Dig | Rest) else Outcome(lake, (event,))


def _end_day(lake: Lake, event: Event) -> Outcome:
    traveller = lake.seats[lake.turn]
    seats = lake.seats.put(lake.turn, but(traveller, path=traveller.path[-1:]))
    last = lake.turn == len(seats)
    following = Seat(1) if last else Seat(lake.turn + 1)
    lake = but(lake, seats=seats, turn=following, day=lake.day + last)
    if lake.day <= lake.days:
        return Outcome(lake, (event,))
    # Rule: journey 3.1
    totals = (Counted(each, sum(held(one.found))) for each, one in seats.items())
    return Outcome(lake, (event, *totals))


def _are_neighbours(one: Station, other: Station) -> bool:
    around = list(Station)
    return abs(around.index(one) - around.index(other)) in (1, len(around) - 1)
