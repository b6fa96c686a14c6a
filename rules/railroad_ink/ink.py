"""Everything drawn on one board as a single whole number: `Ink`.

A set of lines has 98 bits: the squares with a road, then those with a railway. An ink is four such
sets, the lines that leave their square at each side, then the squares that are drawn at all. Inks
of different squares are put together with `|`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, NewType

from bluebear.rules.railroad_ink.pieces import ORIENTATIONS, Facing, Piece, Turn
from bluebear.rules.railroad_ink.squares import (
    EXITS,
    INSIDE,
    LINES,
    NUMBER,
    SIDES,
    SQUARES,
    STEPS,
    Line,
    Side,
)

Ink = NewType("Ink", int)

BLANK: Final = Ink(0)

HALF: Final = len(SQUARES)
"""How far the railways of a set of lines stand behind its roads."""
_LINES: Final = 2 * HALF
_BOTH_LINES: Final = (1 << _LINES) - 1
_DRAWN: Final = len(SIDES) * _LINES
_EITHER: Final = 1 | 1 << HALF
"""The road and the railway of square 0."""


def both(squares: int) -> int:
    """The lines of both kinds of some squares."""
    return squares | squares << HALF


class ArmSets(NamedTuple):
    """The lines that leave their square at each side."""

    north: int
    east: int
    south: int
    west: int


class Joins(NamedTuple):
    """The lines that meet their kind in the next square: southwards, eastwards."""

    down: int
    across: int


def line_at(number: int, line: Line) -> int:
    """The line of a kind in a square."""
    return 1 << number + LINES.index(line) * HALF


def arm_at(number: int, side: Side, line: Line) -> Ink:
    """The arm of a kind at a side of a square."""
    return Ink(line_at(number, line) << side * _LINES)


def _stamp(piece: Piece, turn: Turn) -> int:
    made = 1 << _DRAWN
    for side, line in zip(SIDES, ORIENTATIONS[piece][turn], strict=True):
        if line is not None:
            made |= arm_at(0, side, line)
    return made


STAMPS: Final[Mapping[tuple[Piece, Turn], int]] = {
    (piece, turn): _stamp(piece, turn) for piece, turns in ORIENTATIONS.items() for turn in turns
}
"""The ink of each piece in each canonical turn, drawn at `A1`; shift it to another square."""


def arms_of(ink: Ink) -> ArmSets:
    """All arms."""
    return ArmSets(
        ink & _BOTH_LINES,
        ink >> _LINES & _BOTH_LINES,
        ink >> 2 * _LINES & _BOTH_LINES,
        ink >> 3 * _LINES & _BOTH_LINES,
    )


_INSIDE: Final = tuple(both(inside) for inside in INSIDE)


_SOUTH, _EAST, _WEST = (side * _LINES for side in (Side.S, Side.E, Side.W))
_NEXT_NORTH: Final = STEPS[Side.S]
_NEXT_WEST: Final = _WEST + STEPS[Side.E]
_TO_SOUTH: Final = _INSIDE[Side.S]
_TO_EAST: Final = _INSIDE[Side.E]


def joins_of(ink: Ink) -> Joins:
    """Where arms of a kind meet."""
    return Joins(
        ink >> _SOUTH & ink >> _NEXT_NORTH & _TO_SOUTH,
        ink >> _EAST & ink >> _NEXT_WEST & _TO_EAST,
    )


def drawn_in(ink: Ink) -> int:
    """The squares that are drawn."""
    return ink >> _DRAWN


_EXIT_LINES: Final = tuple(
    sum(line_at(NUMBER[each.square], each.line) for each in EXITS if each.side is side)
    for side in SIDES
)
"""The exits at each side, as lines of the squares that they face."""


def _met(ink: Ink) -> tuple[int, int, int, int]:
    """What faces the squares at each side: exits, and arms of neighbours towards them."""
    north, east, south, west = arms_of(ink)
    return (
        south << STEPS[Side.S] & _INSIDE[Side.N] | _EXIT_LINES[Side.N],
        west >> STEPS[Side.E] & _INSIDE[Side.E] | _EXIT_LINES[Side.E],
        north >> STEPS[Side.S] & _INSIDE[Side.S] | _EXIT_LINES[Side.S],
        east << STEPS[Side.E] & _INSIDE[Side.W] | _EXIT_LINES[Side.W],
    )


_KINDS: Final[Mapping[int, Line | None]] = {0: None, 1: Line.ROAD, 1 << HALF: Line.RAILWAY}


def facing_at(ink: Ink, number: int) -> Facing:
    """What faces a square at each side."""
    return tuple([_KINDS[lines >> number & _EITHER] for lines in _met(ink)])
