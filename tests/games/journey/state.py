"""The state, the moves and the events of Journey."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from rules.core.keyed import Keyed
from rules.core.vision import Event, Hidden, Move, Owner, Public, Seat, state


class Station(StrEnum):
    """The stations in their order around the lake."""

    HARBOR = "harbor"
    MILL = "mill"
    CASTLE = "castle"
    ABBEY = "abbey"
    FOREST = "forest"
    MARKET = "market"


@state
@dataclass(frozen=True, slots=True)
class Traveller:
    """`path`: where the day began and each step since. `found`: worths, ascending."""

    path: Public[tuple[Station, ...]]
    dug: Public[tuple[Station, ...]]
    found: Owner[tuple[int, ...]]


@state
@dataclass(frozen=True, slots=True)
class Lake:
    """`pile`: how many treasures of each worth still lie hidden; no order that could leak."""

    seats: Public[Keyed[Seat, Traveller]]
    turn: Public[Seat]
    day: Public[int]
    days: Public[int]
    most_steps: Public[int]
    pile: Hidden[Keyed[int, int]]


@state
@dataclass(frozen=True, slots=True)
class Go(Move):
    station: Public[Station]


@state
@dataclass(frozen=True, slots=True)
class Back(Move):
    pass


@state
@dataclass(frozen=True, slots=True)
class Dig(Move):
    pass


@state
@dataclass(frozen=True, slots=True)
class Rest(Move):
    pass


@state
@dataclass(frozen=True, slots=True)
class Gone(Event):
    seat: Public[Seat]
    station: Public[Station]


@state
@dataclass(frozen=True, slots=True)
class Returned(Event):
    seat: Public[Seat]
    station: Public[Station]


@state
@dataclass(frozen=True, slots=True)
class Dug(Event):
    seat: Public[Seat]
    station: Public[Station]
    worth: Owner[int]


@state
@dataclass(frozen=True, slots=True)
class Rested(Event):
    seat: Public[Seat]


@state
@dataclass(frozen=True, slots=True)
class Counted(Event):
    reveals: ClassVar[bool] = True
    seat: Public[Seat]
    total: Public[int]
