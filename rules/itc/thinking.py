"""What I.T.C. knows about thinking: playouts to one's own next turn, and what is promised there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final

from bluebear.rules.core.search_model import (
    CASUAL,
    CLUB,
    MASTER,
    POINT,
    PUPIL,
    STRONG,
    ArenaResult,
    SearchHorizon,
    SearchModel,
    Stage,
    Terms,
    stage_of,
)
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.itc import bot, promise
from bluebear.rules.itc.moves import Attack, End, Roll
from bluebear.rules.itc.scoring import SOURCES
from bluebear.rules.itc.state import Phase, Table
from bluebear.rules.itc.worth import GREEDY, KEEN

_SPREAD: Final = 20_000
"""By so many euro a lead is usually wrong about the end."""
_WAITS: Final = 40
"""From this patience on the grey market's later income counts."""
_PROMISES: Final = ("loads", "cards", "stones")
"""What counts besides money while the game goes on."""
_NOTHING: Final = (0,) * len(_PROMISES)
_DRAWN: Final = (Attack, End, Roll)
"""What draws most: thefts, the event of the next turn, dice."""


class Thinking(SearchModel[Table]):
    """The judgement of I.T.C.; a point of its terms is a euro (Rule: itc 13.2)."""

    named = (*SOURCES, *_PROMISES)
    sure = 130
    near = 3_000
    sights: ClassVar[Mapping[str, SearchHorizon]] = {
        CLUB: SearchHorizon(20, most=2, patience=0),
        STRONG: SearchHorizon(40, patience=_WAITS),
        MASTER: SearchHorizon(200),
    }
    measured: ClassVar[Mapping[str, ArenaResult]] = {
        CASUAL: ArenaResult(72, PUPIL, games=100),
        CLUB: ArenaResult(68, CASUAL, games=40),
        STRONG: ArenaResult(52, CLUB, games=40),
    }

    def worths(self, state: Table, seat: Seat, moves: Sequence[Move]) -> list[int]:
        return bot.worths(state, seat, moves)

    def insights(
        self,
        state: Table,
        seat: Seat,
        moves: Sequence[Move],
        *,
        patience: int,
        has_time: Callable[[], bool] = lambda: True,
    ) -> list[int]:
        """The greedy judgement, but for the grey market, which is worth more than it looks to the
        impatient: what control of it brings comes turn by turn.
        """
        return bot.worths(state, seat, moves, GREEDY if patience < _WAITS else KEEN)

    def candidates(self, state: Table, seat: Seat) -> int:
        return 4

    def rests(self, state: Table, since: Table) -> bool:
        """At the next turn of who thinks; a game in its last round is played to the end."""
        return (
            state.phase is Phase.DICE
            and state.round > since.round
            and state.turn.seat == since.turn.seat
            and not state.last
        )

    def stage(self, state: Table) -> Stage:
        """By the fullest account, which ends the game at the goal (Rule: itc 13.1)."""
        fullest = max(one.money for one in state.seats.values())
        return stage_of(len(state.seats), fullest, state.goal)

    def rolled_for(self, state: Table, seat: Seat, move: Move) -> tuple[int, ...] | None:
        """The round, the seat, and what it does."""
        if not isinstance(move, _DRAWN):
            return None
        return (state.round, seat, _DRAWN.index(type(move)))

    def terms(self, state: Table) -> list[Terms]:
        over = state.phase is Phase.OVER
        return [
            tuple(POINT * getattr(trader.income, source) for source in SOURCES)
            + (_NOTHING if over else _promised(state, seat))
            for seat, trader in state.seats.items()
        ]

    def spread(self, state: Table) -> int:
        return POINT * _SPREAD


def _promised(table: Table, seat: Seat) -> tuple[int, ...]:
    """What a seat may expect besides its money, in the order of `_PROMISES`."""
    made = (promise.loads(table, seat), promise.cards(table, seat), promise.stones(table, seat))
    return tuple(POINT * each for each in made)
