"""From a typed journey to legs: lines and ways are filled in, the roll cuts what lies beyond.

Rule: tokai 16.2, 16.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from bluebear.rules.core.refusal import Ambiguous, NotAllowed
from bluebear.rules.core.visibility import but
from bluebear.rules.tokai.atlas import PointId
from bluebear.rules.tokai.exact import Found, Wish, best_way
from bluebear.rules.tokai.fares import tally
from bluebear.rules.tokai.moves import Go
from bluebear.rules.tokai.network import BIT, POINT_AT, POINTS, SKIPPED, Step, ways
from bluebear.rules.tokai.riding import (
    Stand,
    fewest_steps,
    go_of,
    legs,
    reached,
    said,
    stand,
    turn_of,
)
from bluebear.rules.tokai.routing import Route, routes
from bluebear.rules.tokai.state import Leg, Table
from bluebear.rules.tokai.straying import why_not
from bluebear.rules.tokai.typed import Stop, read_stops
from bluebear.rules.tokai.words import JOURNEY


def expand(table: Table, tokens: Sequence[str]) -> tuple[Go, ...]:
    """The legs that the active seat means with a typed journey.

    Raises NotUnderstood, NotAllowed, or Ambiguous with ways as lines: the cheapest and the shortest
    (`two_ways`), or the one that uses up the roll on a `detour`.
    """
    journey = _Journey(table)
    stops = read_stops(tokens, journey.standing.at)
    for stop in stops:
        if journey.is_over:
            break
        journey.go_on(stop, alone=len(stops) == 1)
    is_leg = len(stops) == 1 and stops[0].line is not None
    if not is_leg and not journey.is_over:
        here, left = POINTS[journey.standing.at].id, journey.standing.left
        raise NotAllowed("steps_left", rule="7.2.4", point=here, left=left)
    return tuple(journey.said)


class _Plan(NamedTuple):
    """Legs to a station, what the turn then costs, and how many steps they take."""

    legs: tuple[Go, ...]
    cost: int
    steps: int


class _Journey:
    """A movement of the active seat that grows stop by stop."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._express = table.mover.express
        self._destination = table.mover.destination
        self.said: list[Go] = []
        self.standing: Stand = stand(table)

    @property
    def is_over(self) -> bool:
        """Whether the roll is used up or the destination reached."""
        return not self.standing.left or POINTS[self.standing.at].id == self._destination

    def go_on(self, stop: Stop, *, alone: bool) -> None:
        """Goes on to a stop, as far as the roll reaches; `alone`: it is all that was typed."""
        self._check_end(stop.point)
        if stop.line is not None:
            self._say(self._along(stop, stop.line))
            return
        for go in self._find(stop.point, alone=alone):
            self._say(go)

    def _say(self, go: Go) -> None:
        """Adds a leg. Raises NotAllowed if it is not legal."""
        refusal = why_not(self._table, go)
        if refusal is not None:
            raise refusal
        self.said.append(go)
        leg = Leg(go.line, go.point, turn_of(go))
        self._table = but(self._table, legs=(*self._table.legs, leg))
        self.standing = stand(self._table)

    def _along(self, stop: Stop, line: int) -> Go:
        """The leg along a line that was named, on a loop the shorter way that is legal.

        Where none is legal, or the way round must be named, some leg that is refused.
        """
        found = [
            way
            for way in ways(line, self.standing.at, stop.point)
            if stop.turn is None or way.turn is stop.turn
        ]
        cut = [reached(self._table, line, way) for way in found]
        legal = [go for go in cut if go in legs(self._table)]
        if len(legal) == 2 and len(found[0].points) == len(found[1].points):
            legal, cut = [], []  # neither is shorter: the way round must be named
        return next(iter((*legal, *cut)), go_of(line, stop.point, stop.turn))

    def _find(self, target: int, *, alone: bool) -> Sequence[Go]:
        """The legs to a station whose lines were not typed.

        A station alone is where the ride is to end, so that the whole roll is used up on the way;
        a way longer than the shortest is only offered. One of several is gone to directly. At the
        destination the ride ends in any case: the cheapest way is taken.
        """
        point = POINTS[target].id
        far = self._far(target)
        if far is None:
            raise NotAllowed("no_way_there", rule="7.2.3", point=point)
        if far > self.standing.left:
            return self._beyond(target)
        if point != self._destination:
            if not alone:
                return self._within(target, Wish.SHORTEST, exactly=False, far=far).legs
            plan = self._within(target, Wish.CHEAPEST, exactly=True, far=far)
            if plan.steps > far:
                raise self._detour(point, plan, far)
            return plan.legs
        # What is left of the roll on arrival is lost, so that nothing but the cost matters.
        return self._within(target, Wish.CHEAPEST, exactly=False, far=far).legs

    def _check_end(self, target: int) -> None:
        """NotAllowed if no ride of this trip may end at a station, by whatever line."""
        point = POINTS[target].id
        if BIT[target] & self.standing.visited:
            code = "stands_there" if target == self.standing.at else "visited"
            raise NotAllowed(code, rule="7.2.3", point=point)
        if self._express and BIT[target] & SKIPPED:
            raise NotAllowed("passed_by", rule="7.2.2.1", point=point)

    def _blocked(self, target: int) -> Stand:
        """Where the seat stands, with the destination closed unless it is the target."""
        if self._destination is None or POINT_AT[self._destination] == target:
            return self.standing
        closed = BIT[POINT_AT[self._destination]]
        return self.standing._replace(visited=self.standing.visited | closed)

    def _far(self, target: int) -> int | None:
        at, seen, _ = self._blocked(target)
        return fewest_steps(at, seen, target, express=self._express)

    def _within(self, target: int, wish: Wish, *, exactly: bool, far: int) -> _Plan:
        """The best way within the roll. Raises NotAllowed if the roll cannot be used up so."""
        found = best_way(
            self._table,
            self._blocked(target),
            target,
            wish,
            exactly=exactly,
            before=tally(self._table),
        )
        if found is None:
            raise NotAllowed(
                "no_such_length",
                rule="7.2.4",
                point=POINTS[target].id,
                left=self.standing.left,
                steps=far,
            )
        return self._plan(found)

    def _plan(self, found: Found) -> _Plan:
        """Steps as legs: one for each line ridden without leaving it."""
        made: list[Go] = []
        at = self.standing.at
        for line, ridden in groupby(found.steps, key=lambda step: step.line):
            steps = list(ridden)
            made.append(_leg(line, at, steps))
            at = steps[-1].to
        return _Plan(tuple(made), found.cost, len(found.steps))

    def _beyond(self, target: int) -> Sequence[Go]:
        """As far as the roll reaches on a way to a station that lies beyond it."""
        table, left = self._table, self._table.mover
        held = tally(table).through
        table = but(table, seats=table.seats.put(table.active, but(left, through=held)))
        found = routes(table, table.active, self._blocked(target), target)
        assert found is not None  # `_far` has found one
        shortest, cheapest = map(self._begun, found)
        return self._one_of(POINTS[target].id, cheapest, shortest)

    def _begun(self, route: Route) -> _Plan:
        """The legs of a route that the roll reaches."""
        made: list[Go] = []
        at, left = self.standing.at, self.standing.left
        for line, points in route.stretches:
            if left:
                entered = points[:left]
                made.append(self._stretch(line, at, entered))
                at, left = entered[-1], left - len(entered)
        return _Plan(tuple(made), route.cost, route.steps)

    def _stretch(self, line: int, at: int, points: Sequence[int]) -> Go:
        for way in ways(line, at, points[-1]):
            if way.steps(express=self._express) == len(points) and points[0] in way.points:
                return go_of(line, points[-1], way.turn)
        raise AssertionError("a stretch follows its line")

    def _detour(self, point: PointId, plan: _Plan, far: int) -> Ambiguous:
        """Nobody who names a station nearby is sent the long way round unasked."""
        return Ambiguous(
            "detour",
            rule="16.3",
            candidates=[said(*self.said, *plan.legs)],
            slot=JOURNEY,
            point=point,
            steps=far,
            left=self.standing.left,
        )

    def _one_of(self, point: PointId, cheapest: _Plan, shortest: _Plan) -> Sequence[Go]:
        """The cheapest way, unless a shorter one begins otherwise: then both are offered."""
        if cheapest.steps == shortest.steps or cheapest.legs == shortest.legs:
            return cheapest.legs
        raise Ambiguous(
            "two_ways",
            rule="16.3",
            candidates=[said(*self.said, *plan.legs) for plan in (cheapest, shortest)],
            slot=JOURNEY,
            point=point,
            cost=cheapest.cost,
            steps=cheapest.steps,
            price=shortest.cost,
            fewest=shortest.steps,
        )


def _leg(line: int, at: int, steps: Sequence[Step]) -> Go:
    """The leg of steps along one line."""
    entered = sum(step.entered for step in steps)
    way = next(way for way in ways(line, at, steps[-1].to) if way.entered == entered)
    return go_of(line, steps[-1].to, way.turn)
