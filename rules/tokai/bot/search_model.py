"""The search model: playouts over some turns; the value of purchases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from bluebear.rules.core.search_model import POINT, SearchModel, Stage, Terms, stage_of
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.tokai.bot import greedy
from bluebear.rules.tokai.bot.expected_fares import YEN, value_of
from bluebear.rules.tokai.data.map_data import LineId
from bluebear.rules.tokai.rules.moves import EXPRESS, NOTHING, Buy
from bluebear.rules.tokai.rules.network import CONSTANTS, LINES
from bluebear.rules.tokai.rules.payment import worth_of_lines
from bluebear.rules.tokai.rules.setup import price_of
from bluebear.rules.tokai.rules.state import Phase, State

# The value of purchases: what lines will earn, and when to save.
#
# `greedy` buys what is ridden most of what it can pay. Here a line is worth what all trips change
# by its owner (`expected_fares`), and money is kept for a line out of reach that is worth more.

_TICKET_YEN: Final = 3 * YEN
"""What the express ticket saves on a trip, compared with lines."""
_REACH: Final = 13
"""Thousands of yen that a trip pays: so much later more is within reach."""
_LATER: Final = 60
"""Of the worth of a line within reach so many hundredths are left, since a rival may take it."""
_LAST: Final = 1
"""With so many unowned lines left the next purchase ends the game."""


# Playouts over some turns, and who has what.

_TURNS: Final = 12
"""A playout goes on for so many turns of all seats together, until a turn begins."""
_TICKET: Final = 3
"""What the express ticket is worth in thousands of yen while many lines are unowned."""
_SPREAD: Final = 30
_WEIGHED: Final = (Phase.REGION, Phase.DEST, Phase.SELL)
"""What is played out; purchases are judged by what lines earn, the rest at first sight."""
_BETWEEN: Final = (Phase.REGION, Phase.DEST, Phase.MOVE, Phase.START)
_PHASES: Final = {phase: at for at, phase in enumerate(Phase)}


class Model(SearchModel[State]):
    """The judgement of Tokai Danshaku; a point of its terms are 1000 yen."""

    named = ("cash", "lines", "trip", "ticket")
    sure = 70
    near = 250

    def worths(self, state: State, seat: Seat, moves: Sequence[Move]) -> list[int]:
        return greedy.worths(state, seat, moves)

    def beginner_worths(self, state: State, seat: Seat, moves: Sequence[Move]) -> list[int]:
        """Fares are plain to all players; who is ahead when the last line is bought is not."""
        return greedy.worths(state, seat, moves, rivals=state.phase is not Phase.BUY)

    def insights(
        self,
        state: State,
        seat: Seat,
        moves: Sequence[Move],
        *,
        patience: int,
        has_time: Callable[[], bool] = lambda: True,
    ) -> list[int]:
        """What each move is worth; without patience no seat saves for a line.

        A line takes up to 12 ms with two seats, 50 with six: `has_time` is asked before each, and
        where it says no all is left at first sight.
        """
        free = [line.id for line in LINES if line.id not in state.owners]
        if state.phase is not Phase.BUY or len(free) <= _LAST:
            return self.worths(state, seat, moves)
        money = state.mover.cash - state.owed - greedy.RESERVE
        near = [line for line in free if price_of(line) <= money + (_REACH if patience else 0)]
        values: dict[LineId, int] = {}
        for line in near:
            if not has_time():
                return self.worths(state, seat, moves)
            values[line] = value_of(state, seat, line)
        beyond = [value for line, value in values.items() if price_of(line) > money]
        saved = max(beyond, default=0) * _LATER * patience // 100**2

        def worth(move: Move) -> int:
            if not isinstance(move, Buy):
                return greedy.NO_ANSWER
            if move.item == NOTHING:
                return saved
            if move.item == EXPRESS:
                pays = len(free) >= greedy.TICKET_BEFORE and money >= CONSTANTS.express_ticket_price
                return _TICKET_YEN if pays else -1
            line = LineId(move.item)
            return values[line] + 1 if price_of(line) <= money else -1

        return [worth(move) for move in moves]

    def candidates(self, state: State, seat: Seat) -> int:
        return 6 if state.phase in _WEIGHED else 0

    def rests(self, state: State, since: State) -> bool:
        """Whether enough turns are over, and nothing is owed for the present one."""
        late = state.turns >= since.turns + _TURNS
        return late and state.phase in _BETWEEN and not state.dues and not state.legs

    def stage(self, state: State) -> Stage:
        """By the lines that are bought: with the last one the game ends (Rule: tokai 12.1)."""
        return stage_of(len(state.seats), len(state.owners), len(LINES))

    def rolled_for(self, state: State, seat: Seat, move: Move) -> tuple[int, ...]:
        """The turn and what was decided in it."""
        return (state.turns, _PHASES[state.phase])

    def terms(self, state: State) -> list[Terms]:
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

    def spread(self, state: State) -> int:
        return POINT * _SPREAD
