"""The table while one move is carried out: what it is written to, draws, and what is told."""

from __future__ import annotations

from typing import Any, Final

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Tell
from bluebear.rules.core.visibility import Event, Seat, but
from bluebear.rules.itc.course_events import LastRound
from bluebear.rules.itc.state import NO_GOODS, Goods, Income, Table, Trader
from bluebear.rules.itc.terms import GOODS, Good, Place


class Desk:
    """The draft of the table, whose turn it is, the chance, and who is told what happens."""

    __slots__ = ("chance", "seat", "table", "tell")

    def __init__(self, table: Table, chance: Chance, tell: Tell) -> None:
        self.table = table
        self.seat = table.turn.seat
        self.chance = chance
        self.tell = tell

    @property
    def trader(self) -> Trader:
        """What belongs to whose turn it is."""
        return self.table.seats[self.seat]

    def place_stones(self, place: Place, seat: Seat, count: int) -> None:
        """Puts stones out of a seat's stock on a place; a negative count takes them back."""
        self.table.seats[seat].stock -= count
        self.add_stones(place, seat, count)

    def add_stones(self, place: Place, seat: Seat, count: int) -> None:
        """Adds stones of a seat at a place; a negative count takes them away."""
        places = self.table.places
        store = places[place]
        stones = list(store.stones)
        stones[seat - 1] += count
        places[place] = but(store, stones=tuple(stones))

    def pay(self, seat: Seat, source: str, amount: int, told: Event) -> None:
        """Adds to a seat's money, as income of a source; the event comes before a last round.

        Rule: itc 13.1.
        """
        table = self.table
        trader = table.seats[seat]
        trader.income = _added(trader.income, source, amount)
        trader.money += amount
        self.tell(told)
        if trader.money >= table.goal and not table.last:
            table.last = True
            self.tell(LastRound(seat, trader.money))


_RANK: Final = {good: rank for rank, good in enumerate(GOODS)}


def rank_of(good: Good) -> int:
    """The place of a colour among the colours, 0 for the cheapest (Rule: itc 3.2)."""
    return _RANK[good]


def listed(goods: Goods) -> tuple[Good, ...]:
    """Counted goods as a list, cheapest first."""
    return tuple(good for good, count in zip(GOODS, goods, strict=True) for _ in range(count))


def counted(goods: tuple[Good, ...]) -> Goods:
    """Listed goods as counts by colour."""
    return tuple(map(goods.count, GOODS)) if goods else NO_GOODS


def _added(income: Income, source: str, amount: int) -> Income:
    changes: dict[str, Any] = {source: getattr(income, source) + amount}  # Any: a field's value
    return but(income, **changes)
