"""The lines on a board and how they hang together, kept up drawing by drawing.

A drawing changes little: its square is not free any more, its arms face the squares next to it, and
what they meet becomes one. The order of the drawings does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Final, NamedTuple

from bluebear.rules.railroad_ink.rules.longest_route import longest
from bluebear.rules.railroad_ink.rules.pieces import (
    ALL,
    BLANK,
    EXITS,
    FACINGS,
    HALF,
    LINES,
    NUMBER,
    ORIENTATIONS,
    SIDES,
    STAMPS,
    STATIONS,
    WEIGHTS,
    Arms,
    Facing,
    Ink,
    Line,
    Piece,
    Spot,
    Turn,
    arm_at,
    both,
    drawn_in,
    line_at,
    neighbour,
    parts_of_spot,
    spot_at,
)

Route = tuple[int, int]
"""How many squares the longest stroke passes over lines of one kind that hang together, and these.
"""


class Lines(NamedTuple):
    """All lines on a board.

    `spots` has the free squares that something faces, by number. `networks` are sets of lines that
    hang together, by stations too; behind the lines they have a bit for each exit that they reach.
    """

    ink: Ink
    spots: Mapping[int, Spot]
    roads: tuple[Route, ...]
    railways: tuple[Route, ...]
    networks: tuple[int, ...]
    open_ends: int

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


FIRST_EXIT: Final = 2 * HALF
"""Where the bits of the exits begin in a network."""

_WEIGHT: Final[Mapping[Line, int]] = {Line.ROAD: 1, Line.RAILWAY: 2}

NO_LINES: Final = Lines(
    BLANK,
    {
        NUMBER[each.square]: spot_at(NUMBER[each.square], WEIGHTS[each.side] * _WEIGHT[each.line])
        for each in EXITS
    },
    roads=(),
    railways=(),
    networks=(),
    open_ends=0,
)
"""An empty board: only the exits face something."""


class _Placed(NamedTuple):
    """What a drawing brings and what it may meet."""

    ink: Ink
    meets: tuple[tuple[Ink, int], ...]
    """For each arm towards another square the arm there that it joins, and the line of that."""
    faces: tuple[tuple[int, int], ...]
    """For each such arm the square, and what the facing of that one grows by."""
    road: int
    railway: int
    """Its lines, 0 for none."""
    networks: tuple[tuple[int, int], ...]
    """Its lines that hang together, with their exits, and all lines that they may join."""


@cache  # bounded: 49 squares, 50 pieces in their turns
def _placed(piece: Piece, turn: Turn, number: int) -> _Placed:
    arms = ORIENTATIONS[piece][turn]
    meets, faces = [], []
    for side, line in zip(SIDES, arms, strict=True):
        there = neighbour(number, side)
        if line is not None and there is not None:
            meets.append((arm_at(there, side.opposite, line), line_at(there, line)))
            faces.append((there, WEIGHTS[side.opposite] * _WEIGHT[line]))
    road, railway = (line_at(number, line) if line in arms else 0 for line in LINES)
    return _Placed(
        Ink(STAMPS[piece, turn] << number),
        tuple(meets),
        tuple(faces),
        road,
        railway,
        _networks(piece, arms, number),
    )


def _networks(piece: Piece, arms: Arms, number: int) -> tuple[tuple[int, int], ...]:
    """Rule: railroad_ink 9.0. A station joins its road and its railway, an overpass does not."""
    joined = {line: line_at(number, line) for line in LINES if line in arms}
    for at, (square, side, line) in enumerate(EXITS):
        if NUMBER[square] == number and arms[side] is line:
            joined[line] |= 1 << FIRST_EXIT + at
    if piece in STATIONS:
        return ((sum(joined.values()), both(ALL)),)
    return tuple((lines, _OF_KIND[line]) for line, lines in joined.items())


_RAILWAYS: Final = ALL << HALF
_OF_KIND: Final = {Line.ROAD: ALL, Line.RAILWAY: _RAILWAYS}


_Length = Callable[[int, Ink], int]
"""How many squares the longest stroke over lines that hang together passes on a board."""


def added(
    lines: Lines,
    piece: Piece,
    turn: Turn,
    number: int,
    length: _Length = longest,
    *,
    to_go_on: bool = True,
) -> Lines:
    """The lines with a piece drawn into a square; `spots` are up to date if they are `to_go_on`.

    An open end is an arm towards another square that joins none there (Rule: railroad_ink 9.1).
    """
    stamp, meets, faces, road, railway, piece_networks = _placed(piece, turn, number)
    before, spots, roads, railways, networks, open_ends = lines
    ink = Ink(before | stamp)
    met = 0
    for arm, line in meets:
        if before & arm:
            met |= line
            open_ends -= 1
        else:
            open_ends += 1
    if road:
        roads = _routes_with(roads, road, met & ALL, ink, length)
    if railway:
        railways = _routes_with(railways, railway, met & _RAILWAYS, ink, length)
    for joined, may_meet in piece_networks:
        networks = _networks_with(networks, joined, met & may_meet)
    if to_go_on:
        spots = _spots_with(spots, faces, number, drawn_in(ink))
    return Lines(ink, spots, roads, railways, networks, open_ends)


def _routes_with(
    routes: tuple[Route, ...], joined: int, met: int, ink: Ink, length: _Length
) -> tuple[Route, ...]:
    """The routes with a line that joins those that it meets."""
    if not met:
        return (*routes, (1, joined))
    apart = []
    for route in routes:
        if route[1] & met:
            joined |= route[1]
        else:
            apart.append(route)
    return (*apart, (length(joined, ink), joined))


def _networks_with(networks: tuple[int, ...], joined: int, met: int) -> tuple[int, ...]:
    """The networks with lines that join those that they meet."""
    if not met:
        return (*networks, joined)
    apart = []
    for network in networks:
        if network & met:
            joined |= network
        else:
            apart.append(network)
    return (*apart, joined)


def _spots_with(
    spots: Mapping[int, Spot], faces: Iterable[tuple[int, int]], number: int, drawn: int
) -> Mapping[int, Spot]:
    """The free squares without one that is drawn now and faces others."""
    made = dict(spots)
    made.pop(number, None)
    for there, more in faces:
        if not drawn >> there & 1:
            made[there] = Spot(made.get(there, spot_at(there)) + more)
    return made


def lines_of(drawings: Iterable[tuple[int, Piece, Turn]]) -> Lines:
    """The lines of a whole board: squares by number, what is drawn there, and how it is turned."""
    lines = NO_LINES
    for number, piece, turn in drawings:
        lines = added(lines, piece, turn, number, _unknown)
    roads, railways = _measured(lines.roads, lines.ink), _measured(lines.railways, lines.ink)
    return lines._replace(roads=roads, railways=railways)


def _unknown(part: int, ink: Ink) -> int:
    """For a part that will grow before it is read."""
    return 0


def _measured(routes: tuple[Route, ...], ink: Ink) -> tuple[Route, ...]:
    return tuple((squares or longest(part, ink), part) for squares, part in routes)
