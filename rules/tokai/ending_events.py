"""How seats go out and games end, as data."""

from __future__ import annotations

from bluebear.rules.core.visibility import Event, Public, Seat
from bluebear.rules.tokai.atlas import LineId


class WentBankrupt(Event):
    """Nothing left to sell, dues unpaid: the seat is out (Rule: tokai 11.2.7)."""

    seat: Public[Seat]
    missing: Public[int]


class Stranded(Event):
    """No legal movement is left: the seat is out, all it had goes to the bank.

    Rule: tokai 7.2.6, 13.1.
    """

    seat: Public[Seat]
    steps: Public[int]


class LinesReturned(Event):
    """The lines of a seat that is out are unowned again (Rule: tokai 13.1)."""

    seat: Public[Seat]
    lines: Public[tuple[LineId, ...]]


class LastLineSold(Event):
    """Nobody can buy a line any more: that ends the game (Rule: tokai 12.1, 17.1)."""

    seat: Public[Seat]


class LeftAlone(Event):
    """All others are out (Rule: tokai 12.3)."""

    seat: Public[Seat]


class LimitReached(Event):
    """The last turn of the turn limit was played (Rule: tokai 12.4)."""

    turns: Public[int]


class GameOver(Event):
    """The game is over; the most assets win (Rule: tokai 12.2)."""

    winner: Public[tuple[Seat, ...]]
    assets: Public[int]
