"""Rides of Tokai: legs along one line, and whether the rest of a roll can be ridden behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import NamedTuple

from tests.oracle.tokai.player import Player
from tests.oracle.tokai.stations import JOINED, LOOP, PATHS, SKIPPED, reaches


class Leg(NamedTuple):
    """A ride along one line."""

    line: str
    passed: tuple[str, ...]
    """Every point entered, those that a ticket skips too; the last is where it ends."""
    steps: int


def legs_of(me: Player, left: int, *, strict: bool) -> Mapping[str, Leg]:
    """By their lines, the legs behind which the rest of the roll can be ridden (7.2.4, 16.1)."""
    return {
        written(me.at, leg): leg
        for line in JOINED[me.at]
        for leg in along(me, line, left)
        if can_go_on(
            me, leg.passed[-1], me.visited.union(leg.passed), left - leg.steps, strict=strict
        )
    }


def along(me: Player, line: str, left: int) -> list[Leg]:
    """All rides along one line from where the pawn is, complete or not (Rule: tokai 7.2)."""
    results: list[Leg] = []
    open_legs = [Leg(line, (), 0)]
    for leg in open_legs:
        at = leg.passed[-1] if leg.passed else me.at
        for beyond in JOINED[at][line]:
            if beyond in me.visited or beyond in leg.passed:
                continue
            is_counted = not (me.has_ticket and beyond in SKIPPED)
            longer = Leg(line, (*leg.passed, beyond), leg.steps + is_counted)
            if is_counted:
                results.append(longer)
            if longer.steps < left and beyond != me.destination:
                open_legs.append(longer)
    return results


def can_go_on(me: Player, at: str, visited: AbstractSet[str], left: int, *, strict: bool) -> bool:
    """Whether so many steps, or fewer to the destination, can be ridden (7.2.4, 17.2)."""
    assert me.destination is not None
    if at == me.destination:
        return True
    if not left:
        return not strict or reaches(at, me.destination, visited)
    return any(
        can_go_on(me, passed[-1], visited | set(passed), left - 1, strict=strict)
        for passed in steps_from(at, visited, has_ticket=me.has_ticket)
    )


def steps_from(
    at: str, visited: AbstractSet[str], *, has_ticket: bool
) -> Iterator[tuple[str, ...]]:
    """The single steps from a point: what each enters, stops that are skipped first (7.2.2)."""
    for line in JOINED[at]:
        routes: list[tuple[str, ...]] = [()]
        for route in routes:
            for beyond in JOINED[route[-1] if route else at][line]:
                if beyond in visited or beyond in route:
                    continue
                if has_ticket and beyond in SKIPPED:
                    routes.append((*route, beyond))
                else:
                    yield (*route, beyond)


def written(at: str, leg: Leg) -> str:
    """A leg as its line; on the loop with the way round (Rule: tokai 16.1, 16.2)."""
    line = f"/go {leg.line} {leg.passed[-1]}"
    if leg.line != LOOP:
        return line
    (path,) = PATHS[LOOP]
    runs_with_path = (at, leg.passed[0]) in pairwise(path)
    return f"{line} {'ccw' if runs_with_path else 'cw'}"
