"""Where a movement may go: the legs that fit a roll, and which of them lead into a trap.

A leg follows one line. It is legal if a complete movement exists behind it: one that uses up the
roll or arrives, over points not visited on this trip (Rule: tokai 7.2.3, 7.2.4). It is safe if the
destination can still be reached afterwards; then every further roll has a legal movement too
(Rule: tokai 7.2.7), and so a safe leg is always legal.

Points are indices of `rules.tokai.network`, sets of points the bits of one number.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final, NamedTuple

from rules.tokai.atlas import LineId, PointId
from rules.tokai.moves import Go
from rules.tokai.network import (
    BIT,
    EDGES,
    LINE_AT,
    LINES,
    LINES_AT,
    POINT_AT,
    POINTS,
    SKIPPED,
    STEPS,
    Step,
    Turn,
    Way,
    ways,
)
from rules.tokai.state import Table

_REMEMBERED: Final = 512
"""Movements whose legs are kept: a room asks for the same ones many times in a turn."""


class Stand(NamedTuple):
    """Where a seat is in its movement: the point, all points visited, and the steps left."""

    at: int
    visited: int
    left: int


class Ride(NamedTuple):
    """A leg that may be ridden now."""

    go: Go
    way: Way
    steps: int
    safe: bool


Rides = Mapping[Go, Ride]
"""In the order of canonical lines."""


def visited(trail: tuple[PointId, ...]) -> int:
    """The points of a trail as a set."""
    made = 0
    for point in trail:
        made |= BIT[POINT_AT[point]]
    return made


def stand(table: Table) -> Stand:
    """Where the active seat is after the legs that it has said."""
    mover = table.mover
    at, seen, left = POINT_AT[mover.trail[-1]], visited(mover.trail), table.roll
    for leg in table.legs:
        way = way_of(LINE_AT[leg.line], at, POINT_AT[leg.point], leg.turn)
        at = way.points[-1]
        seen |= way.entered
        left -= way.steps(express=mover.express)
    return Stand(at, seen, left)


def way_of(line: int, start: int, end: int, turn: str) -> Way:
    """The one way of a leg; the line has both points."""
    found = ways(line, start, end)
    return next((way for way in found if way.turn is not None and way.turn.value == turn), found[0])


def legs(table: Table) -> Rides:
    """The legs that the active seat may ride now; with `strict` only the safe ones."""
    mover = table.mover
    if mover.destination is None:
        return {}
    found = rides(stand(table), POINT_AT[mover.destination], express=mover.express)
    if table.strict:
        return {go: ride for go, ride in found.items() if ride.safe}
    return found


def is_rash(table: Table, go: Go) -> bool:
    """Whether a leg strands its rider, though another would not (Rule: tokai 7.2.7)."""
    found = legs(table)
    ride = found.get(go)
    return ride is not None and not ride.safe and any(each.safe for each in found.values())


def reached(table: Table, line: int, way: Way) -> Go:
    """The leg along a way as far as the roll reaches, not beyond the destination."""
    mover, left = table.mover, stand(table).left
    for at in way.points:
        if not (mover.express and BIT[at] & SKIPPED):
            left -= 1
            if not left or POINTS[at].id == mover.destination:
                return go_of(line, at, way.turn)
    return go_of(line, way.points[-1], way.turn)


@lru_cache(_REMEMBERED)
def rides(standing: Stand, destination: int, *, express: bool) -> Rides:
    """All legal legs of a movement that stands here."""
    if not standing.left:
        return {}
    found = _Search(standing, destination, express=express).rides()
    return {ride.go: ride for ride in sorted(found, key=lambda ride: _rank(ride.go))}


class _Search:
    """Walks every line away from a point and asks of each point on it what may follow."""

    def __init__(self, standing: Stand, destination: int, *, express: bool) -> None:
        self._start = standing
        self._destination = destination
        self._steps = STEPS[express]
        self._edges = EDGES[express]
        self._tree = self._homeward()
        self._found: list[Ride] = []

    def rides(self) -> list[Ride]:
        """The legal legs, in no order."""
        at, seen, _ = self._start
        for line in LINES_AT[at]:
            self._walk(line, at, seen, 0)
        return self._found

    def _walk(self, line: int, at: int, seen: int, steps: int) -> bool:
        """Follows a line on from a point; whether a safe leg ends farther along it.

        A leg is safe if a longer one over it is: its rider could go on.
        """
        safe = False
        for step in self._steps[at]:
            if step.line == line and not step.entered & seen:
                safe = self._leg(step, seen | step.entered, steps + 1) or safe
        return safe

    def _leg(self, step: Step, seen: int, steps: int) -> bool:
        line, at, _ = step
        left = self._start.left - steps
        safe = at == self._destination
        if not safe:
            ahead = left > 0 and self._walk(line, at, seen, steps)
            safe = ahead or self._leads_home(at, seen)
        if safe or _can_use_up(at, left, seen, self._edges):
            ridden = seen & ~self._start.visited
            found = ways(line, self._start.at, at)
            way = next(way for way in found if way.entered == ridden)
            self._found.append(Ride(go_of(line, at, way.turn), way, steps, safe))
        return safe

    def _homeward(self) -> Mapping[int, int]:
        """By point: the points entered by one shortest way from there to the destination.

        Points without a way over unvisited points are missing.
        """
        _, blocked, _ = self._start
        found = {self._destination: 0}
        layer = [self._destination]
        while layer:
            following = []
            for near in layer:
                entered_on = found[near] | BIT[near]
                for far, entered in self._edges[near]:
                    if far not in found and not entered & blocked:
                        found[far] = entered_on | (entered & ~BIT[far])
                        following.append(far)
            layer = following
        return found

    def _leads_home(self, at: int, seen: int) -> bool:
        """Whether the destination can be reached from a point over points not seen."""
        known = self._tree.get(at)
        if known is None:
            return False
        if not known & seen:
            return True
        reached = seen
        waiting = [at]
        while waiting:
            for to, entered in self._edges[waiting.pop()]:
                if not entered & reached:
                    if to == self._destination:
                        return True
                    reached |= BIT[to]
                    waiting.append(to)
        return False


def fewest_steps(at: int, seen: int, destination: int, *, express: bool) -> int | None:
    """The fewest steps to a destination over points not seen; None if there is no way."""
    reached, layer, steps = seen, [at], 0
    while layer:
        steps += 1
        following = []
        for point in layer:
            for to, entered in EDGES[express][point]:
                if not entered & reached:
                    if to == destination:
                        return steps
                    reached |= BIT[to]
                    following.append(to)
        layer = following
    return None


def _can_use_up(
    at: int, left: int, seen: int, edges: tuple[tuple[tuple[int, int], ...], ...]
) -> bool:
    """Whether exactly so many steps can be made over points not seen."""
    if not left:
        return True
    return any(
        _can_use_up(to, left - 1, seen | entered, edges)
        for to, entered in edges[at]
        if not entered & seen
    )


@cache  # bounded: points of lines, 640 on this map
def go_of(line: int, point: int, turn: Turn | None) -> Go:
    """The leg along a line to a point."""
    return Go(
        LINES[line].id,
        POINTS[point].id,
        cw=turn is Turn.CLOCKWISE,
        ccw=turn is Turn.COUNTER,
    )


def turn_of(go: Go) -> str:
    """The way round that a leg names, empty if none."""
    if go.cw:
        return Turn.CLOCKWISE.value
    return Turn.COUNTER.value if go.ccw else ""


def said(*ridden: Go) -> str:
    """Legs as one line, as it may be typed."""
    words = ["/go"]
    for go in ridden:
        words += (go.line, go.point, *([turn_of(go)] if turn_of(go) else []))
    return " ".join(words)


@cache  # bounded as `go_of`
def _rank(go: Go) -> tuple[LineId, PointId, str]:
    """Sorts legs as their canonical lines are sorted."""
    return go.line, go.point, turn_of(go)
