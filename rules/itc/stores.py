"""Goods on continents and in the grey market: room, fresh goods, overflow.

Goods are named by rank here, 0 for the cheapest colour (Rule: itc 3.2).
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import add
from typing import Final

from bluebear.rules.core.visibility import but
from bluebear.rules.itc.data import CARDS, PLACE, SALE, VALUE
from bluebear.rules.itc.desk import Desk, counted, rank_of
from bluebear.rules.itc.state import NO_GOODS, Goods, Store
from bluebear.rules.itc.terms import GOODS, Place
from bluebear.rules.itc.trade_events import LeftGame, Overflowed

VALUES: Final = tuple(VALUE[good] for good in GOODS)
"""What each colour is worth on the way, in euro (Rule: itc 3.1)."""
SALES: Final = tuple(SALE[good] for good in GOODS)
"""What each colour is worth at a sale, in euro (Rule: itc 3.1)."""
COUNTS: Final = {card.number: counted(card.goods) for card in CARDS.values()}
"""The goods of each transport card by colour (Rule: itc 4.1, 5.1)."""
RISKS: Final = {card.number: rank_of(card.at_risk) for card in CARDS.values()}
"""The colour at risk on each transport card (Rule: itc 4.3, 5.1)."""

_SPACES: Final = {
    place: tuple(facts.spaces if good in facts.accepts else 0 for good in GOODS)
    for place, facts in PLACE.items()
}
"""Spaces by place and colour; none for a colour that a continent refuses (Rule: itc 2.5, 2.6)."""


def has_room(place: Place, store: Store, rank: int) -> bool:
    """Whether a place takes one more good of a colour (Rule: itc 12.5)."""
    return store.goods[rank] < _SPACES[place][rank]


def accepts(place: Place, rank: int) -> bool:
    """Whether a place takes goods of a colour at all (Rule: itc 2.5)."""
    return _SPACES[place][rank] > 0


def with_goods(store: Store, goods: Goods, *, fresh: bool) -> Store:
    """A store with goods added."""
    made = tuple(map(add, store.goods, goods))
    if not fresh:
        return but(store, goods=made)
    return but(store, goods=made, fresh=tuple(map(add, store.fresh, goods)))


def without_one(store: Store, rank: int) -> Store:
    """A store without one good of a colour, an ordinary one where there is one.

    Rule: itc 12.8.
    """
    left = store.goods[rank] - 1
    fresh = min(store.fresh[rank], left)
    return but(store, goods=_put(store.goods, rank, left), fresh=_put(store.fresh, rank, fresh))


def without_ordinary(store: Store, rank: int) -> Store:
    """A store in which only the fresh goods of a colour are left (Rule: itc 12.8)."""
    return but(store, goods=_put(store.goods, rank, store.fresh[rank]))


def sellable(store: Store, rank: int) -> int:
    """How many goods of a colour did not come in this turn (Rule: itc 12.8)."""
    return store.goods[rank] - store.fresh[rank]


def cheapest_sellable(store: Store) -> int | None:
    """The colour that is to be sold first; None if there is nothing to sell (Rule: itc 14.2)."""
    fresh = store.fresh
    for rank, count in enumerate(store.goods):
        if count > fresh[rank]:
            return rank
    return None


def one_of(rank: int, count: int = 1) -> Goods:
    """Goods of one colour."""
    return _put(NO_GOODS, rank, count)


def send_to_market(desk: Desk, ranks: Iterable[int]) -> None:
    """Puts goods into the grey market, one after the other, as fresh goods.

    A good whose group is full becomes the next cheaper colour with room (Rule: itc 12.8, 12.9).
    """
    places = desk.table.places
    store = places[Place.MARKET]
    for rank in ranks:
        found = rank
        while found >= 0 and not has_room(Place.MARKET, store, found):
            found -= 1
        if found < 0:
            desk.tell(LeftGame(GOODS[rank]))
            continue
        if found != rank:
            desk.tell(Overflowed(GOODS[rank], GOODS[found]))
        store = with_goods(store, one_of(found), fresh=True)
    places[Place.MARKET] = store


def _put(goods: Goods, rank: int, count: int) -> Goods:
    return (*goods[:rank], count, *goods[rank + 1 :])
