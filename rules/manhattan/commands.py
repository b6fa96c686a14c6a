"""The lines of the game: `/take 4 3 2 2 1 1`, `/build 3 frankfurt 5`, `/show frankfurt`.

Rule: manhattan 9.1.
"""

from __future__ import annotations

import re
from typing import Final

from bluebear.rules.core.grammar import Grammar, Query, Shorthand, Verb
from bluebear.rules.core.slots import Choice, NumberListSlot, NumberSlot, WordSlot
from bluebear.rules.manhattan.moves import Build, Take
from bluebear.rules.manhattan.state import SITES, SIZES, City, Site

LETTERS: Final = {
    City.NEWYORK: "N",
    City.SAOPAULO: "P",
    City.FRANKFURT: "F",
    City.CAIRO: "C",
    City.HONGKONG: "H",
    City.SYDNEY: "S",
}
"""The short names, in the order of the printed board (Rule: manhattan 1.2)."""

_NAMES: Final = {
    City.NEWYORK: ("ニューヨーク",),
    City.SAOPAULO: ("サンパウロ", "sãopaulo"),
    City.FRANKFURT: ("フランクフルト",),
    City.CAIRO: ("カイロ",),
    City.HONGKONG: ("香港",),
    City.SYDNEY: ("シドニー",),
}

_MOST_BLOCKS: Final = 6

_CITIES: Final = tuple(
    Choice(city.value, _NAMES[city], (letter,)) for city, letter in LETTERS.items()
)
_CITY: Final = WordSlot("city", _CITIES, kind=City)

AREAS: Final = (Choice("hand", ("手札",)), *_CITIES)
"""What `/look` shows."""

GRAMMAR: Final = Grammar(
    verbs=[
        Verb(
            "take",
            Take,
            (NumberListSlot("blocks", SIZES[0], SIZES[-1], most=_MOST_BLOCKS, descending=True),),
            names=("取る",),
        ),
        Verb(
            "build",
            Build,
            (
                NumberSlot("block", SIZES[0], SIZES[-1]),
                _CITY,
                NumberSlot("site", SITES[0], SITES[-1], kind=Site),
            ),
            names=("建てる",),
        ),
    ],
    queries=[Query("show", (_CITY,), names=("見る",), optional=True)],
    # `/3F5`: one digit, a city by whatever name, one digit.
    shorthands=[
        Shorthand(
            re.compile(r"(?P<block>\d)(?P<city>[^\W\d_]+)(?P<site>\d)"),
            "build {block} {city} {site}",
        )
    ],
)
