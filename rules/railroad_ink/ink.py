"""Everything drawn on one board as a single whole number: `Ink`.

A set of lines has 98 bits: the squares with a road, then those with a railway. An ink is four such
sets, the lines that leave their square at each side, then the squares with a station, then those
that are drawn at all. Inks of different squares are put together with `|`.
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

HALF: Final = len(SQUARES)
"""How far the railways of a set of lines stand behind its roads."""
_LINES: Final = 2 * HALF
_BOTH_LINES: Final = (1 << _LINES) - 1
_STATIONS: Final = len(SIDES) * _LINES
_DRAWN: Final = _STATIONS + HALF
_EITHER: Final = 1 | 1 << HALF
"""The road and the railway of square 0."""
_REMEMBERED: Final = 1024
"""Boards whose facings are remembered: a turn asks for the same ones several times."""


def both(squares: int) -> int:
    """The lines of both kinds of some squares."""
    return squares | squares << HALF


class ArmSets(NamedTuple):
    """The lines that leave their square at each side."""

    north: int
    east: int
    south: int
    west: int

    def of(self, line: Line) -> ArmSets:
        """Those of one kind, as if they were roads."""
        if line is Line.ROAD:
            return ArmSets(*(arms & ALL for arms in self))
        return ArmSets(*(arms >> HALF for arms in self))


class Joins(NamedTuple):
    """The lines that meet their kind in the next square: southwards, eastwards."""

    down: int
    across: int


def _stamp(piece: Piece, turn: Turn) -> int:
    made = 1 << _DRAWN
    if piece in STATIONS:
        made |= 1 << _STATIONS
    for side, line in zip(SIDES, ORIENTATIONS[piece][turn], strict=True):
        if line is not None:
            made |= 1 << side * _LINES + LINES.index(line) * HALF
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


def joins_of(arms: ArmSets) -> Joins:
    """Where arms of a kind meet."""
    return Joins(
        arms.south & arms.north >> STEPS[Side.S] & _INSIDE[Side.S],
        arms.east & arms.west >> STEPS[Side.E] & _INSIDE[Side.E],
    )


def spread(lines: int, joins: Joins, stations: int = 0) -> int:
    """The lines that hang together with some lines by joined arms, and by stations."""
    down, across = joins
    while True:
        wider = (
            lines
            | (lines & down) << STEPS[Side.S]
            | lines >> STEPS[Side.S] & down
            | (lines & across) << STEPS[Side.E]
            | lines >> STEPS[Side.E] & across
        )
        if stations:
            wider |= (lines & stations) << HALF | lines >> HALF & stations
        if wider == lines:
            return lines
        lines = wider


def stations_of(ink: Ink) -> int:
    """The squares that have a station."""
    return ink >> _STATIONS & ALL


def drawn_in(ink: Ink) -> int:
    """The squares that are drawn."""
    return ink >> _DRAWN


_EXIT_LINES: Final = tuple(
    sum(
        1 << NUMBER[each.square] + LINES.index(each.line) * HALF
        for each in EXITS
        if each.side is side
    )
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


_ADDED: Final = tuple({0: 0, 1: weight, 1 << HALF: 2 * weight} for weight in WEIGHTS)


@lru_cache(maxsize=_REMEMBERED)
def facings(ink: Ink) -> tuple[tuple[int, int], ...]:
    """The free squares that something faces, each with the number of its facing."""
    north, east, south, west = _met(ink)
    from_north, from_east, from_south, from_west = _ADDED
    anything = north | east | south | west
    free = (anything | anything >> HALF) & ALL & ~drawn_in(ink)
    return tuple(
        [
            (
                number,
                from_north[north >> number & _EITHER]
                + from_east[east >> number & _EITHER]
                + from_south[south >> number & _EITHER]
                + from_west[west >> number & _EITHER],
            )
            for number in numbers_in(free)
        ]
    )


def facing_number(facing: Facing) -> int:
    """The number of a facing."""
    return FACINGS.index(facing)
