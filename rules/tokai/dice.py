"""Three dice over the tables: a region, a city (Rule: tokai 4.1).

They are always drawn in the same order: white, white, coloured.
"""

from __future__ import annotations

from typing import NamedTuple

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Tell
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokai.atlas import PointId, RegionId
from bluebear.rules.tokai.network import city_rolled, region_rolled
from bluebear.rules.tokai.trip_events import RolledCity, RolledFree, RolledRegion


class Three(NamedTuple):
    """A roll of the two white dice and the coloured one."""

    whites: tuple[int, int]
    coloured: int

    @property
    def total(self) -> int:
        """All three together."""
        return sum(self.whites) + self.coloured


def roll_three(chance: Chance) -> Three:
    """All three dice."""
    whites = (chance.die(), chance.die())
    return Three(whites, chance.die())


def roll_region(seat: Seat, chance: Chance, tell: Tell) -> RegionId:
    """The region that a seat rolls (Rule: tokai 4.1.1)."""
    whites, coloured = roll_three(chance)
    region = region_rolled(coloured, sum(whites))
    tell(RolledRegion(seat, coloured, whites, region))
    return region


def roll_city(seat: Seat, region: RegionId, chance: Chance, tell: Tell) -> PointId | None:
    """The city that a seat rolls in a region; None if it may name any destination.

    Rule: tokai 4.1.1, 4.3.
    """
    whites, coloured = roll_three(chance)
    point = city_rolled(region, coloured, sum(whites))
    if point is None:
        tell(RolledFree(seat, coloured, whites, region))
    else:
        tell(RolledCity(seat, coloured, whites, region, point))
    return point
