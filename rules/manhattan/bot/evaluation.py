"""The evaluation of positions and moves, for house bots and searches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from bluebear.rules.core.search_model import POINT, Terms
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.manhattan.rules.block_choice import evenness
from bluebear.rules.manhattan.rules.building import raised
from bluebear.rules.manhattan.rules.moves import Build, Take
from bluebear.rules.manhattan.rules.scoring import points_of
from bluebear.rules.manhattan.rules.state import SIZES, Cities, Points, State

# What a table of Manhattan promises each seat before it is over, by terms.


class Evaluation(NamedTuple):
    """What things are worth when so many scorings are left, in hundredths of a point.

    A point of buildings, cities or the tallest as they stand now; a block of each size in stock.
    """

    buildings: int
    cities: int
    tallest: int
    stock: tuple[int, int, int, int]
    spread: int


_WORTHS: Final = (
    Evaluation(0, 0, 0, (0, 0, 0, 0), 100),
    Evaluation(150, 30, 60, (-20, 0, 40, 60), 350),
    Evaluation(270, 25, 60, (-40, -30, 40, 60), 480),
    Evaluation(240, 50, 30, (-40, -30, 40, 60), 740),
)
"""By the scorings that are left: buildings stay, majorities and the tallest do not."""


def worth_when(left: int) -> Evaluation:
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


# What the house bot `greedy` judges by: the block and site that are worth most right now.

_POINT: Final = 8
"""A point now outweighs any lead in floors."""
_SAFE: Final = SIZES[-1] + 1
"""A lead of five floors cannot be reached with one block (Rule: manhattan 4.3)."""


def worths(table: State, seat: Seat, moves: Sequence[Move], *, rivals: bool = True) -> list[int]:
    """What each move is worth if the round ended now; without rivals only own points count."""
    return [_worth(table, seat, move, rivals=rivals) for move in moves]


def _worth(table: State, seat: Seat, move: Move, *, rivals: bool) -> int:
    if isinstance(move, Build):
        return _worth_of_build(table.cities, seat, move, len(table.seats), rivals=rivals)
    if isinstance(move, Take):
        return evenness(table.seats[seat].stock, move.blocks)
    raise TypeError(f"{type(move).__name__} is no move of this game")


def _worth_of_build(cities: Cities, seat: Seat, move: Build, seats: int, *, rivals: bool) -> int:
    """Own points before those of the others, then the lead in the building, up to a safe one."""
    buildings = cities[move.city]
    building = raised(buildings.get(move.site), seat, move.block, seats)
    points = points_of(cities.put(move.city, buildings.put(move.site, building)), seats)
    opponents = [points[other].total for other in points if other != seat]
    ahead = points[seat].total * len(opponents) - (sum(opponents) if rivals else 0)
    rival = max(count for at, count in enumerate(building.floors, start=1) if at != seat)
    lead = min(_SAFE, building.floors[seat - 1] - rival)
    return _POINT * ahead + lead - move.block
