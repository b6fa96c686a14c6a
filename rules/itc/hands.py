"""Action cards in hands: which a seat may play, one of each number in a turn (Rule: itc 11.1)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import require
from bluebear.rules.itc.course_events import Played
from bluebear.rules.itc.data import ACTIONS
from bluebear.rules.itc.desk import Desk
from bluebear.rules.itc.piles import discard_action, give_action
from bluebear.rules.itc.state import Table
from bluebear.rules.itc.terms import ACard, Kind, Place

_HANDS: Final = 10_000
"""So many hands are kept with what may be played of them."""


def code_of(kind: Kind, place: Place | None = None) -> ACard:
    """What is printed on an action card of a kind, for a continent where it names one."""
    return ACard(str(int(kind)) if place is None else f"{int(kind)}-{place}")


def playable(table: Table) -> Sequence[ACard]:
    """The cards of the seat on turn whose number it has not played yet, each sort once."""
    turn = table.turn
    return _unplayed(require(table.seats[turn.seat].kept), turn.played)


@lru_cache(_HANDS)
def _unplayed(kept: tuple[ACard, ...], played: tuple[Kind, ...]) -> tuple[ACard, ...]:
    return tuple(code for code in dict.fromkeys(kept) if ACTIONS[code].kind not in played)


def no_card(table: Table, kind: Kind, place: Place | None = None) -> NotAllowed | None:
    """What forbids to play a card: the seat on turn does not hold it, or has played its number."""
    code = code_of(kind, place)
    if code in playable(table):
        return None
    if code in require(table.seats[table.turn.seat].kept):
        return NotAllowed("kind_played", rule="11.1", kind=kind)
    return missing(table, kind, place)


def missing(table: Table, kind: Kind, place: Place | None = None) -> NotAllowed:
    """Why a card cannot be played that the seat on turn does not hold."""
    kept = require(table.seats[table.turn.seat].kept)
    if not kept:
        return NotAllowed("no_actions", rule="11.1")
    if place is None:
        return NotAllowed("no_action_card", rule="11.1", kind=kind, actions=kept)
    return NotAllowed("no_action_card_of", rule="11.1", kind=kind, place=place, actions=kept)


def play_card(desk: Desk, kind: Kind, place: Place | None = None) -> None:
    """The card goes to the discards, openly."""
    code, turn = code_of(kind, place), desk.table.turn
    give_action(desk.trader, code)
    discard_action(desk.table, code)
    turn.played = tuple(sorted((*turn.played, kind)))
    desk.tell(Played(turn.seat, code))
