"""What Manhattan knows about thinking: playouts to the next scoring, and what stands then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from rules.core.thinking import POINT, Terms, Thinker
from rules.core.vision import Move, Seat
from rules.manhattan import bot
from rules.manhattan.scoring import points_of
from rules.manhattan.state import Phase, Table


class Worth(NamedTuple):
    """What things are worth when so many rounds are left, in hundredths of a point.

    A point of buildings, cities or the tallest as they stand now; a block of each size in stock.
    """

    buildings: int
    cities: int
    tallest: int
    stock: tuple[int, int, int, int]
    spread: int


WORTHS: Final = (
    Worth(0, 0, 0, (0, 0, 0, 0), 100),
    Worth(150, 30, 60, (-20, 0, 40, 60), 350),
    Worth(270, 25, 60, (-40, -30, 40, 60), 480),
    Worth(240, 50, 30, (-40, -30, 40, 60), 740),
)
"""By the rounds that are left, at most three: buildings stay, majorities and the tallest do not."""


class Thinking(Thinker[Table]):
    """The judgement of Manhattan."""

    named = ("score", "buildings", "cities", "tallest", "stock")
    sure = 0

    def worths(self, state: Table, seat: Seat, moves: Sequence[Move]) -> list[int]:
        return bot.worths(state, seat, moves)

    def own_worths(self, state: Table, seat: Seat, moves: Sequence[Move]) -> list[int]:
        return bot.worths(state, seat, moves, rivals=False)

    def candidates(self, state: Table, seat: Seat) -> int:
        return 20

    def rests(self, state: Table, since: Table) -> bool:
        """Whether the round is over (Rule: manhattan 4.8)."""
        return state.round != since.round

    def terms(self, state: Table) -> list[Terms]:
        worth = WORTHS[rounds_left(state)]
        return [
            (
                POINT * state.seats[seat].score,
                worth.buildings * points.buildings,
                worth.cities * points.cities,
                worth.tallest * points.tallest,
                sum(map(int.__mul__, worth.stock, state.seats[seat].stock)),
            )
            for seat, points in points_of(state.cities, len(state.seats)).items()
        ]

    def spread(self, state: Table) -> int:
        return WORTHS[rounds_left(state)].spread


def rounds_left(table: Table) -> int:
    """How many scorings are still to come, at most as many as `WORTHS` knows of."""
    if table.phase is Phase.OVER:
        return 0
    return min(len(WORTHS) - 1, table.rounds + 1 - table.round)
