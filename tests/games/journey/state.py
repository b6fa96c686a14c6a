"""The state, the moves and the events of Journey."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import (
    Event,
    Hidden,
    Move,
    Node,
    Owner,
    Public,
    Seat,
    Visibility,
)


class Station(StrEnum):
    """The stations in their order around the lake."""

    HARBOR = "harbor"
    MILL = "mill"
    CASTLE = "castle"
    ABBEY = "abbey"
    FOREST = "forest"
    MARKET = "market"


class Traveller(Node):
    """`path`: the station where the day began and each step since. `found`: values, ascending."""

    path: Public[tuple[Station, ...]]
    dug: Public[tuple[Station, ...]]
    found: Owner[tuple[int, ...]]


class Lake(Node):
    """`pile`: the numbers of hidden treasures of each value; it has no order that could leak."""

    seats: Public[Keyed[Seat, Traveller]]
    turn: Public[Seat]
    day: Public[int]
    days: Public[int]
    most_steps: Public[int]
    pile: Hidden[Keyed[int, int]]


class Go(Move):
    station: Public[Station]


class Back(Move):
    takes_back: ClassVar[bool] = True


class Dig(Move):
    pass


class Rest(Move):
    pass


class Gone(Event):
    seat: Public[Seat]
    station: Public[Station]


class Returned(Event):
    seat: Public[Seat]
    station: Public[Station]


class Dug(Event):
    reveals: ClassVar[Visibility | None] = Visibility.OWNER
    seat: Public[Seat]
    station: Public[Station]
    worth: Owner[int]


class Rested(Event):
    seat: Public[Seat]


class Counted(Event):
    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    seat: Public[Seat]
    total: Public[int]
