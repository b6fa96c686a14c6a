"""The state, the one move and the events of Sealed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from rules.core.keyed import Keyed
from rules.core.vision import Event, Move, Owner, Public, Seat, Sight, state

CARDS: Final = (1, 2, 3, 4, 5, 6)


@state
@dataclass(frozen=True, slots=True)
class Part:
    """What lies before one seat. `seen`: the cards of others that it has been shown."""

    left: Public[tuple[int, ...]]
    score: Public[int]
    done: Public[bool]
    card: Owner[int | None]
    seen: Owner[Keyed[Seat, int]]


@state
@dataclass(frozen=True, slots=True)
class Table:
    seats: Public[Keyed[Seat, Part]]
    round: Public[int]
    rounds: Public[int]
    prize: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Seal(Move):
    sight: ClassVar[Sight] = Sight.OWNER
    card: Owner[int]


@state
@dataclass(frozen=True, slots=True)
class PrizeSet(Event):
    round: Public[int]
    prize: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Sealed(Event):
    seat: Public[Seat]
    card: Owner[int]


@state
@dataclass(frozen=True, slots=True)
class Shown(Event):
    sight: ClassVar[Sight] = Sight.OWNER
    reveals: ClassVar[bool] = True
    seat: Public[Seat]
    other: Public[Seat]
    card: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Revealed(Event):
    reveals: ClassVar[bool] = True
    seat: Public[Seat]
    card: Public[int]


@state
@dataclass(frozen=True, slots=True)
class PrizeWon(Event):
    seat: Public[Seat]
    prize: Public[int]


@state
@dataclass(frozen=True, slots=True)
class NobodyWon(Event):
    pass
