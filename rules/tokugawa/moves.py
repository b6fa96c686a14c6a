"""The moves of Tokugawa, one class for each verb, each move made once."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from bluebear.rules.core.visibility import Move, Public
from bluebear.rules.tokugawa.state import Approach
from bluebear.rules.tokugawa.terms import Building, Province, Town, Weapon

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
    """End one's turn (Rule: tokugawa 4.3)."""
