"""What I.T.C. knows about thinking: playouts to the end, where money alone counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from rules.core.thinking import CASUAL, POINT, PUPIL, Measured, Terms, Thinker
from rules.core.vision import Move, Seat
from rules.itc import bot
from rules.itc.moves import Attack, End, Roll
from rules.itc.scoring import SOURCES
from rules.itc.state import Table

_SPREAD: Final = 20_000
"""By so many euro a lead is usually wrong about the end."""
_DRAWN: Final = (Attack, End, Roll)
"""What draws most: thefts, the event of the next turn, dice."""


class Thinking(Thinker[Table]):
    """The judgement of I.T.C.; a point of its terms is a euro (Rule: itc 13.2)."""

    named = tuple(SOURCES)
    sure = 130
    near = 3_000
    measured: ClassVar[Mapping[str, Measured]] = {
        CASUAL: Measured(72, PUPIL, games=100),
    }

    def worths(self, state: Table, seat: Seat, moves: Sequence[Move]) -> list[int]:
        return bot.worths(state, seat, moves)

    def candidates(self, state: Table, seat: Seat) -> int:
        return 3

    def rests(self, state: Table, since: Table) -> bool:
        return False

    def rolled_for(self, state: Table, seat: Seat, move: Move) -> tuple[int, ...] | None:
        """The round, the seat, and what it does."""
        if not isinstance(move, _DRAWN):
            return None
        return (state.round, seat, _DRAWN.index(type(move)))

    def terms(self, state: Table) -> list[Terms]:
        return [
            tuple(POINT * getattr(trader.income, source) for source in SOURCES)
            for trader in state.seats.values()
        ]

    def spread(self, state: Table) -> int:
        return POINT * _SPREAD
