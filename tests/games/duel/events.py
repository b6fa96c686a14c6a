"""What happens in a Duel."""

from __future__ import annotations

from dataclasses import dataclass

from rules.core.vision import Event, Public, Seat, state


@state
@dataclass(frozen=True, slots=True)
class RoundBegun(Event):
    seat: Public[Seat]
    round: Public[int]


@state
@dataclass(frozen=True, slots=True)
class BidMade(Event):
    seat: Public[Seat]
    coins: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Passed(Event):
    seat: Public[Seat]


@state
@dataclass(frozen=True, slots=True)
class SwordWon(Event):
    seat: Public[Seat]
    coins: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Attacked(Event):
    seat: Public[Seat]
    other: Public[Seat]
    roll: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Parried(Event):
    seat: Public[Seat]
    roll: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Ducked(Event):
    seat: Public[Seat]


@state
@dataclass(frozen=True, slots=True)
class Rerolled(Event):
    seat: Public[Seat]
    roll: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Struck(Event):
    seat: Public[Seat]
    lives: Public[int]
