"""The nouns of the game: goods, routes, places, dice, cards, each with its fixed order."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Final, NewType

TCard = NewType("TCard", int)
"""A transport card: a player's card by its printed index (100 and more), a neutral one by its
number (1 to 24). Rule: itc 4.1, 5.1."""

ACard = NewType("ACard", str)
"""An action card by what is printed on it: `4`, or `12-africa` where it names something.
Rule: itc 1.4."""


class Good(StrEnum):
    """The six colours of goods, from the cheapest to the dearest (Rule: itc 3.2)."""

    BLACK = "black"
    WHITE = "white"
    RED = "red"
    GREEN = "green"
    YELLOW = "yellow"
    BLUE = "blue"


class Route(StrEnum):
    """The four routes from left to right, slowest to fastest (Rule: itc 2.1)."""

    GREY = "grey"
    RED = "red"
    BLUE = "blue"
    GREEN = "green"


class Place(StrEnum):
    """Where stones and goods stand: six continents and the grey market (Rule: itc 2.4)."""

    AFRICA = "africa"
    ASIA = "asia"
    AUSTRALIA = "australia"
    EUROPE = "europe"
    NORTH_AMERICA = "northamerica"
    SOUTH_AMERICA = "southamerica"
    MARKET = "market"


class Die(StrEnum):
    """The three dice (Rule: itc 1.5)."""

    BLUE = "blue"
    GREEN = "green"
    RED = "red"


class Kind(IntEnum):
    """What an action card does: the number printed on it (Rule: itc 1.4)."""

    SMUGGLING = 1
    RELOCATE_RIVAL = 2
    RELOCATE_OWN = 3
    NEUTRAL_PUSH = 4
    DEMAND_PAIR = 5
    GANG_PURGE = 6
    OBSTACLE = 7
    SALES_BONUS = 8
    INSPECTION = 9
    EXPRESS = 10
    ROBBERY = 11
    UNREST = 12
    GANG_ATTACK = 13
    MANAGEMENT = 14
    INFRASTRUCTURE = 15
    NEW_LOCATION = 16
    ORGANIZATION = 17
    MEGA = 18
    NEW_IDEAS = 19
    DEMAND_ONE = 20


GOODS: Final = tuple(Good)
ROUTES: Final = tuple(Route)
PLACES: Final = tuple(Place)
CONTINENTS: Final = tuple(place for place in Place if place is not Place.MARKET)
DICE: Final = tuple(Die)
