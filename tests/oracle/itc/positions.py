"""What lies and stands on the continents and in the grey market (Rule: itc 2.5, 2.6, 12, 14)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from tests.oracle.itc.cards import COLOURS, CONTINENTS, MARKET, REFUSED

STONES: Final = 40
ON_A_CONTINENT: Final = 8
IN_THE_MARKET: Final = 10


class Positions:
    """Goods by place and colour, fresh ones apart; stones by place and seat."""

    def __init__(self, seats: Sequence[int]) -> None:
        self.seats = seats
        positions = (*CONTINENTS, MARKET)
        self.goods: dict[str, Counter[str]] = {position: Counter() for position in positions}
        self.fresh: dict[str, Counter[str]] = {position: Counter() for position in positions}
        self.stones: dict[str, Counter[int]] = {position: Counter() for position in positions}
        self.stock = dict.fromkeys(seats, STONES)

    def put(self, seat: int, position: str) -> None:
        """A stone comes from the stock."""
        self.stock[seat] -= 1
        self.stones[position][seat] += 1

    def back(self, seat: int, position: str) -> None:
        """A stone returns to the stock."""
        self.stones[position][seat] -= 1
        self.stock[seat] += 1

    def carry(self, seat: int, origin: str, position: str) -> None:
        self.stones[origin][seat] -= 1
        self.stones[position][seat] += 1

    def with_stones(self, seat: int) -> list[str]:
        """The continents where a seat has stones."""
        return [position for position in CONTINENTS if self.stones[position][seat]]

    def controller(self) -> int | None:
        """Rule: itc 2.8."""
        there = [seat for seat in self.seats if self.stones[MARKET][seat]]
        if len(there) > 1:
            raise ValueError(f"stones of {there} in the grey market")
        return there[0] if there else None

    def is_empty(self, continent: str) -> bool:
        """Whether no player has a stone there (Rule: itc 12.4)."""
        return not any(self.stones[continent].values())

    def all_of(self, position: str, colour: str) -> int:
        return self.goods[position][colour] + self.fresh[position][colour]

    def accepts(self, continent: str, colour: str) -> bool:
        """Whether a good finds a space (Rule: itc 2.5, 12.5)."""
        return colour != REFUSED[continent] and self.all_of(continent, colour) < ON_A_CONTINENT

    def to_market(self, colour: str) -> None:
        """Its own group, or the next cheaper one with a space, or out (Rule: itc 12.9)."""
        for group in reversed(COLOURS[: COLOURS.index(colour) + 1]):
            if self.all_of(MARKET, group) < IN_THE_MARKET:
                self.fresh[MARKET][group] += 1
                return

    def take(self, position: str, colour: str) -> None:
        """A card takes one good, an ordinary one if there is one (Rule: itc 12.8)."""
        contents = self.goods if self.goods[position][colour] else self.fresh
        contents[position][colour] -= 1

    def deliver(self, continent: str, count: int) -> None:
        """Cards 5 and 20: goods of the cheapest accepted colour without any (Rule: itc 11.4)."""
        for colour in COLOURS:
            if colour != REFUSED[continent] and not self.all_of(continent, colour):
                self.goods[continent][colour] += min(count, ON_A_CONTINENT)
                return

    def rob(self, continent: str) -> None:
        """The dearest good goes to the grey market (Rule: itc 11, card 11)."""
        for colour in reversed(COLOURS):
            if self.all_of(continent, colour):
                self.take(continent, colour)
                self.to_market(colour)
                return

    def purge(self) -> None:
        """Rule: itc 11, card 6."""
        for colour in COLOURS:
            if self.all_of(MARKET, colour):
                self.take(MARKET, colour)

    def unrest(self, continent: str) -> None:
        """Rule: itc 11, card 12."""
        most = max(self.stones[continent][seat] for seat in self.seats)
        for seat in self.seats:
            if most and self.stones[continent][seat] == most:
                self.back(seat, continent)

    def cheapest(self, position: str) -> str | None:
        """The only colour that may be sold: fresh goods do not count (Rule: itc 12.8, 14.2)."""
        return next((colour for colour in COLOURS if self.goods[position][colour]), None)

    def settle(self) -> None:
        """At the end of a turn nothing is fresh any more (Rule: itc 7, 12.8)."""
        for position, fresh in self.fresh.items():
            self.goods[position] += fresh
            fresh.clear()
