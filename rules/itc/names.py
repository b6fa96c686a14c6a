"""What people may type for the nouns of the game: canonical word, further names, short names.

Rule: itc 17.1.
"""

from __future__ import annotations

from typing import Final

from rules.core.slots import Choice
from rules.itc.data import CARDS
from rules.itc.terms import CONTINENTS, Die, Good, Place, Route, TCard

_PLACE_NAMES: Final = {
    Place.AFRICA: (("アフリカ", "afrika"), ("af",)),
    Place.ASIA: (("アジア", "asien"), ("as",)),
    Place.AUSTRALIA: (("オーストラリア", "豪州", "australien"), ("au",)),
    Place.EUROPE: (("ヨーロッパ", "欧州", "europa"), ("eu",)),
    Place.NORTH_AMERICA: (
        ("北アメリカ", "北米", "north-america", "north_america", "nord-amerika"),
        ("na",),
    ),
    Place.SOUTH_AMERICA: (
        ("南アメリカ", "南米", "south-america", "south_america", "süd-amerika", "sued-amerika"),
        ("sa",),
    ),
    Place.MARKET: (
        ("グレイマーケット", "灰色市場", "闇市場", "grey-market", "greymarket", "gray-market"),
        ("gm", "m"),
    ),
}
_ROUTE_NAMES: Final = {
    Route.GREY: (("グレイ", "グレー", "灰", "灰色", "トラック", "trucks", "gray"), ("gy",)),
    Route.RED: (("赤", "赤色", "列車", "鉄道", "trains"), ("r",)),
    Route.BLUE: (("青", "青色", "船", "海上", "ships"), ("b",)),
    Route.GREEN: (("緑", "緑色", "飛行機", "空輸", "aircraft"), ("gn",)),
}
_GOOD_NAMES: Final = {
    Good.BLACK: (("黒", "黒色"), ("k", "bk")),
    Good.WHITE: (("白", "白色"), ("w",)),
    Good.RED: (("赤", "赤色"), ("r",)),
    Good.GREEN: (("緑", "緑色"), ("g",)),
    Good.YELLOW: (("黄", "黄色"), ("y",)),
    Good.BLUE: (("青", "青色"), ("b", "bu")),
}
_DIE_NAMES: Final = {
    Die.BLUE: (("青", "青ダイス"), ("b",)),
    Die.GREEN: (("緑", "緑ダイス"), ("g",)),
    Die.RED: (("赤", "赤ダイス"), ("r",)),
}


def label_of(card: TCard) -> str:
    """A transport card as it is written in a line: `195`, or `n07` for a neutral one."""
    return f"n{card:02}" if CARDS[card].neutral else str(card)


PLACES: Final = tuple(Choice(place.value, *_PLACE_NAMES[place]) for place in Place)
CONTINENT_CHOICES: Final = PLACES[: len(CONTINENTS)]
ROUTE_CHOICES: Final = tuple(Choice(route.value, *_ROUTE_NAMES[route]) for route in Route)
GOOD_CHOICES: Final = tuple(Choice(good.value, *_GOOD_NAMES[good]) for good in Good)
DIE_CHOICES: Final = tuple(Choice(die.value, *_DIE_NAMES[die]) for die in Die)

SHORT_PLACES: Final = {place: _PLACE_NAMES[place][1][0].upper() for place in Place}
"""Two capital letters for narrow columns: `NA`."""

__all__ = [
    "CONTINENT_CHOICES",
    "DIE_CHOICES",
    "GOOD_CHOICES",
    "PLACES",
    "ROUTE_CHOICES",
    "SHORT_PLACES",
    "label_of",
]
