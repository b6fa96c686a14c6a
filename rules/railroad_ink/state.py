"""The state of a game of Railroad Ink: who has drawn what, and who sees it.

The view of a state is read by clients under these very names.
"""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import Node, Owner, Public, Row, Seat
from bluebear.rules.railroad_ink.pieces import SPECIALS, Piece, Turn
from bluebear.rules.railroad_ink.squares import Square

ROUNDS: Final = 7
"""Rule: railroad_ink 4.2."""
DICE: Final = 4
"""Rule: railroad_ink 3.1."""
SPECIALS_IN_GAME: Final = 3
"""Rule: railroad_ink 7.1."""
MOST_SEATS: Final = 12
"""Rule: railroad_ink 4.1."""
PARTS: Final = ("exits", "road", "railway", "centre", "open_ends")
"""The parts of a score, in order (Rule: railroad_ink 9)."""


class Drawn(Row):
    """What a square holds for good, and the round in which it was drawn."""

    piece: Public[Piece]
    turn: Public[Turn]
    round: Public[int]


class Stroke(Row):
    """One drawing of the present round."""

    square: Public[Square]
    piece: Public[Piece]
    turn: Public[Turn]


class Points(Row):
    """A score in its five parts (Rule: railroad_ink 9); open ends are counted, not negative."""

    exits: Public[int]
    road: Public[int]
    railway: Public[int]
    centre: Public[int]
    open_ends: Public[int]
    total: Public[int]

    @property
    def signed(self) -> tuple[int, ...]:
        """The five parts as they add up, in the order of `PARTS`."""
        return (self.exits, self.road, self.railway, self.centre, -self.open_ends)

    @property
    def rank(self) -> tuple[int, int]:
        """What decides who wins, greater is better (Rule: railroad_ink 9.5)."""
        return (self.total, -self.open_ends)


class Draft(Row):
    """What a seat has drawn this round, in order, and what its board is worth with it."""

    strokes: Public[tuple[Stroke, ...]]
    points: Public[Points]


class Part(Node):
    """What belongs to one seat.

    `board` and `points` are those of the finished rounds. `began`: something was drawn this round,
    though it may have been taken back since. `seen` holds the drafts of others that this seat has
    been shown (Rule: railroad_ink 8.2).
    """

    board: Public[Keyed[Square, Drawn]]
    points: Public[Points]
    began: Public[bool]
    done: Public[bool]
    draft: Owner[Draft]
    seen: Owner[Keyed[Seat, Draft]]


class Table(Node):
    """The whole game; `dice` are the faces of this round, the fourth die last."""

    rules: Public[int]
    auto_done: Public[bool]
    round: Public[int]
    over: Public[bool]
    dice: Public[tuple[Piece, ...]]
    seats: Public[Keyed[Seat, Part]]


NOTHING_SEEN: Final[Keyed[Seat, Draft]] = Keyed()
NO_POINTS: Final = Points(0, 0, 0, 0, 0, 0)


def special_number(piece: Piece) -> int:
    """The number of a special route, 1 to 6; ValueError for a face."""
    return SPECIALS.index(piece) + 1


def shown_to(table: Table, seat: Seat) -> tuple[Seat, ...]:
    """Whose drawings of this round a seat is shown: who is done sees those who are.

    Rule: railroad_ink 8.2.
    """
    if table.over or not table.seats[seat].done:
        return ()
    return tuple(other for other, part in table.seats.items() if part.done and other != seat)
