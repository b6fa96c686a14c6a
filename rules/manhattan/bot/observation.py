"""A table as a row of whole numbers, for learners: what counts, from the seat that looks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bluebear.rules.core.visibility import Seat
from bluebear.rules.manhattan.rules.scoring import points_of
from bluebear.rules.manhattan.rules.state import CARDS, SITES, SIZES, City, Phase, State

SEATS: Final = 4


def row_of(view: State, seat: Seat) -> list[int]:
    """The round, what each seat has and would score now, the viewer's hand, and every site.

    Seats are counted from the viewer's; empty ones are zeros. A site is the viewer's floors, the
    most of any other seat, and its owner: 1 the viewer, -1 another seat, 0 none.
    """
    count = len(view.seats)
    seats = [Seat((seat - 1 + step) % count + 1) for step in range(count)]
    worth = points_of(view.cities, count)
    made = [view.round, int(view.phase is Phase.BUILDING)]
    for each in seats:
        builder, now = view.seats[each], worth[each]
        made += [builder.score, now.buildings, now.cities, now.tallest, *builder.stock]
    made += [0] * (SEATS - count) * (4 + len(SIZES))
    hand = view.seats[seat].hand or ()
    made += [hand.count(card) for card in CARDS]
    made += _sites(view, seat)
    return made


def _sites(view: State, seat: Seat) -> Iterator[int]:
    for city in City:
        buildings = view.cities[city]
        for site in SITES:
            building = buildings.get(site)
            if building is None:
                yield from (0, 0, 0)
                continue
            opponents = [floors for at, floors in enumerate(building.floors, 1) if at != seat]
            yield building.floors[seat - 1]
            yield max(opponents)
            yield 1 if building.owner == seat else -1
