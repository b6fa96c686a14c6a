"""Jams: the full rows that a seat has to open, and what it loses if it does not (Rule: itc 9)."""

from __future__ import annotations

from collections.abc import Iterator

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import Seat
from bluebear.rules.itc.arrival import ranks_of, take_under
from bluebear.rules.itc.course_events import DutyNoted
from bluebear.rules.itc.desk import Desk, listed
from bluebear.rules.itc.piles import discard_transport
from bluebear.rules.itc.route_events import JamLost, Uncovered
from bluebear.rules.itc.state import (
    NO_DUTIES,
    Duties,
    Space,
    Spaces,
    Table,
    Under,
    column_of,
    row_of,
    space,
)
from bluebear.rules.itc.stores import COUNTS, send_to_market
from bluebear.rules.itc.terms import CONTINENTS, ROUTES, Route, TCard
from bluebear.rules.itc.tracks import ROWS, Found, ahead, is_full, is_top, remove
from bluebear.rules.itc.trade_events import WentToMarket


def duties_of(table: Table, seat: Seat) -> Duties:
    """The full rows with loads of a seat (Rule: itc 9.2)."""
    found: dict[Route, tuple[int, ...]] = {}
    for route, spaces in table.routes.items():
        rows = {row_of(at) for at, load in spaces.items() if load.owner == seat}
        full = tuple(row for row in sorted(rows) if is_full(spaces, route, row)) if rows else ()
        if full:
            found[route] = full
    return Keyed(found) if found else NO_DUTIES


def tell_duties(desk: Desk, duties: Duties) -> None:
    """Tells what the seat on turn has to open, route by route from the left."""
    for route in ROUTES:
        for row in duties.get(route) or ():
            desk.tell(DutyNoted(desk.seat, route, row))


def judge(desk: Desk) -> None:
    """The seat on turn loses its loads in rows that it could have opened and did not.

    All rows are judged on the same board (Rule: itc 9.4, 9.5).
    """
    lost: list[Found] = []
    for route, rows in desk.table.turn.duties.items():
        spaces = desk.table.routes[route]
        for row in rows:
            own = own_spaces(spaces, route, row, desk.seat)
            if any(way_out(spaces, route, at) for at in own):
                lost.extend(Found(route, at, spaces[at]) for at in own)
    for found in lost:
        _lose(desk, found)


def own_spaces(spaces: Spaces, route: Route, row: int, seat: Seat) -> list[Space]:
    """The spaces of a row where loads of a seat lie."""
    return [at for at in ROWS[route][row - 1] if at in spaces and spaces[at].owner == seat]


def way_out(spaces: Spaces, route: Route, at: Space) -> tuple[Space, ...]:
    """The loads that have to move for one to get out of its row: the foremost first, itself last.

    Only loads of its owner move; empty if that does not suffice. What is in its way of the owner's
    own stands higher up, so it can leave first if it can leave at all (Rule: itc 9.4).
    """
    if is_top(route, at) or ahead(spaces, route, at):
        return (at,)
    row, column = row_of(at) + 1, column_of(at)
    for each in (space(row, column), space(row, column - 1), space(row, column + 1)):
        if each in spaces and spaces[each].owner == spaces[at].owner:
            way = way_out(spaces, route, each)
            if way:
                return (*way, at)
    return ()


def rescuers(table: Table) -> list[TCard]:
    """Own loads whose next move, for a point, saves loads that would be lost, by first cards.

    A load in the way of one on duty counts if the points are enough for both (Rule: itc 9.4).
    """
    lands = len(table.turn.landed) < len(CONTINENTS)
    found: list[TCard] = []
    for route, at in _on_duty(table):
        spaces = table.routes[route]
        way = way_out(spaces, route, at)
        if way and len(way) <= table.turn.points and (lands or not is_top(route, way[0])):
            found.append(spaces[way[0]].cards[0])
    return found


def _on_duty(table: Table) -> Iterator[tuple[Route, Space]]:
    for route, rows in table.turn.duties.items():
        for row in rows:
            for at in own_spaces(table.routes[route], route, row, table.turn.seat):
                yield route, at


def _lose(desk: Desk, found: Found) -> None:
    owner, cards = found.load.owner, found.load.cards
    remove(desk.table, found)
    for card in cards:
        desk.tell(JamLost(owner, card, found.route, row_of(found.at)))
        lose_goods(desk, card)
    under = take_under(desk.table, found)
    if under is not Under.NONE:
        desk.tell(Uncovered(owner, cards[0], under))
    desk.table.seats[owner].stock += len(cards)


def lose_goods(desk: Desk, card: TCard) -> None:
    """All goods of a card go to the grey market, the card to the discards (Rule: itc 8.6, 9.4)."""
    desk.tell(WentToMarket(card, listed(COUNTS[card])))
    send_to_market(desk, ranks_of(COUNTS[card]))
    discard_transport(desk.table, card)
