"""The map and the tables of Tokai: lines, points, destinations, payoffs."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

_DATA: Final[Mapping[str, Any]] = tomllib.loads(
    Path(__file__).with_name("places.toml").read_text(encoding="utf-8")
)

PRICES: Final[Mapping[str, int]] = {line: card["price"] for line, card in _DATA["line"].items()}
"""The face of each of the 34 lines, in thousands of yen."""

PATHS: Final[Mapping[str, Sequence[Sequence[str]]]] = {
    line: card["paths"] for line, card in _DATA["line"].items()
}
SHINKANSEN: Final = "jr_shinkansen"
LOOP: Final = "subway_meijo"
"""Its one path comes back to where it began, and runs against the clock."""

SKIPPED: Final[frozenset[str]] = frozenset(_DATA["skipped"])
"""Stops that a holder of an express ticket passes (Rule: tokai 7.2.2.1)."""

REGIONS: Final[Sequence[str]] = tuple(_DATA["region"])
DESTINATIONS: Final[Mapping[str, str]] = {
    city: region for region, cities in _DATA["region"].items() for city in cities
}
"""Each destination's region."""

FREE: Final = "free"


def _steps() -> Mapping[str, Mapping[str, Sequence[str]]]:
    results: dict[str, dict[str, list[str]]] = {}
    for line, paths in PATHS.items():
        for path in paths:
            for here, there in pairwise(path):
                results.setdefault(here, {}).setdefault(line, []).append(there)
                results.setdefault(there, {}).setdefault(line, []).append(here)
    return results


JOINED: Final = _steps()
"""The points one step away, by point and line (Rule: tokai 7.2.1)."""


def table_of(name: str, dice: Mapping[str, Any]) -> str:
    """The cell that three dice give in a table (Rule: tokai 4.1.1)."""
    column = "odd" if dice["coloured"] % 2 else "even"
    row: Sequence[str] = _DATA["table"][name][column]
    below: int = sum(dice["whites"]) - 2
    return row[below]


def reaches(here: str, there: str, closed: AbstractSet[str]) -> bool:
    """Whether a way to a point is left that enters no closed one (Rule: tokai 7.2.7)."""
    seen, edge = {here}, [here]
    for at in edge:
        for points in JOINED[at].values():
            for beyond in points:
                if beyond == there:
                    return True
                if beyond not in closed and beyond not in seen:
                    seen.add(beyond)
                    edge.append(beyond)
    return False


@cache
def payoff(origin: str, destination: str) -> int:
    """3 and three fifths of the fewest steps without Shinkansen, rounded down (8.2)."""
    steps, reached = 0, {origin}
    while destination not in reached:
        steps += 1
        reached |= {
            beyond
            for at in reached
            for line, points in JOINED[at].items()
            if line != SHINKANSEN
            for beyond in points
        }
    return 3 + 3 * steps // 5
