"""What a round is worth, and who has won (Rule: manhattan 5.1, 5.2, 5.3, 6.2, 6.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from bluebear.rules.core.game import ScoreLine
from bluebear.rules.core.visibility import Seat
from bluebear.rules.manhattan.rules.state import Cities, Points, State

PER_BUILDING: Final = 1
PER_CITY: Final = 2
FOR_TALLEST: Final = 3


def points_of(cities: Cities, seats: int) -> Mapping[Seat, Points]:
    """What the cities as they stand are worth to each seat."""
    all_seats = [Seat(number) for number in range(1, seats + 1)]
    cities_won = dict.fromkeys(all_seats, 0)
    owners: list[Seat] = []
    heights: list[int] = []
    for buildings in cities.values():
        here = [building.owner for building in buildings.values()]
        counts = [here.count(seat) for seat in all_seats]
        most = max(counts)
        if most and counts.count(most) == 1:
            cities_won[all_seats[counts.index(most)]] += 1
        owners += here
        heights += [building.height for building in buildings.values()]
    # Two of one height give no seat the points, even if one seat owns both (Rule: manhattan 5.3).
    best = max(heights, default=0)
    tallest = owners[heights.index(best)] if heights.count(best) == 1 else None
    return {
        seat: Points(
            buildings=PER_BUILDING * owners.count(seat),
            cities=PER_CITY * cities_won[seat],
            tallest=FOR_TALLEST if seat == tallest else 0,
        )
        for seat in all_seats
    }


def added(before: Points, more: Points) -> Points:
    """Two sets of points together."""
    return Points(
        before.buildings + more.buildings,
        before.cities + more.cities,
        before.tallest + more.tallest,
    )


def breakdown(table: State) -> Iterator[ScoreLine]:
    """Where the points of every seat came from."""
    for seat, builder in table.seats.items():
        yield ScoreLine(seat, "buildings", builder.points.buildings, "5.1")
        yield ScoreLine(seat, "cities", builder.points.cities, "5.2")
        yield ScoreLine(seat, "tallest", builder.points.tallest, "5.3")
