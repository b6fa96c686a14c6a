"""Every move that can ever be made, made once, so that listing the legal ones makes none."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from bluebear.rules.core.game import Rash
from bluebear.rules.tokugawa.atlas import PROVINCES, TOWNS
from bluebear.rules.tokugawa.moves import (
    DONE,
    Attack,
    Build,
    Dismiss,
    Forge,
    Levy,
    March,
    Place,
    Retreat,
    Support,
    Tax,
    Way,
)
from bluebear.rules.tokugawa.state import Approach
from bluebear.rules.tokugawa.terms import Building, Province, Town, Weapon

PLACES: Final[Mapping[Weapon, Mapping[Town, Place]]] = {
    weapon: {town: Place(weapon, town) for town in TOWNS} for weapon in Weapon
}
TAXES: Final[Mapping[Province, Tax]] = {each: Tax(each) for each in sorted(PROVINCES)}
LEVIES: Final[Mapping[Weapon, Mapping[Town, Levy]]] = {
    weapon: {town: Levy(weapon, town) for town in TOWNS} for weapon in Weapon
}
BUILDS: Final[Mapping[Building, Mapping[Town, Build]]] = {
    building: {town: Build(building, town) for town in TOWNS} for building in sorted(Building)
}
FORGES: Final[Mapping[Town, Forge]] = {town: Forge(town) for town in TOWNS}
DISMISSALS: Final[Mapping[Town, Dismiss]] = {town: Dismiss(town) for town in TOWNS}
RASH_DISMISSALS: Final = {town: Rash(move) for town, move in DISMISSALS.items()}
RETREATS: Final[Mapping[Town, Retreat]] = {town: Retreat(town) for town in TOWNS}
SUPPORTS: Final[Mapping[Town, Support]] = {town: Support(town) for town in TOWNS}
NO_SUPPORT: Final = Support(DONE)


@cache  # bounded: 43 x 42 pairs of towns, five ways
def march(origin: Town, town: Town, way: Way) -> March:
    """The one move of this kind."""
    return March(origin, town, way)


@cache  # bounded: 43 x 42 pairs of towns, two approaches
def attack(origin: Town, town: Town, approach: Approach) -> Attack:
    """The one attack of this kind."""
    return Attack(origin, town, approach)
