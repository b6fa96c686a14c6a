"""What always holds at the table (Rule: manhattan 11)."""

from __future__ import annotations

from collections.abc import Iterator

from bluebear.rules.core.visibility import require
from bluebear.rules.manhattan.rules.building import can_build
from bluebear.rules.manhattan.rules.state import CARDS, COPIES, FLOORS, HAND, SIZES, Phase, State


def broken(table: State) -> Iterator[str]:
    """What does not hold in this table."""
    yield from _floors(table)
    yield from _cards(table)
    for seat, builder in table.seats.items():
        if builder.score != builder.points.total:
            yield f"seat {seat}: score {builder.score}, but points {builder.points.total}"
        hand = require(builder.hand)
        if len(hand) != HAND:
            yield f"seat {seat} has {len(hand)} cards"
        if list(hand) != sorted(hand):
            yield f"the hand of seat {seat} has an order"
    if (table.turn is None) is not (table.phase is Phase.OVER):
        yield f"phase {table.phase}, but turn {table.turn}"
    elif table.phase is Phase.BUILDING and table.turn and not can_build(table, table.turn):
        yield f"seat {table.turn} is to build and cannot"


def _floors(table: State) -> Iterator[str]:
    for seat, builder in table.seats.items():
        stock = sum(size * count for size, count in zip(SIZES, builder.stock, strict=True))
        built = sum(
            building.floors[seat - 1]
            for buildings in table.cities.values()
            for building in buildings.values()
        )
        floors = stock + sum(builder.chosen) + built + builder.lost
        if floors != FLOORS:
            yield f"seat {seat} has {floors} floors in all"
    for city, buildings in table.cities.items():
        for site, building in buildings.items():
            if not building.floors[building.owner - 1]:
                yield f"{city} {site}: the owner has no floor in it"


def _cards(table: State) -> Iterator[str]:
    in_hands = [card for builder in table.seats.values() for card in require(builder.hand)]
    deck = require(table.deck)
    for card in CARDS:
        copies = deck[card - 1] + table.used[card] + in_hands.count(card)
        if copies != COPIES:
            yield f"card {card}: {copies} copies"
