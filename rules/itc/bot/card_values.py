"""What the bot `greedy` thinks of playing its action cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.itc.bot import value_estimates
from bluebear.rules.itc.bot.value_estimates import Taste
from bluebear.rules.itc.data.tables import LIMITS, SALE
from bluebear.rules.itc.data.terms import CONTINENTS, GOODS, Die, Kind, Place
from bluebear.rules.itc.rules import moves
from bluebear.rules.itc.rules.cards import TRANSPORT_POINTS
from bluebear.rules.itc.rules.route_state import find
from bluebear.rules.itc.rules.state import NEUTRAL, Resettling, State, Store

KEEPING: Final[Mapping[Kind, int]] = {
    Kind.SMUGGLING: 5_000,
    Kind.RELOCATE_RIVAL: 1_000,
    Kind.RELOCATE_OWN: 1_500,
    Kind.NEUTRAL_PUSH: 300,
    Kind.DEMAND_PAIR: 0,
    Kind.GANG_PURGE: 400,
    Kind.OBSTACLE: 1_200,
    Kind.SALES_BONUS: 2_500,
    Kind.INSPECTION: 0,
    Kind.EXPRESS: 6_000,
    Kind.ROBBERY: 700,
    Kind.UNREST: 900,
    Kind.GANG_ATTACK: 2_500,
    Kind.MANAGEMENT: 2_500,
    Kind.INFRASTRUCTURE: 6_000,
    Kind.NEW_LOCATION: 3_000,
    Kind.ORGANIZATION: 3_000,
    Kind.MEGA: 7_000,
    Kind.NEW_IDEAS: 1_500,
    Kind.DEMAND_ONE: 0,
}
"""What a card is worth in the hand, in euro."""

_FULL: Final = LIMITS.hand - 1
"""From so many cards on, a card that helps a little is better played than kept."""
_LITTLE: Final = 100
_UNPLAYED_ATTACK: Final = 1_500
"""What an attack without a point must bring more, since the card may wait for a better one."""


class Cards:
    """What one seat thinks of its action cards at one table."""

    def __init__(self, table: State, seat: Seat, taste: Taste) -> None:
        self._table = table
        self._seat = seat
        self._taste = taste
        self._crowded = table.seats[seat].cards > _FULL

    def worth(self, move: Move) -> int:
        """What playing a card brings; what is better kept is below 0."""
        return _JUDGES[type(move)](self, move)

    def _play(self, move: moves.Play) -> int:
        table, turn = self._table, self._table.turn
        if move.kind is Kind.MANAGEMENT:
            return 1_000_000
        if move.kind is Kind.INFRASTRUCTURE:
            return self._more_transport()
        if move.kind is Kind.SALES_BONUS:
            plans = (
                value_estimates.plans(table, self._seat, p, turn.points + 1) for p in CONTINENTS
            )
            return max((plan.rate for each in plans for plan in each), default=-1)
        if move.kind is Kind.GANG_ATTACK:
            value = value_estimates.attack(table, self._seat, turn.points, self._taste)
            return value - _UNPLAYED_ATTACK
        if move.kind is Kind.NEW_IDEAS:
            return self._new_ideas()
        if move.kind is Kind.GANG_PURGE:
            goods = sum(table.places[Place.MARKET].goods)
            ours = table.controller in (None, self._seat)
            return -1 if ours or goods < 6 else _LITTLE
        return _LITTLE if self._crowded else -1

    def _more_transport(self) -> int:
        table, seat, points = self._table, self._seat, self._table.turn.points
        offers = value_estimates.offers(table, seat, value_estimates.ways(table, seat))
        more = value_estimates.transport(offers, points + TRANSPORT_POINTS, last=table.last)
        return more - value_estimates.transport(offers, points, last=table.last)

    def _new_ideas(self) -> int:
        """Roll again what was rolled badly; it competes with using the best die."""
        dice = self._table.turn.dice
        low = all(number >= 5 if die is Die.RED else number <= 2 for die, number in dice.items())
        return 1_000_000 if low else -1

    def _rob(self, move: moves.Rob) -> int:
        store = self._table.places[move.place]
        at = max((at for at, count in enumerate(store.goods) if count), default=None)
        if at is None:
            return _LITTLE if self._crowded else -1
        price = SALE[GOODS[at]]
        if self._table.controller == self._seat:
            return price // 2
        return self._against(move.place, store) if self._crowded else -1

    def _against(self, place: Place, store: Store) -> int:
        """How much more the other seats could sell at a place than this one."""
        gain = value_estimates.stones_worth(store, store.stones[self._seat - 1], place)
        theirs = max(
            value_estimates.stones_worth(store, count, place)
            for at, count in enumerate(store.stones, start=1)
            if at != self._seat
        )
        return (theirs - gain) // 10

    def _unrest(self, move: moves.Unrest) -> int:
        stones = self._table.places[move.place].stones
        most = max(stones)
        hit = sum(count == most for count in stones)
        if not most or stones[self._seat - 1] == most:
            return -1
        return 200 * hit + max(0, self._against(move.place, self._table.places[move.place]))

    def _transfer(self, move: moves.Transfer) -> int:
        """What a rival could sell less there, and more where the stone goes."""
        return (
            self._less(move.seat, move.origin) - self._more(move.seat, move.place, 1)
        ) // 4 - _LITTLE

    def _shift(self, move: moves.Shift) -> int:
        return self._more(self._seat, move.place, 1) - self._less(self._seat, move.origin) - 500

    def _obstruct(self, move: moves.Obstruct) -> int:
        table = self._table
        found = find(table, move.card)
        if found is None or found.load.owner in (NEUTRAL, self._seat):
            return -1
        value = value_estimates.worth_of_load(table, found.route, found.load)
        leads = table.seats[found.load.owner].money >= table.seats[self._seat].money
        return value // (20 if leads else 40)

    def _resettle(self, move: moves.Resettle) -> int:
        """A new location pays if stones that are idle elsewhere could sell there."""
        store = self._table.places[move.place]
        idle = sum(self._idle(place) for place in CONTINENTS if place != move.place)
        gain = value_estimates.stones_worth(store, min(5, idle), move.place)
        if gain < 5_000:
            return -1
        return gain // 3 - self._less(self._seat, move.origin)

    def _fetch(self, move: moves.Fetch) -> int:
        busy = self._table.turn.busy
        if not isinstance(busy, Resettling):
            return -1
        gain = self._more(self._seat, busy.place, busy.left)
        return 20_000 + gain - self._less(self._seat, move.origin) if gain else -1

    def _idle(self, place: Place) -> int:
        """The stones at a place that do not help to sell there."""
        store = self._table.places[place]
        stones = store.stones[self._seat - 1]
        return 0 if value_estimates.stones_worth(store, stones, place) else stones

    def _organize(self, move: moves.Organize) -> int:
        return 2_000 + self._taken(move.place, move.seat)

    def _recruit(self, move: moves.Recruit) -> int:
        place = getattr(self._table.turn.busy, "place", None)
        return -1 if place is None else 20_000 + self._taken(place, move.seat)

    def _taken(self, place: Place, seat: Seat) -> int:
        """A stone taken from a place: a loss of its owner, good if that is a rival."""
        less = self._less(seat, place)
        return -less if seat == self._seat else 500 + less // 4

    def _less(self, seat: Seat, place: Place) -> int:
        """What a seat could sell less at a place without one of its stones there."""
        return -self._more(seat, place, -1)

    def _more(self, seat: Seat, place: Place, count: int) -> int:
        """What a seat could sell more at a place with so many more stones there."""
        store = self._table.places[place]
        stones = store.stones[seat - 1]
        after = value_estimates.stones_worth(store, stones + count, place)
        return after - value_estimates.stones_worth(store, stones, place)


_JUDGES: Final[Mapping[type[Move], Callable[[Cards, Any], int]]] = {  # Any: the move of the key
    moves.Play: Cards._play,
    moves.Rob: Cards._rob,
    moves.Unrest: Cards._unrest,
    moves.Transfer: Cards._transfer,
    moves.Shift: Cards._shift,
    moves.Obstruct: Cards._obstruct,
    moves.Resettle: Cards._resettle,
    moves.Fetch: Cards._fetch,
    moves.Organize: Cards._organize,
    moves.Recruit: Cards._recruit,
}
