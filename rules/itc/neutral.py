"""Neutral loads: they advance by themselves, arrive, and come to their routes (Rule: itc 10)."""

from __future__ import annotations

from bluebear.rules.core.visibility import Event
from bluebear.rules.itc.arrival import arrive
from bluebear.rules.itc.data import CARDS
from bluebear.rules.itc.desk import Desk
from bluebear.rules.itc.route_events import NeutralEntered, NeutralsAdvanced, NeutralStranded
from bluebear.rules.itc.state import NEUTRAL, Load, Under, space
from bluebear.rules.itc.terms import ROUTES, TCard
from bluebear.rules.itc.tracks import (
    Found,
    ahead,
    free_columns,
    from_the_top,
    is_top,
    move,
    next_space,
)


def advance(desk: Desk) -> None:
    """All neutral loads move one row up or arrive, as far as they can (Rule: itc 10.1, 10.2)."""
    moved: list[TCard] = []
    arrivals: list[Event] = []
    apart = Desk(desk.table, desk.chance, arrivals.append)
    for route in ROUTES:
        spaces = desk.table.routes[route]
        for at in from_the_top(at for at, load in spaces.items() if load.owner == NEUTRAL):
            found = Found(route, at, spaces[at])
            if _advance_one(apart, found):
                moved.extend(found.load.cards)
    if moved:
        # Told before the arrivals that come of it.
        desk.tell(NeutralsAdvanced(tuple(moved)))
    for event in arrivals:
        desk.tell(event)


def _advance_one(desk: Desk, found: Found) -> bool:
    """Moves a load or lets it arrive; whether it could."""
    destination = CARDS[found.load.cards[0]].destination
    if is_top(found.route, found.at) and destination is not None:
        arrive(desk, found, destination)
        return True
    sides = ahead(desk.table.routes[found.route], found.route, found.at)
    if sides:
        move(desk.table, found, next_space(found.at, sides[0]))
    return bool(sides)


def enter(desk: Desk, card: TCard) -> None:
    """A drawn neutral card comes to its slower route, else to the other (Rule: itc 10.4, 8.6)."""
    for route in CARDS[card].routes:
        spaces = desk.table.routes[route]
        columns = free_columns(spaces, route, 1)
        if columns:
            spaces[space(1, columns[0])] = Load((card,), NEUTRAL, Under.NONE, fresh=False)
            desk.tell(NeutralEntered(card, route, columns[0]))
            return
    desk.table.turn.stranded = (*desk.table.turn.stranded, card)
    desk.tell(NeutralStranded(card))
