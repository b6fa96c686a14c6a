"""The state of a game of Railroad Ink, who sees what of it, and the moves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import ClassVar, Final

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import (
    Eyes,
    Move,
    Node,
    Owner,
    Public,
    Row,
    Seat,
    Visibility,
    require,
)
from bluebear.rules.railroad_ink.rules import pieces

# The view of a state is read by clients under these very names.

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

    piece: Public[pieces.Piece]
    turn: Public[pieces.Turn]
    round: Public[int]


class Stroke(Row):
    """One drawing of the present round."""

    square: Public[pieces.Square]
    piece: Public[pieces.Piece]
    turn: Public[pieces.Turn]


class Points(Row):
    """A score in its five parts (Rule: railroad_ink 9); open ends are counted, not negative."""

    exits: Public[int]
    road: Public[int]
    railway: Public[int]
    centre: Public[int]
    open_ends: Public[int]
    total: Public[int]

    @property
    def signed(self) -> tuple[int, int, int, int, int]:
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


NOTHING_SEEN: Final[Keyed[Seat, Draft]] = Keyed()
NO_POINTS: Final = Points(0, 0, 0, 0, 0, 0)


class Part(Node):
    """What belongs to one seat.

    `board` and `points` are those of the finished rounds. `began`: something was drawn this round,
    though it may have been taken back since. `seen` holds the drafts of others that this seat has
    been shown (Rule: railroad_ink 8.2).
    """

    board: Public[Keyed[pieces.Square, Drawn]] = Keyed()
    points: Public[Points] = NO_POINTS
    began: Public[bool] = False
    done: Public[bool] = False
    draft: Owner[Draft] = Draft((), NO_POINTS)
    seen: Owner[Keyed[Seat, Draft]] = NOTHING_SEEN


class State(Node):
    """The whole game; `dice` are the faces of this round, the fourth die last."""

    rules: Public[int]
    auto_done: Public[bool]
    lap_once: Public[bool | None]
    """Absent where it is off, as in games from before this option."""
    round: Public[int]
    over: Public[bool]
    dice: Public[tuple[pieces.Piece, ...]]
    seats: Public[Keyed[Seat, Part]]


def special_number(piece: pieces.Piece) -> int:
    """The number of a special route, 1 to 6; ValueError for a face."""
    return pieces.SPECIALS.index(piece) + 1


def shown_to(table: State, seat: Seat) -> tuple[Seat, ...]:
    """Whose drawings of this round a seat is shown. Rule: railroad_ink 8.2."""
    if table.over or not table.seats[seat].done:
        return ()
    return tuple(other for other, part in table.seats.items() if part.done and other != seat)


def visible_drafts(view: State, eyes: Eyes) -> dict[Seat, Draft]:
    """The drafts of this round that some eyes see: their own and those they have been shown."""
    found: dict[Seat, Draft] = {}
    for seat in sorted(eyes):
        found[seat] = require(view.seats[seat].draft)
        found.update(require(view.seats[seat].seen).items())
    return found


# The four moves, and tables of all drawings, so that none is made twice.


class Draw(Move):
    """Draw a face of the dice into a square (Rule: railroad_ink 4.2, 5)."""

    sight: ClassVar[Visibility] = Visibility.OWNER
    face: Owner[pieces.Piece]
    square: Owner[pieces.Square]
    turn: Owner[pieces.Turn]


class Special(Move):
    """Draw a special route, 1 to 6, into a square (Rule: railroad_ink 7)."""

    sight: ClassVar[Visibility] = Visibility.OWNER
    route: Owner[int]
    square: Owner[pieces.Square]
    turn: Owner[pieces.Turn]


class Erase(Move):
    """Take back a drawing of this round, with what hangs on it (Rule: railroad_ink 5.8)."""

    sight: ClassVar[Visibility] = Visibility.OWNER
    takes_back: ClassVar[bool] = True
    square: Owner[pieces.Square]


class Done(Move):
    """End the round for the seat that moves (Rule: railroad_ink 4.3)."""


DONE: Final = Done()
ERASURES: Final = tuple(Erase(square) for square in pieces.SQUARES)
"""By the number of the square."""


def piece_of(move: Draw | Special) -> pieces.Piece:
    return (
        require(move.face) if isinstance(move, Draw) else pieces.SPECIALS[require(move.route) - 1]
    )


@cache  # bounded: 49 squares, 50 pieces in their turns
def _drawing(piece: pieces.Piece, number: int, turn: pieces.Turn) -> Draw | Special:
    if piece in pieces.SPECIALS:
        return Special(special_number(piece), pieces.SQUARES[number], turn)
    return Draw(piece, pieces.SQUARES[number], turn)


class _Ways(dict[pieces.Spot, tuple[Draw | Special, ...]]):
    """The ways to draw one piece, by spot; each is made when it is first asked for."""

    def __init__(self, piece: pieces.Piece) -> None:
        super().__init__()
        self._piece = piece

    def __missing__(self, spot: pieces.Spot) -> tuple[Draw | Special, ...]:
        number, facing = pieces.parts_of_spot(spot)
        turns = sorted(pieces.FITTING[self._piece][facing])
        self[spot] = made = tuple(_drawing(self._piece, number, turn) for turn in turns)
        return made


WAYS: Final[Mapping[pieces.Piece, Mapping[pieces.Spot, tuple[Draw | Special, ...]]]] = {
    piece: _Ways(piece) for piece in pieces.Piece
}
"""All ways to draw a piece into a square that something faces, sorted by line."""
