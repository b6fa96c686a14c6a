"""What happens before the first turn, as data; the sentences are in `phrases.toml`."""

from __future__ import annotations

from typing import ClassVar

from bluebear.rules.core.visibility import Event, Owner, Public, Seat, Visibility
from bluebear.rules.tokai.atlas import LineId, PointId


class RolledForOrder(Event):
    """A seat rolled three dice for the first turn (Rule: tokai 3.1)."""

    seat: Public[Seat]
    dice: Public[tuple[int, ...]]
    total: Public[int]


class Tied(Event):
    """The highest total was rolled by several, who roll again (Rule: tokai 3.2)."""

    seats: Public[tuple[Seat, ...]]


class PlaysFirst(Event):
    """The highest total plays first (Rule: tokai 3.1)."""

    seat: Public[Seat]


class Dealt(Event):
    """A seat was dealt lines to pick from (Rule: tokai 3.1.1)."""

    seat: Public[Seat]
    lines: Public[tuple[LineId, ...]]


class Chose(Event):
    """A seat has picked its lines; which ones is shown when all have (Rule: tokai 3.1.5)."""

    seat: Public[Seat]
    lines: Owner[tuple[LineId, ...]]
    express: Owner[bool]
    price: Owner[int]


class Prebought(Event):
    """What a seat bought before the game, and the cash that it is left (Rule: tokai 3.1.3)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    seat: Public[Seat]
    lines: Public[tuple[LineId, ...]]
    price: Public[int]
    cash: Public[int]


class TicketPrebought(Event):
    """A seat bought an express ticket before the game (Rule: tokai 3.1.2)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    seat: Public[Seat]


class StartTaken(Event):
    """The city is somebody's start city already: both rolls again (Rule: tokai 4.2)."""

    seat: Public[Seat]
    point: Public[PointId]
    other: Public[Seat]


class Started(Event):
    """A pawn was put on its start city (Rule: tokai 4.4)."""

    seat: Public[Seat]
    point: Public[PointId]
