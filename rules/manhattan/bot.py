"""What the house bot `greedy` judges by: the block and site that are worth most right now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.manhattan.building import raised
from bluebear.rules.manhattan.choosing import evenness
from bluebear.rules.manhattan.moves import Build, Take
from bluebear.rules.manhattan.scoring import points_of
from bluebear.rules.manhattan.state import SIZES, Cities, Table

_POINT: Final = 8
"""A point now outweighs any lead in floors."""
_SAFE: Final = SIZES[-1] + 1
"""A lead of five floors cannot be reached with one block (Rule: manhattan 4.3)."""


def worths(table: Table, seat: Seat, moves: Sequence[Move], *, rivals: bool = True) -> list[int]:
    """What each move is worth if the round ended now; without rivals only own points count."""
    return [_worth(table, seat, move, rivals=rivals) for move in moves]


def _worth(table: Table, seat: Seat, move: Move, *, rivals: bool) -> int:
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
    others = [points[other].total for other in points if other != seat]
    ahead = points[seat].total * len(others) - (sum(others) if rivals else 0)
    rival = max(count for at, count in enumerate(building.floors, start=1) if at != seat)
    lead = min(_SAFE, building.floors[seat - 1] - rival)
    return _POINT * ahead + lead - move.block
