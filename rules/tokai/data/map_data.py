"""The map as data: lines, points, regions, tables of the dice, payoffs.

Money is in units of 1000 yen (Rule: tokai 1.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NewType

PointId = NewType("PointId", str)
LineId = NewType("LineId", str)
RegionId = NewType("RegionId", str)

FREE: Final = "free"
"""What stands in a destination table where the player names a destination (Rule: tokai 4.3)."""


@dataclass(frozen=True, slots=True)
class Fares:
    """What riding costs in a turn, by whose line it is (Rule: tokai 11.2)."""

    unowned: int
    own: int
    other: int
    through: int
    shinkansen_unowned: int
    shinkansen_own: int
    shinkansen_other: int
    shinkansen_through: int


@dataclass(frozen=True, slots=True)
class Constants:
    """The numbers of the rules: prices, dealing, money at the start."""

    express_ticket_price: int
    express_ticket_count: int
    start_money: int
    prepurchase_cards: int
    prepurchase_card_max_price: int
    prepurchase_min: int
    prepurchase_max: int
    canvas: tuple[int, int]
    fare: Fares
    payoff: tuple[int, int, int]
    """Base, numerator and denominator of the formula (Rule: tokai 8.2)."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line: its card and its paths; neighbours in a path are one step apart."""

    id: LineId
    ja: str
    en: str
    names: tuple[str, ...]
    operator: str
    price: int
    colour: str
    shinkansen: bool
    loop: bool
    paths: tuple[tuple[PointId, ...], ...]

    @property
    def points(self) -> tuple[PointId, ...]:
        """Its points, each once, in the order of the paths."""
        return tuple(dict.fromkeys(point for path in self.paths for point in path))


@dataclass(frozen=True, slots=True)
class Point:
    """A place where pawns stand; `lines` in the order of the map, `region` of destinations only."""

    id: PointId
    ja: str
    en: str
    names: tuple[str, ...]
    x: int
    y: int
    skip: bool
    lines: tuple[LineId, ...]
    region: RegionId | None


@dataclass(frozen=True, slots=True)
class Region:
    """A region with its destinations, and its table: parity -> by sum of the white dice, from 2."""

    id: RegionId
    ja: str
    en: str
    destinations: tuple[PointId, ...]
    table: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Atlas:
    """All of the map."""

    constants: Constants
    lines: tuple[Line, ...]
    points: tuple[Point, ...]
    regions: tuple[Region, ...]
    region_table: Mapping[str, tuple[RegionId, ...]]
    payoffs: Mapping[tuple[PointId, PointId], int]

    @property
    def destinations(self) -> tuple[PointId, ...]:
        """All destinations in the order of the tables."""
        return tuple(point for region in self.regions for point in region.destinations)
