"""How much a line is ridden: the share of all trips whose shortest way uses it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from bluebear.rules.tokai.atlas import FREE, LineId, PointId
from bluebear.rules.tokai.network import (
    ATLAS,
    DESTINATIONS,
    LINES,
    POINT_AT,
    POINTS,
    REGION_AT,
    REGIONS,
    STEPS,
)

THROWS: Final = (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)
"""How many of the 36 throws of two dice give 2, 3, ... 12."""

WHOLE: Final = 1000
"""What a line would have that is used by every trip."""


@cache  # bounded: one value
def destination_weights() -> Mapping[PointId, int]:
    """How likely each destination is rolled, relative to the others (Rule: tokai 4.1.1).

    The free choice counts for all alike, which is so little that it is left out.
    """
    made = dict.fromkeys(DESTINATIONS, 0)
    for column in ATLAS.region_table.values():
        for throws, region in zip(THROWS, column, strict=True):
            for cities in REGIONS[REGION_AT[region]].table.values():
                for ways, city in zip(THROWS, cities, strict=True):
                    if city != FREE:
                        made[PointId(city)] += throws * ways
    return made


@cache  # bounded: one value
def usefulness() -> Mapping[LineId, int]:
    """By line: how many of `WHOLE` trips use it, each on one shortest way without a ticket."""
    weights = destination_weights()
    used = [0] * len(LINES)
    total = 0
    for end in DESTINATIONS:
        onward = _tree(POINT_AT[end])
        for start in DESTINATIONS:
            if start == end:
                continue
            weight = weights[start] * weights[end]
            total += weight
            lines, at = 0, POINT_AT[start]
            while at != POINT_AT[end]:
                line, at = onward[at]
                lines |= 1 << line
            for line in range(len(LINES)):
                if lines >> line & 1:
                    used[line] += weight
    return {line.id: used[at] * WHOLE // total for at, line in enumerate(LINES)}


def _tree(end: int) -> list[tuple[int, int]]:
    """By point: the line and the next point of a shortest way to the end."""
    onward = [(-1, -1)] * len(POINTS)
    onward[end] = (0, end)
    waiting = [end]
    for near in waiting:
        for step in STEPS[False][near]:
            if onward[step.to][0] < 0:
                onward[step.to] = (step.line, near)
                waiting.append(step.to)
    return onward
