"""The two piles and their discards.

Nobody knows the order of a pile, so it has none: each card is drawn by chance when it is drawn
(Rule: itc 8.7, 16.2).
"""

from __future__ import annotations

from typing import Final

from rules.core.keyed import Keyed
from rules.core.vision import Seat, held
from rules.itc.course_events import PilesMerged, TransportsReturned
from rules.itc.data import ACTIONS
from rules.itc.desk import Desk
from rules.itc.terms import ACard, TCard

CODES: Final = tuple(ACTIONS)
"""All action cards that differ, in the order in which a pile counts them."""
_PLACE_OF: Final = {code: at for at, code in enumerate(CODES)}
FULL_ACTION_PILE: Final = tuple(card.copies for card in ACTIONS.values())
NO_ACTIONS_USED: Final[Keyed[ACard, int]] = Keyed()


def draw_transport(desk: Desk) -> TCard | None:
    """A transport card from the pile; None if there is none even among the discards.

    Rule: itc 8.4, 8.7.
    """
    pile = held(desk.table.transport_pile)
    if not pile:
        pile = tuple(desk.table.used_transports)
        if not pile:
            return None
        desk.change(used_transports=Keyed())
        desk.tell(TransportsReturned(len(pile)))
    at = desk.chance.pick(len(pile))
    desk.change(transport_pile=(*pile[:at], *pile[at + 1 :]))
    return pile[at]


def draw_action(desk: Desk) -> ACard:
    """An action card from the pile; all that are not in hands or under loads are in it or used.

    Rule: itc 8.7, 11.1.
    """
    if not any(held(desk.table.action_pile)):
        merge_actions(desk)
    pile = held(desk.table.action_pile)
    at = desk.chance.weighted(pile)
    desk.change(action_pile=(*pile[:at], pile[at] - 1, *pile[at + 1 :]))
    return CODES[at]


def merge_actions(desk: Desk) -> None:
    """Makes one pile of the pile and the discards of action cards (Rule: itc 8.7, 11.5)."""
    table = desk.table
    used = table.used_actions
    left = held(table.action_pile)
    pile = tuple(count + (used.get(code) or 0) for count, code in zip(left, CODES, strict=True))
    desk.change(action_pile=pile, used_actions=NO_ACTIONS_USED)
    desk.tell(PilesMerged(sum(used.values())))


def discard_transport(desk: Desk, card: TCard) -> None:
    """Puts a transport card on its discard pile."""
    desk.change(used_transports=desk.table.used_transports.put(card, True))  # noqa: FBT003


def discard_action(desk: Desk, card: ACard) -> None:
    """Puts an action card on its discard pile."""
    used = desk.table.used_actions
    desk.change(used_actions=used.put(card, (used.get(card) or 0) + 1))


def take_transport(desk: Desk, seat: Seat, card: TCard) -> None:
    """Adds a transport card to a hand."""
    hand = tuple(sorted((*held(desk.table.seats[seat].hand), card)))
    desk.change_trader(seat, hand=hand, transports=len(hand))


def give_transport(desk: Desk, seat: Seat, card: TCard) -> None:
    """Takes a transport card out of a hand."""
    hand = tuple(each for each in held(desk.table.seats[seat].hand) if each != card)
    desk.change_trader(seat, hand=hand, transports=len(hand))


def take_action(desk: Desk, seat: Seat, card: ACard) -> None:
    """Adds an action card to a hand."""
    kept = tuple(sorted((*held(desk.table.seats[seat].kept), card), key=_PLACE_OF.__getitem__))
    desk.change_trader(seat, kept=kept, actions=len(kept))


def give_action(desk: Desk, seat: Seat, card: ACard) -> None:
    """Takes an action card out of a hand."""
    kept = held(desk.table.seats[seat].kept)
    at = kept.index(card)
    kept = kept[:at] + kept[at + 1 :]
    desk.change_trader(seat, kept=kept, actions=len(kept))
