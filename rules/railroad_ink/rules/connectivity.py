"""The lines on a board and how they hang together, kept up drawing by drawing.

A drawing changes little: its square is not free any more, its arms face the squares next to it, and
what they meet becomes one. The order of the drawings does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Final, NamedTuple

from bluebear.rules.railroad_ink.rules import pieces
from bluebear.rules.railroad_ink.rules.longest_route import longest

Route = tuple[int, int]
"""The squares of the longest stroke over some lines of one kind, and those lines."""


class Lines(NamedTuple):
    """All lines on a board.

    `spots` has the free squares that something faces, by number. `networks` are sets of lines that
    hang together, by stations too; behind the lines they have a bit for each exit that they reach.
    """

    ink: pieces.Ink
    spots: Mapping[int, pieces.Spot]
    roads: tuple[Route, ...]
    railways: tuple[Route, ...]
    networks: tuple[int, ...]
    open_ends: int

    def facing(self, number: int) -> pieces.Facing:
        """What faces a free square at each side."""
        return pieces.FACINGS[self.facing_number(number)]

    def facing_number(self, number: int) -> int:
        """The number of what faces a free square."""
        return pieces.parts_of_spot(self.spots.get(number, 0))[1]

    def free_spots(self) -> list[pieces.Spot]:
        """The free squares that something faces, in the order of their names."""
        return sorted(self.spots.values())

    def is_drawn(self, number: int) -> bool:
        """Whether a square holds a piece."""
        return bool(pieces.drawn_in(self.ink) >> number & 1)


FIRST_EXIT: Final = 2 * pieces.HALF
"""Where the bits of the exits begin in a network."""

_WEIGHT: Final[Mapping[pieces.Line, int]] = {pieces.Line.ROAD: 1, pieces.Line.RAILWAY: 2}

NO_LINES: Final = Lines(
    pieces.BLANK,
    {
        pieces.NUMBER[each.square]: pieces.spot_at(
            pieces.NUMBER[each.square], pieces.WEIGHTS[each.side] * _WEIGHT[each.line]
        )
        for each in pieces.EXITS
    },
    roads=(),
    railways=(),
    networks=(),
    open_ends=0,
)
"""An empty board: only the exits face something."""


class _Placed(NamedTuple):
    """What a drawing brings and what it may meet."""

    ink: pieces.Ink
    meets: tuple[tuple[pieces.Ink, int], ...]
    """For each arm towards another square the arm there that it joins, and the line of that."""
    faces: tuple[tuple[int, int], ...]
    """For each such arm the square, and what the facing of that one grows by."""
    road: int
    railway: int
    """Its lines, 0 for none."""
    networks: tuple[tuple[int, int], ...]
    """Its lines that hang together, with their exits, and all lines that they may join."""


@cache  # bounded: 49 squares, 50 pieces in their turns
def _placed(piece: pieces.Piece, turn: pieces.Turn, number: int) -> _Placed:
    arms = pieces.ORIENTATIONS[piece][turn]
    meets, faces = [], []
    for side, line in zip(pieces.SIDES, arms, strict=True):
        there = pieces.neighbour(number, side)
        if line is not None and there is not None:
            meets.append((pieces.arm_at(there, side.opposite, line), pieces.line_at(there, line)))
            faces.append((there, pieces.WEIGHTS[side.opposite] * _WEIGHT[line]))
    road, railway = (pieces.line_at(number, line) if line in arms else 0 for line in pieces.LINES)
    return _Placed(
        pieces.Ink(pieces.STAMPS[piece, turn] << number),
        tuple(meets),
        tuple(faces),
        road,
        railway,
        _networks(piece, arms, number),
    )


def _networks(piece: pieces.Piece, arms: pieces.Arms, number: int) -> tuple[tuple[int, int], ...]:
    """Rule: railroad_ink 9.0. A station joins its road and its railway, an overpass does not."""
    joined = {line: pieces.line_at(number, line) for line in pieces.LINES if line in arms}
    for at, (square, side, line) in enumerate(pieces.EXITS):
        if pieces.NUMBER[square] == number and arms[side] is line:
            joined[line] |= 1 << FIRST_EXIT + at
    if piece in pieces.STATIONS:
        return ((sum(joined.values()), pieces.both(pieces.ALL)),)
    return tuple((lines, _OF_KIND[line]) for line, lines in joined.items())


_RAILWAYS: Final = pieces.ALL << pieces.HALF
_OF_KIND: Final = {pieces.Line.ROAD: pieces.ALL, pieces.Line.RAILWAY: _RAILWAYS}


_Length = Callable[[int, pieces.Ink], int]
"""How many squares the longest stroke over lines that hang together passes on a board."""


def added(
    lines: Lines,
    piece: pieces.Piece,
    turn: pieces.Turn,
    number: int,
    length: _Length = longest,
    *,
    with_spots: bool = True,
) -> Lines:
    """The lines with a piece drawn into a square.

    An open end is an arm towards another square that joins none there (Rule: railroad_ink 9.1).
    Without `with_spots` the free squares stay those of before, for lines that are only weighed.
    """
    stamp, meets, faces, road, railway, piece_networks = _placed(piece, turn, number)
    before, spots, roads, railways, networks, open_ends = lines
    ink = pieces.Ink(before | stamp)
    met = 0
    for arm, line in meets:
        if before & arm:
            met |= line
            open_ends -= 1
        else:
            open_ends += 1
    if road:
        roads = _routes_with(roads, road, met & pieces.ALL, ink, length)
    if railway:
        railways = _routes_with(railways, railway, met & _RAILWAYS, ink, length)
    for joined, may_meet in piece_networks:
        networks = _networks_with(networks, joined, met & may_meet)
    if with_spots:
        spots = _spots_with(spots, faces, number, pieces.drawn_in(ink))
    return Lines(ink, spots, roads, railways, networks, open_ends)


def _routes_with(
    routes: tuple[Route, ...], joined: int, met: int, ink: pieces.Ink, length: _Length
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
    spots: Mapping[int, pieces.Spot], faces: Iterable[tuple[int, int]], number: int, drawn: int
) -> Mapping[int, pieces.Spot]:
    """The free squares without one that is drawn now and faces others."""
    made = dict(spots)
    made.pop(number, None)
    for there, more in faces:
        if not drawn >> there & 1:
            made[there] = pieces.Spot(made.get(there, pieces.spot_at(there)) + more)
    return made


def lines_of(drawings: Iterable[tuple[int, pieces.Piece, pieces.Turn]]) -> Lines:
    """The lines of a whole board: squares by number, what is drawn there, and how it is turned."""
    lines = NO_LINES
    for number, piece, turn in drawings:
        # A route grows before it is read: it is measured when all is drawn.
        lines = added(lines, piece, turn, number, lambda *_: 0)
    roads, railways = _measured(lines.roads, lines.ink), _measured(lines.railways, lines.ink)
    return lines._replace(roads=roads, railways=railways)


def _measured(routes: tuple[Route, ...], ink: pieces.Ink) -> tuple[Route, ...]:
    return tuple((squares or longest(part, ink), part) for squares, part in routes)
