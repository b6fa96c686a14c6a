"""Where a movement may go: legs that fit a roll, dead ends, refusals of legs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from bluebear.rules.core.game import Rash
from bluebear.rules.core.identity_cache import IdentityCache
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.tokai.data.map_data import PointId
from bluebear.rules.tokai.rules import network
from bluebear.rules.tokai.rules.moves import Go
from bluebear.rules.tokai.rules.state import Leg, State

# Whether the destination of a trip can still be reached over points not visited.
#
# Nearly always the shortest way is free, and it is known for every point. Otherwise one goes from
# junction to junction, since between two of them there is but one way: a track.

Tracks = tuple[tuple[tuple[int, int], ...], ...]
"""By point: where the tracks lead that begin there or pass, and all points entered on the way."""


class Home(NamedTuple):
    """The ways to a destination from any point, each as the points that it enters.

    `shortest` by point; every point there is, -1, where no way begins: at skipped stops for who has
    a ticket. `straight`, along the track that the destination lies on, if it is no junction: by the
    points of that track.
    """

    shortest: tuple[int, ...]
    straight: Mapping[int, tuple[int, ...]]
    tracks: Tracks

    def is_open(self, at: int, seen: int) -> bool:
        """Whether the destination can be reached from a point over points not seen."""
        shortest, straight, tracks = self
        if not shortest[at] & seen or (at in straight and _any_free(straight[at], seen)):
            return True
        reached = seen
        waiting = [at]
        while waiting:
            for to, entered in tracks[waiting.pop()]:
                if entered & reached:
                    continue
                if not shortest[to] & seen or (to in straight and _any_free(straight[to], seen)):
                    return True
                reached |= network.BIT[to]
                waiting.append(to)
        return False


def _any_free(ways: Iterable[int], seen: int) -> bool:
    return any(not entered & seen for entered in ways)


@cache  # bounded: the destinations of the map, with and without ticket
def home(destination: int, *, express: bool) -> Home:
    """The ways to a destination, with or without a ticket."""
    found = [-1] * len(network.POINTS)
    found[destination] = 0
    waiting = [destination]
    for near in waiting:
        for far, entered in network.EDGES[express][near]:
            if found[far] < 0:
                found[far] = _back(found[near], near, far, entered)
                waiting.append(far)
    straight: dict[int, tuple[int, ...]] = {}
    if not _is_junction(destination, express=express):
        for first in dict.fromkeys(network.EDGES[express][destination]):
            near, way = destination, 0
            for far, entered in _along(destination, first, express=express):
                way = _back(way, near, far, entered)
                near = far
                straight[far] = (*straight.get(far, ()), way)
    # The end nearest to the destination comes last, so that the search goes on from there.
    far_first = (sorted(each, key=lambda e: -found[e[0]].bit_count()) for each in _TRACKS[express])
    return Home(tuple(found), straight, tuple(map(tuple, far_first)))


def _back(way: int, near: int, far: int, entered: int) -> int:
    """The points entered from a point on, where `way` are those from the one before.

    `entered` are those of the step away.
    """
    return way | network.BIT[near] | (entered & ~network.BIT[far])


def _is_junction(at: int, *, express: bool) -> bool:
    """Whether there is more than one way on, or none."""
    return len(set(network.EDGES[express][at])) != 2


def _along(at: int, step: tuple[int, int], *, express: bool) -> list[tuple[int, int]]:
    """The steps along a track from a point up to the junction that it ends at."""
    made = [step]
    while not _is_junction(step[0], express=express):
        onward = [each for each in dict.fromkeys(network.EDGES[express][step[0]]) if each[0] != at]
        if len(onward) != 1:
            break
        at, step = step[0], onward[0]
        made.append(step)
    return made


def _tracks(*, express: bool) -> Tracks:
    found: list[tuple[tuple[int, int], ...]] = []
    for at in range(len(network.POINTS)):
        from_here = []
        for first in dict.fromkeys(network.EDGES[express][at]):
            steps = _along(at, first, express=express)
            from_here.append((steps[-1][0], sum(entered for _, entered in steps)))
        found.append(tuple(from_here))
    return tuple(found)


_TRACKS: Final = (_tracks(express=False), _tracks(express=True))


# Where a movement may go: the legs that fit a roll, and which of them lead into a trap.
#
# A leg follows one line. It is legal if a complete movement exists behind it: one that uses up the
# roll or arrives, over points not visited on this trip (Rule: tokai 7.2.3, 7.2.4). It is safe if
# the destination can still be reached afterwards; then every further roll has a legal movement too
# (Rule: tokai 7.2.7), and so a safe leg is always legal.
#
# Points are indices of `bluebear.rules.tokai.rules.network`, sets of points the bits of one number.

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
    way: network.Way
    steps: int
    safe: bool


Rides = Mapping[Go, Ride]
"""In the order of canonical lines."""


@lru_cache(_REMEMBERED)
def visited(trail: tuple[PointId, ...]) -> int:
    made = 0
    for point in trail:
        made |= network.BIT[network.POINT_AT[point]]
    return made


def stand(table: State) -> Stand:
    """Where the active seat is after the legs that it has said."""
    mover = table.rider
    return _pawn(mover.trail, table.legs, table.roll, express=mover.express)


@lru_cache(_REMEMBERED)
def _pawn(trail: tuple[PointId, ...], legs: tuple[Leg, ...], roll: int, *, express: bool) -> Stand:
    at, seen, left = network.POINT_AT[trail[-1]], visited(trail), roll
    for leg in legs:
        way = way_of(network.LINE_AT[leg.line], at, network.POINT_AT[leg.point], leg.turn)
        at = way.points[-1]
        seen |= way.entered
        left -= way.steps(express=express)
    return Stand(at, seen, left)


def way_of(line: int, start: int, end: int, turn: str) -> network.Way:
    """The one way of a leg; the line has both points."""
    found = network.ways(line, start, end)
    return found[1] if len(found) > 1 and found[1].turn == turn else found[0]


def legs(table: State, only: Go | None = None) -> Rides:
    """The active seat's legal legs, or just the leg `only`; with `strict` those that are safe."""
    mover = table.rider
    if mover.destination is None:
        return {}
    pawn, goal, express = stand(table), network.POINT_AT[mover.destination], mover.express
    if only is None:
        found = rides(pawn, goal, express=express)
    else:
        leg = _by_go(pawn.at, express=express).get(only)
        found = _rides([(leg,)] if leg else [], pawn, goal, express=express)
    if table.strict:
        return {go: ride for go, ride in found.items() if ride.safe}
    return found


