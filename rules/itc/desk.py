"""The table while one move is carried out: changes to it, draws, and what is told of them."""

from __future__ import annotations

from typing import Any, Final

from rules.core.chance import Chance
from rules.core.vision import Event, Seat, but
from rules.itc.course_events import LastRound
from rules.itc.state import NO_GOODS, Goods, Income, Store, Table, Trader
from rules.itc.terms import GOODS, Good, Place


class Desk:
    """The present table, the chance, and the events so far.

    It is made for one call of `play` or `setup` and belongs to it; the tables themselves never
    change.
    """

    __slots__ = ("chance", "events", "table")

    def __init__(self, table: Table, chance: Chance) -> None:
        self.table: Table = table
        self.chance = chance
        self.events: list[Event] = []

    @property
    def seat(self) -> Seat:
        """Whose turn it is."""
        return self.table.turn.seat

    @property
    def trader(self) -> Trader:
        """What belongs to whose turn it is."""
        return self.table.seats[self.table.turn.seat]

    def tell(self, event: Event) -> None:
        """Adds what happened."""
        self.events.append(event)

    def change(self, **changes: Any) -> None:  # Any: values of fields of a table
        """Changes fields of the table."""
        self.table = but(self.table, **changes)

    def change_turn(self, **changes: Any) -> None:  # Any: values of fields of a turn
        """Changes fields of the turn."""
        self.table = but(self.table, turn=but(self.table.turn, **changes))

    def change_trader(self, seat: Seat, **changes: Any) -> None:  # Any: values of its fields
        """Changes what belongs to a seat."""
        table = self.table
        trader = but(table.seats[seat], **changes)
        self.table = but(table, seats=table.seats.put(seat, trader))

    def change_store(self, place: Place, store: Store) -> None:
        """Changes what lies and stands at a place."""
        table = self.table
        self.table = but(table, places=table.places.put(place, store))

    def take_stock(self, seat: Seat, count: int) -> None:
        """Takes stones out of a seat's stock; a negative count gives them back."""
        self.change_trader(seat, stock=self.table.seats[seat].stock - count)

    def add_stones(self, place: Place, seat: Seat, count: int) -> None:
        """Adds stones of a seat at a place; a negative count takes them away."""
        store = self.table.places[place]
        stones = store.stones
        stones = (*stones[: seat - 1], stones[seat - 1] + count, *stones[seat:])
        self.change_store(place, but(store, stones=stones))

    def pay(self, seat: Seat, source: str, amount: int, told: Event) -> None:
        """Adds to a seat's money, as income of a source; the event comes before a last round.

        Rule: itc 13.1.
        """
        trader = self.table.seats[seat]
        income = _added(trader.income, source, amount)
        money = trader.money + amount
        self.change_trader(seat, money=money, income=income)
        self.tell(told)
        if money >= self.table.goal and not self.table.last:
            self.change(last=True)
            self.tell(LastRound(seat, money))


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
    changes: dict[str, Any] = {source: getattr(income, source) + amount}  # Any: as `change`
    return but(income, **changes)
