"""Neutral loads: they advance by themselves, arrive, and come to their routes (Rule: itc 10)."""

from __future__ import annotations

from rules.itc.arrival import arrive
from rules.itc.data import CARDS, ROUTE
from rules.itc.desk import Desk
from rules.itc.route_events import NeutralEntered, NeutralsAdvanced, NeutralStranded
from rules.itc.state import NEUTRAL, Load, Under, space
from rules.itc.terms import ROUTES, Route, TCard
from rules.itc.tracks import Found, ahead, free_columns, move, next_space, put


def advance(desk: Desk) -> None:
    """All neutral loads move one row up or arrive, as far as they can (Rule: itc 10.1, 10.2)."""
    told_at = len(desk.events)
    moved: list[TCard] = []
    for route in ROUTES:
        for row in range(ROUTE[route].rows, 0, -1):
            for column in range(1, ROUTE[route].columns + 1):
                _advance_one(desk, route, row, column, moved)
    if moved:
        # Told before the arrivals that come of it.
        desk.events.insert(told_at, NeutralsAdvanced(tuple(moved)))


def _advance_one(desk: Desk, route: Route, row: int, column: int, moved: list[TCard]) -> None:
    spaces = desk.table.routes[route]
    at = space(row, column)
    load = spaces.get(at)
    if load is None or load.owner != NEUTRAL:
        return
    found = Found(route, at, load)
    (card,) = load.cards
    destination = CARDS[card].destination
    if row == ROUTE[route].rows and destination is not None:
        moved.append(card)
        arrive(desk, found, destination)
        return
    sides = ahead(spaces, route, at)
    if sides:
        moved.append(card)
        move(desk, found, next_space(at, sides[0]))


def enter(desk: Desk, card: TCard) -> None:
    """A drawn neutral card comes to its slower route, else to the other (Rule: itc 10.4, 8.6)."""
    for route in CARDS[card].routes:
        columns = free_columns(desk.table, route, 1)
        if columns:
            load = Load((card,), NEUTRAL, Under.NONE, fresh=False)
            put(desk, route, space(1, columns[0]), load)
            desk.tell(NeutralEntered(card, route, columns[0]))
            return
    desk.change_turn(stranded=(*desk.table.turn.stranded, card))
    desk.tell(NeutralStranded(card))
