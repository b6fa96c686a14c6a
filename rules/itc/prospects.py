"""What landings, sales and an attack would bring now: for who is about to choose.

Rule: itc 12.4 to 12.6, 14.2 to 14.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bluebear.rules.core.game import TextPage
from bluebear.rules.core.text_layout import flowed
from bluebear.rules.core.visibility import Seat
from bluebear.rules.itc.arrival import sorted_out
from bluebear.rules.itc.data import CARDS, LIMITS
from bluebear.rules.itc.inland import sales, used_stones
from bluebear.rules.itc.legality import legal
from bluebear.rules.itc.moves import Attack, Land, Sell
from bluebear.rules.itc.state import NO_GOODS, Goods, Phase, Table
from bluebear.rules.itc.stores import COUNTS, RISKS, SALES, VALUES, one_of, sellable, with_goods
from bluebear.rules.itc.terms import GOODS, Place
from bluebear.rules.itc.tracks import Found, lying
from bluebear.rules.itc.words import Words
from bluebear.rules.itc.worth import odds

_INDENT: Final = 4
_PER_MILLE: Final = 1000


def remarks(table: Table, seat: Seat, page: TextPage, words: Words) -> list[str]:
    """What the legal moves of a seat would bring; nothing where it has none of these."""
    if table.mover != seat or table.phase is not Phase.ACTING:
        return []
    told = [*_landings(table, page, words), *_sales(table, page, words)]
    told += _attack(table, seat, page, words)
    return [line for each in told for line in flowed(each, page.width, _INDENT)]


def pay_of(
    table: Table, found: Found, place: Place, *, robbed: bool, drops: Goods = NO_GOODS
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


def _landings(table: Table, page: TextPage, words: Words) -> Iterator[str]:
    places: dict[Any, list[Place]] = {}  # Any: a card's number
    for move in legal(table):
        if isinstance(move, Land):
            places.setdefault(move.card, []).append(move.place)
    for card, open_places in places.items() if table.transport_pay else ():
        found = lying(table, card)
        offers = tuple(
            page.say(
                words,
                "prospect.offer",
                place=place,
                full=pay_of(table, found, place, robbed=False),
                robbed=pay_of(table, found, place, robbed=True),
            )
            for place in open_places
        )
        yield page.say(words, "prospect.landing", card=card, offers=offers)


def _sales(table: Table, page: TextPage, words: Words) -> Iterator[str]:
    for move in legal(table):
        if isinstance(move, Sell) and move in sales(table):
            rank = GOODS.index(move.good)
            count = sellable(table.places[move.place], rank)
            stones = table.places[move.place].stones[table.turn.seat - 1]
            yield page.say(
                words,
                "prospect.sale",
                place=move.place,
                good=move.good,
                count=count,
                amount=count * SALES[rank],
                stones=stones,
                used=used_stones(table, move.place),
            )


def _attack(table: Table, seat: Seat, page: TextPage, words: Words) -> Iterator[str]:
    if Attack() not in legal(table):
        return
    attackers = min(LIMITS.attackers, table.seats[seat].stock)
    defenders = sum(table.places[Place.MARKET].stones)
    tenths = odds(attackers, defenders, table.green_die) // _PER_MILLE
    chance = f"{tenths // 10}.{tenths % 10}%"
    yield page.say(
        words, "prospect.attack", attackers=attackers, defenders=defenders, chance=chance
    )
