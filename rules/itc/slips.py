"""What a person hardly means, although it is allowed: points thrown away, and a landing for little.

Rule: itc 7.1, 12.4, 12.5, 12.6.
"""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.refusal import Confirmation
from bluebear.rules.core.visibility import Move
from bluebear.rules.itc import inland, loading, moving
from bluebear.rules.itc.moves import Drop, End, Land
from bluebear.rules.itc.points import pays_transport
from bluebear.rules.itc.prospects import pay_of
from bluebear.rules.itc.state import Phase, Table
from bluebear.rules.itc.stores import SALES, sellable
from bluebear.rules.itc.terms import CONTINENTS, GOODS, Place
from bluebear.rules.itc.tracks import lying

_LITTLE: Final = 2
"""A landing is asked about that pays at most one part in so many of what another would pay."""


def doubt(table: Table, move: Move) -> Confirmation | None:
    """Why a legal move may be a slip; the table is that of the seat on turn, or its view."""
    if table.phase is not Phase.ACTING:
        return None
    if isinstance(move, End):
        return _wasted(table)
    return _for_little(table, move) if isinstance(move, Land) else None


def _wasted(table: Table) -> Confirmation | None:
    """Points that are lost although goods could be sold, moved or loaded (Rule: itc 7.1)."""
    turn = table.turn
    points = turn.points + turn.extra
    for sale in inland.sales(table):
        rank = GOODS.index(sale.good)
        amount = sellable(table.places[sale.place], rank) * SALES[rank]
        sold = {"place": sale.place, "good": sale.good, "amount": amount}
        return Confirmation("confirm.end_sale", {"count": points, **sold})
    if not pays_transport(turn):
        return None
    for going in moving.movements(table):
        if not isinstance(going, Drop):
            key = "confirm.end_landing" if isinstance(going, Land) else "confirm.end_load"
            return Confirmation(key, {"count": points, "card": going.card})
    for loaded in loading.loadings(table):
        return Confirmation("confirm.end_hand", {"count": points, "card": loaded.card})
    return None


def _for_little(table: Table, move: Land) -> Confirmation | None:
    """A landing whose goods the place does not take, while another continent would pay well.

    What is sent to the grey market on purpose counts nowhere (Rule: itc 12.2, 12.4, 12.5, 12.6).
    """
    if not table.transport_pay:
        return None
    found, drops = lying(table, move.card), moving.marks_of(table, move.card)
    pays: dict[Place, int] = {
        place: pay_of(table, found, place, robbed=False, drops=drops)
        for place in CONTINENTS
        if place not in table.turn.landed
    }
    best = max(pays, key=pays.__getitem__)
    here = pays[move.place]
    if here * _LITTLE > pays[best]:
        return None
    told = {"place": move.place, "amount": here, "other_place": best, "full": pays[best]}
    return Confirmation("confirm.landing", {"card": move.card, **told})
