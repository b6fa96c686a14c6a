"""What things are worth to a simple player, in euro: loads, sales, control of the grey market.

Estimates for the bot only; no rule rests on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from rules.core.vision import Seat, held
from rules.itc.data import CARDS, LIMITS, PLACE, ROUTE, SALE, VALUE
from rules.itc.state import Load, Space, Store, Table, Under, row_of
from rules.itc.terms import GOODS, Place, Route, TCard

_SALES: Final = tuple(SALE[good] for good in GOODS)
_THEFT: Final = 6
"""One roll in so many steals."""
_SHARE: Final = 8
"""Goods that arrive are worth to their carrier one part in so many of what they sell for."""
_CAUGHT: Final = 3
"""One smuggling card in so many is found before it arrives."""
_MILLION: Final = 1_000_000


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
        """The points that it takes."""
        return self.stones + self.sales

    @property
    def rate(self) -> int:
        """What it brings for a point."""
        return self.income // self.points


def worth_of_card(table: Table, card: TCard, route: Route) -> int:
    """What a card is expected to bring on a route, without what lies under it."""
    facts = CARDS[card]
    goods = sum(SALE[good] for good in facts.goods) // _SHARE
    if not table.transport_pay or facts.neutral:
        return goods
    full, robbed = facts.full[route], facts.robbed[route]
    return full - (full - robbed) // _THEFT + goods


def worth_of_load(table: Table, route: Route, load: Load) -> int:
    """What a load is expected to bring, with a smuggling card that the view shows under it."""
    value = sum(worth_of_card(table, card, route) for card in load.cards)
    below = table.seats[load.owner].under if load.owner else None
    smuggles = below is not None and below.get(load.cards[0]) is Under.SMUGGLING
    return value + (bonus(route) if smuggles else 0)


def bonus(route: Route) -> int:
    """What a smuggling card is expected to bring on a route: it pays, or it costs."""
    return ROUTE[route].smuggling * (_CAUGHT - 2) // _CAUGHT


def ways(table: Table, seat: Seat) -> Iterator[Way]:
    """The loads of a seat."""
    for route, spaces in table.routes.items():
        for at, load in spaces.items():
            if load.owner == seat:
                left = ROUTE[route].rows - row_of(at) + 1
                yield Way(route, at, load, worth_of_load(table, route, load), left)


def arrival(table: Table, seat: Seat, cards: Sequence[TCard], place: Place) -> int:
    """What landing at a place brings beyond, or costs against, the best one could hope for.

    Goods that the place does not take cost what they are worth on the way. Goods that it takes
    are worth more the larger one's own part of the stones there is.
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
            made += _SALES[at] * store.stones[seat - 1] // (2 * stones)
    return made


def sellable(store: Store) -> list[tuple[int, int]]:
    """The colours that can be sold, cheapest first, as (number of goods, euro for all)."""
    return [
        (count, count * _SALES[at])
        for at, count in enumerate(
            goods - fresh for goods, fresh in zip(store.goods, store.fresh, strict=True)
        )
        if count
    ]


def plans(table: Table, seat: Seat, place: Place, points: int) -> Iterator[Plan]:
    """The ways in which a seat could sell at a place with so many points, if it may at all."""
    store = table.places[place]
    standing = store.stones[seat - 1]
    market = place is Place.MARKET
    if market and table.controller != seat:
        return
    busy = table.turn.busy
    used = getattr(busy, "used", 0) if getattr(busy, "place", None) is place else 0
    income = most = 0
    for number, (count, euro) in enumerate(sellable(store), start=1):
        income += euro
        most = max(most, 0 if market else count)
        # Stones put there now end a running sale, so what it has used counts only without them.
        stones = (
            0
            if standing >= number and standing + used >= most
            else _missing(standing, number, most)
        )
        if stones + number <= points and stones <= table.seats[seat].stock:
            yield Plan(place, stones, number, income)


def _missing(standing: int, sales: int, most: int) -> int:
    return max(sales - standing, most - standing, 0)


def stones_worth(store: Store, stones: int, place: Place) -> int:
    """What so many stones could sell at a place."""
    income = 0
    for number, (count, euro) in enumerate(sellable(store), start=1):
        if stones < number or (place is not Place.MARKET and stones < count):
            break
        income += euro
    return income


def inland(table: Table, seat: Seat, points: int) -> int:
    """What so many inland points are worth: the best sales, one place after the other."""
    best: dict[Place, list[Plan]] = {
        place: list(plans(table, seat, place, points)) for place in table.places
    }
    made = 0
    while points:
        fitting = [plan for each in best.values() for plan in each if plan.points <= points]
        if not fitting:
            return made + points * STONE
        plan = max(fitting, key=_rate)
        made += plan.income
        points -= plan.points
        best[plan.place] = []
    return made


def _rate(plan: Plan) -> int:
    return plan.rate


STONE: Final = 500
"""What a stone is worth that nothing can be sold with yet."""


def transport(table: Table, seat: Seat, points: int, *, last: bool) -> int:
    """What so many transport points are worth: loads that are near first, then new ones."""
    rates = [(way.value // way.left, way.left, way.value) for way in ways(table, seat)]
    on_board = dict.fromkeys(table.routes, 0)
    for way in ways(table, seat):
        on_board[way.route] += len(way.load.cards)
    for card in held(table.seats[seat].hand):
        open_routes = [r for r in CARDS[card].routes if on_board[r] < LIMITS.loads_per_route]
        offers = [(worth_of_card(table, card, route), route) for route in open_routes]
        if offers:
            value, route = max(offers)
            on_board[route] += 1
            steps = ROUTE[route].rows + 1
            rates.append((value // steps, steps + steps, value))
    made = 0
    for rate, left, value in sorted(rates, reverse=True):
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


def attack(table: Table, seat: Seat, points: int) -> int:
    """What an attack is worth: the sales that control would allow, as likely as it is."""
    store = table.places[Place.MARKET]
    attackers = min(LIMITS.attackers, table.seats[seat].stock)
    chance = odds(attackers, sum(store.stones), table.green_die)
    goods = sellable(store)
    now = sum(euro for _, euro in goods[: min(points, attackers)])
    later = sum(euro for _, euro in goods) - now
    return (now + later // 3 + CONTROL) * chance // _MILLION


CONTROL: Final = 1500
"""What control of the grey market is worth besides the sales: thefts, and nobody else has it."""
