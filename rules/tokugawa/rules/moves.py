"""The moves of Tokugawa, one class for each verb, each move made once."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Final

from bluebear.rules.core.game import Rash
from bluebear.rules.core.visibility import Move, Public
from bluebear.rules.tokugawa.data.map_tables import PROVINCES, TOWNS
from bluebear.rules.tokugawa.data.terms import Building, Province, Town, Weapon
from bluebear.rules.tokugawa.rules.state import Approach

DONE: Final = "done"
"""What `/support` says instead of a town when no more support is wanted."""


class Way(StrEnum):
    """Over what a samurai moves; archers go over any one terrain, `land` (Rule: tokugawa 6.2)."""

    FOREST = "forest"
    LAND = "land"
    MOUNTAIN = "mountain"
    PLAIN = "plain"
    SEA = "sea"


class Place(Move):
    """Place a samurai in the start phase (Rule: tokugawa 3.5)."""

    weapon: Public[Weapon]
    town: Public[Town]


class Tax(Move):
    """Tax a province (Rule: tokugawa 5.1)."""

    province: Public[Province]


class Levy(Move):
    """Buy a samurai (Rule: tokugawa 5.5)."""

    weapon: Public[Weapon]
    town: Public[Town]


class March(Move):
    """Move a samurai to an empty town, `/move` (Rule: tokugawa 6.1)."""

    origin: Public[Town]
    town: Public[Town]
    way: Public[Way]


class Attack(Move):
    """Attack an enemy samurai or the enemy capital (Rule: tokugawa 7.1)."""

    origin: Public[Town]
    town: Public[Town]
    approach: Public[Approach]


class Support(Move):
    """Have a samurai or the capital support, or say `done` (Rule: tokugawa 7.4)."""

    supporter: Public[str]


class Reroll(Move):
    """Reject both battle dice and throw them again (Rule: tokugawa 8.1)."""


class Stand(Move):
    """Let the battle dice stand (Rule: tokugawa 8.1)."""


class Retreat(Move):
    """Retreat to an adjacent empty town (Rule: tokugawa 9.4)."""

    town: Public[Town]


class Build(Move):
    """Build something on a town (Rule: tokugawa 10.1)."""

    building: Public[Building]
    town: Public[Town]


class Stay(Move):
    """Do not sail with the ship that was just built (Rule: tokugawa 10.5)."""


class Forge(Move):
    """Turn a samurai to its stronger side (Rule: tokugawa 10.7)."""

    town: Public[Town]


class Dismiss(Move):
    """Take an own samurai off the board (Rule: tokugawa 5.6)."""

    town: Public[Town]


class Pass(Move):
    """End the turn (Rule: tokugawa 4.3)."""


# Every move that can ever be made, made once, so that listing the legal ones makes none.

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
