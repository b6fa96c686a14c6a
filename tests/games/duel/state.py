"""The state, the moves and the events of Duel; its phase is a node of one of five classes."""

from __future__ import annotations

from dataclasses import dataclass

from rules.core.keyed import Keyed
from rules.core.vision import Move, Public, Seat, state


@state
@dataclass(frozen=True, slots=True)
class Fighter:
    lives: Public[int]
    coins: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Auction:
    """`still`: who has not passed, the next to decide first."""

    still: Public[tuple[Seat, ...]]
    high: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Strike:
    seat: Public[Seat]


@state
@dataclass(frozen=True, slots=True)
class Answer:
    seat: Public[Seat]
    other: Public[Seat]
    roll: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Again:
    seat: Public[Seat]
    other: Public[Seat]
    roll: Public[int]
    parry: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Over:
    pass


Phase = Auction | Strike | Answer | Again | Over


@state
@dataclass(frozen=True, slots=True)
class Ring:
    seats: Public[Keyed[Seat, Fighter]]
    phase: Public[Auction | Strike | Answer | Again | Over]
    first: Public[Seat]
    round: Public[int]
    rounds: Public[int]
    rerolls: Public[bool]


@state
@dataclass(frozen=True, slots=True)
class Bid(Move):
    coins: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Pass(Move):
    pass


@state
@dataclass(frozen=True, slots=True)
class Attack(Move):
    target: Public[Seat]


@state
@dataclass(frozen=True, slots=True)
class Parry(Move):
    pass


@state
@dataclass(frozen=True, slots=True)
class Duck(Move):
    pass


@state
@dataclass(frozen=True, slots=True)
class Reroll(Move):
    pass


@state
@dataclass(frozen=True, slots=True)
class Stand(Move):
    pass
