"""The house bot `greedy`: the block and site that are worth most right now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules.core.chance import Chance
from rules.core.vision import Move, Seat
from rules.manhattan.building import raised
from rules.manhattan.choosing import evenness
from rules.manhattan.moves import Build, Take
from rules.manhattan.scoring import points_of
from rules.manhattan.state import SIZES, Cities, Table

_POINT: Final = 8
"""A point now outweighs any lead in floors."""
_SAFE: Final = SIZES[-1] + 1
"""A lead of five floors cannot be reached with one block (Rule: manhattan 4.3)."""


def greedy(view: Table, seat: Seat, moves: Sequence[Move], chance: Chance) -> Move:
    """The move that is best if the round ended now; equals are decided by chance."""
    best: list[Move] = []
    highest: int | None = None
    for move in moves:
        if isinstance(move, Build):
            worth = _worth_of_build(view.cities, seat, move, len(view.seats))
        elif isinstance(move, Take):
            worth = evenness(view.seats[seat].stock, move.blocks)
        else:
            continue
        if highest is None or worth > highest:
            best, highest = [move], worth
        elif worth == highest:
            best.append(move)
    return best[chance.pick(len(best))]


def _worth_of_build(cities: Cities, seat: Seat, move: Build, seats: int) -> int:
    """Own points before those of the others, then the lead in the building, up to a safe one."""
    buildings = cities[move.city]
    building = raised(buildings.get(move.site), seat, move.block, seats)
    points = points_of(cities.put(move.city, buildings.put(move.site, building)), seats)
    others = [points[other].total for other in points if other != seat]
    ahead = points[seat].total * len(others) - sum(others)
    rival = max(count for at, count in enumerate(building.floors, start=1) if at != seat)
    lead = min(_SAFE, building.floors[seat - 1] - rival)
    return _POINT * ahead + lead - move.block
