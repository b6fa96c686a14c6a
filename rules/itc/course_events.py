"""Events of the course of the game: turns, dice, cards drawn, played and discarded.

The sentences are in `phrases.toml`. An event that shows somebody a card of a pile or under a
load `reveals`, unless the line of the move shows it already.
"""

from __future__ import annotations

from typing import ClassVar

from bluebear.rules.core.visibility import Event, Owner, Public, Seat, Visibility
from bluebear.rules.itc.moves import HandCard
from bluebear.rules.itc.terms import ACard, Die, Route, TCard


class Began(Event):
    """Who places the first stone was drawn (Rule: itc 6.3)."""

    seat: Public[Seat]
    goal: Public[int]


class Dealt(Event):
    """The first transport cards of a hand (Rule: itc 6.1)."""

    sight: ClassVar[Visibility] = Visibility.OWNER
    seat: Public[Seat]
    cards: Public[tuple[TCard, ...]]


class MafiaBegan(Event):
    """The first stone came into the grey market (Rule: itc 6.6)."""

    seat: Public[Seat]


class TurnBegan(Event):
    """A turn began (Rule: itc 7.3)."""

    seat: Public[Seat]
    round: Public[int]


class DutyNoted(Event):
    """A full row with own loads stands at the beginning of a turn (Rule: itc 9.2)."""

    seat: Public[Seat]
    route: Public[Route]
    row: Public[int]


class LastRound(Event):
    """A seat reached the goal (Rule: itc 13.1)."""

    seat: Public[Seat]
    money: Public[int]


class GameOver(Event):
    """The last round was played (Rule: itc 13.1, 13.2)."""

    winner: Public[tuple[Seat, ...]]
    money: Public[int]


class DrewAction(Event):
    """A seat drew an action card that it keeps (Rule: itc 11.1)."""

    reveals: ClassVar[Visibility | None] = Visibility.OWNER
    seat: Public[Seat]
    action: Owner[ACard]


class AtOnce(Event):
    """A seat drew an action card that is executed at once (Rule: itc 11.1)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    seat: Public[Seat]
    action: Public[ACard]


class DrewTransports(Event):
    """A seat drew transport cards with the red die (Rule: itc 8.5)."""

    reveals: ClassVar[Visibility | None] = Visibility.OWNER
    seat: Public[Seat]
    count: Public[int]
    cards: Owner[tuple[TCard, ...]]


class PilesMerged(Event):
    """Discarded action cards became part of the pile again (Rule: itc 8.7, 11.5)."""

    count: Public[int]


class TransportsReturned(Event):
    """Discarded transport cards became the pile (Rule: itc 8.7)."""

    count: Public[int]


class Played(Event):
    """A seat played an action card openly (Rule: itc 11.1)."""

    seat: Public[Seat]
    action: Public[ACard]


class TooManyCards(Event):
    """A turn ended with more cards than may be kept; so many are to be discarded.

    Rule: itc 11.3.
    """

    seat: Public[Seat]
    count: Public[int]


class Discarded(Event):
    """A seat had too many cards (Rule: itc 11.3)."""

    seat: Public[Seat]
    held: Public[HandCard]


class Rolled(Event):
    """One die of a roll (Rule: itc 8.1)."""

    seat: Public[Seat]
    die: Public[Die]
    number: Public[int]


class Used(Event):
    """A die was chosen; so many points can be spent (Rule: itc 8.2, 8.3, 8.4)."""

    seat: Public[Seat]
    die: Public[Die]
    points: Public[int]
