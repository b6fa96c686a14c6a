"""What happens in a game of Tokugawa, as data; the sentences are in `phrases.toml`."""

from __future__ import annotations

from bluebear.rules.core.visibility import Event, Public, Seat, SeatEvent
from bluebear.rules.tokugawa.data import terms
from bluebear.rules.tokugawa.rules.state import Ending, Kind

# `seat` is who acted or is concerned, `other` the opponent; attacks come last.


class Began(Event):
    """Drawn: `seat` has Kyoto, `other` has Yedo, `by` begins (Rule: tokugawa 3.3)."""

    seat: Public[Seat]
    other: Public[Seat]
    by: Public[Seat]


class Opened(Event):
    """A contract lies open now (Rule: tokugawa 3.2, 10.2)."""

    side: Public[terms.Side]
    deal: Public[terms.Contract]
    points: Public[int]


class Placed(SeatEvent):
    """A samurai was placed in the start phase (Rule: tokugawa 3.5)."""

    piece: Public[Kind]
    town: Public[terms.Town]


class TurnBegan(SeatEvent):
    """A turn began (Rule: tokugawa 4.1)."""

    round: Public[int]
    actions: Public[int]


class Completed(SeatEvent):
    """A castle was completed (Rule: tokugawa 4.2)."""

    town: Public[terms.Town]


class Taxed(SeatEvent):
    """A province was taxed (Rule: tokugawa 5.1)."""

    province: Public[terms.Province]
    koku: Public[int]


class Levied(SeatEvent):
    """A samurai was bought (Rule: tokugawa 5.5)."""

    piece: Public[Kind]
    town: Public[terms.Town]
    koku: Public[int]


class Dismissed(SeatEvent):
    """A samurai was taken off the board by its owner (Rule: tokugawa 5.6)."""

    piece: Public[Kind]
    town: Public[terms.Town]


class Declared(SeatEvent):
    """A samurai is to move, which takes a throw (Rule: tokugawa 6.1)."""

    piece: Public[Kind]
    origin: Public[terms.Town]
    town: Public[terms.Town]
    terrain: Public[terms.Terrain]


class Thrown(Event):
    """The dice of a movement: `needs` is what the battle die has to show (Rule: tokugawa 6.4)."""

    seat: Public[Seat]
    weather: Public[terms.Weather]
    die: Public[int]
    needs: Public[int]


class Storm(SeatEvent):
    """A storm stops a ship, whatever the battle die shows (Rule: tokugawa 6.4)."""

    weather: Public[terms.Weather]
    die: Public[int]


class Weathered(SeatEvent):
    """The weather of an archer's attack by land (Rule: tokugawa 7.3)."""

    weather: Public[terms.Weather]


class Moved(SeatEvent):
    """A samurai moved (Rule: tokugawa 6.2, 6.6)."""

    piece: Public[Kind]
    origin: Public[terms.Town]
    town: Public[terms.Town]


class Failed(SeatEvent):
    """A movement failed; the samurai stays where it was (Rule: tokugawa 6.5)."""

    piece: Public[Kind]
    town: Public[terms.Town]


class Razed(SeatEvent):
    """A seat lost what it had built on a town (Rule: tokugawa 5.8, 9.7)."""

    town: Public[terms.Town]
    buildings: Public[tuple[terms.Building, ...]]


class Captured(SeatEvent):
    """Ships changed their owner (Rule: tokugawa 5.8, 9.9)."""

    other: Public[Seat]
    town: Public[terms.Town]
    count: Public[int]


class Sunk(SeatEvent):
    """Captured ships for which there was none in stock were removed (Rule: tokugawa 9.9)."""

    other: Public[Seat]
    town: Public[terms.Town]
    count: Public[int]


class Built(SeatEvent):
    """Something was built (Rule: tokugawa 10.1)."""

    building: Public[terms.Building]
    town: Public[terms.Town]
    koku: Public[int]


class Forged(SeatEvent):
    """A samurai was turned to its stronger side (Rule: tokugawa 10.7)."""

    piece: Public[Kind]
    town: Public[terms.Town]


class Stayed(SeatEvent):
    """A new ship does not sail (Rule: tokugawa 10.5)."""

    town: Public[terms.Town]


