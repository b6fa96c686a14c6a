"""Arrivals: the theft roll, what a continent takes, and who is paid (Rule: itc 12)."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.visibility import Seat, require
from bluebear.rules.itc.data import CARDS, ROUTE, SIDES
from bluebear.rules.itc.desk import Desk, listed
from bluebear.rules.itc.piles import discard_action, discard_transport
from bluebear.rules.itc.route_events import Uncovered
from bluebear.rules.itc.state import NEUTRAL, NO_GOODS, Goods, Store, Table, Under
from bluebear.rules.itc.stores import (
    COUNTS,
    RISKS,
    VALUES,
    has_room,
    one_of,
    send_to_market,
    with_goods,
)
from bluebear.rules.itc.terms import GOODS, ACard, Die, Kind, Place, Route, TCard
from bluebear.rules.itc.tracks import Found, remove
from bluebear.rules.itc.trade_events import (
    Arrived,
    SmugglingPaid,
    Stolen,
    TheftPaid,
    TheftRolled,
    TransportPaid,
    WentToMarket,
)

THEFT: Final = SIDES[Die.RED]
"""The number that means a theft (Rule: itc 12.3)."""

CARD_UNDER: Final = {
    Under.SMUGGLING: ACard(str(int(Kind.SMUGGLING))),
    Under.EXPRESS: ACard(str(int(Kind.EXPRESS))),
}
"""The action cards that can lie under a load (Rule: itc 11.2)."""


def arrive(desk: Desk, found: Found, place: Place, drops: Goods = NO_GOODS) -> None:
    """A load leaves its route for a continent; `drops` are sent to the grey market on purpose.

    Rule: itc 12.3, 12.4, 12.5, 12.6, 12.7.
    """
    remove(desk.table, found)
    owner = found.load.owner
    for card in found.load.cards:
        drops = _unload(desk, card, found.route, owner, place, drops)
    if owner == NEUTRAL:
        return
    under = take_under(desk.table, found)
    if under is Under.SMUGGLING:
        bonus = ROUTE[found.route].smuggling
        desk.pay(owner, "smuggling", bonus, SmugglingPaid(owner, found.load.cards[0], bonus))
    elif under is not Under.NONE:
        desk.tell(Uncovered(owner, found.load.cards[0], under))
    desk.table.seats[owner].stock += len(found.load.cards)


def take_under(table: Table, found: Found) -> Under:
    """Discards what lies under a load that is leaving; what it was (Rule: itc 12.7)."""
    if found.load.under is Under.NONE:
        return Under.NONE
    below = require(table.seats[found.load.owner].under)
    card = found.load.cards[0]
    under = below[card]
    del below[card]
    discard_action(table, CARD_UNDER[under])
    return under


def _unload(
    desk: Desk, card: TCard, route: Route, owner: Seat, place: Place, drops: Goods
) -> Goods:
    """One card arrives; what is left of the goods to be dropped."""
    goods = COUNTS[card]
    number = desk.chance.die(THEFT)
    desk.tell(TheftRolled(card, place, number))
    stolen = number == THEFT
    if stolen:
        goods = _steal(desk, card, goods)
    store = desk.table.places[place]
    taken, refused, drops = sorted_out(place, store, goods, drops)
    desk.table.places[place] = with_goods(store, taken, fresh=True)
    if any(taken):
        desk.tell(Arrived(card, place, listed(taken)))
    if any(refused):
        desk.tell(WentToMarket(card, listed(refused)))
        send_to_market(desk, ranks_of(refused))
    discard_transport(desk.table, card)
    if owner != NEUTRAL and desk.table.transport_pay:
        prices = CARDS[card].robbed if stolen else CARDS[card].full
        amount = prices[route] - sum(map(int.__mul__, refused, VALUES))
        desk.pay(owner, "transport", amount, TransportPaid(owner, card, amount))
    return drops


def _steal(desk: Desk, card: TCard, goods: Goods) -> Goods:
    """What is left of the goods of a card after the theft (Rule: itc 12.3)."""
    rank = RISKS[card]
    desk.tell(Stolen(card, GOODS[rank]))
    send_to_market(desk, (rank,))
    controller = desk.table.controller
    if controller is not None:
        desk.pay(controller, "thefts", VALUES[rank], TheftPaid(controller, VALUES[rank]))
    return tuple(map(int.__sub__, goods, one_of(rank)))


def sorted_out(
    place: Place, store: Store, goods: Goods, drops: Goods
) -> tuple[Goods, Goods, Goods]:
    """What a place takes of some goods, what goes to the grey market, and the drops still due.

    Rule: itc 12.2, 12.4, 12.5.
    """
    inhabited = store.inhabited
    taken, refused, due = list(NO_GOODS), list(NO_GOODS), list(drops)
    for rank, count in enumerate(goods):
        for _ in range(count):
            if due[rank]:
                due[rank] -= 1
                refused[rank] += 1
            elif inhabited and has_room(place, store, rank):
                store = with_goods(store, one_of(rank), fresh=True)
                taken[rank] += 1
            else:
                refused[rank] += 1
    return tuple(taken), tuple(refused), tuple(due)


def ranks_of(goods: Goods) -> list[int]:
    """Counted goods as a list of ranks, cheapest first."""
    return [rank for rank, count in enumerate(goods) for _ in range(count)]
