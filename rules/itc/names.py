"""What people may type for the nouns of the game: canonical word, further names, short names.

Rule: itc 17.1.
"""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.slots import Choice
from bluebear.rules.itc.data import CARDS
from bluebear.rules.itc.terms import Die, Good, Kind, Place, Route, TCard

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
_KIND_NAMES: Final = {
    Kind.SMUGGLING: ("smuggling", "密輸"),
    Kind.RELOCATE_RIVAL: ("他人の石の移動",),
    Kind.RELOCATE_OWN: ("自分の石の移動",),
    Kind.NEUTRAL_PUSH: ("中立の前進",),
    Kind.DEMAND_PAIR: ("二大陸への入荷",),
    Kind.OBSTACLE: ("obstacle", "障害物"),
    Kind.INSPECTION: ("inspection", "査察"),
    Kind.EXPRESS: ("express", "エクスプレス"),
    Kind.ROBBERY: ("robbery", "盗難"),
    Kind.UNREST: ("unrest", "政治不安"),
    Kind.MANAGEMENT: ("management", "敏腕経営"),
    Kind.INFRASTRUCTURE: ("infrastructure", "インフラ整備"),
    Kind.NEW_LOCATION: ("location", "新拠点"),
    Kind.ORGANIZATION: ("organization", "グレイマーケットの組織化", "組織化"),
    Kind.MEGA: ("mega", "メガ輸送"),
    Kind.NEW_IDEAS: ("ideas", "新しいアイデア"),
    Kind.DEMAND_ONE: ("delivery", "入荷"),
}
"""Names of action cards by what they do, where one word says it."""


def label_of(card: TCard) -> str:
    """A transport card as it is written in a line: `195`, or `n07` for a neutral one."""
    return f"n{card:02}" if CARDS[card].neutral else str(card)


PLACES: Final = tuple(Choice(place.value, *_PLACE_NAMES[place]) for place in Place)
ROUTE_CHOICES: Final = tuple(Choice(route.value, *_ROUTE_NAMES[route]) for route in Route)
GOOD_CHOICES: Final = tuple(Choice(good.value, *_GOOD_NAMES[good]) for good in Good)
DIE_CHOICES: Final = tuple(Choice(die.value, *_DIE_NAMES[die]) for die in Die)

KIND_CHOICES: Final = tuple(Choice(str(int(kind)), _KIND_NAMES.get(kind, ())) for kind in Kind)
SEAT_CHOICES: Final = tuple(
    Choice(str(seat), (letter, f"席{seat}")) for seat, letter in enumerate("abcdef", start=1)
)
"""Seats by number, or by the letter that the board shows."""

SHORT_PLACES: Final = {place: _PLACE_NAMES[place][1][0].upper() for place in Place}
"""Two capital letters for narrow columns: `NA`."""
