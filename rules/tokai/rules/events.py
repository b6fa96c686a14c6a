"""What happens in a game of Tokai Danshaku, as data; the sentences are in `phrases.toml`."""

from __future__ import annotations

from typing import ClassVar

from bluebear.rules.core.visibility import Event, Owner, Public, Seat, SeatEvent, Visibility
from bluebear.rules.tokai.data.map_data import LineId, PointId, RegionId

# What happens before the first turn.


class RolledForOrder(SeatEvent):
    """A seat rolled three dice for the first turn (Rule: tokai 3.1)."""

    dice: Public[tuple[int, ...]]
    total: Public[int]


class Tied(Event):
    """The highest total was rolled by several, who roll again (Rule: tokai 3.2)."""

    seats: Public[tuple[Seat, ...]]


class PlaysFirst(SeatEvent):
    """The highest total plays first (Rule: tokai 3.1)."""


class Dealt(SeatEvent):
    """A seat was dealt lines to pick from (Rule: tokai 3.1.1)."""

    lines: Public[tuple[LineId, ...]]


class Chose(SeatEvent):
    """A seat has picked its lines; which ones is shown when all have (Rule: tokai 3.1.5)."""

    lines: Owner[tuple[LineId, ...]]
    express: Owner[bool]
    price: Owner[int]


class Prebought(SeatEvent):
    """What a seat bought before the game, and the cash that it is left (Rule: tokai 3.1.3)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    lines: Public[tuple[LineId, ...]]
    price: Public[int]
    cash: Public[int]


class TicketPrebought(SeatEvent):
    """A seat bought an express ticket before the game (Rule: tokai 3.1.2)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC


class StartTaken(SeatEvent):
    """The city is another seat's start city already: both rolls again (Rule: tokai 4.2)."""

    point: Public[PointId]
    other: Public[Seat]


class Started(SeatEvent):
    """A pawn was put on its start city (Rule: tokai 4.4)."""

    point: Public[PointId]


# What happens on trips: dice, destinations, rides, arrivals.
#
# Dice are told as `whites` (the two white ones, empty in an extra half) and `coloured`.


class RolledRegion(SeatEvent):
    """Three dice gave a region (Rule: tokai 4.1.1)."""

    coloured: Public[int]
    whites: Public[tuple[int, ...]]
    region: Public[RegionId]


class RolledCity(SeatEvent):
    """Three dice gave a city in the table of a region (Rule: tokai 4.1.1)."""

    coloured: Public[int]
    whites: Public[tuple[int, ...]]
    region: Public[RegionId]
    point: Public[PointId]


class RolledFree(SeatEvent):
    """Three dice let the seat name any destination (Rule: tokai 4.3, 6.3)."""

    coloured: Public[int]
    whites: Public[tuple[int, ...]]
    region: Public[RegionId]


class ThroughGot(SeatEvent):
    """A line was bought under a pawn: its seat has a through ticket (Rule: tokai 11.6, 4.5)."""

    line: Public[LineId]
    owner: Public[Seat]


class ThroughEnded(SeatEvent):
    """Through tickets ended by riding another line (Rule: tokai 11.7, 11.9)."""

    lines: Public[tuple[LineId, ...]]


class TurnBegan(SeatEvent):
    """A seat's turn began (Rule: tokai 5.1)."""

    turn: Public[int]


class HomeRegion(SeatEvent):
    """The region rolled is where the pawn stands: the seat names any (Rule: tokai 6.2)."""

    region: Public[RegionId]


class RegionNamed(SeatEvent):
    """A seat named a region (Rule: tokai 6.2)."""

    region: Public[RegionId]


class DestinationSet(SeatEvent):
    """A trip has its destination and its payoff (Rule: tokai 6.5)."""

    origin: Public[PointId]
    destination: Public[PointId]
    payoff: Public[int]


class HalfLost(SeatEvent):
    """The city rolled is where the pawn stands: this half is lost (Rule: tokai 6.4)."""

    point: Public[PointId]


class RolledSteps(SeatEvent):
    """The white dice of a normal half (Rule: tokai 7.1.1)."""

    whites: Public[tuple[int, ...]]
    steps: Public[int]


