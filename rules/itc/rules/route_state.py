"""The four routes: where loads lie, where they can go, which rows are full."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from bluebear.rules.core.visibility import Seat, but
from bluebear.rules.itc.data.tables import ROUTE
from bluebear.rules.itc.data.terms import Route, TCard
from bluebear.rules.itc.rules.moves import Side
from bluebear.rules.itc.rules.state import Load, Space, Spaces, State, column_of, row_of, space

_SHIFT: Final = {Side.STRAIGHT: 0, Side.LEFT: -1, Side.RIGHT: 1}
ROWS: Final = {
    route: tuple(
        tuple(space(row, column) for column in range(1, facts.columns + 1))
        for row in range(1, facts.rows + 1)
    )
    for route, facts in ROUTE.items()
}
"""The spaces of each route, row by row from the bottom, each row from the left."""
Ways = tuple[tuple[Side, Space], ...]
"""Where a load may go from a space: straight first, then the diagonals; none out of the route."""


def _ways(route: Route, at: Space, step: int) -> Ways:
    """The ways from a space so many rows up."""
    row, column = row_of(at) + step, column_of(at)
    if not 1 <= row <= ROUTE[route].rows:
        return ()
    sides = ((side, column + shift) for side, shift in _SHIFT.items())
    return tuple((side, space(row, to)) for side, to in sides if 1 <= to <= ROUTE[route].columns)


_AHEAD: Final = {
    route: {at: _ways(route, at, 1) for row in rows for at in row} for route, rows in ROWS.items()
}
_BEHIND: Final = {
    route: {at: _ways(route, at, -1) for row in rows for at in row} for route, rows in ROWS.items()
}
_ROW_SETS: Final = {route: tuple(map(frozenset, rows)) for route, rows in ROWS.items()}


class Found(NamedTuple):
    """A load and where it lies."""

    route: Route
    at: Space
    load: Load


def loads(table: State) -> Iterator[Found]:
    """All loads, route by route, each route from the bottom."""
    for route, spaces in table.routes.items():
        for at, load in spaces.items():
            yield Found(route, at, load)


def loads_of(table: State, seat: Seat) -> list[Found]:
    """All loads of a seat, in the order of `loads`."""
    return [
        Found(route, at, load)
        for route, spaces in table.routes.items()
        for at, load in spaces.items()
        if load.owner == seat
    ]


def find(table: State, card: TCard) -> Found | None:
    """The load that a card belongs to; a mega transport answers to both (Rule: itc 11.7)."""
    for route, spaces in table.routes.items():
        for at, load in spaces.items():
            if card in load.cards:
                return Found(route, at, load)
    return None


def lying(table: State, card: TCard) -> Found:
    """The load that a card on some route belongs to; ValueError if it lies on none."""
    found = find(table, card)
    if found is None:
        raise ValueError(f"{card} lies on no route")
    return found


def from_the_top(spaces: Iterable[Space]) -> list[Space]:
    """Spaces of a route, the foremost first, each row from the left."""
    return sorted(spaces, key=lambda at: (-row_of(at), column_of(at)))


def cards_on(table: State, route: Route, seat: Seat) -> int:
    """How many transport cards of a seat lie on a route (Rule: itc 9.9)."""
    return sum([len(load.cards) for load in table.routes[route].values() if load.owner == seat])


def free_columns(spaces: Spaces, route: Route, row: int) -> tuple[int, ...]:
    there = enumerate(ROWS[route][row - 1], start=1)
    return tuple([column for column, at in there if at not in spaces])


def is_full(spaces: Spaces, route: Route, row: int) -> bool:
    """Whether every space of a row is occupied (Rule: itc 9.2)."""
    return spaces.keys() >= _ROW_SETS[route][row - 1]


def is_top(route: Route, at: Space) -> bool:
    """Whether a space lies in the top row of its route."""
    return row_of(at) == ROUTE[route].rows


def ahead(spaces: Spaces, route: Route, at: Space) -> tuple[Side, ...]:
    """Where a load can step: straight, else to free diagonals (Rule: itc 9.7)."""
    return _open_sides(spaces, _AHEAD[route][at])


def behind(spaces: Spaces, route: Route, at: Space) -> tuple[Side, ...]:
    """Where a load can be set back to, likewise; nowhere from row 1 (Rule: itc 11.17)."""
    return _open_sides(spaces, _BEHIND[route][at])


def _open_sides(spaces: Spaces, ways: Ways) -> tuple[Side, ...]:
    if not ways:
        return ()
    if ways[0][1] not in spaces:
        return (Side.STRAIGHT,)
    return tuple([side for side, to in ways[1:] if to not in spaces])


def next_space(at: Space, side: Side, rows: int = 1) -> Space:
    """The space so many rows up (-1: one row down), to a side."""
    return space(row_of(at) + rows, column_of(at) + _SHIFT[side])


def move(table: State, found: Found, to: Space) -> None:
    """Moves a load; a duty of the row that it leaves is done (Rule: itc 9.3)."""
    spaces = table.routes[found.route]
    del spaces[found.at]
    spaces[to] = found.load
    _open(table, found)


def remove(table: State, found: Found) -> None:
    """Takes a load from its route; a duty of the row that it leaves is done (Rule: itc 9.3)."""
    del table.routes[found.route][found.at]
    _open(table, found)


def _open(table: State, found: Found) -> None:
    duties = table.turn.duties
    row = row_of(found.at)
    rows = duties.get(found.route)
    if rows is None or row not in rows:
        return
    left = tuple(each for each in rows if each != row)
    if left:
        duties[found.route] = left
    else:
        del duties[found.route]


def settle(table: State, seat: Seat) -> None:
    """The loads of a seat are no longer new; for the end of its turn (Rule: itc 9.1)."""
    for route, at, load in loads_of(table, seat):
        if load.fresh:
            table.routes[route][at] = but(load, fresh=False)
