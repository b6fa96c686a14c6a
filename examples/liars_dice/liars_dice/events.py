"""The events of the game; each has its sentence in `phrases.toml`."""

from __future__ import annotations

from typing import ClassVar

from bluebear.rules.core.visibility import Event, Public, Seat, Visibility


class RoundBegan(Event):
    """Rule: liars_dice 3.3."""

    seat: Public[Seat]
    dice: Public[int]


class Rolled(Event):
    """The dice that a seat rolled, announced only to that seat (Rule: liars_dice 1.1)."""

    sight: ClassVar[Visibility] = Visibility.OWNER
    seat: Public[Seat]
    dice: Public[tuple[int, ...]]


class BidMade(Event):
    """Rule: liars_dice 2.2."""

    seat: Public[Seat]
    count: Public[int]
    face: Public[int]


class Doubted(Event):
    """Rule: liars_dice 3.1."""

    seat: Public[Seat]
    other: Public[Seat]


class Shown(Event):
    """A seat has to show its dice (Rule: liars_dice 3.2)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    seat: Public[Seat]
    dice: Public[tuple[int, ...]]


class DieLost(Event):
    """`count` dice showed the face, so this seat lost a die (Rule: liars_dice 3.2)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    count: Public[int]
    face: Public[int]
    seat: Public[Seat]
    left: Public[int]
