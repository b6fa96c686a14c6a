"""The state, the moves and the events of Court."""

from __future__ import annotations

from typing import ClassVar, Final

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

GUESS, LOOK, COMPARE, GUARD, RENEW, TRADE = RANKS = (1, 2, 3, 4, 5, 6)
CARDS: Final = Keyed({GUESS: 5, LOOK: 3, COMPARE: 2, GUARD: 2, RENEW: 2, TRADE: 2})
"""How many cards of each rank there are (Rule: court 1.1)."""


class Courtier(Node):
    """The cards of one seat: `laid` is open, `hand` is sorted."""

    hand: Owner[tuple[int, ...]]
    laid: Public[tuple[int, ...]]
    guarded: Public[bool]
    out: Public[bool]


class Court(Node):
    """The whole game. `deck`: how many cards of each rank are left; no order that could leak."""

    seats: Public[Keyed[Seat, Courtier]]
    turn: Public[Seat]
    over: Public[bool]
    left: Public[int]
    deck: Hidden[Keyed[int, int]]

    def targets(self, seat: Seat) -> list[Seat]:
        """The seats that a card can be used on (Rule: court 2.3)."""
        rest = [each for each in self.seats if each != seat]
        return [each for each in rest if not (self.seats[each].out or self.seats[each].guarded)]

    def cards_of(self, seat: Seat) -> int:
        """How many cards a seat holds: one, and one more on its turn."""
        return 0 if self.seats[seat].out else 1 + (seat == self.turn and not self.over)


class Lay(Move):
    card: Public[int]


class Use(Move):
    card: Public[int]
    target: Public[Seat]


class Guess(Move):
    target: Public[Seat]
    card: Public[int]


class Laid(Event):
    """A card was laid. A renewed card was in no player's line, so the event reveals it."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    seat: Public[Seat]
    card: Public[int]


class Drew(Event):
    sight: ClassVar[Visibility] = Visibility.OWNER
    reveals: ClassVar[Visibility | None] = Visibility.OWNER
    seat: Public[Seat]
    card: Public[int]


class Peeked(Event):
    sight: ClassVar[Visibility] = Visibility.OWNER
    reveals: ClassVar[Visibility | None] = Visibility.OWNER
    seat: Public[Seat]
    other: Public[Seat]
    card: Public[int]


class Got(Event):
    sight: ClassVar[Visibility] = Visibility.OWNER
    reveals: ClassVar[Visibility | None] = Visibility.OWNER
    seat: Public[Seat]
    other: Public[Seat]
    card: Public[int]


class WentOut(Event):
    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    seat: Public[Seat]
    card: Public[int]


class Guarded(Event):
    seat: Public[Seat]


class Shown(Event):
    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    seat: Public[Seat]
    card: Public[int]
