"""What happens before the first turn, as data; the sentences are in `phrases.toml`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rules.core.vision import Event, Owner, Public, Seat, state
from rules.tokai.network import LineId, PointId


@state
@dataclass(frozen=True, slots=True)
class RolledForOrder(Event):
    """A seat rolled three dice for the first turn (Rule: tokai 3.1)."""

    seat: Public[Seat]
    dice: Public[tuple[int, ...]]
    total: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Tied(Event):
    """The highest total was rolled by several, who roll again (Rule: tokai 3.2)."""

    seats: Public[tuple[Seat, ...]]


@state
@dataclass(frozen=True, slots=True)
class PlaysFirst(Event):
    """The highest total plays first (Rule: tokai 3.1)."""

    seat: Public[Seat]


@state
@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """A seat was dealt lines to pick from (Rule: tokai 3.1.1)."""

    seat: Public[Seat]
    lines: Public[tuple[LineId, ...]]


@state
@dataclass(frozen=True, slots=True)
class Chose(Event):
    """A seat has picked its lines; which ones is shown when all have (Rule: tokai 3.1.5)."""

    seat: Public[Seat]
    lines: Owner[tuple[LineId, ...]]
    express: Owner[bool]
    price: Owner[int]


@state
@dataclass(frozen=True, slots=True)
class Prebought(Event):
    """What a seat bought before the game, and the cash that it is left (Rule: tokai 3.1.3)."""

    reveals: ClassVar[bool] = True
    seat: Public[Seat]
    lines: Public[tuple[LineId, ...]]
    price: Public[int]
    cash: Public[int]


@state
@dataclass(frozen=True, slots=True)
class TicketPrebought(Event):
    """A seat bought an express ticket before the game (Rule: tokai 3.1.2)."""

    reveals: ClassVar[bool] = True
    seat: Public[Seat]


@state
@dataclass(frozen=True, slots=True)
class StartTaken(Event):
    """The city is somebody's start city already: both rolls again (Rule: tokai 4.2)."""

    seat: Public[Seat]
    point: Public[PointId]
    other: Public[Seat]


@state
@dataclass(frozen=True, slots=True)
class Started(Event):
    """A pawn was put on its start city (Rule: tokai 4.4)."""

    seat: Public[Seat]
    point: Public[PointId]


__all__ = [
    "Chose",
    "Dealt",
    "PlaysFirst",
    "Prebought",
    "RolledForOrder",
    "StartTaken",
    "Started",
    "TicketPrebought",
    "Tied",
]
