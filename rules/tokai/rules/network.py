"""The map as tables: what is next to what, ways along a line, distances, the dice, a drawing.

Built once from the data files. Inside, points and lines are indices, the order of the map file, and
sets of points are bits of one number, so that searching movements is quick.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.tables import shown
from bluebear.rules.tokai.data import map_data

ATLAS: Final = map_data.load()
POINTS: Final[tuple[map_data.Point, ...]] = ATLAS.points
LINES: Final[tuple[map_data.Line, ...]] = ATLAS.lines
REGIONS: Final[tuple[map_data.Region, ...]] = ATLAS.regions
CONSTANTS: Final = ATLAS.constants
DESTINATIONS: Final[tuple[map_data.PointId, ...]] = ATLAS.destinations

POINT_AT: Final[Mapping[map_data.PointId, int]] = {point.id: at for at, point in enumerate(POINTS)}
LINE_AT: Final[Mapping[map_data.LineId, int]] = {line.id: at for at, line in enumerate(LINES)}
REGION_AT: Final[Mapping[map_data.RegionId, int]] = {
    region.id: at for at, region in enumerate(REGIONS)
}
REGION_OF: Final[Mapping[map_data.PointId, map_data.RegionId]] = {
    point: region.id for region in REGIONS for point in region.destinations
}

BIT: Final = tuple(1 << at for at in range(len(POINTS)))
"""By point: its bit in a set of points."""
NOWHERE: Final = 2 * len(POINTS)
"""More steps than any way has."""
SKIPPED: Final = sum(bit for point, bit in zip(POINTS, BIT, strict=True) if point.skip)
"""All skipped stops as a set (Rule: tokai 7.2.2.1)."""
LINES_AT: Final = tuple(tuple(LINE_AT[line] for line in point.lines) for point in POINTS)
"""By point: the lines through it."""
POINTS_ON: Final = tuple(sum(BIT[POINT_AT[point]] for point in line.points) for line in LINES)
"""By line: its points as a set."""
DEALT: Final = tuple(
    line.id for line in LINES if line.price <= CONSTANTS.prepurchase_card_max_price
)
"""The lines that are dealt before the game (Rule: tokai 3.1.1)."""


class Turn(StrEnum):
    """The way round on a loop as the map shows it: clockwise (右回り) or the other (左回り)."""

    CLOCKWISE = "cw"
    COUNTER = "ccw"


class Step(NamedTuple):
    """One counted step: along which line, to which point, and all points entered as a set."""

    line: int
    to: int
    entered: int


class Way(NamedTuple):
    """A way along one line: all points after the first, skipped ones too, also as a set.

    `turn` is the way round where the line is a loop.
    """

    points: tuple[int, ...]
    entered: int
    turn: Turn | None

    def steps(self, *, express: bool) -> int:
        """How many steps it counts, with or without an express ticket."""
        passed = (self.entered & SKIPPED).bit_count() if express else 0
        return len(self.points) - passed

    def continues(self, other: Way) -> bool:
        """Whether it enters all points of another way first, in the same order."""
        return self.points[: len(other.points)] == other.points


def _around(line: int) -> Mapping[int, tuple[int, ...]]:
    """The neighbours of each point along a line, in the order of its paths."""
    found: dict[int, list[int]] = {}
    for path in LINES[line].paths:
        places = [POINT_AT[point] for point in path]
        for one, other in pairwise(places):
            found.setdefault(one, []).append(other)
            found.setdefault(other, []).append(one)
    return {at: tuple(near) for at, near in found.items()}


_AROUND: Final = tuple(_around(line) for line in range(len(LINES)))


def _step(line: int, at: int, to: int, *, express: bool) -> Step:
    """The step from a point towards a neighbour; with a ticket on to the next counted point."""
    entered = BIT[to]
    while express and POINTS[to].skip:
        ahead = next(other for other in _AROUND[line][to] if other != at)
        at, to = to, ahead
        entered |= BIT[to]
    return Step(line, to, entered)


STEPS: Final = tuple(
    tuple(
        tuple(
            _step(line, at, to, express=express)
            for line in LINES_AT[at]
            for to in _AROUND[line][at]
        )
        for at in range(len(POINTS))
    )
    for express in (False, True)
)
"""By ticket (False, True) and point: the steps that lead away, in the order of the map."""

Edges = tuple[tuple[tuple[int, int], ...], ...]
"""By point: where each step leads, and all points that it enters."""

EDGES: Final[tuple[Edges, ...]] = tuple(
    tuple(tuple((step.to, step.entered) for step in steps) for steps in each) for each in STEPS
)
"""As STEPS without the lines, for searches that do not ask for them."""


def ways(line: int, start: int, end: int) -> tuple[Way, ...]:
    """The ways along a line between two points: two on a loop, shorter first, otherwise one.

    Empty if the line has not both points, or they are the same.
    """
    return _ways_from(line, start).get(end, ())


@cache  # bounded: points of lines, 640 on this map
def _ways_from(line: int, start: int) -> Mapping[int, tuple[Way, ...]]:
    """By point: the ways that lead there along a line."""
    if start not in _AROUND[line]:
        return {}
    if LINES[line].loop:
        return _ways_round(line, start)
    found: dict[int, tuple[Way, ...]] = {}
    waiting: list[tuple[int, Way]] = [(start, Way((), 0, None))]
    while waiting:
        at, way = waiting.pop()
        for to in _AROUND[line][at]:
            if to != start and to not in found:
                onward = Way((*way.points, to), way.entered | BIT[to], None)
                found[to] = (onward,)
                waiting.append((to, onward))
    return found


def _ways_round(line: int, start: int) -> Mapping[int, tuple[Way, ...]]:
    """As `_ways_from` on a loop."""
    ring = [POINT_AT[point] for point in LINES[line].paths[0][:-1]]
    ring = ring[ring.index(start) :] + ring[: ring.index(start)]
    # On the drawing y grows downwards.
    corners = pairwise(POINTS[at] for at in (*ring, start))
    area = sum(one.x * other.y - other.x * one.y for one, other in corners)
    turns = (Turn.CLOCKWISE, Turn.COUNTER) if area > 0 else (Turn.COUNTER, Turn.CLOCKWISE)
    found: dict[int, list[Way]] = {to: [] for to in ring[1:]}
    for order, turn in zip((ring[1:], ring[:0:-1]), turns, strict=True):
        way = Way((), 0, turn)
        for to in order:
            way = Way((*way.points, to), way.entered | BIT[to], turn)
            found[to].append(way)
    return {
        to: tuple(sorted(both, key=lambda way: (len(way.points), way.turn)))
        for to, both in found.items()
    }


def distances(start: int, visited: int, *, express: bool) -> list[int]:
    """By point: the fewest steps between it and another over points not visited, or `NOWHERE`."""
    found = [NOWHERE] * len(POINTS)
    found[start], reached = 0, visited | BIT[start]
    waiting = [start]
    for at in waiting:
        for to, entered in EDGES[express][at]:
            if not entered & reached:
                reached |= BIT[to]
                found[to] = found[at] + 1
                waiting.append(to)
    return found


@cache  # bounded: the points of the map, with and without ticket
def steps_to(destination: int, *, express: bool) -> tuple[int, ...]:
    """By point: the fewest steps from there to a destination over all lines.

    A skipped stop counts from where a ticket holder never stands: its value is that of the map
    without tickets.
    """
    far = distances(destination, 0, express=express)
    plain = steps_to(destination, express=False) if express else far
    return tuple(map(min, far, plain))


def payoff(one: map_data.PointId, other: map_data.PointId) -> int:
    """What arriving pays, in units of 1000 yen (Rule: tokai 8.1, 8.2)."""
    return ATLAS.payoffs[one, other]


def region_rolled(coloured: int, whites: int) -> map_data.RegionId:
    """The region for a coloured die and the sum of the white dice (Rule: tokai 4.1.1)."""
    return map_data.RegionId(ATLAS.region_table.rolled(coloured, whites))


def city_rolled(region: map_data.RegionId, coloured: int, whites: int) -> map_data.PointId | None:
    """The destination rolled in a region; None: the player names one (Rule: tokai 4.1.1, 4.3)."""
    entry = REGIONS[REGION_AT[region]].table.rolled(coloured, whites)
    return None if entry == map_data.FREE else map_data.PointId(entry)


# The data that never change, for clients that draw the map themselves.

_OF_LINES: Final = ("id", "en", "ja", "price", "colour", "shinkansen", "loop", "paths")


def drawing() -> Shaped:
    """Lines, points with their coordinates, regions, tables and payoffs.

    Money is in thousands of yen, as in views. `payoffs` has a row for each destination: what it
    pays to or from those after it, in the order of the regions' destinations.
    """
    return {
        **shown(CONSTANTS, "canvas", "express_ticket_price"),
        "lines": [shown(line, *_OF_LINES) for line in LINES],
        "points": {point.id: _point(point) for point in POINTS},
        "regions": [shown(each, "id", "en", "ja", "destinations", "table") for each in REGIONS],
        **shown(ATLAS, "region_table"),
        "payoffs": [
            [payoff(one, other) for other in DESTINATIONS[at + 1 :]]
            for at, one in enumerate(DESTINATIONS)
        ],
    }


def _point(point: map_data.Point) -> Shaped:
    if_any = (name for name in ("skip", "region") if getattr(point, name))
    return shown(point, "en", "ja", "x", "y", *if_any)
