"""The four moves, and tables of all drawings, so that none is made twice."""

from __future__ import annotations

from functools import cache
from typing import ClassVar, Final

from rules.core.vision import Move, Owner, Sight, held
from rules.railroad_ink.pieces import FITTING, SPECIALS, Piece, Turn
from rules.railroad_ink.squares import SQUARES, Square
from rules.railroad_ink.state import special_number


class Draw(Move):
    """Draw a face of the dice into a square (Rule: railroad_ink 4.2, 5)."""

    sight: ClassVar[Sight] = Sight.OWNER
    face: Owner[Piece]
    square: Owner[Square]
    turn: Owner[Turn]


class Special(Move):
    """Draw a special route, 1 to 6, into a square (Rule: railroad_ink 7)."""

    sight: ClassVar[Sight] = Sight.OWNER
    route: Owner[int]
    square: Owner[Square]
    turn: Owner[Turn]


class Erase(Move):
    """Take back a drawing of this round, with what hangs on it (Rule: railroad_ink 5.8)."""

    sight: ClassVar[Sight] = Sight.OWNER
    square: Owner[Square]


class Done(Move):
    """End the round for oneself (Rule: railroad_ink 4.3)."""


DONE: Final = Done()
ERASURES: Final = tuple(Erase(square) for square in SQUARES)
"""By the number of the square."""


def piece_of(move: Draw | Special) -> Piece:
    """The piece that a move draws."""
    return held(move.face) if isinstance(move, Draw) else SPECIALS[held(move.route) - 1]


def drawing(piece: Piece, square: Square, turn: Turn) -> Draw | Special:
    """The move that draws a piece."""
    if piece in SPECIALS:
        return Special(special_number(piece), square, turn)
    return Draw(piece, square, turn)


@cache  # bounded: 15 pieces, 49 squares, 81 facings
def drawings(piece: Piece, number: int, facing: int) -> tuple[Draw | Special, ...]:
    """All ways to draw a piece into a square that something faces, sorted by line."""
    return tuple(_drawing(piece, number, turn) for turn in sorted(FITTING[piece][facing]))


@cache  # bounded: 49 squares, 50 pieces in their turns
def _drawing(piece: Piece, number: int, turn: Turn) -> Draw | Special:
    return drawing(piece, SQUARES[number], turn)
