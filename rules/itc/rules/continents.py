"""Continents: arrivals, goods, sales, the grey market (Rule: itc 12, 14)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import add
from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Seat, but, require
from bluebear.rules.itc.data.tables import CARDS, LIMITS, PLACE, ROUTE, SALE, SIDES, VALUE
from bluebear.rules.itc.data.terms import (
    CONTINENTS,
    GOODS,
    PLACES,
    Die,
    Kind,
    Place,
    Route,
    TCard,
)
from bluebear.rules.itc.rules import events, state
from bluebear.rules.itc.rules.moves import STONES, Attack, Sell, Stone
from bluebear.rules.itc.rules.route_state import Found, remove
from bluebear.rules.itc.rules.turn_context import (
    Desk,
    code_of,
    discard_action,
    discard_transport,
    listed,
    rank_of,
)

# Goods on continents and in the grey market: room, fresh goods, overflow. They are named by rank,
# 0 for the cheapest colour (Rule: itc 3.2).

VALUES: Final = tuple(VALUE[good] for good in GOODS)
"""What each colour is worth on the way, in euro (Rule: itc 3.1)."""
SALES: Final = tuple(SALE[good] for good in GOODS)
"""What each colour is worth at a sale, in euro (Rule: itc 3.1)."""
COUNTS: Final = {number: card.counts for number, card in CARDS.items()}
"""The goods of each transport card by colour (Rule: itc 4.1, 5.1)."""
RISKS: Final = {card.number: rank_of(card.at_risk) for card in CARDS.values()}
"""The colour at risk on each transport card (Rule: itc 4.3, 5.1)."""

_SPACES: Final = {
    place: tuple(facts.spaces if good in facts.accepts else 0 for good in GOODS)
    for place, facts in PLACE.items()
}
"""Spaces by place and colour; none for a colour that a continent refuses (Rule: itc 2.5, 2.6)."""


def has_room(place: Place, store: state.Store, rank: int) -> bool:
    """Whether a place takes one more good of a colour (Rule: itc 12.5)."""
    return store.goods[rank] < _SPACES[place][rank]


def accepts(place: Place, rank: int) -> bool:
    """Whether a place takes goods of a colour at all (Rule: itc 2.5)."""
    return _SPACES[place][rank] > 0


def with_goods(store: state.Store, goods: state.Goods, *, fresh: bool) -> state.Store:
    made = tuple(map(add, store.goods, goods))
    if not fresh:
        return but(store, goods=made)
    return but(store, goods=made, fresh=tuple(map(add, store.fresh, goods)))


def without_one(store: state.Store, rank: int) -> state.Store:
    """A store without one good of a colour, if possible an ordinary one (Rule: itc 12.8)."""
    left = store.goods[rank] - 1
    fresh = min(store.fresh[rank], left)
    return but(store, goods=_put(store.goods, rank, left), fresh=_put(store.fresh, rank, fresh))


def sellable(store: state.Store, rank: int) -> int:
    """How many goods of a colour did not come in this turn (Rule: itc 12.8)."""
    return store.goods[rank] - store.fresh[rank]


def cheapest_sellable(store: state.Store) -> int | None:
    """The colour that is to be sold first; None if there is nothing to sell (Rule: itc 14.2)."""
    fresh = store.fresh
    for rank, count in enumerate(store.goods):
        if count > fresh[rank]:
            return rank
    return None


def one_of(rank: int, count: int = 1) -> state.Goods:
    return _put(state.NO_GOODS, rank, count)


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
            desk.emit(events.LeftGame(GOODS[rank]))
            continue
        if found != rank:
            desk.emit(events.Overflowed(GOODS[rank], GOODS[found]))
        store = with_goods(store, one_of(found), fresh=True)
    places[Place.MARKET] = store


def _put(goods: state.Goods, rank: int, count: int) -> state.Goods:
    return (*goods[:rank], count, *goods[rank + 1 :])


# Arrivals: the theft roll, what a continent takes, and who is paid (Rule: itc 12).

THEFT: Final = SIDES[Die.RED]
"""The number that means a theft (Rule: itc 12.3)."""

KIND_UNDER: Final = {state.Under.SMUGGLING: Kind.SMUGGLING, state.Under.EXPRESS: Kind.EXPRESS}
"""The kinds of action cards that can lie under a load (Rule: itc 11.2)."""
CARD_UNDER: Final = {under: code_of(kind) for under, kind in KIND_UNDER.items()}
"""The action card of each of these kinds."""


def arrive(desk: Desk, found: Found, place: Place, drops: state.Goods = state.NO_GOODS) -> None:
    """A load lands; `drops` go to the market on purpose. Rule: itc 12.3, 12.4, 12.5, 12.6, 12.7."""
    remove(desk.table, found)
    owner = found.load.owner
    for card in found.load.cards:
        drops = _unload(desk, card, found.route, owner, place, drops)
    if owner == state.NEUTRAL:
        return
    under = take_under(desk.table, found)
    if under is state.Under.SMUGGLING:
        bonus = ROUTE[found.route].smuggling
        desk.pay(owner, "smuggling", bonus, events.SmugglingPaid(owner, found.load.cards[0], bonus))
    elif under is not state.Under.NONE:
        desk.emit(events.Uncovered(owner, found.load.cards[0], under))
    desk.table.seats[owner].stock += len(found.load.cards)


def take_under(table: state.State, found: Found) -> state.Under:
    """Discards what lies under a load that is leaving; what it was (Rule: itc 12.7)."""
    if found.load.under is state.Under.NONE:
        return state.Under.NONE
    below = require(table.seats[found.load.owner].under)
    card = found.load.cards[0]
    under = below[card]
    del below[card]
    discard_action(table, CARD_UNDER[under])
    return under


def _unload(
    desk: Desk, card: TCard, route: Route, owner: Seat, place: Place, drops: state.Goods
) -> state.Goods:
    """One card arrives; what is left of the goods to be dropped."""
    goods = COUNTS[card]
    number = desk.chance.die(THEFT)
    desk.emit(events.TheftRolled(card, place, number))
    stolen = number == THEFT
    if stolen:
        goods = _steal(desk, card, goods)
    store = desk.table.places[place]
    taken, refused, drops = sorted_out(place, store, goods, drops)
    desk.table.places[place] = with_goods(store, taken, fresh=True)
    if any(taken):
        desk.emit(events.Arrived(card, place, listed(taken)))
    if any(refused):
        desk.emit(events.WentToMarket(card, listed(refused)))
        send_to_market(desk, ranks_of(refused))
    discard_transport(desk.table, card)
    if owner != state.NEUTRAL and desk.table.transport_pay:
        prices = CARDS[card].robbed if stolen else CARDS[card].full
        amount = prices[route] - sum(map(int.__mul__, refused, VALUES))
        desk.pay(owner, "transport", amount, events.TransportPaid(owner, card, amount))
    return drops


def _steal(desk: Desk, card: TCard, goods: state.Goods) -> state.Goods:
    """What is left of the goods of a card after the theft (Rule: itc 12.3)."""
    rank = RISKS[card]
    desk.emit(events.Stolen(card, GOODS[rank]))
    send_to_market(desk, (rank,))
    controller = desk.table.controller
    if controller is not None:
        desk.pay(controller, "thefts", VALUES[rank], events.TheftPaid(controller, VALUES[rank]))
    return tuple(map(int.__sub__, goods, one_of(rank)))


def sorted_out(
    place: Place, store: state.Store, goods: state.Goods, drops: state.Goods
) -> tuple[state.Goods, state.Goods, state.Goods]:
    """What a place takes, what the market, and the drops still due (Rule: itc 12.2, 12.4, 12.5)."""
    inhabited = store.inhabited
    taken, refused, due = list(state.NO_GOODS), list(state.NO_GOODS), list(drops)
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


def ranks_of(goods: state.Goods) -> list[int]:
    """Counted goods as a list of ranks, cheapest first."""
    return [rank for rank, count in enumerate(goods) for _ in range(count)]


# The grey market: attacks, and what a controller does there (Rule: itc 14.4, 14.5, 14.6).

_MARKET: Final = Place.MARKET


def no_attack(table: state.State, move: Attack) -> NotAllowed | None:
    """What forbids an attack for a point (Rule: itc 14.4)."""
    turn = table.turn
    refusal = state.no_inland(turn)
    if refusal is None and turn.attacked and table.attack_limit:
        refusal = NotAllowed("attacked_already", rule="14.4")
    return refusal or no_attackers(table)


def no_attackers(table: state.State) -> NotAllowed | None:
    """What forbids any attack of the seat on turn: it controls the market or has no stone."""
    seat = table.turn.seat
    if controls(table):
        return NotAllowed("controls_already", rule="14.4")
    if not table.seats[seat].stock:
        return NotAllowed("no_stones", rule="1.6")
    return None


def controls(table: state.State) -> bool:
    """Whether the seat on turn controls the grey market (Rule: itc 2.8)."""
    return table.places[_MARKET].stones[table.turn.seat - 1] > 0


def not_controller(table: state.State) -> NotAllowed | None:
    """What forbids what only the controller of the grey market may do (Rule: itc 14.6)."""
    return None if controls(table) else NotAllowed("not_controller", rule="14.6")


def attack(desk: Desk, move: Attack) -> None:
    """An attack that costs a point (Rule: itc 14.4)."""
    turn = desk.table.turn
    turn.points -= 1
    turn.attacked = True
    fight(desk)


def fight(desk: Desk) -> None:
    """The attack itself, to its end (Rule: itc 14.4, 14.5)."""
    seat, other = desk.seat, desk.table.controller
    left = min(LIMITS.attackers, desk.trader.stock)
    if other is not None:
        stood = desk.table.places[_MARKET].stones[other - 1]
        desk.emit(events.Attacked(seat, other, left))
        left, still = _clashes(desk, other, left, stood)
        # Stones that fell, on either side, are in stock again.
        desk.place_stones(_MARKET, other, still - stood)
        if still:
            desk.emit(events.MarketHeld(other, still))
            return
    desk.place_stones(_MARKET, seat, left)
    desk.emit(events.MarketTaken(seat, left))


def _clashes(desk: Desk, other: Seat, ours: int, theirs: int) -> tuple[int, int]:
    """Rolls until one side has no stone; the stones that both have left."""
    while ours and theirs:
        number = desk.chance.die(SIDES[Die.RED])
        other_number = desk.chance.die(desk.table.green_die)
        if number > other_number:
            theirs -= 1
        elif number < other_number:
            ours -= 1
        desk.emit(events.Clashed(desk.seat, other, number, other_number, ours, theirs))
    return ours, theirs


# On continents: placing stones and selling (Rule: itc 14.1, 14.2, 14.3).

_ON_CONTINENTS: Final = tuple(move for move in STONES if move.place is not Place.MARKET)

_SALES: Final = {place: tuple(Sell(place, good) for good in GOODS) for place in PLACES}
"""Each sale by place and rank of the colour."""


def placings(table: state.State) -> Sequence[Stone]:
    """Where the seat on turn can place a stone, if it has a point (Rule: itc 1.6, 14.6)."""
    if not table.seats[table.turn.seat].stock:
        return ()
    return STONES if controls(table) else _ON_CONTINENTS


def no_stone(table: state.State, move: Stone) -> NotAllowed | None:
    """What forbids to place a stone somewhere (Rule: itc 14.1)."""
    refusal = state.no_inland(table.turn)
    if refusal is not None:
        return refusal
    allowed = placings(table)
    if move in allowed:
        return None
    return not_controller(table) if allowed else NotAllowed("no_stones", rule="1.6")


def place_stone(desk: Desk, move: Stone) -> None:
    """A stone from stock comes to a continent or to the own grey market (Rule: itc 14.1, 14.6)."""
    seat = desk.seat
    desk.table.turn.points -= 1
    desk.place_stones(move.place, seat, 1)
    desk.emit(events.StonePlaced(seat, move.place))


def sales(table: state.State) -> list[Sell]:
    """What the seat on turn can sell now, at most one colour at each place.

    In the grey market only the controller has stones (Rule: itc 2.8, 14.2, 14.3).
    """
    at = table.turn.seat - 1
    found: list[Sell] = []
    for place in _paid_places(table.turn):
        store = table.places[place]
        present = store.stones[at]
        rank = cheapest_sellable(store) if present else None
        if rank is None:
            continue
        able = present + used_stones(table, place)
        if able >= sellable(store, rank) or place is Place.MARKET:
            found.append(_SALES[place][rank])
    return found


def _paid_places(turn: state.Turn) -> Sequence[Place]:
    """Where a point for a sale is left; the extra one is for continents (Rule: itc 11.18)."""
    if state.pays_inland(turn):
        return PLACES
    return CONTINENTS if turn.extra else ()


def no_sale(table: state.State, move: Sell) -> NotAllowed | None:
    """What forbids a sale (Rule: itc 14.2, 14.3)."""
    if move in sales(table):
        return None
    place, turn = move.place, table.turn
    if place not in _paid_places(turn):
        return state.no_inland(turn)
    refusal = not_controller(table) if place is Place.MARKET else None
    if refusal is not None:
        return refusal
    store = table.places[place]
    rank = cheapest_sellable(store)
    if rank is None:
        return NotAllowed("nothing_to_sell", rule="14.2", place=place)
    if move.good is not GOODS[rank]:
        return NotAllowed("cheapest_first", rule="14.2", place=place, good=GOODS[rank])
    needs = max(sellable(store, rank) - used_stones(table, place), 1)
    present = store.stones[turn.seat - 1]
    return NotAllowed("too_few_stones", rule="14.2", place=place, needs=needs, count=present)


def sell(desk: Desk, move: Sell) -> None:
    """All goods of the cheapest colour are sold (Rule: itc 14.2, 14.3)."""
    place, seat = move.place, desk.seat
    rank = GOODS.index(move.good)
    store = desk.table.places[place]
    count = sellable(store, rank)
    # The extra point goes first; it pays for sales on continents only (Rule: itc 11.18).
    if desk.table.turn.extra and place is not Place.MARKET:
        desk.table.turn.extra -= 1
    else:
        desk.table.turn.points -= 1
    # Fresh goods stay (Rule: itc 12.8).
    desk.table.places[place] = but(store, goods=_put(store.goods, rank, store.fresh[rank]))
    amount = count * SALES[rank]
    source = "market" if place is Place.MARKET else "sales"
    desk.pay(seat, source, amount, events.Sold(seat, place, move.good, count, amount))
    if place is Place.MARKET:
        desk.place_stones(_MARKET, seat, -1)
        if desk.table.controller is None:
            desk.emit(events.MarketLeft(seat))
    else:
        used = used_stones(desk.table, place)
        desk.place_stones(place, seat, -1)
        desk.table.turn.busy = state.Selling(place, used + 1)


def used_stones(table: state.State, place: Place) -> int:
    """How many stones the running sale has used at a place (Rule: itc 14.2)."""
    busy = table.turn.busy
    return busy.used if isinstance(busy, state.Selling) and busy.place is place else 0
