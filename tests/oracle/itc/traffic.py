"""The four routes and what moves on them (Rule: itc 9, 10, 11.6, 11.17)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tests.oracle.itc.cards import COLUMNS, ROUTES, ROWS

NO_SEAT: Final = 0
"""The owner of a neutral load."""

PER_ROUTE: Final = 2


class Row(NamedTuple):
    """One row of a route, counted from the bottom."""

    route: str
    number: int


@dataclass
class Load:
    """What lies on one space (Rule: itc 2.3)."""

    owner: int
    cards: tuple[int, ...]
    route: str
    column: int
    row: int = 1
    under: str = ""
    is_new: bool = False
    sent_away: Counter[str] = field(default_factory=Counter)
    """The goods that its owner gives up when it lands (Rule: itc 12.2)."""

    @property
    def name(self) -> int:
        """A pair has the name of its lower card (Rule: itc 11.7)."""
        return min(self.cards)


class Traffic:
    """The loads on the routes, and the duties of the player on turn."""

    def __init__(self) -> None:
        self.loads: list[Load] = []
        self.duties: list[Row] = []

    def of(self, owner: int) -> list[Load]:
        return [load for load in self.loads if load.owner == owner]

    def named(self, name: int) -> Load:
        (load,) = (load for load in self.loads if load.name == name)
        return load

    def is_free(self, route: str, row: int, column: int) -> bool:
        return not any(
            (load.route, load.row, load.column) == (route, row, column) for load in self.loads
        )

    def free(self, route: str, row: int) -> list[int]:
        """The free columns of a row, from the left."""
        return [
            column for column in range(1, COLUMNS[route] + 1) if self.is_free(route, row, column)
        ]

    def cards_on(self, route: str, owner: int) -> int:
        """How many T cards of a player are on a route (Rule: itc 9.1, A33)."""
        return sum(len(load.cards) for load in self.of(owner) if load.route == route)

    def sides(self, load: Load, rows: int) -> dict[str, int]:
        """Where a load may go `rows` up or down: the word for it, and the column.

        Straight; only if that is occupied, to a free neighbour (Rule: itc 9.1, 11.17).
        """
        free = self.free(load.route, load.row + rows)
        if load.column in free:
            return {"straight": load.column}
        beside = {"left": load.column - 1, "right": load.column + 1}
        return {side: column for side, column in beside.items() if column in free}

    def is_at_top(self, load: Load) -> bool:
        return load.row == ROWS[load.route]

    def shift(self, load: Load, rows: int, side: str) -> None:
        load.column = self.sides(load, rows)[side]
        load.row += rows
        self.look()

    def jump(self, load: Load, column: int) -> None:
        """Rule: itc 11.6."""
        load.row, load.column = ROWS[load.route], column
        self.look()

    def jumps(self, load: Load) -> list[int]:
        """The columns of the top row that an express load may come to (Rule: itc 11.6)."""
        if self.is_at_top(load):
            return []
        free = self.free(load.route, ROWS[load.route])
        return [load.column] if load.column in free else free

    def leave(self, load: Load) -> None:
        self.loads.remove(load)
        self.look()

    def is_full(self, row: Row) -> bool:
        return not self.free(row.route, row.number)

    def note(self, seat: int) -> None:
        """The duties of a turn that begins (Rule: itc 9.2)."""
        self.duties = [
            row
            for route in ROUTES
            for row in (Row(route, number) for number in range(1, ROWS[route] + 1))
            if self.is_full(row) and self._in(row, seat)
        ]

    def look(self) -> None:
        """After every single movement: what is open now is no duty any more (Rule: itc 9.3)."""
        self.duties = [row for row in self.duties if self.is_full(row)]

    def jammed(self, seat: int) -> list[Load]:
        """What a seat loses at the end of its turn, judged on one board (Rule: itc 9.4)."""
        return [
            load
            for row in self.duties
            if self._could_open(row, seat)
            for load in self._in(row, seat)
        ]

    def _in(self, row: Row, seat: int) -> list[Load]:
        return [load for load in self.of(seat) if (load.route, load.row) == row]

    def _could_open(self, row: Row, seat: int) -> bool:
        """Whether steps and landings of own loads alone can bring one out of its row.

        Every way to move them is tried. Rule: itc 9.4, A9.
        """
        of_seat = [load for load in self.of(seat) if load.route == row.route]
        inside = [at for at, load in enumerate(of_seat) if load.row == row.number]
        rest = {
            (load.row, load.column)
            for load in self.loads
            if load.route == row.route and load.owner != seat
        }
        start = tuple((load.row, load.column) for load in of_seat)
        seen, ahead = {start}, [start]
        while ahead:
            spots = ahead.pop()
            if any(spots[at][0] != row.number for at in inside):
                return True
            for after in _moved(spots, rest, row.route):
                if after not in seen:
                    seen.add(after)
                    ahead.append(after)
        return False

    def neutrals_in_order(self) -> Iterator[Load]:
        """Routes from the left, rows from the top, columns from the left (Rule: itc 10.1)."""
        waiting = self.of(NO_SEAT)
        waiting.sort(key=lambda load: (ROUTES.index(load.route), -load.row, load.column))
        yield from waiting

    def entry(self, routes: tuple[str, ...]) -> tuple[str, int] | None:
        """Where a neutral card enters: the slower route first (Rule: itc 10.4)."""
        for route in sorted(routes, key=ROUTES.index):
            if free := self.free(route, 1):
                return route, free[0]
        return None


Spots = tuple[tuple[int, int], ...]


def _moved(spots: Spots, rest_of: set[tuple[int, int]], route: str) -> Iterator[Spots]:
    """What one step or one landing makes of some loads; what has landed is in row 0."""
    taken = rest_of.union(spots)
    for at, (row, column) in enumerate(spots):
        if row == 0:
            continue
        if row == ROWS[route]:
            after = [(0, 0)]
        elif (row + 1, column) not in taken:
            after = [(row + 1, column)]
        else:
            after = [
                (row + 1, beside)
                for beside in (column - 1, column + 1)
                if 1 <= beside <= COLUMNS[route] and (row + 1, beside) not in taken
            ]
        for spot in after:
            yield (*spots[:at], spot, *spots[at + 1 :])
