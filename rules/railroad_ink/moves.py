"""The four moves, and tables of all drawings, so that none is made twice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import ClassVar, Final

from bluebear.rules.core.visibility import Move, Owner, Visibility, require
from bluebear.rules.railroad_ink.pieces import FITTING, SPECIALS, Piece, Spot, Turn, parts_of_spot
from bluebear.rules.railroad_ink.squares import SQUARES, Square
from bluebear.rules.railroad_ink.state import special_number


class Draw(Move):
    """Draw a face of the dice into a square (Rule: railroad_ink 4.2, 5)."""

    sight: ClassVar[Visibility] = Visibility.OWNER
    face: Owner[Piece]
    square: Owner[Square]
    turn: Owner[Turn]


class Special(Move):
    """Draw a special route, 1 to 6, into a square (Rule: railroad_ink 7)."""

    sight: ClassVar[Visibility] = Visibility.OWNER
    route: Owner[int]
    square: Owner[Square]
    turn: Owner[Turn]


class Erase(Move):
    """Take back a drawing of this round, with what hangs on it (Rule: railroad_ink 5.8)."""

    sight: ClassVar[Visibility] = Visibility.OWNER
    takes_back: ClassVar[bool] = True
    square: Owner[Square]


class Done(Move):
    """End the round for oneself (Rule: railroad_ink 4.3)."""


DONE: Final = Done()
ERASURES: Final = tuple(Erase(square) for square in SQUARES)
"""By the number of the square."""


def piece_of(move: Draw | Special) -> Piece:
    """The piece that a move draws."""
    return require(move.face) if isinstance(move, Draw) else SPECIALS[require(move.route) - 1]


@cache  # bounded: 49 squares, 50 pieces in their turns
def _drawing(piece: Piece, number: int, turn: Turn) -> Draw | Special:
    """The move that draws a piece."""
    if piece in SPECIALS:
        return Special(special_number(piece), SQUARES[number], turn)
    return Draw(piece, SQUARES[number], turn)


class _Ways(dict[Spot, tuple[Draw | Special, ...]]):
    """The ways to draw one piece, by spot; each is made when it is first asked for."""

    def __init__(self, piece: Piece) -> None:
        super().__init__()
        self._piece = piece

    def __missing__(self, spot: Spot) -> tuple[Draw | Special, ...]:
        number, facing = parts_of_spot(spot)
        turns = sorted(FITTING[self._piece][facing])
        self[spot] = made = tuple(_drawing(self._piece, number, turn) for turn in turns)
        return made


WAYS: Final[Mapping[Piece, Mapping[Spot, tuple[Draw | Special, ...]]]] = {
    piece: _Ways(piece) for piece in Piece
}
"""All ways to draw a piece into a square that something faces, sorted by line."""
