"""The hand limit at the end of a turn (Rule: itc 11.3)."""

from __future__ import annotations

from collections.abc import Iterator

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import require
from bluebear.rules.itc.course_events import Discarded
from bluebear.rules.itc.data import LIMITS
from bluebear.rules.itc.desk import Desk
from bluebear.rules.itc.moves import Discard, HandCard
from bluebear.rules.itc.piles import discard_action, discard_transport, give_action, give_transport
from bluebear.rules.itc.state import Table, Trader
from bluebear.rules.itc.terms import ACard, TCard


def is_over_limit(trader: Trader) -> bool:
    """Whether a seat has to discard at the end of its turn."""
    return trader.cards > LIMITS.hand


def discards(table: Table) -> Iterator[Discard]:
    """What the seat on turn can discard."""
    return map(Discard, hand_cards(table.seats[table.turn.seat]))


def no_discard(table: Table, move: Discard) -> NotAllowed | None:
    """What forbids to discard a card: it is not in the hand."""
    trader = table.seats[table.turn.seat]
    return None if move.card in hand_cards(trader) else not_held(trader, move.card)


def discard(desk: Desk, move: Discard) -> None:
    """A card goes openly to its discard pile."""
    trader = desk.trader
    if ACard(move.card) in require(trader.kept):
        give_action(trader, ACard(move.card))
        discard_action(desk.table, ACard(move.card))
    else:
        card = TCard(int(move.card))
        give_transport(trader, card)
        discard_transport(desk.table, card)
    desk.tell(Discarded(desk.seat, move.card))


def not_held(trader: Trader, given: str) -> NotAllowed:
    """Why something that is not in a hand cannot be discarded."""
    return NotAllowed("not_held", rule="11.3", held=given, hand=tuple(hand_cards(trader)))


def hand_cards(trader: Trader) -> list[HandCard]:
    """The cards in a hand, each sort once: transport cards, then action cards."""
    hand = [HandCard(str(card)) for card in require(trader.hand)]
    return hand + [HandCard(card) for card in dict.fromkeys(require(trader.kept))]
