"""A journey as it is typed, by stations and lines, and the legs that it stands for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from bluebear.rules.core.refusal import Ambiguous, NotAllowed, NotUnderstood
from bluebear.rules.core.suggest import NEAREST
from bluebear.rules.core.visibility import but
from bluebear.rules.tokai.bot.roll_search import best_way
from bluebear.rules.tokai.bot.route_search import Stretch, routes
from bluebear.rules.tokai.data.map_data import LineId, PointId
from bluebear.rules.tokai.rules import movement, network
from bluebear.rules.tokai.rules.fares import tally
from bluebear.rules.tokai.rules.moves import Go
from bluebear.rules.tokai.rules.state import Leg, State
from bluebear.rules.tokai.text.commands import CLOCKWISE, COUNTER
from bluebear.rules.tokai.text.names import LINE_NAMES, POINT_NAMES

# A journey as it is typed: stations, with the lines before them where these are named.
#
# `東山線 千種 中央線 名古屋` are two stations with their lines, `chikusa nagoya` two without.
#
# Rule: tokai 16.3, 16.5.

_FILLERS: Final = frozenset({"to", "via", "by", "then", "line", "station"})
"""`chuo line to tsurumai station`: words that people put between names; none is one itself."""
_LOOPS: Final = tuple(number for number, line in enumerate(network.LINES) if line.loop)


class Stop(NamedTuple):
    """A station of a journey; `line` and `turn` where they were typed, as for `ways`."""

    point: int
    line: int | None
    turn: network.Turn | None


def read_stops(tokens: Sequence[str], at: int) -> list[Stop]:
    """The stations of a journey from a point. Raises NotUnderstood, Ambiguous or NotAllowed."""
    made: list[Stop] = []
    line: int | None = None
    turn: network.Turn | None = None
    for number, token in enumerate(tokens):
        if token in _FILLERS:
            continue
        here = made[-1].point if made else at
        if (way := _turn(token)) is not None:
            is_behind = line is None and bool(made)
            if (made[-1].turn if is_behind else turn) not in (None, way):
                raise NotAllowed("both_ways", rule="16.2")
            if is_behind:
                made[-1] = made[-1]._replace(turn=way)
            else:
                turn = way
        elif line is None and (found := _line(token, tokens[number + 1 :], here)) is not None:
            line = found
        else:
            made.append(Stop(_point(token, line), line, turn))
            line = turn = None
    if line is not None:
        raise NotUnderstood("missing_argument", verb="go", slot="point")
    return [_around(stop) for stop in made]


def _around(stop: Stop) -> Stop:
    """A stop that was typed with a direction and no line: the loop line is meant."""
    if stop.turn is None or stop.line is not None:
        return stop
    loop = next(
        (line for line in _LOOPS if network.POINTS_ON[line] & network.BIT[stop.point]), None
    )
    if loop is None:
        raise NotAllowed("not_on_loop", rule="16.2", point=network.POINTS[stop.point].id)
    return stop._replace(line=loop)


def _turn(token: str) -> network.Turn | None:
    if CLOCKWISE.matches(token):
        return network.Turn.CLOCKWISE
    return network.Turn.COUNTER if COUNTER.matches(token) else None


def _line(token: str, after: Sequence[str], here: int) -> int | None:
    """The line that a word names, None if it is rather a station.

    Many lines are called after a station. The full name of a station is that station, unless a line
    has it too. Any other word that could be both is a line only where that makes sense: one stands
    on it, and a station of it follows.
    """
    found = LINE_NAMES.find(token)
    is_line = LINE_NAMES.exact(token) is not None
    if not found or (POINT_NAMES.exact(token) and not is_line):
        return None
    is_last = all(_turn(token) or token in _FILLERS for token in after)
    vague = is_last or not is_line
    could_be_point = POINT_NAMES.exact(token) or (vague and POINT_NAMES.find(token))
    fitting = [line for line in map(_index, found) if _makes_sense(line, after, here)]
    if len(fitting) == 1:
        return fitting[0]
    if could_be_point:
        return None
    if len(found) > 1:
        raise Ambiguous("ambiguous", slot="line", given=token, candidates=found[:NEAREST])
    return _index(found[0])


def _index(line: str) -> int:
    return network.LINE_AT[LineId(line)]


def _makes_sense(line: int, after: Sequence[str], here: int) -> bool:
    following = [token for token in after if _turn(token) is None and token not in _FILLERS][:1]
    if not following or not network.POINTS_ON[line] & network.BIT[here]:
        return False
    return any(
        network.POINTS_ON[line] & network.BIT[network.POINT_AT[PointId(p)]]
        for p in POINT_NAMES.find(following[0])
    )


def _point(token: str, line: int | None) -> int:
    """The station that a word names; of several, the only one on the line that was named."""
    found = [network.POINT_AT[PointId(point)] for point in POINT_NAMES.find(token)]
    if len(found) > 1 and line is not None:
        served = [point for point in found if network.POINTS_ON[line] & network.BIT[point]]
        found = served or found
    if len(found) == 1:
        return found[0]
    if found:
        names = POINT_NAMES.find(token)[:NEAREST]
        raise Ambiguous("ambiguous", slot="point", given=token, candidates=names)
    near = POINT_NAMES.near(token)
    if not near and line is not None:
        near = list(network.LINES[line].points[:NEAREST])
    raise NotUnderstood("bad_argument", slot="point", given=token, candidates=near)


# From a typed journey to legs: lines and ways are filled in, the roll cuts what lies beyond.
#
# Rule: tokai 16.2, 16.3.


def expand(table: State, tokens: Sequence[str]) -> tuple[Go, ...]:
    """The legs that the active seat means with a typed journey.

    Raises NotUnderstood, NotAllowed, or Ambiguous with ways as lines: the cheapest and the shortest
    (`two_ways`), or the one that uses up the roll on a `detour`.
    """
    journey = _Journey(table)
    stops = read_stops(tokens, journey.pawn.at)
    for stop in stops:
        if journey.is_over:
            break
        journey.go_on(stop, alone=len(stops) == 1)
    is_leg = len(stops) == 1 and stops[0].line is not None
    if not is_leg and not journey.is_over:
        here, left = network.POINTS[journey.pawn.at].id, journey.pawn.left
        raise NotAllowed("steps_left", rule="7.2.4", point=here, left=left)
    return tuple(journey.typed_legs)


class _Plan(NamedTuple):
    """Legs to a station, what the turn then costs, and how many steps they take."""

    legs: tuple[Go, ...]
    cost: int
    steps: int


class _Journey:
    """A movement of the active seat that grows stop by stop."""

    def __init__(self, table: State) -> None:
        self._table = table
        self._express = table.mover.express
        self._destination = table.mover.destination
        self.typed_legs: list[Go] = []
        self.pawn: movement.Stand = movement.stand(table)

    @property
    def is_over(self) -> bool:
        """Whether the roll is used up or the destination reached."""
        return not self.pawn.left or network.POINTS[self.pawn.at].id == self._destination

    def go_on(self, stop: Stop, *, alone: bool) -> None:
        """Goes on to a stop, as far as the roll reaches; `alone`: it is all that was typed.

        NotAllowed if no ride of this trip may end there, by whatever line.
        """
        target, point = network.BIT[stop.point], network.POINTS[stop.point].id
        if target & self.pawn.visited:
            code = "stands_there" if stop.point == self.pawn.at else "visited"
            raise NotAllowed(code, rule="7.2.3", point=point)
        if self._express and target & network.SKIPPED:
            raise NotAllowed("passed_by", rule="7.2.2.1", point=point)
        if stop.line is not None:
            self._say(self._along(stop, stop.line))
            return
        for go in self._find(stop.point, alone=alone):
            self._say(go)

    def _say(self, go: Go) -> None:
        """Adds a leg. Raises NotAllowed if it is not legal."""
        if (refusal := movement.why_not(self._table, go)) is not None:
            raise refusal
        self.typed_legs.append(go)
        leg = Leg(go.line, go.point, movement.turn_of(go))
        self._table = but(self._table, legs=(*self._table.legs, leg))
        self.pawn = movement.stand(self._table)

    def _along(self, stop: Stop, line: int) -> Go:
        """The leg along a line that was named, on a loop the shorter way that is legal.

        Where none is legal, or the way round must be named, some leg that is refused.
        """
        found = [
            way
            for way in network.ways(line, self.pawn.at, stop.point)
            if stop.turn is None or way.turn is stop.turn
        ]
        cut = [movement.reached(self._table, line, way) for way in found]
        legal = [go for go in cut if go in movement.legs(self._table)]
        if len(legal) == 2 and len(found[0].points) == len(found[1].points):
            legal, cut = [], []  # neither is shorter: the way round must be named
        return next(iter((*legal, *cut)), movement.go_of(line, stop.point, stop.turn))

    def _find(self, target: int, *, alone: bool) -> Sequence[Go]:
        """The legs to a station whose lines were not typed.

        A station alone is where the ride is to end, so that the whole roll is used up on the way;
        a way longer than the shortest is only offered. One of several is gone to directly. At the
        destination the ride ends in any case: the cheapest way is taken.
        """
        point = network.POINTS[target].id
        at, seen, _ = self._blocked(target)
        far = network.distances(at, seen, express=self._express)[target]
        if far == network.NOWHERE:
            raise NotAllowed("no_way_there", rule="7.2.3", point=point)
        if far > self.pawn.left:
            return self._beyond(target)
        if point != self._destination:
            if not alone:
                return self._within(target, cheapest=False, exactly=False, far=far).legs
            plan = self._within(target, cheapest=True, exactly=True, far=far)
            if plan.steps > far:
                # A line that names a station nearby never means the long way round.
                detour = [movement.line_of(*self.typed_legs, *plan.legs)]
                raise Ambiguous(
                    "detour",
                    rule="16.3",
                    candidates=detour,
                    slot=movement.JOURNEY,
                    point=point,
                    steps=far,
                    left=self.pawn.left,
                )
            return plan.legs
        # What is left of the roll on arrival is lost, so that nothing but the cost matters.
        return self._within(target, cheapest=True, exactly=False, far=far).legs

    def _blocked(self, target: int) -> movement.Stand:
        """Where the seat stands, with the destination closed unless it is the target."""
        if self._destination is None or network.POINT_AT[self._destination] == target:
            return self.pawn
        closed = network.BIT[network.POINT_AT[self._destination]]
        return self.pawn._replace(visited=self.pawn.visited | closed)

    def _within(self, target: int, *, cheapest: bool, exactly: bool, far: int) -> _Plan:
        """The best way within the roll. Raises NotAllowed if the roll cannot be used up so."""
        table, pawn, so_far = self._table, self._blocked(target), tally(self._table)
        found = best_way(table, pawn, target, so_far, cheapest=cheapest, exactly=exactly)
        if found is None:
            point, left = network.POINTS[target].id, self.pawn.left
            raise NotAllowed("no_such_length", rule="7.2.4", point=point, left=left, steps=far)
        ridden = groupby(found.steps, key=lambda step: step.line)
        way = [Stretch(line, tuple(step.to for step in steps)) for line, steps in ridden]
        return _Plan(self._legs(way), found.cost, len(found.steps))

    def _beyond(self, target: int) -> Sequence[Go]:
        """As far as the roll reaches on a way to a station that lies beyond it."""
        table, left = self._table, self._table.mover
        through = tally(table).through
        table = but(table, seats=table.seats.put(table.active, but(left, through=through)))
        found = routes(table, table.active, self._blocked(target), target)
        assert found is not None  # `_find` has seen that there is a way
        shortest, cheapest = (
            _Plan(self._legs(each.stretches), each.cost, each.steps) for each in found
        )
        return self._one_of(network.POINTS[target].id, cheapest, shortest)

    def _legs(self, way: Iterable[Stretch]) -> tuple[Go, ...]:
        """The legs of a way that the roll reaches: one for each line ridden without leaving it."""
        made: list[Go] = []
        at, left = self.pawn.at, self.pawn.left
        for line, points in way:
            if entered := points[:left]:
                made.append(self._leg(line, at, entered))
                at, left = entered[-1], left - len(entered)
        return tuple(made)

    def _leg(self, line: int, at: int, points: Sequence[int]) -> Go:
        for way in network.ways(line, at, points[-1]):
            if way.steps(express=self._express) == len(points) and points[0] in way.points:
                return movement.go_of(line, points[-1], way.turn)
        raise AssertionError("a stretch follows its line")

    def _one_of(self, point: PointId, cheapest: _Plan, shortest: _Plan) -> Sequence[Go]:
        """The cheapest way, unless a shorter one begins otherwise: then both are offered."""
        if cheapest.steps == shortest.steps or cheapest.legs == shortest.legs:
            return cheapest.legs
        raise Ambiguous(
            "two_ways",
            rule="16.3",
            candidates=[
                movement.line_of(*self.typed_legs, *plan.legs) for plan in (cheapest, shortest)
            ],
            slot=movement.JOURNEY,
            point=point,
            cost=cheapest.cost,
            steps=cheapest.steps,
            price=shortest.cost,
            fewest=shortest.steps,
        )
