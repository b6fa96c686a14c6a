"""The use of lines, and what riding costs on average by who owns them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from heapq import heappop, heappush
from typing import Final, NamedTuple

from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokai.data.map_data import FREE, LineId, PointId, RegionId
from bluebear.rules.tokai.rules import network
from bluebear.rules.tokai.rules.fares import rate_of
from bluebear.rules.tokai.rules.state import BANK, State

# How much a line is ridden: the share of all trips whose shortest way uses it.

THROWS: Final = (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)
"""How many of the 36 throws of two dice give 2, 3, ... 12."""

FULL: Final = 1000
"""What a line would have that is used by every trip."""


@cache  # bounded: one value
def destination_weights() -> Mapping[PointId, int]:
    """How likely each destination is rolled, relative to the others (Rule: tokai 4.1.1).

    The free choice counts for all alike, which is so little that it is left out.
    """
    made = dict.fromkeys(network.DESTINATIONS, 0)
    for column in network.ATLAS.region_table.both:
        for throws, region in zip(THROWS, column, strict=True):
            for cities in network.REGIONS[network.REGION_AT[RegionId(region)]].table.both:
                for ways, city in zip(THROWS, cities, strict=True):
                    if city != FREE:
                        made[PointId(city)] += throws * ways
    return made


@cache  # bounded: one value
def usefulness() -> Mapping[LineId, int]:
    """By line: how many of `FULL` trips use it, each on one shortest way without a ticket."""
    weights = destination_weights()
    used = [0] * len(network.LINES)
    total = 0
    for end in network.DESTINATIONS:
        onward = _tree(network.POINT_AT[end])
        for start in network.DESTINATIONS:
            if start == end:
                continue
            weight = weights[start] * weights[end]
            total += weight
            lines, at = set[int](), network.POINT_AT[start]
            while at != network.POINT_AT[end]:
                line, at = onward[at]
                lines.add(line)
            for line in lines:
                used[line] += weight
    return {line.id: used[at] * FULL // total for at, line in enumerate(network.LINES)}


def _tree(end: int) -> list[tuple[int, int]]:
    """By point: the line and the next point of a shortest way to the end."""
    onward = [(-1, -1)] * len(network.POINTS)
    onward[end] = (0, end)
    waiting = [end]
    for near in waiting:
        for step in network.STEPS[False][near]:
            if onward[step.to][0] < 0:
                onward[step.to] = (step.line, near)
                waiting.append(step.to)
    return onward


# What riding costs on average, by who owns which lines: what a line is worth to its owner.
#
# All seats are taken to travel between all destinations, as often as they are rolled, each time on
# the way that is best for steps and fares together. The owner of a line earns from the others'
# ways over it, and makes the rest of their ways longer.

YEN: Final = 100
"""Results are in hundredths of 1000 yen."""
_STEP: Final = 9
"""What a step costs, in units of which `_THOUSAND` are 1000 yen: as the bot `greedy` has it."""
_THOUSAND: Final = 14
_STEPS_A_FARE: Final = 14
"""A fare is paid again about every so many steps."""
_GOALS: Final = 24
"""Ways to so many destinations stand for all."""
_FAR: Final = 10**9


class Toll(NamedTuple):
    """What a line costs a traveller: to board it, and each step on it; whether a rival is paid."""

    board: int
    step: int
    to_rival: bool


class Flow(NamedTuple):
    """An average trip, in hundredths of 1000 yen: its cost, time and fares together, and what of it
    is paid to rivals.
    """

    cost: int
    paid: int


def value_of(table: State, seat: Seat, line: LineId) -> int:
    """How much better the trips of all seats go for a seat if it has a line and not a rival.

    In hundredths of 1000 yen.
    """
    rivals = [other for other in table.living if other != seat]
    if not rivals:
        return 0
    owners = dict(table.owners)
    with_line, without_line = {**owners, line: seat}, {**owners, line: rivals[0]}
    saved = _apart(table, seat, without_line, with_line)
    made = saved.cost + saved.paid // len(rivals)
    for rival in rivals:
        before = owners if len(rivals) > 1 else without_line
        more = _apart(table, rival, with_line, before)
        made += more.paid + more.cost // len(rivals)
    return made


def _apart(
    table: State, seat: Seat, one: Mapping[LineId, Seat], other: Mapping[LineId, Seat]
) -> Flow:
    """By how much a seat's trips cost more with these owners than with others."""
    express = table.seats[seat].express
    first, second = flow(tolls(seat, one), express), flow(tolls(seat, other), express)
    return Flow(first.cost - second.cost, first.paid - second.paid)