class Passed(SeatEvent):
    """A seat gave up the actions that it had left (Rule: tokugawa 4.3)."""

    actions: Public[int]


class Fulfilled(SeatEvent):
    """A seat took a contract (Rule: tokugawa 10.2)."""

    contract: Public[terms.Contract]
    points: Public[int]
    total: Public[int]


class Counted(SeatEvent):
    """The victory points of a seat, part by part (Rule: tokugawa 11.3)."""

    koku: Public[int]
    samurai: Public[int]
    buildings: Public[int]
    contracts: Public[int]
    points: Public[int]


class GameWon(Event):
    """The game is over, and a seat has won (Rule: tokugawa 11.1, 11.2, 11.4, 11.5, 11.6)."""

    winner: Public[Seat]
    ending: Public[Ending]


class GameDrawn(Event):
    """The game is over, and no seat has won (Rule: tokugawa 11.4)."""

    ending: Public[Ending]


# Attacks (Rule: tokugawa 7, 8, 9).


class Attacked(SeatEvent):
    """An attack was declared and its fee paid (Rule: tokugawa 7.1, 7.2)."""

    piece: Public[Kind]
    origin: Public[terms.Town]
    other: Public[Seat]
    target: Public[Kind]
    town: Public[terms.Town]
    koku: Public[int]
    province: Public[terms.Province]


class Supported(SeatEvent):
    """A samurai or a capital supports in a battle (Rule: tokugawa 7.4)."""

    piece: Public[Kind]
    origin: Public[terms.Town]
    koku: Public[int]
    province: Public[terms.Province]


class Struck(Event):
    """A seat threw its battle dice; it may repeat that `rerolls` times (Rule: tokugawa 8.1)."""

    seat: Public[Seat]
    dice: Public[tuple[int, ...]]
    sum: Public[int]
    rerolls: Public[int]


class Restruck(SeatEvent):
    """A seat threw its battle dice again (Rule: tokugawa 8.1)."""

    dice: Public[tuple[int, ...]]
    sum: Public[int]
    rerolls: Public[int]


class Won(SeatEvent):
    """The attacker reached the total of the defender (Rule: tokugawa 9.1)."""

    total: Public[int]
    other: Public[Seat]
    against: Public[int]
    town: Public[terms.Town]


class Lost(SeatEvent):
    """The attacker did not reach the total of the defender (Rule: tokugawa 9.1, 9.2)."""

    total: Public[int]
    other: Public[Seat]
    against: Public[int]
    town: Public[terms.Town]


class Rewarded(SeatEvent):
    """The winner was paid for each supporter (Rule: tokugawa 9.3)."""

    count: Public[int]
    koku: Public[int]
    province: Public[terms.Province]


class Retreated(SeatEvent):
    """A beaten samurai retreated and is weakened (Rule: tokugawa 9.4)."""

    piece: Public[Kind]
    origin: Public[terms.Town]
    town: Public[terms.Town]


class Removed(SeatEvent):
    """A beaten samurai went back to the stock (Rule: tokugawa 9.4, 9.11)."""

    piece: Public[Kind]
    town: Public[terms.Town]


class Recovered(SeatEvent):
    """A weakened attacker won and is weakened no longer (Rule: tokugawa 9.6)."""

    piece: Public[Kind]
    town: Public[terms.Town]


class Conquered(SeatEvent):
    """The attacker moved onto the town (Rule: tokugawa 9.5)."""

    piece: Public[Kind]
    origin: Public[terms.Town]
    town: Public[terms.Town]


class Trampled(Event):
    """A seat lost its gardens in the province of a lost battle (Rule: tokugawa 9.8)."""

    seat: Public[Seat]
    province: Public[terms.Province]
    towns: Public[tuple[terms.Town, ...]]


class CapitalHit(SeatEvent):
    """A capital was attacked with success for the first time (Rule: tokugawa 9.10)."""

    other: Public[Seat]
    town: Public[terms.Town]


class CapitalFell(SeatEvent):
    """A capital was taken (Rule: tokugawa 9.10, 11.1)."""

    other: Public[Seat]
    town: Public[terms.Town]
