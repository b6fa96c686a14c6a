"""Everything drawn on one board as a single whole number: `Ink`.

It has ten layers of 49 bits: the squares that have a road arm at each of the four sides, those
that have a railway arm there, those with a station, and those that are drawn at all. Inks of
different squares are put together with `|`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple, NewType

from rules.railroad_ink.pieces import (
    FACINGS,
    ORIENTATIONS,
    STATIONS,
    WEIGHTS,
    Facing,
    Piece,
    Turn,
)
from rules.railroad_ink.squares import (
    ALL,
    EXITS,
    INSIDE,
    LINES,
    NUMBER,
    SIDES,
    SQUARES,
    STEPS,
    Line,
    Side,
    numbers_in,
)

Ink = NewType("Ink", int)

BLANK: Final = Ink(0)

_BITS: Final = len(SQUARES)
_STATIONS: Final = 8 * _BITS
_DRAWN: Final = 9 * _BITS
_REMEMBERED: Final = 1024
"""Boards whose facings are remembered: a turn asks for the same ones several times."""


class Arms(NamedTuple):
    """The squares that have an arm of one kind at each side."""

    north: int
    east: int
    south: int
    west: int


class Joins(NamedTuple):
    """The pairs of squares whose arms of one kind meet: the northern one, the western one."""

    down: int
    across: int


def _layer(line: Line, side: Side) -> int:
    return (LINES.index(line) * len(SIDES) + side) * _BITS


def _stamp(piece: Piece, turn: Turn) -> int:
    made = 1 << _DRAWN
    if piece in STATIONS:
        made |= 1 << _STATIONS
    for side, line in zip(SIDES, ORIENTATIONS[piece][turn], strict=True):
        if line is not None:
            made |= 1 << _layer(line, side)
    return made


STAMPS: Final[Mapping[tuple[Piece, Turn], int]] = {
    (piece, turn): _stamp(piece, turn) for piece, turns in ORIENTATIONS.items() for turn in turns
}
"""The ink of each piece in each canonical turn, drawn at `A1`; shift it to another square."""


def arms_of(ink: Ink, line: Line) -> Arms:
    """The arms of one kind."""
    lines = ink >> (0 if line is Line.ROAD else 4 * _BITS)
    return Arms(
        lines & ALL, lines >> _BITS & ALL, lines >> 2 * _BITS & ALL, lines >> 3 * _BITS & ALL
    )


def joins_of(arms: Arms) -> Joins:
    """Where arms of one kind meet."""
    return Joins(
        arms.south & arms.north >> STEPS[Side.S] & INSIDE[Side.S],
        arms.east & arms.west >> STEPS[Side.E],
    )


def stations_of(ink: Ink) -> int:
    """The squares that have a station."""
    return ink >> _STATIONS & ALL


def drawn_in(ink: Ink) -> int:
    """The squares that are drawn."""
    return ink >> _DRAWN & ALL


def facing_at(ink: Ink, number: int) -> Facing:
    """What faces a square at each side."""
    lines = [arms_of(ink, line) for line in LINES]
    made: list[Line | None] = []
    for side in SIDES:
        meets = [
            line
            for line, arms in zip(LINES, lines, strict=True)
            if (_facing_arms(arms, side) | _EXIT_SQUARES[line, side]) >> number & 1
        ]
        made.append(meets[0] if meets else None)
    return tuple(made)


@lru_cache(maxsize=_REMEMBERED)
def facings(ink: Ink) -> tuple[tuple[int, int], ...]:
    """The free squares that something faces, each with the number of its facing."""
    met: list[tuple[int, int]] = []
    anything = 0
    for times, line in enumerate(LINES, start=1):
        arms = arms_of(ink, line)
        for side in SIDES:
            squares = _facing_arms(arms, side) | _EXIT_SQUARES[line, side]
            met.append((squares, times * WEIGHTS[side]))
            anything |= squares
    found = []
    for number in numbers_in(anything & ~drawn_in(ink)):
        facing = 0
        for squares, weight in met:
            if squares >> number & 1:
                facing += weight
        found.append((number, facing))
    return tuple(found)


def facing_number(facing: Facing) -> int:
    """The number of a facing."""
    return FACINGS.index(facing)


def _facing_arms(arms: Arms, side: Side) -> int:
    """The squares whose neighbour at a side has an arm towards them."""
    step = STEPS[side]
    towards = arms[side.opposite]
    return (towards << -step if step < 0 else towards >> step) & INSIDE[side]


_EXIT_SQUARES: Final = {
    (line, side): sum(
        1 << NUMBER[each.square] for each in EXITS if each.side is side and each.line is line
    )
    for line in LINES
    for side in SIDES
}
"""The squares that have an exit of a kind at a side."""


__all__ = [
    "BLANK",
    "STAMPS",
    "Arms",
    "Ink",
    "Joins",
    "arms_of",
    "drawn_in",
    "facing_at",
    "facing_number",
    "facings",
    "joins_of",
    "stations_of",
]