class RolledExtra(SeatEvent):
    """The coloured die of an extra half (Rule: tokai 7.1.1)."""

    steps: Public[int]


class ExtraGranted(SeatEvent):
    """The roll grants an extra half (Rule: tokai 7.1.2)."""


class Rode(SeatEvent):
    """A leg: along one line to a point; `left` steps remain (Rule: tokai 7.2.2)."""

    line: Public[LineId]
    point: Public[PointId]
    steps: Public[int]
    left: Public[int]


class WentBack(SeatEvent):
    """A seat took back its last leg (Rule: tokai 16.1)."""

    point: Public[PointId]
    left: Public[int]


class Arrived(SeatEvent):
    """A trip ended, and its payoff was paid out (Rule: tokai 8.1)."""

    point: Public[PointId]
    payoff: Public[int]
    cash: Public[int]


# What happens with properties and money: purchases, fares, sales, auctions.


class Bought(SeatEvent):
    """A line was bought (Rule: tokai 9.1)."""

    line: Public[LineId]
    price: Public[int]
    cash: Public[int]


class TicketBought(SeatEvent):
    """An express ticket was bought (Rule: tokai 9.1)."""

    price: Public[int]
    cash: Public[int]


class BoughtNothing(SeatEvent):
    """A seat bought nothing on arrival (Rule: tokai 9.1)."""


class PaidBank(SeatEvent):
    """The bank's share of the fare of a turn (Rule: tokai 11.1)."""

    amount: Public[int]


class PaidOwner(SeatEvent):
    """An owner's share of the fare of a turn (Rule: tokai 11.1)."""

    other: Public[Seat]
    amount: Public[int]


class Short(SeatEvent):
    """The cash does not cover the dues: the seat has to sell (Rule: tokai 11.2.1)."""

    cash: Public[int]
    owed: Public[int]


class SoldToBank(SeatEvent):
    """The bank took a line at half its face; it is unowned now (Rule: tokai 11.2.2)."""

    line: Public[LineId]
    amount: Public[int]


class AuctionBegan(SeatEvent):
    """A line is up for auction; `least` is the lowest bid (Rule: tokai 11.2.5)."""

    line: Public[LineId]
    least: Public[int]


class HasBid(SeatEvent):
    """A bid in an auction (Rule: tokai 11.2.5)."""

    line: Public[LineId]
    bid: Public[int]


class Passed(SeatEvent):
    """A seat has left the auction (Rule: tokai 11.2.5)."""


class CannotBid(SeatEvent):
    """A seat cannot make the least bid and is not asked (Rule: tokai 11.2.5)."""


class NobodyBid(Event):
    """An auction ended without a bid, so the bank takes the line (Rule: tokai 11.2.5)."""

    line: Public[LineId]


class AuctionWon(SeatEvent):
    """A line changed hands, from `owner` to `seat` (Rule: tokai 11.2.3)."""

    line: Public[LineId]
    owner: Public[Seat]
    price: Public[int]


class SetOff(SeatEvent):
    """So much of the price was paid by what `seat` owed `other` (Rule: tokai 11.2.6)."""

    other: Public[Seat]
    amount: Public[int]


# How seats go out and games end, as data.


class WentBankrupt(SeatEvent):
    """Nothing left to sell, dues unpaid: the seat is out (Rule: tokai 11.2.7)."""

    missing: Public[int]


class Stranded(Event):
    """Without a legal movement the seat is out; the bank gets all (Rule: tokai 7.2.6, 13.1)."""

    seat: Public[Seat]
    steps: Public[int]


class LinesReturned(SeatEvent):
    """The lines of a seat that is out are unowned again (Rule: tokai 13.1)."""

    lines: Public[tuple[LineId, ...]]


class LastLineSold(SeatEvent):
    """No seat can buy a line any more: that ends the game (Rule: tokai 12.1, 17.1)."""


class LeftAlone(SeatEvent):
    """All others are out (Rule: tokai 12.3)."""


class LimitReached(Event):
    """The last turn of the turn limit was played (Rule: tokai 12.4)."""

    turns: Public[int]


class GameOver(Event):
    """The game is over; the most assets win (Rule: tokai 12.2)."""

    winner: Public[tuple[Seat, ...]]
    assets: Public[int]
