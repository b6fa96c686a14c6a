"""The words of the game that are fixed: towns by name, weapons, terrains, weathers, buildings."""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

from bluebear.rules.core.tables import Entry, Text

Town = NewType("Town", str)
"""A town by its id in `map.toml`, in small letters (Rule: tokugawa 1.1)."""

Province = NewType("Province", str)
"""A province by its id in `map.toml` (Rule: tokugawa 2.1)."""

Contract = NewType("Contract", str)
"""A contract by its id in `map.toml`, `W1` (Rule: tokugawa 10.4)."""


class Side(StrEnum):
    """The three regions in the order their contracts are checked. Rule: tokugawa 3.2, 10.2."""

    WEST = "west"
    CENTRE = "centre"
    EAST = "east"


class Weapon(StrEnum):
    """The kinds of samurai (Rule: tokugawa 1.5)."""

    ARCHER = "archer"
    SPEAR = "spear"
    SWORD = "sword"


class Terrain(StrEnum):
    """What a move goes over (Rule: tokugawa 6.4)."""

    PLAIN = "plain"
    FOREST = "forest"
    MOUNTAIN = "mountain"
    SEA = "sea"


class Weather(StrEnum):
    """What the weather die shows (Rule: tokugawa 1.3)."""

    SUN = "sun"
    RAIN = "rain"
    STORM = "storm"


class Building(StrEnum):
    """What can be built (Rule: tokugawa 10.1), in the order of the paragraphs 10.5 to 10.10.

    Each but the ship, of which a town has several, is the name of its field in `Site`.
    """

    SHIP = "ship"
    GARDEN = "garden"
    SMITHY = "smithy"
    CASTLE = "castle"
    SHRINE = "shrine"
    WALL = "wall"


class Named(Entry, kw_only=True):
    """The names of something: English, Japanese, its reading, exact further names."""

    en: Text
    ja: Text
    kana: str = ""
    also: tuple[Text, ...] = ()
