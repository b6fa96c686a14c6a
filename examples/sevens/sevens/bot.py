"""The house bot `opener`: it lays the card that opens the way for most of its other cards."""

from __future__ import annotations

from collections.abc import Sequence

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.visibility import Move, Seat, require
from sevens.table import ROWS, Lay, Pass, Table


def opener(view: Table, seat: Seat, moves: Sequence[Move], chance: Chance) -> Move:
    """The card with the most own cards behind it in its row; without a card, a pass."""
    hand = require(view.seats[seat].cards)

    def opened(move: Lay) -> int:
        row = next(row for row in ROWS if move.card in row)
        return sum(card in hand for card in row[row.index(move.card) :])

    return max((move for move in moves if isinstance(move, Lay)), key=opened, default=Pass())
