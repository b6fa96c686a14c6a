"""The board as geometry: 7 x 7 squares, their sides, and the twelve exits (Rule: railroad_ink 1).

Squares have numbers in the order of their names, `A1` 0, `A2` 1, ... `G7` 48, and a set of squares
is a whole number with one bit for each. So a step south is one bit up, a step east seven bits.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Final, NamedTuple, NewType

Square = NewType("Square", str)
"""The name of a square: a column A to G, west to east, and a row 1 to 7, north to south."""

WIDTH: Final = 7
COLUMNS: Final = "ABCDEFG"
SQUARES: Final = tuple(
    Square(f"{column}{row}") for column in COLUMNS for row in range(1, WIDTH + 1)
)
NUMBER: Final = {square: number for number, square in enumerate(SQUARES)}


class Side(IntEnum):
    """The sides of a square, clockwise."""

    N = 0
    E = 1
    S = 2
    W = 3

    @property
    def opposite(self) -> Side:
        """The side of the neighbour that lies at this one."""
        return Side((self + 2) % 4)


SIDES: Final = tuple(Side)


class Line(StrEnum):
    """The two kinds of lines."""

    ROAD = "road"
    RAILWAY = "railway"


LINES: Final = tuple(Line)

STEPS: Final = (-1, WIDTH, 1, -WIDTH)
"""From a square to its neighbour at each side."""

ALL: Final = (1 << len(SQUARES)) - 1
_FIRST_COLUMN: Final = (1 << WIDTH) - 1
_FIRST_ROW: Final = sum(1 << at for at in range(0, len(SQUARES), WIDTH))

_EDGES: Final = (
    _FIRST_ROW,
    _FIRST_COLUMN << (WIDTH * (WIDTH - 1)),
    _FIRST_ROW << (WIDTH - 1),
    _FIRST_COLUMN,
)
"""The squares that have the border at each side."""

INSIDE: Final = tuple(ALL & ~edge for edge in _EDGES)
"""The squares that have a neighbour at each side."""

CENTRE: Final = sum(1 << NUMBER[Square(f"{column}{row}")] for column in "CDE" for row in (3, 4, 5))
"""Rule: railroad_ink 1.3."""


class Exit(NamedTuple):
    """A line that comes in from outside at a border square (Rule: railroad_ink 1.2)."""

    square: Square
    side: Side
    line: Line


EXITS: Final = tuple(
    Exit(Square(name), side, line)
    for side, names in (
        (Side.N, ("B1", "D1", "F1")),
        (Side.E, ("G2", "G4", "G6")),
        (Side.S, ("B7", "D7", "F7")),
        (Side.W, ("A2", "A4", "A6")),
    )
    for name, line in zip(
        names,
        (Line.ROAD, Line.RAILWAY, Line.ROAD)
        if side in (Side.N, Side.S)
        else (Line.RAILWAY, Line.ROAD, Line.RAILWAY),
        strict=True,
    )
)


def neighbour(number: int, side: Side) -> int | None:
    """The square at a side of a square; None at the border."""
    return number + STEPS[side] if INSIDE[side] >> number & 1 else None


def numbers_in(squares: int) -> list[int]:
    """The numbers of a set of squares, ascending."""
    found = []
    while squares:
        lowest = squares & -squares
        found.append(lowest.bit_length() - 1)
        squares ^= lowest
    return found
