"""What happens in a game of Manhattan, as data; the sentences are in `phrases.toml`."""

from __future__ import annotations

from typing import ClassVar

from bluebear.rules.core.visibility import Event, Public, Seat, SeatEvent, Visibility
from bluebear.rules.manhattan.rules.state import Card, City, Site


class Began(SeatEvent):
    """The start player was drawn (Rule: manhattan 2.2)."""

    rounds: Public[int]
    blocks: Public[int]


class Dealt(SeatEvent):
    """A whole hand was drawn (Rule: manhattan 2.1, 4.7)."""

    sight: ClassVar[Visibility] = Visibility.OWNER
    cards: Public[tuple[Card, ...]]


class Took(SeatEvent):
    """A seat took its blocks of the round (Rule: manhattan 3.1)."""

    blocks: Public[tuple[int, ...]]


class Got(SeatEvent):
    """A seat got the only blocks that it could take (Rule: manhattan 3.3)."""

    blocks: Public[tuple[int, ...]]


class Built(SeatEvent):
    """A block was put on an empty site or on an own building (Rule: manhattan 4.2)."""

    block: Public[int]
    city: Public[City]
    site: Public[Site]


class Captured(SeatEvent):
    """A block was put on another seat's building (Rule: manhattan 4.3, 4.4)."""

    block: Public[int]
    city: Public[City]
    site: Public[Site]
    other: Public[Seat]


class Drew(SeatEvent):
    """A seat drew one card (Rule: manhattan 4.5)."""

    sight: ClassVar[Visibility] = Visibility.OWNER
    reveals: ClassVar[Visibility | None] = Visibility.OWNER
    card: Public[Card]


class Shuffled(Event):
    """The discards became the deck (Rule: manhattan 4.6)."""

    count: Public[int]


class Exchanged(SeatEvent):
    """A seat showed a hand of no use and drew another (Rule: manhattan 4.7)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    cards: Public[tuple[Card, ...]]


class Lost(SeatEvent):
    """A seat lost a block: no card that it could get would help (Rule: manhattan 4.7)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    block: Public[int]


class Scored(SeatEvent):
    """What a round was worth to one seat, part by part (Rule: manhattan 5.1, 5.2, 5.3)."""

    round: Public[int]
    buildings: Public[int]
    cities: Public[int]
    tallest: Public[int]
    points: Public[int]
    score: Public[int]


class RoundBegan(Event):
    """The next player clockwise became start player (Rule: manhattan 6.1)."""

    round: Public[int]
    seat: Public[Seat]


class GameOver(Event):
    """The last round was scored (Rule: manhattan 6.2, 6.3)."""

    winner: Public[tuple[Seat, ...]]
    score: Public[int]