def tolls(seat: Seat, owners: Mapping[LineId, Seat]) -> tuple[Toll, ...]:
    """By line: what it costs a seat (Rule: tokai 11.2)."""
    made: list[Toll] = []
    for line in network.LINES:
        due = rate_of(owners, seat, line.id)
        to_seat = due.payee != BANK
        # The bank's usual fare is paid in every turn, whatever is ridden.
        more = due.amount if to_seat else due.amount - network.CONSTANTS.fare.unowned
        made.append(Toll(_THOUSAND * more + 1, _THOUSAND * more // _STEPS_A_FARE, to_seat))
    return tuple(made)


@lru_cache(maxsize=2048)
def flow(lines: tuple[Toll, ...], express: bool) -> Flow:  # noqa: FBT001 - a key of the cache
    """The average trip where the lines cost so much."""
    map_, weights = _map(), destination_weights()
    cost = paid = 0
    for goal in _goals():
        costs, fares = _ways_to(goal, lines, map_.edges[express])
        for point, weight in weights.items():
            key = map_.keys[network.POINT_AT[point]]
            cost += weight * costs[key]
            paid += weight * fares[key]
    total = sum(weights.values()) * _GOALS * _THOUSAND
    return Flow(YEN * cost // total, YEN * paid // total)


class _Map(NamedTuple):
    """The railways between stations that matter: junctions and destinations.

    A place is a station on a line. `stations`: by place its station; `lines`: by place its line;
    `places`: by station its places; `edges`: by ticket and place, where its line goes next and in
    how many steps.
    """

    keys: Mapping[int, int]
    stations: tuple[int, ...]
    lines: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]
    edges: tuple[tuple[tuple[tuple[int, int], ...], ...], ...]


def _ways_to(
    goal: int, lines: tuple[Toll, ...], edges: tuple[tuple[tuple[int, int], ...], ...]
) -> tuple[list[int], list[int]]:
    """By station: what the best way to a goal costs, and what of it is paid to rivals.

    Dijkstra from the goal backwards. A line is boarded where its ride begins.
    """
    map_ = _map()
    board = [line.board for line in lines]
    step = [_STEP + line.step for line in lines]
    fare = [line.board if line.to_rival else 0 for line in lines]
    step_fare = [line.step if line.to_rival else 0 for line in lines]
    costs, fares = [_FAR] * len(map_.places), [0] * len(map_.places)
    riding, ridden = [_FAR] * len(map_.lines), [0] * len(map_.lines)
    queue: list[tuple[int, int]] = []
    for place in map_.places[goal]:
        riding[place] = 0
        queue.append((0, place))
    while queue:
        so_far, place = heappop(queue)
        if so_far != riding[place]:
            continue
        line, station = map_.lines[place], map_.stations[place]
        boarded = so_far + board[line]
        if boarded < costs[station]:
            costs[station], fares[station] = boarded, ridden[place] + fare[line]
            for change in map_.places[station]:
                if boarded < riding[change]:
                    riding[change], ridden[change] = boarded, fares[station]
                    heappush(queue, (boarded, change))
        for to, steps in edges[place]:
            total = so_far + steps * step[line]
            if total < riding[to]:
                riding[to], ridden[to] = total, ridden[place] + steps * step_fare[line]
                heappush(queue, (total, to))
    costs[goal] = fares[goal] = 0
    return costs, fares


@cache  # bounded: one value
def _map() -> _Map:
    wanted = frozenset(network.DESTINATIONS)
    points = [
        at
        for at, point in enumerate(network.POINTS)
        if len(network.LINES_AT[at]) > 1 or point.id in wanted or len(network.STEPS[False][at]) > 2
    ]
    keys = {point: key for key, point in enumerate(points)}
    pairs = [(point, line) for point in points for line in network.LINES_AT[point]]
    places = {pair: place for place, pair in enumerate(pairs)}
    return _Map(
        keys,
        tuple(keys[point] for point, _ in pairs),
        tuple(line for _, line in pairs),
        tuple(tuple(places[point, line] for line in network.LINES_AT[point]) for point in points),
        tuple(
            tuple(
                tuple(
                    (places[end, line], steps)
                    for end, steps in _next(point, line, keys, express=express)
                )
                for point, line in pairs
            )
            for express in (False, True)
        ),
    )


def _next(
    point: int, line: int, keys: Mapping[int, int], *, express: bool
) -> Iterator[tuple[int, int]]:
    """Where a line leads from a station that matters: the next such ones, and the steps."""
    for first in network.STEPS[False][point]:
        if first.line != line:
            continue
        before, at, steps = point, first.to, 0
        while True:
            steps += not (express and network.POINTS[at].skip)
            if at in keys:
                yield at, steps
                break
            ahead = [
                step.to
                for step in network.STEPS[False][at]
                if step.line == line and step.to != before
            ]
            if not ahead:
                break
            before, at = at, ahead[0]


@cache  # bounded: one value
def _goals() -> tuple[int, ...]:
    """Destinations that stand for all: spread evenly over their weights, the heaviest first."""
    weights = destination_weights()
    ranked = sorted(network.DESTINATIONS, key=lambda point: (-weights[point], point))
    total = sum(weights.values())
    made: list[PointId] = []
    so_far = 0
    for point in ranked:
        so_far += weights[point]
        while len(made) < _GOALS and so_far * 2 * _GOALS > total * (2 * len(made) + 1):
            made.append(point)
    return tuple(_map().keys[network.POINT_AT[point]] for point in made)
