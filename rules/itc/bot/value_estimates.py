"""What things are worth to a simple player, in euro: loads, sales, control of the grey market.

Estimates for the bot only; no rule rests on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from bluebear.rules.core.visibility import Seat, require
from bluebear.rules.itc.data.tables import CARDS, LIMITS, PLACE, ROUTE, SALE, VALUE
from bluebear.rules.itc.data.terms import GOODS, Place, Route, TCard
from bluebear.rules.itc.rules.continents import SALES, used_stones
from bluebear.rules.itc.rules.route_state import loads_of
from bluebear.rules.itc.rules.state import Goods, Load, Space, State, Store, Under, row_of

_THEFT: Final = 6
"""One roll in so many steals."""
_SHARE: Final = 8
"""Goods that arrive are worth to their carrier one part in so many of what they sell for."""
_CAUGHT: Final = 3
"""One smuggling card in so many is found before it arrives."""
_MILLION: Final = 1_000_000
_REMEMBERED: Final = 50_000
"""So many answers are kept: playouts ask the same of stores that few moves change."""


class Way(NamedTuple):
    """A load on its way: what it will bring, and the points that it still takes to land."""

    route: Route
    at: Space
    load: Load
    value: int
    left: int


class Plan(NamedTuple):
    """A way to sell at a place: stones to put there first, colours to sell, what they bring."""

    place: Place
    stones: int
    sales: int
    income: int

    @property
    def points(self) -> int:
        return self.stones + self.sales

    @property
    def rate(self) -> int:
        """What it brings for a point."""
        return self.income // self.points


def worth_of_card(table: State, card: TCard, route: Route) -> int:
    """What a card is expected to bring on a route, without what lies under it."""
    return _worth_of_card(card, route, pays=table.transport_pay)


@cache  # bounded: 93 cards, 4 routes, 2 ways to pay
def _worth_of_card(card: TCard, route: Route, *, pays: bool) -> int:
    facts = CARDS[card]
    goods = sum(SALE[good] for good in facts.goods) // _SHARE
    if not pays or facts.neutral:
        return goods
    full, robbed = facts.full[route], facts.robbed[route]
    return full - (full - robbed) // _THEFT + goods


def worth_of_load(table: State, route: Route, load: Load) -> int:
    """What a load is expected to bring, with a smuggling card that the view shows under it."""
    value = sum(worth_of_card(table, card, route) for card in load.cards)
    below = table.seats[load.owner].under if load.owner else None
    smuggles = below is not None and below.get(load.cards[0]) is Under.SMUGGLING
    return value + (bonus(route) if smuggles else 0)


def bonus(route: Route) -> int:
    """What a smuggling card is expected to bring on a route: it pays, or it costs."""
    return ROUTE[route].smuggling * (_CAUGHT - 2) // _CAUGHT


def ways(table: State, seat: Seat) -> list[Way]:
    """The loads of a seat."""
    return [
        Way(route, at, load, worth_of_load(table, route, load), ROUTE[route].rows - row_of(at) + 1)
        for route, at, load in loads_of(table, seat)
    ]


def arrival(table: State, seat: Seat, cards: Sequence[TCard], place: Place) -> int:
    """What landing at a place brings beyond, or costs against, the best that could be hoped for.

    Goods that the place does not take cost what they are worth on the way. Goods that it takes
    are worth more the larger the seat's part of the stones there is.
    """
    store = table.places[place]
    room = [PLACE[place].spaces - count for count in store.goods]
    stones = sum(store.stones)
    made = 0
    for card in cards:
        for at in map(GOODS.index, CARDS[card].goods):
            if not stones or GOODS[at] not in PLACE[place].accepts or room[at] <= 0:
                made -= VALUE[GOODS[at]] if table.transport_pay else 0
                continue
            room[at] -= 1
            made += SALES[at] * store.stones[seat - 1] // (2 * stones)
    return made


def sellable(store: Store) -> Sequence[tuple[int, int]]:
    """The colours that can be sold, cheapest first, as (number of goods, euro for all)."""
    return _sellable(store.goods, store.fresh)


@lru_cache(_REMEMBERED)
def _sellable(goods: Goods, fresh: Goods) -> tuple[tuple[int, int], ...]:
    return tuple(
        (count, count * SALES[at])
        for at, count in enumerate(
            all_of_it - new for all_of_it, new in zip(goods, fresh, strict=True)
        )
        if count
    )


def plans(table: State, seat: Seat, place: Place, points: int) -> Sequence[Plan]:
    """The ways in which a seat could sell at a place with so many points, if it may at all."""
    if place is Place.MARKET and table.controller != seat:
        return ()
    store, used = table.places[place], used_stones(table, place)
    sales = sellable(store)
    if not sales:
        return ()
    return _plans(sales, place, store.stones[seat - 1], used, points, table.seats[seat].stock)


@lru_cache(_REMEMBERED)
def _plans(
    sales: Sequence[tuple[int, int]],
    place: Place,
    present: int,
    used: int,
    points: int,
    stock: int,
) -> tuple[Plan, ...]:
    made: list[Plan] = []
    income = most = 0
    for number, (count, euro) in enumerate(sales, start=1):
        income += euro
        most = max(most, 0 if place is Place.MARKET else count)
        # Stones put there now end a running sale, so what it has used counts only without them.
        stones = (
            0
            if present >= number and present + used >= most
            else max(number, most, present) - present
        )
        if stones + number <= points and stones <= stock:
            made.append(Plan(place, stones, number, income))
    return tuple(made)


def stones_worth(store: Store, stones: int, place: Place) -> int:
    """What so many stones could sell at a place."""
    return _stones_worth(sellable(store), stones, market=place is Place.MARKET)


@lru_cache(_REMEMBERED)
def _stones_worth(sales: Sequence[tuple[int, int]], stones: int, *, market: bool) -> int:
    income = 0
    for number, (count, euro) in enumerate(sales, start=1):
        if stones < number or (not market and stones < count):
            break
        income += euro
    return income


def inland(table: State, seat: Seat, points: int) -> int:
    """What so many inland points are worth: the best sales, one place after the other."""
    left = [plan for place in table.places for plan in plans(table, seat, place, points)]
    made = 0
    while points:
        fitting = [plan for plan in left if plan.points <= points]
        if not fitting:
            return made + points * STONE
        plan = max(fitting, key=lambda plan: plan.rate)
        made += plan.income
        points -= plan.points
        left = [each for each in fitting if each.place is not plan.place]
    return made


STONE: Final = 500
"""What a stone is worth that nothing can be sold with yet."""


class Offer(NamedTuple):
    """What transport points can be spent on: a load, or a card to be loaded first."""

    rate: int
    """What it brings for a point."""
    left: int
    """The points until it lands; twice as many for a card, which has no place yet."""
    value: int


def offers(table: State, seat: Seat, ways: Sequence[Way]) -> list[Offer]:
    """What a seat can spend transport points on, the best first; `ways` are its own."""
    made = [Offer(way.value // way.left, way.left, way.value) for way in ways]
    on_board = dict.fromkeys(table.routes, 0)
    for way in ways:
        on_board[way.route] += len(way.load.cards)
    for card in require(table.seats[seat].hand):
        value, taken = 0, None
        for route in CARDS[card].routes:
            worth = worth_of_card(table, card, route)
            if on_board[route] < LIMITS.loads_per_route and (
                taken is None or (worth, route) > (value, taken)
            ):
                value, taken = worth, route
        if taken is not None:
            on_board[taken] += 1
            steps = ROUTE[taken].rows + 1
            made.append(Offer(value // steps, steps + steps, value))
    made.sort(reverse=True)
    return made


def transport(offers: Sequence[Offer], points: int, *, last: bool) -> int:
    """What so many transport points are worth: loads that are near first, then new ones."""
    made = 0
    for rate, left, value in offers:
        if left <= points:
            made += value
            points -= left
        elif not last:
            made += rate * points
            break
    return made


@cache  # bounded: 3 attackers, 40 defenders, 2 kinds of dice
def odds(attackers: int, defenders: int, sides: int) -> int:
    """How often in a million an attack wins (Rule: itc 14.4)."""
    if not defenders:
        return _MILLION
    if not attackers:
        return 0
    wins = sum(red > green for red in range(1, 7) for green in range(1, sides + 1))
    losses = sum(red < green for red in range(1, 7) for green in range(1, sides + 1))
    won, lost = odds(attackers, defenders - 1, sides), odds(attackers - 1, defenders, sides)
    return (wins * won + losses * lost) // (wins + losses)


class Taste(NamedTuple):
    """How a seat judges the grey market."""

    control: int
    """What control of it is worth besides the sales: thefts, and no rival has it."""
    later: int
    """Of what cannot be sold at once one part in so many counts."""
    eager: int
    """An attack is preferred to other acts that bring so many times as much."""


GREEDY: Final = Taste(control=1_500, later=3, eager=1)
KEEN: Final = Taste(control=5_000, later=1, eager=3)
"""What wins more often than `GREEDY`: what is not sold today is sold with the next good roll."""


def attack(table: State, seat: Seat, points: int, taste: Taste) -> int:
    """What an attack is worth: the sales that control would allow, as likely as it is."""
    store = table.places[Place.MARKET]
    attackers = min(LIMITS.attackers, table.seats[seat].stock)
    chance = odds(attackers, sum(store.stones), table.green_die)
    goods = sellable(store)
    now = sum(euro for _, euro in goods[: min(points, attackers)])
    later = sum(euro for _, euro in goods) - now
    return (now + later // taste.later + taste.control) * chance // _MILLION
