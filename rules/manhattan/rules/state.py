"""The state of a game of Manhattan: who has what, and who sees it.

The view of a state is read by clients under these very names.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NewType

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import Hidden, Node, Owner, Public, Row, Seat

Card = NewType("Card", int)
"""The position printed on a building card, 1 to 9 (Rule: manhattan 1.5)."""

Site = NewType("Site", int)
"""A place in a city, 1 to 9 in reading order (Rule: manhattan 1.3)."""

CARDS: Final = tuple(Card(number) for number in range(1, 10))
SITES: Final = tuple(Site(number) for number in range(1, 10))
COPIES: Final = 5
"""Rule: manhattan 1.5."""
HAND: Final = 4
"""Rule: manhattan 2.1."""
SIZES: Final = (1, 2, 3, 4)
STOCK: Final = (11, 6, 4, 3)
"""How many blocks of each size a seat begins with (Rule: manhattan 1.4)."""
FLOORS: Final = sum(size * count for size, count in zip(SIZES, STOCK, strict=True))


class City(StrEnum):
    """The six cities, in the order of their names, which is the order of canonical lines."""

    CAIRO = "cairo"
    FRANKFURT = "frankfurt"
    HONGKONG = "hongkong"
    NEWYORK = "newyork"
    SAOPAULO = "saopaulo"
    SYDNEY = "sydney"


class Phase(StrEnum):
    """What is going on at the table."""

    CHOOSING = "choosing"
    BUILDING = "building"
    OVER = "over"


class Building(Row):
    """The pile of blocks on a site: floors by seat, seat 1 first, and whose block is on top."""

    floors: Public[tuple[int, ...]]
    owner: Public[Seat]

    @property
    def height(self) -> int:
        """All floors together."""
        return sum(self.floors)

    def needs(self, seat: Seat) -> int:
        """The least block with which a seat may build here, 0 for its own (Rule: manhattan 4.3)."""
        return self.floors[self.owner - 1] - self.floors[seat - 1]


Cities = Keyed[City, Keyed[Site, Building]]
"""All six cities; a site without a key is empty."""


class Points(Row):
    """Where a seat's score comes from (Rule: manhattan 5.1, 5.2, 5.3)."""

    buildings: Public[int]
    cities: Public[int]
    tallest: Public[int]

    @property
    def total(self) -> int:
        """The three together."""
        return self.buildings + self.cities + self.tallest


class Builder(Node):
    """What belongs to one seat.

    `stock` counts the blocks of 1, 2, 3 and 4 floors, `chosen` lists the blocks of this round,
    largest first, `lost` counts the floors that could not be placed (Rule: manhattan 4.7).
    """

    hand: Owner[tuple[Card, ...]]
    stock: Public[tuple[int, ...]] = STOCK
    chosen: Public[tuple[int, ...]] = ()
    lost: Public[int] = 0
    score: Public[int] = 0
    points: Public[Points] = Points(0, 0, 0)


_ROUND: Final = {
    seats: [
        tuple(Seat((start + step) % seats + 1) for step in range(seats)) for start in range(seats)
    ]
    for seats in (2, 3, 4)
}
"""By number of seats and start - 1: the seats in their order round the table."""


class State(Node):
    """The whole game; `deck` and `used` count the copies of each card, `used` the discards."""

    rules: Public[int]
    sixrounds: Public[bool]
    turned_cards: Public[bool]
    phase: Public[Phase]
    round: Public[int]
    start: Public[Seat]
    cities: Public[Cities]
    seats: Public[Keyed[Seat, Builder]]
    used: Public[Keyed[Card, int]]
    deck: Hidden[tuple[int, ...]]

    @property
    def turn(self) -> Seat | None:
        """Whose decision it is, None when the game is over.

        Going round from the start player: the first who has not chosen (Rule: manhattan 3.1), or
        the first who has more blocks left than the start player, who then has built
        (Rule: manhattan 4.1).
        """
        if self.phase is Phase.OVER:
            return None
        start, builders = self.start, tuple(self.seats.values())
        order = _ROUND[len(builders)][start - 1]
        if self.phase is Phase.CHOOSING:
            for seat in order:
                if not builders[seat - 1].chosen:
                    return seat
        else:
            built = len(builders[start - 1].chosen)
            for seat in order:
                if len(builders[seat - 1].chosen) > built:
                    return seat
        return start

    @property
    def rounds(self) -> int:
        """How many rounds this game has (Rule: manhattan 6.2, 7.1)."""
        return rounds_of(sixrounds=self.sixrounds)

    @property
    def per_round(self) -> int:
        """How many blocks each seat takes in a round (Rule: manhattan 3.1, 7.1)."""
        return per_round_of(self.rounds)

    def quarter(self, seat: Seat) -> int:
        """The quarter turns by which a seat sees the board turned (Rule: manhattan 9.2)."""
        return seat - 1 if self.turned_cards else 0


def rounds_of(*, sixrounds: bool) -> int:
    """How many rounds a game with or without the option has (Rule: manhattan 7.1)."""
    return 6 if sixrounds else 4


def per_round_of(rounds: int) -> int:
    """How many blocks each seat takes in a round (Rule: manhattan 3.1, 7.1)."""
    return sum(STOCK) // rounds


def next_seat(seat: Seat, seats: int) -> Seat:
    """The neighbour in clockwise order."""
    return Seat(seat % seats + 1)