_LISTED: Final = IdentityCache[State, Rides](16)
"""The legs of the states that were listed last: a move is mostly one that was listed before."""


def choices(table: State) -> list[Go | Rash]:
    """The legs that may be ridden now, in the order of canonical lines.

    Rash is a leg that strands its rider, though another would not (Rule: tokai 7.2.7).
    """
    found = _LISTED.put(table, legs(table))
    is_caught = not any(ride.safe for ride in found.values())
    return [go if ride.safe or is_caught else Rash(go) for go, ride in found.items()]


def reached(table: State, line: int, way: network.Way) -> Go:
    """The leg along a way as far as the roll reaches, not beyond the destination."""
    mover, left = table.mover, stand(table).left
    for at in way.points:
        if not (mover.express and network.BIT[at] & network.SKIPPED):
            left -= 1
            if not left or network.POINTS[at].id == mover.destination:
                return go_of(line, at, way.turn)
    return go_of(line, way.points[-1], way.turn)


class _Leg(NamedTuple):
    """A leg on an empty map. `place`: its place among the legs from its point, sorted."""

    place: int
    end: int
    entered: int
    steps: int
    safe: Ride
    unsafe: Ride


@cache  # bounded: the points of the map, with and without ticket
def _legs_from(start: int, *, express: bool) -> tuple[tuple[_Leg, ...], ...]:
    """All legs from a point in rows: by any line, each enters all points of the one before it.

    Where a line branches, the legs of the further arm are a row of their own.
    """
    found = [
        (go_of(line, network.POINT_AT[point], way.turn), way)
        for line in network.LINES_AT[start]
        for point in network.LINES[line].points
        for way in network.ways(line, start, network.POINT_AT[point])
        if not (express and network.BIT[network.POINT_AT[point]] & network.SKIPPED)
    ]
    found.sort(key=lambda leg: (leg[0].line, leg[0].point, turn_of(leg[0])))
    rows: list[list[_Leg]] = []
    for place, (go, way) in sorted(enumerate(found), key=lambda leg: len(leg[1][1].points)):
        safe = Ride(go, way, way.steps(express=express), safe=True)
        row = next((row for row in rows if way.continues(row[-1].safe.way)), None)
        if row is None:
            rows.append(row := [])
        unsafe = safe._replace(safe=False)
        row.append(_Leg(place, way.points[-1], way.entered, safe.steps, safe, unsafe))
    return tuple(map(tuple, rows))


@cache  # bounded as `_legs_from`
def _by_go(start: int, *, express: bool) -> Mapping[Go, _Leg]:
    return {leg.safe.go: leg for row in _legs_from(start, express=express) for leg in row}


@lru_cache(_REMEMBERED)
def rides(pawn: Stand, destination: int, *, express: bool) -> Rides:
    """All legal legs of a movement that stands here."""
    return _rides(_legs_from(pawn.at, express=express), pawn, destination, express=express)


