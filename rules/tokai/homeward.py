"""Whether the destination of a trip can still be reached over points not visited.

Nearly always the shortest way is free, and it is known for every point. Otherwise one goes from
junction to junction, since between two of them there is but one way: a track.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, NamedTuple

from bluebear.rules.tokai.network import BIT, EDGES, POINTS

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
        for near in waiting:
            for to, entered in tracks[near]:
                if entered & reached:
                    continue
                if not shortest[to] & seen or (to in straight and _any_free(straight[to], seen)):
                    return True
                reached |= BIT[to]
                waiting.append(to)
        return False


def _any_free(ways: Iterable[int], seen: int) -> bool:
    return any(not entered & seen for entered in ways)


@cache  # bounded: the destinations of the map, with and without ticket
def home(destination: int, *, express: bool) -> Home:
    """The ways to a destination, with or without a ticket."""
    found = [-1] * len(POINTS)
    found[destination] = 0
    waiting = [destination]
    for near in waiting:
        for far, entered in EDGES[express][near]:
            if found[far] < 0:
                found[far] = _back(found[near], near, far, entered)
                waiting.append(far)
    straight: dict[int, tuple[int, ...]] = {}
    if not _is_junction(destination, express=express):
        for first in dict.fromkeys(EDGES[express][destination]):
            near, way = destination, 0
            for far, entered in _along(destination, first, express=express):
                way = _back(way, near, far, entered)
                near = far
                straight[far] = (*straight.get(far, ()), way)
    return Home(tuple(found), straight, _TRACKS[express])


def _back(way: int, near: int, far: int, entered: int) -> int:
    """The points entered from a point on, where `way` are those from the one before.

    `entered` are those of the step away.
    """
    return way | BIT[near] | (entered & ~BIT[far])


def _is_junction(at: int, *, express: bool) -> bool:
    """Whether there is more than one way on, or none."""
    return len(set(EDGES[express][at])) != 2


def _along(at: int, step: tuple[int, int], *, express: bool) -> list[tuple[int, int]]:
    """The steps along a track from a point up to the junction that it ends at."""
    made = [step]
    while not _is_junction(step[0], express=express):
        onward = [each for each in dict.fromkeys(EDGES[express][step[0]]) if each[0] != at]
        if len(onward) != 1:
            break
        at, step = step[0], onward[0]
        made.append(step)
    return made


def _tracks(*, express: bool) -> Tracks:
    found: list[tuple[tuple[int, int], ...]] = []
    for at in range(len(POINTS)):
        from_here = []
        for first in dict.fromkeys(EDGES[express][at]):
            steps = _along(at, first, express=express)
            from_here.append((steps[-1][0], sum(entered for _, entered in steps)))
        found.append(tuple(from_here))
    return tuple(found)


_TRACKS: Final = (_tracks(express=False), _tracks(express=True))
