"""What a table promises a seat beyond its money, in euro: what a search looks at between two turns.

Estimates for bots only; no rule rests on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bluebear.rules.core.visibility import Seat
from bluebear.rules.itc import bot_cards, worth
from bluebear.rules.itc.data import ACTIONS, ROUTE
from bluebear.rules.itc.state import Store, Table, Under
from bluebear.rules.itc.terms import Place, TCard

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


def loads(table: Table, seat: Seat) -> int:
    """What the loads on their way will bring, for the part of the way that is done."""
    under: Mapping[TCard, Under] = table.seats[seat].under or {}
    made = 0
    for way in worth.ways(table, seat):
        steps = ROUTE[way.route].rows + 2
        express = under.get(way.load.cards[0]) is Under.EXPRESS
        left = min(way.left, _TO_LAND) if express else way.left
        made += way.value * (steps - left) // steps
    return made * _EARNED // 100


def cards(table: Table, seat: Seat) -> int:
    """What the cards in hand are worth; of hands that are not seen transport cards alone."""
    trader = table.seats[seat]
    kept = sum([bot_cards.KEEPING[ACTIONS[code].kind] for code in trader.kept or ()])
    return _CARD * min(_ENOUGH, trader.transports) + kept // _PLAYED


def stones(table: Table, seat: Seat) -> int:
    """What the stones on the board can sell, shared with all who could sell the same."""
    made = 0
    for place, store in table.places.items():
        own = store.stones[seat - 1]
        value = worth.stones_worth(store, own, place)
        if place is not Place.MARKET:
            sellers = 1 + _rivals(store, seat, place)
            made += value * _SOLD // (100 * sellers) + _STONE * min(own, _STONES)
        elif own:
            made += value * _SOLD_MARKET // 100 + _CONTROL
    return made


def _rivals(store: Store, seat: Seat, place: Place) -> int:
    """How many others could sell at a place, too."""
    return sum(
        at != seat and worth.stones_worth(store, count, place) > 0
        for at, count in enumerate(store.stones, start=1)
    )
