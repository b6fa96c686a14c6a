"""What a round is worth, and who has won (Rule: manhattan 5.1, 5.2, 5.3, 6.2, 6.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rules.core.game import Result, ScoreLine, ranking
from rules.core.vision import Seat
from rules.manhattan.state import Cities, Phase, Points, Table

PER_BUILDING: Final = 1
PER_CITY: Final = 2
FOR_TALLEST: Final = 3


def points_of(cities: Cities, seats: int) -> Mapping[Seat, Points]:
    """What the cities as they stand are worth to each seat."""
    owned = [0] * (seats + 1)
    most = [0] * (seats + 1)
    best, tallest = 0, 0
    for buildings in cities.values():
        here = [0] * (seats + 1)
        for building in buildings.values():
            here[building.owner] += 1
            height = building.height
            if height > best:
                best, tallest = height, building.owner
            elif height == best:
                tallest = 0  # Two of one height: nobody, whoever owns them (Rule: manhattan 5.3).
        top = max(here)
        if top and here.count(top) == 1:
            most[here.index(top)] += 1
        owned = [before + now for before, now in zip(owned, here, strict=True)]
    return {
        Seat(seat): Points(
            buildings=PER_BUILDING * owned[seat],
            cities=PER_CITY * most[seat],
            tallest=FOR_TALLEST if tallest == seat else 0,
        )
        for seat in range(1, seats + 1)
    }


def added(before: Points, more: Points) -> Points:
    """Two sets of points together."""
    return Points(
        before.buildings + more.buildings,
        before.cities + more.cities,
        before.tallest + more.tallest,
    )


def result(table: Table) -> Result | None:
    """The standings and where the points came from; None while the game goes on."""
    if table.phase is not Phase.OVER:
        return None
    scores = {seat: builder.score for seat, builder in table.seats.items()}
    return Result(ranking(scores), tuple(_breakdown(table)))


def _breakdown(table: Table) -> Iterator[ScoreLine]:
    for seat, builder in table.seats.items():
        yield ScoreLine(seat, "buildings", builder.points.buildings, "5.1")
        yield ScoreLine(seat, "cities", builder.points.cities, "5.2")
        yield ScoreLine(seat, "tallest", builder.points.tallest, "5.3")


__all__ = ["added", "points_of", "result"]
