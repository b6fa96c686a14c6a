"""What happens in an attack of Tokugawa, as data (Rule: tokugawa 7, 8, 9).

`seat` is who did it or whom it concerns, `other` the opponent.
"""

from __future__ import annotations

from bluebear.rules.core.visibility import Event, Public, Seat
from bluebear.rules.tokugawa.state import Kind
from bluebear.rules.tokugawa.terms import Province, Town


class Attacked(Event):
    """An attack was declared and its fee paid (Rule: tokugawa 7.1, 7.2)."""

    seat: Public[Seat]
    piece: Public[Kind]
    origin: Public[Town]
    other: Public[Seat]
    target: Public[Kind]
    town: Public[Town]
    koku: Public[int]
    province: Public[Province]


class Supported(Event):
    """A samurai or a capital supports in a battle (Rule: tokugawa 7.4)."""

    seat: Public[Seat]
    piece: Public[Kind]
    origin: Public[Town]
    koku: Public[int]
    province: Public[Province]


class Struck(Event):
    """A seat threw its battle dice; it may throw them again `rerolls` times.

    Rule: tokugawa 8.1.
    """

    seat: Public[Seat]
    dice: Public[tuple[int, ...]]
    sum: Public[int]
    rerolls: Public[int]


class Restruck(Event):
    """A seat threw its battle dice again (Rule: tokugawa 8.1)."""

    seat: Public[Seat]
    dice: Public[tuple[int, ...]]
    sum: Public[int]
    rerolls: Public[int]


class Won(Event):
    """The attacker reached the total of the defender (Rule: tokugawa 9.1)."""

    seat: Public[Seat]
    total: Public[int]
    other: Public[Seat]
    against: Public[int]
    town: Public[Town]


class Lost(Event):
    """The attacker did not reach the total of the defender (Rule: tokugawa 9.1, 9.2)."""

    seat: Public[Seat]
    total: Public[int]
    other: Public[Seat]
    against: Public[int]
    town: Public[Town]


class Rewarded(Event):
    """The winner was paid for his supporters (Rule: tokugawa 9.3)."""

    seat: Public[Seat]
    count: Public[int]
    koku: Public[int]
    province: Public[Province]


class Retreated(Event):
    """A beaten samurai retreated and is weakened (Rule: tokugawa 9.4)."""

    seat: Public[Seat]
    piece: Public[Kind]
    origin: Public[Town]
    town: Public[Town]


class Removed(Event):
    """A beaten samurai went back to the stock (Rule: tokugawa 9.4, 9.11)."""

    seat: Public[Seat]
    piece: Public[Kind]
    town: Public[Town]


class Recovered(Event):
    """A weakened attacker won and is weakened no longer (Rule: tokugawa 9.6)."""

    seat: Public[Seat]
    piece: Public[Kind]
    town: Public[Town]


class Conquered(Event):
    """The attacker moved onto the town (Rule: tokugawa 9.5)."""

    seat: Public[Seat]
    piece: Public[Kind]
    origin: Public[Town]
    town: Public[Town]


class Trampled(Event):
    """A seat lost its gardens in these towns, since a battle was won in their province.

    Rule: tokugawa 9.8.
    """

    seat: Public[Seat]
    province: Public[Province]
    towns: Public[tuple[Town, ...]]


class CapitalHit(Event):
    """A capital was attacked with success for the first time (Rule: tokugawa 9.10)."""

    seat: Public[Seat]
    other: Public[Seat]
    town: Public[Town]


class CapitalFell(Event):
    """A capital was taken (Rule: tokugawa 9.10, 11.1)."""

    seat: Public[Seat]
    other: Public[Seat]
    town: Public[Town]
