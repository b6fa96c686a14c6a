"""What landings, sales and attacks would bring now, and questions before unlikely moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bluebear.rules.core.game import TextPage
from bluebear.rules.core.refusal import Confirmation
from bluebear.rules.core.text_layout import flowed
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.itc.bot.value_estimates import odds
from bluebear.rules.itc.data.tables import CARDS, LIMITS
from bluebear.rules.itc.data.terms import CONTINENTS, GOODS, Place
from bluebear.rules.itc.rules import continents, loading, movement
from bluebear.rules.itc.rules.continents import (
    COUNTS,
    RISKS,
    SALES,
    VALUES,
    one_of,
    sales,
    sellable,
    sorted_out,
    used_stones,
    with_goods,
)
from bluebear.rules.itc.rules.moves import Attack, Drop, End, Land, Sell
from bluebear.rules.itc.rules.route_state import Found, lying
from bluebear.rules.itc.rules.state import NO_GOODS, Goods, Phase, State, pays_transport
from bluebear.rules.itc.rules.turns import legal
from bluebear.rules.itc.text.names import CardPhrases

# What landings, sales and an attack would bring now: for who is about to choose.
#
# Rule: itc 12.4 to 12.6, 14.2 to 14.4.

_INDENT: Final = 4
_PER_MILLE: Final = 1000


def remarks(table: State, seat: Seat, page: TextPage, phrases: CardPhrases) -> list[str]:
    """What the legal moves of a seat would bring; nothing where it has none of these."""
    if table.mover != seat or table.phase is not Phase.ACTING:
        return []
    parts = [*_landings(table, page, phrases), *_sales(table, page, phrases)]
    parts += _attack(table, seat, page, phrases)
    return [line for each in parts for line in flowed(each, page.width, _INDENT)]


def pay_of(
    table: State, found: Found, place: Place, *, robbed: bool, drops: Goods = NO_GOODS
) -> int:
    """What a load would be paid for landing at a place; `drops` are sent to the market on purpose.

    Rule: itc 12.2, 12.4, 12.5, 12.6.
    """
    store, paid = table.places[place], 0
    for card in found.load.cards:
        goods, prices = COUNTS[card], CARDS[card].full
        if robbed:
            goods = tuple(map(int.__sub__, goods, one_of(RISKS[card])))
            prices = CARDS[card].robbed
        taken, refused, drops = sorted_out(place, store, goods, drops)
        store = with_goods(store, taken, fresh=True)
        paid += prices[found.route] - sum(map(int.__mul__, refused, VALUES))
    return paid


def _landings(table: State, page: TextPage, phrases: CardPhrases) -> Iterator[str]:
    places: dict[Any, list[Place]] = {}  # Any: a card's number
    for move in legal(table):
        if isinstance(move, Land):
            places.setdefault(move.card, []).append(move.place)
    for card, open_places in places.items() if table.transport_pay else ():
        found = lying(table, card)
        offers = tuple(
            page.say(
                phrases,
                "prospect.offer",
                place=place,
                full=pay_of(table, found, place, robbed=False),
                robbed=pay_of(table, found, place, robbed=True),
            )
            for place in open_places
        )
        yield page.say(phrases, "prospect.landing", card=card, offers=offers)


def _sales(table: State, page: TextPage, phrases: CardPhrases) -> Iterator[str]:
    for move in legal(table):
        if isinstance(move, Sell) and move in sales(table):
            rank = GOODS.index(move.good)
            count = sellable(table.places[move.place], rank)
            stones = table.places[move.place].stones[table.turn.seat - 1]
            yield page.say(
                phrases,
                "prospect.sale",
                place=move.place,
                good=move.good,
                count=count,
                amount=count * SALES[rank],
                stones=stones,
                used=used_stones(table, move.place),
            )


def _attack(table: State, seat: Seat, page: TextPage, phrases: CardPhrases) -> Iterator[str]:
    if Attack() not in legal(table):
        return
    attackers = min(LIMITS.attackers, table.seats[seat].stock)
    defenders = sum(table.places[Place.MARKET].stones)
    tenths = odds(attackers, defenders, table.green_die) // _PER_MILLE
    chance = f"{tenths // 10}.{tenths % 10}%"
    yield page.say(
        phrases, "prospect.attack", attackers=attackers, defenders=defenders, chance=chance
    )


# What a person hardly means, although it is allowed: points thrown away, and a landing for little.
#
# Rule: itc 7.1, 12.4, 12.5, 12.6.

_LITTLE: Final = 2
"""A landing is asked about that pays at most one part in so many of what another would pay."""


def doubt(table: State, seat: Seat, move: Move) -> Confirmation | None:
    """Why a legal move may be a slip; the table is that of the seat on turn, or its view."""
    if table.phase is not Phase.ACTING:
        return None
    if isinstance(move, End):
        return _wasted(table)
    return _for_little(table, move) if isinstance(move, Land) else None


def _wasted(table: State) -> Confirmation | None:
    """Points that are lost although goods could be sold, moved or loaded (Rule: itc 7.1)."""
    turn = table.turn
    points = turn.points + turn.extra
    for sale in continents.sales(table):
        rank = GOODS.index(sale.good)
        amount = sellable(table.places[sale.place], rank) * SALES[rank]
        sold = {"place": sale.place, "good": sale.good, "amount": amount}
        return Confirmation("confirm.end_sale", {"count": points, **sold})
    if not pays_transport(turn):
        return None
    for going in movement.movements(table):
        if not isinstance(going, Drop):
            key = "confirm.end_landing" if isinstance(going, Land) else "confirm.end_load"
            return Confirmation(key, {"count": points, "card": going.card})
    for loaded in loading.loadings(table):
        return Confirmation("confirm.end_hand", {"count": points, "card": loaded.card})
    return None


def _for_little(table: State, move: Land) -> Confirmation | None:
    """A landing whose goods the place does not take, while another continent would pay well.

    What is sent to the grey market on purpose counts nowhere (Rule: itc 12.2, 12.4, 12.5, 12.6).
    """
    if not table.transport_pay:
        return None
    found, drops = lying(table, move.card), movement.marks_of(table, move.card)
    pays: dict[Place, int] = {
        place: pay_of(table, found, place, robbed=False, drops=drops)
        for place in CONTINENTS
        if place not in table.turn.landed
    }
    best = max(pays, key=pays.__getitem__)
    here = pays[move.place]
    if here * _LITTLE > pays[best]:
        return None
    params = {"place": move.place, "amount": here, "other_place": best, "full": pays[best]}
    return Confirmation("confirm.landing", {"card": move.card, **params})
