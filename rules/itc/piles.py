"""The two piles and their discards.

Nobody knows the order of a pile, so it has none: each card is drawn by chance when it is drawn
(Rule: itc 8.7, 16.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import require
from bluebear.rules.itc.course_events import PilesMerged, TransportsReturned
from bluebear.rules.itc.data import ACTIONS
from bluebear.rules.itc.desk import Desk
from bluebear.rules.itc.state import Table, Trader
from bluebear.rules.itc.terms import ACard, TCard

CODES: Final = tuple(ACTIONS)
"""All action cards that differ, in the order in which a pile counts them."""
_PLACE_OF: Final = {code: at for at, code in enumerate(CODES)}
FULL_ACTION_PILE: Final = tuple(card.copies for card in ACTIONS.values())
NO_ACTIONS_USED: Final[Keyed[ACard, int]] = Keyed()


def draw_transport(desk: Desk) -> TCard | None:
    """A transport card from the pile; None if there is none even among the discards.

    Rule: itc 8.4, 8.7.
    """
    table = desk.table
    pile = require(table.transport_pile)
    if not pile:
        pile = tuple(table.used_transports)
        if not pile:
            return None
        table.used_transports = Keyed()
        desk.tell(TransportsReturned(len(pile)))
    at = desk.chance.pick(len(pile))
    table.transport_pile = (*pile[:at], *pile[at + 1 :])
    return pile[at]


def draw_action(desk: Desk) -> ACard:
    """An action card from the pile; all that are not in hands or under loads are in it or used.

    Rule: itc 8.7, 11.1.
    """
    if not any(require(desk.table.action_pile)):
        merge_actions(desk)
    pile = require(desk.table.action_pile)
    at = desk.chance.weighted(pile)
    desk.table.action_pile = (*pile[:at], pile[at] - 1, *pile[at + 1 :])
    return CODES[at]


def merge_actions(desk: Desk) -> None:
    """Makes one pile of the pile and the discards of action cards (Rule: itc 8.7, 11.5)."""
    table = desk.table
    used = table.used_actions
    left = require(table.action_pile)
    desk.tell(PilesMerged(sum(used.values())))
    table.action_pile = tuple(
        count + (used.get(code) or 0) for count, code in zip(left, CODES, strict=True)
    )
    table.used_actions = NO_ACTIONS_USED


def discard_transport(table: Table, card: TCard) -> None:
    """Puts a transport card on its discard pile."""
    table.used_transports[card] = True


def discard_action(table: Table, card: ACard) -> None:
    """Puts an action card on its discard pile."""
    table.used_actions[card] = (table.used_actions.get(card) or 0) + 1


def take_transport(trader: Trader, card: TCard) -> None:
    """Adds a transport card to a hand."""
    _hold(trader, sorted((*require(trader.hand), card)))


def give_transport(trader: Trader, card: TCard) -> None:
    """Takes a transport card out of a hand."""
    _hold(trader, [each for each in require(trader.hand) if each != card])


def _hold(trader: Trader, hand: Sequence[TCard]) -> None:
    trader.hand, trader.transports = tuple(hand), len(hand)


def take_action(trader: Trader, card: ACard) -> None:
    """Adds an action card to a hand."""
    _keep(trader, sorted((*require(trader.kept), card), key=_PLACE_OF.__getitem__))


def give_action(trader: Trader, card: ACard) -> None:
    """Takes an action card out of a hand."""
    kept = list(require(trader.kept))
    kept.remove(card)
    _keep(trader, kept)


def _keep(trader: Trader, kept: Sequence[ACard]) -> None:
    trader.kept, trader.actions = tuple(kept), len(kept)
