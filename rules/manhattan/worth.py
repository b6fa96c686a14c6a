"""What a table of Manhattan promises each seat before it is over, by terms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from bluebear.rules.core.search_model import POINT, Terms
from bluebear.rules.manhattan.state import Points


class Worth(NamedTuple):
    """What things are worth when so many scorings are left, in hundredths of a point.

    A point of buildings, cities or the tallest as they stand now; a block of each size in stock.
    """

    buildings: int
    cities: int
    tallest: int
    stock: tuple[int, int, int, int]
    spread: int


_WORTHS: Final = (
    Worth(0, 0, 0, (0, 0, 0, 0), 100),
    Worth(150, 30, 60, (-20, 0, 40, 60), 350),
    Worth(270, 25, 60, (-40, -30, 40, 60), 480),
    Worth(240, 50, 30, (-40, -30, 40, 60), 740),
)
"""By the scorings that are left: buildings stay, majorities and the tallest do not."""


def worth_when(left: int) -> Worth:
    """What things are worth when so many scorings are left."""
    return _WORTHS[min(left, len(_WORTHS) - 1)]


NAMED: Final = ("score", "buildings", "cities", "tallest", "stock")


def terms_of(left: int, score: int, points: Points, stock: Sequence[int]) -> Terms:
    """What one seat is promised, in the order of `NAMED`."""
    worth = worth_when(left)
    one, two, three, four = worth.stock
    return (
        POINT * score,
        worth.buildings * points.buildings,
        worth.cities * points.cities,
        worth.tallest * points.tallest,
        one * stock[0] + two * stock[1] + three * stock[2] + four * stock[3],
    )
