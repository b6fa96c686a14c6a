"""Action cards in hands: which a seat may play, one of each number in a turn (Rule: itc 11.1)."""

from __future__ import annotations

from rules.core.refusal import NotAllowed
from rules.core.vision import held
from rules.itc.course_events import Played
from rules.itc.data import ACTIONS
from rules.itc.desk import Desk
from rules.itc.piles import discard_action, give_action
from rules.itc.state import Table
from rules.itc.terms import ACard, Kind, Place


def code_of(kind: Kind, place: Place | None = None) -> ACard:
    """What is printed on an action card of a kind, for a continent where it names one."""
    return ACard(str(int(kind)) if place is None else f"{int(kind)}-{place}")


def was_played(table: Table, kind: Kind) -> bool:
    """Whether a card of this number was played openly in this turn."""
    return kind in table.turn.played


def playable_kinds(table: Table) -> frozenset[Kind]:
    """The numbers of which the seat on turn may play one."""
    kept = held(table.seats[table.turn.seat].kept)
    return frozenset(ACTIONS[code].kind for code in kept) - frozenset(table.turn.played)


def need_unplayed(table: Table, kind: Kind) -> None:
    """NotAllowed if a card of this number was played in this turn."""
    if was_played(table, kind):
        raise NotAllowed("kind_played", rule="11.1", kind=kind)


def need_card(table: Table, kind: Kind, place: Place | None = None) -> None:
    """NotAllowed if the seat on turn does not hold such a card or has played its number."""
    if code_of(kind, place) not in held(table.seats[table.turn.seat].kept):
        raise missing(table, kind, place)
    need_unplayed(table, kind)


def missing(table: Table, kind: Kind, place: Place | None = None) -> NotAllowed:
    """Why a card cannot be played that the seat on turn does not hold."""
    kept = held(table.seats[table.turn.seat].kept)
    if not kept:
        return NotAllowed("no_actions", rule="11.1")
    if place is None:
        return NotAllowed("no_action_card", rule="11.1", kind=kind, actions=kept)
    return NotAllowed("no_action_card_of", rule="11.1", kind=kind, place=place, actions=kept)


def play_card(desk: Desk, kind: Kind, place: Place | None = None) -> None:
    """The card goes to the discards, openly; `need_card` has seen to it that it is there."""
    code = code_of(kind, place)
    give_action(desk, desk.seat, code)
    discard_action(desk, code)
    desk.change_turn(played=tuple(sorted((*desk.table.turn.played, kind))))
    desk.tell(Played(desk.seat, code))
