"""The events of Duel."""

from __future__ import annotations

from bluebear.rules.core.visibility import Event, Public, Seat


class RoundBegun(Event):
    seat: Public[Seat]
    round: Public[int]


class BidMade(Event):
    seat: Public[Seat]
    coins: Public[int]


class Passed(Event):
    seat: Public[Seat]


class SwordWon(Event):
    seat: Public[Seat]
    coins: Public[int]


class Attacked(Event):
    seat: Public[Seat]
    other: Public[Seat]
    roll: Public[int]


class Parried(Event):
    seat: Public[Seat]
    roll: Public[int]


class Ducked(Event):
    seat: Public[Seat]


class Rerolled(Event):
    seat: Public[Seat]
    roll: Public[int]


class Struck(Event):
    seat: Public[Seat]
    lives: Public[int]
