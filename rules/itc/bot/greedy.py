"""The house bot `greedy`: the act that brings most for a point, judged by what is on the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from bluebear.rules.core.visibility import Move, Seat, require
from bluebear.rules.itc.bot import card_values, value_estimates
from bluebear.rules.itc.bot.value_estimates import GREEDY, Offer, Taste, Way
from bluebear.rules.itc.data.tables import ACTIONS, CARDS, LIMITS, ROUTE, SIDES
from bluebear.rules.itc.data.terms import ACard, Die, Kind, Place, Route, TCard
from bluebear.rules.itc.rules import moves
from bluebear.rules.itc.rules.cards import TRANSPORT_POINTS
from bluebear.rules.itc.rules.state import Phase, Selling, State, Under, row_of, space
from bluebear.rules.itc.rules.turn_context import code_of

_CARD_15: Final = code_of(Kind.INFRASTRUCTURE)
_NEVER: Final = -1_000_000
_NEW_CARD: Final = 3_000
"""What a transport card to draw is worth while there are few of them."""
_ENOUGH: Final = 4
"""So many transport cards in hand are enough."""
_NEAR: Final = 2
"""A load that can still land in this turn counts so much more."""
_FOURTH_ROW: Final = space(4, 0)
"""Loads before it are in the way of new ones."""
_BEFORE: Final = (Phase.DICE, Phase.ROLLED)
"""Phases in which dice are judged."""
_JAM: Final = 2
"""What a jam would cost counts one part in so many for each step out of it."""


def worths(view: State, seat: Seat, offered: Sequence[Move], taste: Taste = GREEDY) -> list[int]:
    """What each move seems to bring for its point, in euro."""
    thought = Thought(view, seat, taste)
    return [thought.worth(move) for move in offered]


class Thought:
    """What one seat thinks of its moves at one table."""

    def __init__(self, table: State, seat: Seat, taste: Taste) -> None:
        self.table = table
        self.taste = taste
        self.seat = seat
        self.points = table.turn.points
        ways = value_estimates.ways(table, seat)
        self._ways = {way.load.cards[0]: way for way in ways}
        self._offers: Sequence[Offer] = (
            value_estimates.offers(table, seat, ways) if table.phase in _BEFORE else ()
        )
        self._dice: dict[tuple[Die, int], int] = {}
        self._cards: card_values.Cards | None = None

    def worth(self, move: Move) -> int:
        """What a move brings for its point, in euro; what is left alone is 0."""
        judge = _JUDGES.get(type(move))
        if judge is not None:
            return judge(self, move)
        if self._cards is None:
            self._cards = card_values.Cards(self.table, self.seat, self.taste)
        return self._cards.worth(move)

    # Stones.

    def _stone(self, move: moves.Stone) -> int:
        if self.table.phase is Phase.PLACING:
            return self._first_stones(move.place)
        is_selling = isinstance(self.table.turn.busy, Selling)
        if is_selling and any(self._best_rate_at(each, 0) for each in self.table.places):
            return 0
        plans = value_estimates.plans(self.table, self.seat, move.place, self.points)
        rate = max((plan.rate for plan in plans if plan.stones), default=0)
        return max(rate, self._spare_stone(move.place))

    def _first_stones(self, place: Place) -> int:
        """At the start: company for the seat's stones, but not everything in one place."""
        store = self.table.places[place]
        stones = store.stones[self.seat - 1]
        rivals = sum(store.stones) - stones
        return (3 - abs(stones - 1)) * 10 - rivals

    def _spare_stone(self, place: Place) -> int:
        """A stone for later: where most is missing little, and never too many."""
        store = self.table.places[place]
        stones = store.stones[self.seat - 1]
        if place is Place.MARKET:
            goods = sum(store.goods)
            return value_estimates.STONE + 100 * min(goods, 10) - 150 * stones
        after = value_estimates.stones_worth(store, stones + 1, place)
        gain = after - value_estimates.stones_worth(store, stones, place)
        wanted = max((count for count, _ in value_estimates.sellable(store)), default=2)
        missing = max(0, wanted - stones)
        return value_estimates.STONE + gain // 3 + (80 * (8 - missing) if missing else -60 * stones)

    # Dice.

    def _roll(self, move: moves.Roll) -> int:
        """The better of two dice counts whole, the other a third."""
        worths = sorted(self._die(die, (SIDES[die] + 1) // 2) for die in move.dice)
        return worths[-1] + sum(worths[:-1]) // 3

    def _use(self, move: moves.Use) -> int:
        return self._die(move.die, self.table.turn.dice[move.die])

    def _die(self, die: Die, number: int) -> int:
        """What a die is worth when it shows a number."""
        found = self._dice.get((die, number))
        if found is None:
            found = self._dice[die, number] = self._die_of(die, number)
        return found

    def _die_of(self, die: Die, number: int) -> int:
        table, seat, last = self.table, self.seat, self.table.last
        if die is Die.BLUE:
            extra = TRANSPORT_POINTS if _CARD_15 in require(table.seats[seat].kept) else 0
            under = require(table.seats[seat].under)
            jumps = sum(
                way.value for card, way in self._ways.items() if under.get(card) is Under.EXPRESS
            )
            return value_estimates.transport(self._offers, number + extra, last=last) + jumps // 4
        if die is Die.GREEN:
            return value_estimates.inland(table, seat, number)
        rest = LIMITS.red_points - number
        room = max(0, _ENOUGH - table.seats[seat].transports)
        cards = 0 if last else min(number, room) * _NEW_CARD + max(0, number - room) * 300
        best = max(
            value_estimates.transport(self._offers, rest, last=last),
            value_estimates.inland(table, seat, rest),
        )
        return cards + best

    # Transport.

    def _load(self, move: moves.LoadCard) -> int:
        return self._loading((move.card,), move.route, move.column, 0)

    def _hide(self, move: moves.HideUnder) -> int:
        rows = ROUTE[move.route].rows
        if move.under is Under.SMUGGLING:
            return self._loading(
                (move.card,), move.route, move.column, value_estimates.bonus(move.route)
            )
        value = value_estimates.worth_of_card(self.table, move.card, move.route)
        return 0 if self.table.last or rows < 6 else value // 4

    def _mega(self, move: moves.LoadMega) -> int:
        return self._loading((move.card, move.other), move.route, move.column, 0)

    def _loading(self, cards: tuple[TCard, ...], route: Route, column: int, more: int) -> int:
        """New loads bring their part of what they will bring, less where the way is crowded."""
        if self.table.last:
            return 0
        spaces = self.table.routes[route]
        value = sum([value_estimates.worth_of_card(self.table, card, route) for card in cards])
        ahead = same = 0
        for at in spaces:
            ahead += at < _FOURTH_ROW
            same = same or at % 10 == column
        waiting = 250 * ahead + (100 if same else 0)
        return max(1, (value + more) // (ROUTE[route].rows + 1) - waiting)

    def _step(self, move: moves.Step) -> int:
        way = self._ways[self._first(move.card)]
        return self._progress(way) + self._clears(way)

    def _jump(self, move: moves.Jump) -> int:
        way = self._ways[self._first(move.card)]
        return way.value * (way.left - 1) // way.left + self._clears(way)

    def _land(self, move: moves.Land) -> int:
        way = self._ways[self._first(move.card)]
        arrival = value_estimates.arrival(self.table, self.seat, way.load.cards, move.place)
        return way.value + arrival + self._clears(way)

    def _progress(self, way: Way) -> int:
        """A step towards landing; it is worth nothing if the game ends before."""
        if way.left <= self.points:
            return way.value * _NEAR // way.left
        return 0 if self.table.last else way.value // way.left

    def _clears(self, way: Way) -> int:
        """What leaving a full row saves (Rule: itc 9.4)."""
        row = row_of(way.at)
        if row not in (self.table.turn.duties.get(way.route) or ()):
            return 0
        there = [
            each.value
            for each in self._ways.values()
            if each.route is way.route and row_of(each.at) == row
        ]
        return sum(there) // _JAM

    def _first(self, card: TCard) -> TCard:
        """The first card of the own load that has a card."""
        return next((first for first, way in self._ways.items() if card in way.load.cards), card)

    # Inland.

    def _sell(self, move: moves.Sell) -> int:
        return self._best_rate_at(move.place, 0)

    def _best_rate_at(self, place: Place, stones: int) -> int:
        points = self.points + (self.table.turn.extra if place is not Place.MARKET else 0)
        plans = value_estimates.plans(self.table, self.seat, place, points)
        return max((plan.rate for plan in plans if plan.stones == stones), default=0)

    def _attack(self, _move: moves.Attack) -> int:
        value = value_estimates.attack(self.table, self.seat, self.points - 1, self.taste)
        return value * self.taste.eager

    # Cards to discard: the cheapest first.

    def _discard(self, move: moves.Discard) -> int:
        code = ACard(move.card)
        if code in ACTIONS:
            return -card_values.KEEPING[ACTIONS[code].kind]
        card = CARDS[TCard(int(move.card))]
        transports = self.table.seats[self.seat].transports
        value = max(
            value_estimates.worth_of_card(self.table, card.number, route) for route in card.routes
        )
        return -value // (4 if transports <= _ENOUGH else 10)


_JUDGES: Final[Mapping[type[Move], Callable[[Thought, Any], int]]] = {  # Any: the move of the key
    moves.Stone: Thought._stone,
    moves.Roll: Thought._roll,
    moves.Use: Thought._use,
    moves.LoadCard: Thought._load,
    moves.HideUnder: Thought._hide,
    moves.LoadMega: Thought._mega,
    moves.Step: Thought._step,
    moves.Jump: Thought._jump,
    moves.Land: Thought._land,
    **dict.fromkeys((moves.Drop, moves.Keep), lambda _thought, _move: _NEVER),
    moves.Sell: Thought._sell,
    moves.Attack: Thought._attack,
    moves.Discard: Thought._discard,
    moves.End: lambda _thought, _move: 0,
}
