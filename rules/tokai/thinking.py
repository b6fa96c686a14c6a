"""What Tokai Danshaku knows about thinking: playouts over some turns, and who has what."""

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
from bluebear.rules.tokai import bot, insight
from bluebear.rules.tokai.network import LINES
from bluebear.rules.tokai.scoring import worth_of_lines
from bluebear.rules.tokai.state import Phase, Table

_TURNS: Final = 12
"""A playout goes on for so many turns of all seats together, until a turn begins."""
_TICKET: Final = 3
"""What the express ticket is worth in thousands of yen while many lines are unowned."""
_SPREAD: Final = 30
_WEIGHED: Final = (Phase.REGION, Phase.DEST, Phase.SELL)
"""What is played out; purchases are judged by what lines earn, the rest at first sight."""
_BETWEEN: Final = (Phase.REGION, Phase.DEST, Phase.MOVE, Phase.START)
_PHASES: Final = {phase: at for at, phase in enumerate(Phase)}


class Thinking(SearchModel[Table]):
    """The judgement of Tokai Danshaku; a point of its terms are 1000 yen."""

    named = ("cash", "lines", "trip", "ticket")
    sure = 70
    near = 250
    # They differ by how much they save for a line that is out of reach.
    sights: ClassVar[Mapping[str, SearchHorizon]] = {
        CLUB: SearchHorizon(50, patience=12),
        STRONG: SearchHorizon(50, patience=40),
        MASTER: SearchHorizon(100),
    }
    measured: ClassVar[Mapping[str, ArenaResult]] = {
        CASUAL: ArenaResult(70, PUPIL, games=100),
        CLUB: ArenaResult(62, CASUAL, games=80),
        STRONG: ArenaResult(59, CLUB, games=80),
        MASTER: ArenaResult(62, STRONG, games=60),
    }

    def worths(self, state: Table, seat: Seat, moves: Sequence[Move]) -> list[int]:
        return bot.worths(state, seat, moves)

    def beginner_worths(self, state: Table, seat: Seat, moves: Sequence[Move]) -> list[int]:
        """Fares are plain to everybody; who is ahead when the last line is bought is not."""
        return bot.worths(state, seat, moves, rivals=state.phase is not Phase.BUY)

    def insights(
        self,
        state: Table,
        seat: Seat,
        moves: Sequence[Move],
        *,
        patience: int,
        has_time: Callable[[], bool] = lambda: True,
    ) -> list[int]:
        return insight.insights(state, seat, moves, patience=patience, has_time=has_time)

    def candidates(self, state: Table, seat: Seat) -> int:
        return 6 if state.phase in _WEIGHED else 0

    def rests(self, state: Table, since: Table) -> bool:
        """Whether enough turns are over, and nothing is owed for the present one."""
        late = state.turns >= since.turns + _TURNS
        return late and state.phase in _BETWEEN and not state.dues and not state.legs

    def stage(self, state: Table) -> Stage:
        """By the lines that are bought: with the last one the game ends (Rule: tokai 12.1)."""
        return stage_of(len(state.seats), len(state.owners), len(LINES))

    def rolled_for(self, state: Table, seat: Seat, move: Move) -> tuple[int, ...]:
        """The turn and what was decided in it."""
        return (state.turns, _PHASES[state.phase])

    def terms(self, state: Table) -> list[Terms]:
        free = len(LINES) - len(state.owners)
        ticket = POINT * _TICKET * free // len(LINES)
        return [
            (
                POINT * one.cash,
                POINT * worth_of_lines(state, seat),
                POINT * one.payoff // 2 if one.destination is not None else 0,
                ticket if one.express else 0,
            )
            for seat, one in state.seats.items()
        ]

    def spread(self, state: Table) -> int:
        return POINT * _SPREAD
