"""What landings, sales and attacks would bring now, and questions before unlikely moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bluebear.rules.core.refusal import Confirmation
from bluebear.rules.core.texts import GameTexts
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.itc.bot.value_estimates import odds
from bluebear.rules.itc.data.tables import CARDS, LIMITS
from bluebear.rules.itc.data.terms import CONTINENTS, GOODS, Place, TCard
from bluebear.rules.itc.rules import continents, loading, movement
from bluebear.rules.itc.rules.moves import Attack, Drop, End, Land, Sell
from bluebear.rules.itc.rules.route_state import Found, lying
from bluebear.rules.itc.rules.state import NO_GOODS, Goods, Phase, State, pays_transport
from bluebear.rules.itc.text.commands import legal

# For who is about to choose (Rule: itc 12.4 to 12.6, 14.2 to 14.4).

_PER_MILLE: Final = 1000


def remarks(sheet: GameTexts[State], seat: Seat) -> list[str]:
    """What the legal moves of a seat would bring; nothing where it has none of these."""
    table = sheet.view
    if table.mover != seat or table.phase is not Phase.ACTING:
        return []
    moves = legal(table)
    parts = (*_landings(sheet, moves), *_sales(sheet, moves), *_attack(sheet, moves))
    return [line for each in parts for line in sheet.lines(each)]


def pay_of(
    table: State, found: Found, place: Place, *, robbed: bool, drops: Goods = NO_GOODS
) -> int:
    """What landing pays; `drops` go to the market on purpose. Rule: itc 12.2, 12.4, 12.5, 12.6."""
    store, paid = table.places[place], 0
    for card in found.load.cards:
        goods, prices = continents.COUNTS[card], CARDS[card].full
        if robbed:
            goods = tuple(map(int.__sub__, goods, continents.one_of(continents.RISKS[card])))
            prices = CARDS[card].robbed
        taken, refused, drops = continents.sorted_out(place, store, goods, drops)
        store = continents.with_goods(store, taken, fresh=True)
        paid += prices[found.route] - sum(map(int.__mul__, refused, continents.VALUES))
    return paid


def _landings(sheet: GameTexts[State], moves: Sequence[Move]) -> Iterator[str]:
    table = sheet.view
    places: dict[TCard, list[Place]] = {}
    for move in moves:
        if isinstance(move, Land):
            places.setdefault(move.card, []).append(move.place)
    for card, open_places in places.items() if table.transport_pay else ():
        found = lying(table, card)
        offers = tuple(
            sheet.phrase(
                "prospect.offer",
                place=place,
                full=pay_of(table, found, place, robbed=False),
                robbed=pay_of(table, found, place, robbed=True),
            )
            for place in open_places
        )
        yield sheet.phrase("prospect.landing", card=card, offers=offers)


def _sales(sheet: GameTexts[State], moves: Sequence[Move]) -> Iterator[str]:
    table = sheet.view
    for move in moves:
        if isinstance(move, Sell):
            rank, store = GOODS.index(move.good), table.places[move.place]
            count = continents.sellable(store, rank)
            yield sheet.phrase(
                "prospect.sale",
                place=move.place,
                good=move.good,
                count=count,
                amount=count * continents.SALES[rank],
                stones=store.stones[table.turn.seat - 1],
                used=continents.used_stones(table, move.place),
            )


def _attack(sheet: GameTexts[State], moves: Sequence[Move]) -> Iterator[str]:
    if Attack() in moves:
        table = sheet.view
        attackers = min(LIMITS.attackers, table.seats[table.turn.seat].stock)
        defenders = sum(table.places[Place.MARKET].stones)
        tenths = odds(attackers, defenders, table.green_die) // _PER_MILLE
        params = {"attackers": attackers, "defenders": defenders}
        yield sheet.phrase("prospect.attack", **params, chance=f"{tenths // 10}.{tenths % 10}%")


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
        amount = continents.sellable(table.places[sale.place], rank) * continents.SALES[rank]
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
