"""The state, the one move and the events of Sealed."""

from __future__ import annotations

from typing import ClassVar, Final

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import Event, Move, Node, Owner, Public, Seat, Visibility

CARDS: Final = (1, 2, 3, 4, 5, 6)


class Part(Node):
    """The cards of one seat. `seen`: the cards of other seats that it has been shown."""

    left: Public[tuple[int, ...]]
    score: Public[int]
    done: Public[bool]
    card: Owner[int | None]
    seen: Owner[Keyed[Seat, int]]


class Table(Node):
    seats: Public[Keyed[Seat, Part]]
    round: Public[int]
    rounds: Public[int]
    prize: Public[int]


class Seal(Move):
    sight: ClassVar[Visibility] = Visibility.OWNER
    card: Owner[int]


class PrizeSet(Event):
    round: Public[int]
    prize: Public[int]


class Sealed(Event):
    seat: Public[Seat]
    card: Owner[int]


class Shown(Event):
    sight: ClassVar[Visibility] = Visibility.OWNER
    reveals: ClassVar[Visibility | None] = Visibility.OWNER
    seat: Public[Seat]
    other: Public[Seat]
    card: Public[int]


class Revealed(Event):
    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    seat: Public[Seat]
    card: Public[int]


class PrizeWon(Event):
    seat: Public[Seat]
    prize: Public[int]


class NobodyWon(Event):
    pass
