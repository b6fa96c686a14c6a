"""The search model: playouts to the seat's next turn, and the value of a table then."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bluebear.rules.core.search_model import POINT, SearchModel, Stage, Terms, stage_of
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.itc.bot import card_values, greedy, value_estimates
from bluebear.rules.itc.bot.value_estimates import GREEDY, KEEN
from bluebear.rules.itc.data.tables import ACTIONS, ROUTE
from bluebear.rules.itc.data.terms import Place, TCard
from bluebear.rules.itc.rules.moves import Attack, End, Roll
from bluebear.rules.itc.rules.state import Phase, State, Under
from bluebear.rules.itc.rules.turns import SOURCES

# What a table promises a seat beyond its money, in euro: what a search looks at between two turns.
#
# Estimates for bots only; no rule rests on them.

_EARNED: Final = 80
"""Of each hundred euro of a load, for the part of its way that is done: some never arrive."""
_TO_LAND: Final = 2
"""The points that a load over an express card still takes."""
_CARD: Final = 1_500
"""What a transport card in hand is worth, while there are few of them."""
_ENOUGH: Final = 4
"""So many transport cards in hand are enough."""
_PLAYED: Final = 2
"""Of what an action card is worth in hand one part in so many is to be had."""
_SOLD: Final = 50
"""Of each hundred euro that own stones could sell: it takes points, and others come first."""
_SOLD_MARKET: Final = 20
"""The same in the grey market, which is attacked."""
_CONTROL: Final = 4_000
"""What control of the grey market is worth besides."""
_STONE: Final = 200
"""What a stone on a continent is worth."""
_STONES: Final = 8
"""More of them on one continent are worth nothing."""


def loads(table: State, seat: Seat) -> int:
    """What the loads on their way will bring, for the part of the way that is done."""
    under: Mapping[TCard, Under] = table.seats[seat].under or {}
    made = 0
    for way in value_estimates.ways(table, seat):
        steps = ROUTE[way.route].rows + 2
        express = under.get(way.load.cards[0]) is Under.EXPRESS
        left = min(way.left, _TO_LAND) if express else way.left
        made += way.value * (steps - left) // steps
    return made * _EARNED // 100


def cards(table: State, seat: Seat) -> int:
    """What the cards in hand are worth; of hands that are not seen transport cards alone."""
    trader = table.seats[seat]
    actions = sum([card_values.KEEPING[ACTIONS[code].kind] for code in trader.kept or ()])
    return _CARD * min(_ENOUGH, trader.transports) + actions // _PLAYED


def stones(table: State, seat: Seat) -> int:
    """What the stones on the board can sell, shared with all who could sell the same."""
    made = 0
    for place, store in table.places.items():
        stones = store.stones[seat - 1]
        value = value_estimates.stones_worth(store, stones, place)
        if place is not Place.MARKET:
            counts = enumerate(store.stones, start=1)
            rivals = [count for at, count in counts if at != seat]
            worths = (value_estimates.stones_worth(store, count, place) for count in rivals)
            sellers = 1 + sum(worth > 0 for worth in worths)
            made += value * _SOLD // (100 * sellers) + _STONE * min(stones, _STONES)
        elif stones:
            made += value * _SOLD_MARKET // 100 + _CONTROL
    return made


# Playouts to the seat's next turn, and the value of the table then.

_SPREAD: Final = 20_000
"""By so many euro a lead is usually wrong about the end."""
_WAITS: Final = 40
"""From this patience on the grey market's later income counts."""
_PROMISES: Final = {"loads": loads, "cards": cards, "stones": stones}
"""What counts besides money while the game goes on."""
_DRAWN: Final = (Attack, End, Roll)
"""What draws most: thefts, the event of the next turn, dice."""


class Model(SearchModel[State]):
    """The judgement of I.T.C.; a point of its terms is a euro (Rule: itc 13.2)."""

    named = (*SOURCES, *_PROMISES)
    sure = 130
    near = 3_000

    def worths(self, state: State, seat: Seat, moves: Sequence[Move]) -> list[int]:
        return greedy.worths(state, seat, moves)

    def insights(
        self,
        state: State,
        seat: Seat,
        moves: Sequence[Move],
        *,
        patience: int,
        has_time: Callable[[], bool] = lambda: True,
    ) -> list[int]:
        """The greedy judgement, but for the grey market, which is worth more than it looks to the
        impatient: what control of it brings comes turn by turn.
        """
        return greedy.worths(state, seat, moves, GREEDY if patience < _WAITS else KEEN)

    def candidates(self, state: State, seat: Seat) -> int:
        return 4

    def rests(self, state: State, since: State) -> bool:
        """At the next turn of who thinks; a game in its last round is played to the end."""
        return (
            state.phase is Phase.DICE
            and state.round > since.round
            and state.turn.seat == since.turn.seat
            and not state.last
        )

    def stage(self, state: State) -> Stage:
        """By the fullest account, which ends the game at the goal (Rule: itc 13.1)."""
        fullest = max(one.money for one in state.seats.values())
        return stage_of(len(state.seats), fullest, state.goal)

    def rolled_for(self, state: State, seat: Seat, move: Move) -> tuple[int, ...] | None:
        """The round, the seat, and what it does."""
        if not isinstance(move, _DRAWN):
            return None
        return (state.round, seat, _DRAWN.index(type(move)))

    def terms(self, state: State) -> list[Terms]:
        over = state.phase is Phase.OVER
        made: list[Terms] = []
        for seat, trader in state.seats.items():
            earned = [getattr(trader.income, source) for source in SOURCES]
            promised = [0 if over else each(state, seat) for each in _PROMISES.values()]
            made.append(tuple(POINT * euro for euro in (*earned, *promised)))
        return made

    def spread(self, state: State) -> int:
        return POINT * _SPREAD
