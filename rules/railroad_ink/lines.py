"""The lines on a board and how they hang together, kept up drawing by drawing.

A drawing changes little: its square is not free any more, its arms face the squares next to it, and
what they meet becomes one. The order of the drawings does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, NamedTuple

from rules.railroad_ink.ink import BLANK, HALF, STAMPS, Ink, arm_at, drawn_in, line_at
from rules.railroad_ink.pieces import (
    FACINGS,
    ORIENTATIONS,
    STATIONS,
    WEIGHTS,
    Facing,
    Piece,
    Spot,
    Turn,
    parts_of_spot,
    spot_at,
)
from rules.railroad_ink.squares import ALL, EXITS, LINES, NUMBER, SIDES, Line, neighbour


class Lines(NamedTuple):
    """All lines on a board.

    `spots` has the free squares that something faces, by number. `parts` are sets of lines of one
    kind that hang together, `networks` those that hang together by stations too.
    """

    ink: Ink
    spots: Mapping[int, Spot]
    parts: tuple[int, ...]
    networks: tuple[int, ...]

    def facing(self, number: int) -> Facing:
        """What faces a free square at each side."""
        return FACINGS[self.facing_number(number)]

    def facing_number(self, number: int) -> int:
        """The number of what faces a free square."""
        return parts_of_spot(self.spots.get(number, 0))[1]

    def free_spots(self) -> list[Spot]:
        """The free squares that something faces, in the order of their names."""
        return sorted(self.spots.values())

    def is_drawn(self, number: int) -> bool:
        """Whether a square holds a piece."""
        return bool(drawn_in(self.ink) >> number & 1)


_WEIGHT: Final[Mapping[Line, int]] = {Line.ROAD: 1, Line.RAILWAY: 2}

NO_LINES: Final = Lines(
    BLANK,
    {
        NUMBER[each.square]: spot_at(NUMBER[each.square], WEIGHTS[each.side] * _WEIGHT[each.line])
        for each in EXITS
    },
    (),
    (),
)
"""An empty board: only the exits face something."""


class _Placed(NamedTuple):
    """What a drawing brings and what it may meet."""

    ink: Ink
    meets: tuple[tuple[Ink, int], ...]
    """For each arm towards another square the arm there that it joins, and the line of that."""
    faces: tuple[tuple[int, int], ...]
    """For each such arm the square, and what the facing of that one grows by."""
    parts: tuple[tuple[int, int], ...]
    """Each own line with all lines of its kind."""
    networks: tuple[tuple[int, int], ...]
    """The own lines that hang together with all lines of their kinds."""


_OF_KIND: Final = {Line.ROAD: ALL, Line.RAILWAY: ALL << HALF}


@cache  # bounded: 49 squares, 50 pieces in their turns
def _placed(piece: Piece, turn: Turn, number: int) -> _Placed:
    arms = ORIENTATIONS[piece][turn]
    meets, faces = [], []
    for side, line in zip(SIDES, arms, strict=True):
        there = neighbour(number, side)
        if line is not None and there is not None:
            meets.append((arm_at(there, side.opposite, line), line_at(there, line)))
            faces.append((there, WEIGHTS[side.opposite] * _WEIGHT[line]))
    parts = tuple((line_at(number, line), _OF_KIND[line]) for line in LINES if line in arms)
    whole = (sum(own for own, _ in parts), sum(kind for _, kind in parts))
    return _Placed(
        Ink(STAMPS[piece, turn] << number),
        tuple(meets),
        tuple(faces),
        parts,
        (whole,) if piece in STATIONS else parts,
    )


def added(lines: Lines, piece: Piece, turn: Turn, number: int) -> Lines:
    """The lines with a piece drawn into a square.

    Rule: railroad_ink 9.0. A station joins its road and its railway, an overpass does not.
    """
    ink, meets, faces, own_parts, own_networks = _placed(piece, turn, number)
    met = 0
    for arm, line in meets:
        if lines.ink & arm:
            met |= line
    parts, networks = lines.parts, lines.networks
    for own, kind in own_parts:
        parts = _joined(parts, own, met & kind)
    for own, kinds in own_networks:
        networks = _joined(networks, own, met & kinds)
    made = Ink(lines.ink | ink)
    drawn = drawn_in(made)
    spots = dict(lines.spots)
    spots.pop(number, None)
    for there, more in faces:
        if not drawn >> there & 1:
            spots[there] = Spot(spots.get(there, spot_at(there)) + more)
    return Lines(made, spots, parts, networks)


def _joined(sets: tuple[int, ...], own: int, met: int) -> tuple[int, ...]:
    """The sets with new lines, which join all the sets that they meet."""
    if not met:
        return (*sets, own)
    apart = []
    for each in sets:
        if each & met:
            own |= each
        else:
            apart.append(each)
    return (*apart, own)


def lines_of(drawings: Iterable[tuple[int, Piece, Turn]]) -> Lines:
    """The lines of a whole board: squares by number, what is drawn there, and how it is turned."""
    lines = NO_LINES
    for number, piece, turn in drawings:
        lines = added(lines, piece, turn, number)
    return lines
