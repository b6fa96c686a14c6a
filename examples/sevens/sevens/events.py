"""The events of the game; each has its sentence in `phrases.toml`."""

from __future__ import annotations

from typing import ClassVar

from bluebear.rules.core.visibility import Event, Public, Seat, Visibility


class Dealt(Event):
    """The hand of a seat, announced only to that seat (Rule: sevens 1.1)."""

    sight: ClassVar[Visibility] = Visibility.OWNER
    seat: Public[Seat]
    cards: Public[tuple[str, ...]]


class Began(Event):
    """The seat had the seven of diamonds (Rule: sevens 1.3)."""

    seat: Public[Seat]


class Laid(Event):
    """The line of the move shows the card already, so nothing is revealed (Rule: sevens 2.2)."""

    seat: Public[Seat]
    card: Public[str]


class Passed(Event):
    """Rule: sevens 2.3."""

    seat: Public[Seat]
    left: Public[int]


class DroppedOut(Event):
    """The rest of a hand is seen by all (Rule: sevens 2.4)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    seat: Public[Seat]
    cards: Public[tuple[str, ...]]


class Ranked(Event):
    """Rule: sevens 3.1, 3.2."""

    seat: Public[Seat]
    rank: Public[int]
