"""What a traveller sees who looks further than `greedy`: what lines will earn, and when to save.

`greedy` buys what is ridden most of what it can pay. Here a line is worth what everybody's trips
change by who has it (`tolls`), and money is kept for a line out of reach that is worth more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.tokai import bot
from bluebear.rules.tokai.atlas import LineId
from bluebear.rules.tokai.moves import EXPRESS, NOTHING, Buy
from bluebear.rules.tokai.network import CONSTANTS, LINES
from bluebear.rules.tokai.setting_up import price_of
from bluebear.rules.tokai.state import Phase, Table
from bluebear.rules.tokai.tolls import YEN, value_of

_TICKET: Final = 3 * YEN
"""What the express ticket saves on a trip, compared with lines."""
_REACH: Final = 13
"""Thousands of yen that a trip pays: so much later more is within reach."""
_LATER: Final = 60
"""Of the worth of a line within reach so many hundredths are left, since a rival may take it."""
_LAST: Final = 1
"""With so many unowned lines left the next purchase ends the game."""


def insights(
    table: Table,
    seat: Seat,
    moves: Sequence[Move],
    *,
    patience: int,
    has_time: Callable[[], bool] = lambda: True,
) -> list[int]:
    """What each move is worth; without patience nobody saves for a line.

    A line takes up to 12 ms with two seats, 50 with six: `has_time` is asked before each, and where
    it says no all is left at first sight.
    """
    free = [line.id for line in LINES if line.id not in table.owners]
    if table.phase is not Phase.BUY or len(free) <= _LAST:
        return bot.worths(table, seat, moves)
    money = table.mover.cash - table.owed - bot.RESERVE
    near = [line for line in free if price_of(line) <= money + (_REACH if patience else 0)]
    values: dict[LineId, int] = {}
    for line in near:
        if not has_time():
            return bot.worths(table, seat, moves)
        values[line] = value_of(table, seat, line)
    beyond = [value for line, value in values.items() if price_of(line) > money]
    saved = max(beyond, default=0) * _LATER * patience // 100**2

    def worth(move: Move) -> int:
        if not isinstance(move, Buy):
            return bot.NO_ANSWER
        if move.item == NOTHING:
            return saved
        if move.item == EXPRESS:
            pays = len(free) >= bot.TICKET_BEFORE and money >= CONSTANTS.express_ticket_price
            return _TICKET if pays else -1
        line = LineId(move.item)
        return values[line] + 1 if price_of(line) <= money else -1

    return [worth(move) for move in moves]