def _rides(
    rows: Iterable[Sequence[_Leg]], pawn: Stand, destination: int, *, express: bool
) -> Rides:
    """Those of some legs in rows that are legal."""
    _, seen, left = pawn
    goal, ways_home = network.BIT[destination], home(destination, express=express)
    shortest = ways_home.shortest
    found: list[tuple[int, Ride]] = []
    for row in rows:
        count = 0
        for _, end, entered, steps, _, _ in row:
            if entered & seen or steps > left or (entered & goal and end != destination):
                break
            count += 1
        is_safe = False
        for place, end, entered, steps, safe, unsafe in row[:count][::-1]:
            # A leg is safe if a longer one over it is: its rider could go on.
            if not is_safe:
                after = seen | entered
                is_safe = not shortest[end] & after or ways_home.is_open(end, after)
            if is_safe:
                found.append((place, safe))
            elif _can_use_up(end, left - steps, seen | entered, network.EDGES[express]):
                found.append((place, unsafe))
    found.sort()
    return {ride.go: ride for _, ride in found}


def _can_use_up(at: int, left: int, seen: int, edges: network.Edges) -> bool:
    """Whether exactly so many steps can be made over points not seen."""
    if not left:
        return True
    for to, entered in edges[at]:
        if not entered & seen and _can_use_up(to, left - 1, seen | entered, edges):
            return True
    return False


@cache  # bounded: points of lines, 640 on this map
def go_of(line: int, point: int, turn: network.Turn | None) -> Go:
    """The leg along a line to a point."""
    return Go(
        network.LINES[line].id,
        network.POINTS[point].id,
        cw=turn is network.Turn.CLOCKWISE,
        ccw=turn is network.Turn.COUNTER,
    )


def turn_of(go: Go) -> str:
    """The way round that a leg names, empty if none."""
    if go.cw:
        return network.Turn.CLOCKWISE.value
    return network.Turn.COUNTER.value if go.ccw else ""


JOURNEY: Final = "journey"
"""The parameter of a whole line `/go ...`."""


def line_of(*ridden: Go) -> str:
    """Legs as one line, as it may be typed."""
    parts = ["/go"]
    for go in ridden:
        parts += (go.line, go.point, *([turn_of(go)] if turn_of(go) else []))
    return " ".join(parts)


# Why a leg may not be ridden: what is wrong with it, and what would be right.


def why_not(table: State, move: Go) -> NotAllowed | None:
    """What forbids a leg of the active seat; None if it is legal."""
    if move in (_LISTED.get(table) or legs(table, move)):
        return None
    pawn = stand(table)
    line, to = network.LINE_AT[move.line], network.POINT_AT[move.point]
    here = network.POINTS[pawn.at].id
    if not network.POINTS_ON[line] & network.BIT[pawn.at]:
        lines = tuple(network.LINES[line].id for line in network.LINES_AT[pawn.at])
        return NotAllowed("not_on_line", rule="7.2.1", line=move.line, here=here, lines=lines)
    if not network.POINTS_ON[line] & network.BIT[to]:
        return NotAllowed("not_served", rule="7.2.1", line=move.line, point=move.point)
    if to == pawn.at:
        return NotAllowed("stands_there", rule="7.2.3", point=move.point)
    found = network.ways(line, pawn.at, to)
    if network.LINES[line].loop:
        found = tuple(way for way in found if way.turn is not None and way.turn == turn_of(move))
        if not found or (move.cw and move.ccw):
            return NotAllowed("which_way", rule="16.2", line=move.line)
    elif move.cw or move.ccw:
        return NotAllowed("no_loop", rule="16.2", line=move.line)
    return _bad_way(table, pawn, move, found[0])


def _bad_way(table: State, pawn: Stand, move: Go, way: network.Way) -> NotAllowed:
    """What is wrong with a way that the line does go."""
    mover = table.mover
    express = mover.express
    if express and network.BIT[way.points[-1]] & network.SKIPPED:
        return NotAllowed("passed_by", rule="7.2.2.1", point=move.point)
    for at in way.points:
        if network.BIT[at] & pawn.visited:
            return NotAllowed("visited", rule="7.2.3", point=network.POINTS[at].id)
        if network.POINTS[at].id == mover.destination and at != way.points[-1]:
            return NotAllowed("beyond", rule="7.2.4", point=network.POINTS[at].id)
    steps, left = way.steps(express=express), pawn.left
    if steps > left:
        nearer = reached(table, network.LINE_AT[move.line], way)
        return NotAllowed(
            "too_far",
            rule="7.2.4",
            candidates=[line_of(nearer)] if nearer in legs(table) else [],
            slot=JOURNEY,
            point=move.point,
            steps=steps,
            left=left,
        )
    goal = network.POINT_AT[mover.trail[-1] if mover.destination is None else mover.destination]
    if table.strict and move in rides(pawn, goal, express=express):
        return NotAllowed("would_strand", rule="17.2", point=move.point)
    return NotAllowed("no_way_on", rule="7.2.4", point=move.point, left=left - steps)
