"""The game's sentences, in which stations, lines and money are said as people say them.

A parameter is filled by its name: `{point}` with a station, `{line}` with a line, `{yen}` with an
amount in yen. All the names are below.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from bluebear.rules.core.phrases import Lang, Phrases
from bluebear.rules.tokai.atlas import LineId, PointId, RegionId
from bluebear.rules.tokai.names import line_word, point_word, region_word
from bluebear.rules.tokai.network import LINE_AT, POINT_AT, REGION_AT

YEN: Final = 1000
"""What one unit of money is (Rule: tokai 1.3)."""

POINT_WORDS: Final = frozenset({"point", "origin", "destination", "here", "station"})
LINE_WORDS: Final = frozenset({"hand", "item", "line", "lines"})
REGION_WORDS: Final = frozenset({"region"})
MONEY_WORDS: Final = frozenset(
    {
        "amount",
        "assets",
        "best",
        "bid",
        "cash",
        "cost",
        "fare",
        "highest",
        "least",
        "lowest",
        "missing",
        "owed",
        "payoff",
        "price",
        "yen",
    }
)


JOURNEY: Final = "journey"
"""The parameter of a whole line `/go ...`."""
_RIDING: Final = {"/go": "/行く", "cw": "右回り", "ccw": "左回り"}


def money(amount: int, lang: Lang) -> str:
    """An amount in yen.

    >>> money(17, "en"), money(0, "ja")
    ('17,000 yen', '0円')
    """
    number = f"{amount * YEN:,}"
    return f"{number} yen" if lang == "en" else f"{number}円"


class Words(Phrases):
    """Phrases that know the map."""

    def word(self, slot: str, value: object, lang: Lang) -> str:
        """A station, a line, a region or an amount by the name of its parameter, else as usual.

        Areas for `/look` are said as they can be typed: in English by the id.
        """
        if isinstance(value, int):
            return money(value, lang) if slot in MONEY_WORDS else super().word(slot, value, lang)
        plain = str(value.value if isinstance(value, Enum) else value)
        if slot == JOURNEY:
            return _journey(plain) if lang == "ja" else plain
        if slot == "area" and lang == "ja":
            slot = "region" if plain in REGION_AT else "line" if plain in LINE_AT else slot
        if slot in POINT_WORDS and plain in POINT_AT:
            return point_word(PointId(plain), lang)
        if slot in LINE_WORDS and plain in LINE_AT:
            return line_word(LineId(plain), lang)
        if slot in REGION_WORDS and plain in REGION_AT:
            return region_word(RegionId(plain), lang)
        return super().word(slot, value, lang)


def _journey(line: str) -> str:
    """A line `/go ...` in Japanese, as it may be typed too."""
    return " ".join(map(_in_japanese, line.split()))


def _in_japanese(word: str) -> str:
    if word in LINE_AT:
        return line_word(LineId(word), "ja")
    if word in POINT_AT:
        return point_word(PointId(word), "ja")
    return _RIDING.get(word, word)
