"""What happens in a game of Tokai Danshaku, as data; the sentences are in `phrases.toml`.

Dice are told as `whites` (the two white ones, empty in an extra half) and `coloured`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from rules.core.vision import Event, Owner, Public, Seat, state
from rules.tokai.network import LineId, PointId, RegionId


@state
@dataclass(frozen=True, slots=True)
class RolledForOrder(Event):
    """A seat rolled three dice for the first turn (Rule: tokai 3.1)."""

    seat: Public[Seat]
    dice: Public[tuple[int, ...]]
    total: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Tied(Event):
    """The highest total was rolled by several, who roll again (Rule: tokai 3.2)."""

    seats: Public[tuple[Seat, ...]]


@state
@dataclass(frozen=True, slots=True)
class PlaysFirst(Event):
    """The highest total plays first (Rule: tokai 3.1)."""

    seat: Public[Seat]


@state
@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """A seat was dealt lines to pick from (Rule: tokai 3.1.1)."""

    seat: Public[Seat]
    lines: Public[tuple[LineId, ...]]


@state
@dataclass(frozen=True, slots=True)
class Chose(Event):
    """A seat has picked its lines; which ones is shown when all have (Rule: tokai 3.1.5)."""

    seat: Public[Seat]
    lines: Owner[tuple[LineId, ...]]
    price: Owner[int]


@state
@dataclass(frozen=True, slots=True)
class Prebought(Event):
    """What a seat bought before the game, and the cash that it is left (Rule: tokai 3.1.3)."""

    reveals: ClassVar[bool] = True
    seat: Public[Seat]
    lines: Public[tuple[LineId, ...]]
    price: Public[int]
    cash: Public[int]


@state
@dataclass(frozen=True, slots=True)
class TicketPrebought(Event):
    """A seat bought an express ticket before the game (Rule: tokai 3.1.2)."""

    reveals: ClassVar[bool] = True
    seat: Public[Seat]


@state
@dataclass(frozen=True, slots=True)
class RolledRegion(Event):
    """Three dice gave a region (Rule: tokai 4.1.1)."""

    seat: Public[Seat]
    coloured: Public[int]
    whites: Public[tuple[int, ...]]
    region: Public[RegionId]


@state
@dataclass(frozen=True, slots=True)
class RolledCity(Event):
    """Three dice gave a city in the table of a region (Rule: tokai 4.1.1)."""

    seat: Public[Seat]
    coloured: Public[int]
    whites: Public[tuple[int, ...]]
    region: Public[RegionId]
    point: Public[PointId]


@state
@dataclass(frozen=True, slots=True)
class RolledFree(Event):
    """Three dice let the seat name any destination (Rule: tokai 4.3, 6.3)."""

    seat: Public[Seat]
    coloured: Public[int]
    whites: Public[tuple[int, ...]]
    region: Public[RegionId]


@state
@dataclass(frozen=True, slots=True)
class StartTaken(Event):
    """The city is somebody's start city already: both rolls again (Rule: tokai 4.2)."""

    seat: Public[Seat]
    point: Public[PointId]
    other: Public[Seat]


@state
@dataclass(frozen=True, slots=True)
class Started(Event):
    """A pawn was put on its start city (Rule: tokai 4.4)."""

    seat: Public[Seat]
    point: Public[PointId]


@state
@dataclass(frozen=True, slots=True)
class ThroughGot(Event):
    """A line was bought under a pawn: its seat has a through ticket (Rule: tokai 11.6, 4.5)."""

    seat: Public[Seat]
    line: Public[LineId]
    owner: Public[Seat]


@state
@dataclass(frozen=True, slots=True)
class ThroughEnded(Event):
    """Through tickets ended by riding another line (Rule: tokai 11.7, 11.9)."""

    seat: Public[Seat]
    lines: Public[tuple[LineId, ...]]


@state
@dataclass(frozen=True, slots=True)
class TurnBegan(Event):
    """A seat's turn began (Rule: tokai 5.1)."""

    seat: Public[Seat]
    turn: Public[int]


@state
@dataclass(frozen=True, slots=True)
class HomeRegion(Event):
    """The region rolled is where the pawn stands: the seat names any (Rule: tokai 6.2)."""

    seat: Public[Seat]
    region: Public[RegionId]


@state
@dataclass(frozen=True, slots=True)
class RegionNamed(Event):
    """A seat named a region (Rule: tokai 6.2)."""

    seat: Public[Seat]
    region: Public[RegionId]


@state
@dataclass(frozen=True, slots=True)
class DestinationSet(Event):
    """A trip has its destination and its payoff (Rule: tokai 6.5)."""

    seat: Public[Seat]
    origin: Public[PointId]
    destination: Public[PointId]
    payoff: Public[int]


@state
@dataclass(frozen=True, slots=True)
class HalfLost(Event):
    """The city rolled is where the pawn stands: this half is lost (Rule: tokai 6.4)."""

    seat: Public[Seat]
    point: Public[PointId]


@state
@dataclass(frozen=True, slots=True)
class RolledSteps(Event):
    """The white dice of a normal half (Rule: tokai 7.1.1)."""

    seat: Public[Seat]
    whites: Public[tuple[int, ...]]
    steps: Public[int]


@state
@dataclass(frozen=True, slots=True)
class RolledExtra(Event):
    """The coloured die of an extra half (Rule: tokai 7.1.1)."""

    seat: Public[Seat]
    steps: Public[int]


@state
@dataclass(frozen=True, slots=True)
class ExtraGranted(Event):
    """The roll grants an extra half (Rule: tokai 7.1.2)."""

    seat: Public[Seat]


@state
@dataclass(frozen=True, slots=True)
class Rode(Event):
    """A leg: along one line to a point; `left` steps remain (Rule: tokai 7.2.2)."""

    seat: Public[Seat]
    line: Public[LineId]
    point: Public[PointId]
    steps: Public[int]
    left: Public[int]


@state
@dataclass(frozen=True, slots=True)
class WentBack(Event):
    """A seat took back its last leg (Rule: tokai 16.1)."""

    seat: Public[Seat]
    point: Public[PointId]
    left: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Arrived(Event):
    """A trip ended, and its payoff was paid out (Rule: tokai 8.1)."""

    seat: Public[Seat]
    point: Public[PointId]
    payoff: Public[int]
    cash: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Bought(Event):
    """A line was bought (Rule: tokai 9.1)."""

    seat: Public[Seat]
    line: Public[LineId]
    price: Public[int]
    cash: Public[int]


@state
@dataclass(frozen=True, slots=True)
class TicketBought(Event):
    """An express ticket was bought (Rule: tokai 9.1)."""

    seat: Public[Seat]
    price: Public[int]
    cash: Public[int]


@state
@dataclass(frozen=True, slots=True)
class BoughtNothing(Event):
    """A seat bought nothing on arrival (Rule: tokai 9.1)."""

    seat: Public[Seat]


@state
@dataclass(frozen=True, slots=True)
class PaidBank(Event):
    """The bank's share of the fare of a turn (Rule: tokai 11.1)."""

    seat: Public[Seat]
    amount: Public[int]


@state
@dataclass(frozen=True, slots=True)
class PaidOwner(Event):
    """An owner's share of the fare of a turn (Rule: tokai 11.1)."""

    seat: Public[Seat]
    other: Public[Seat]
    amount: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Short(Event):
    """The cash does not cover the dues: the seat has to sell (Rule: tokai 11.2.1)."""

    seat: Public[Seat]
    cash: Public[int]
    owed: Public[int]


@state
@dataclass(frozen=True, slots=True)
class SoldToBank(Event):
    """The bank took a line at half its face; it is unowned now (Rule: tokai 11.2.2)."""

    seat: Public[Seat]
    line: Public[LineId]
    amount: Public[int]


@state
@dataclass(frozen=True, slots=True)
class AuctionBegan(Event):
    """A line is up for auction; `least` is the lowest bid (Rule: tokai 11.2.5)."""

    seat: Public[Seat]
    line: Public[LineId]
    least: Public[int]


@state
@dataclass(frozen=True, slots=True)
class HasBid(Event):
    """A bid in an auction (Rule: tokai 11.2.5)."""

    seat: Public[Seat]
    line: Public[LineId]
    bid: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Passed(Event):
    """A seat has left the auction (Rule: tokai 11.2.5)."""

    seat: Public[Seat]


@state
@dataclass(frozen=True, slots=True)
class CannotBid(Event):
    """A seat cannot make the least bid and is not asked (Rule: tokai 11.2.5)."""

    seat: Public[Seat]


@state
@dataclass(frozen=True, slots=True)
class NobodyBid(Event):
    """An auction ended without a bid, so the bank takes the line (Rule: tokai 11.2.5)."""

    line: Public[LineId]


@state
@dataclass(frozen=True, slots=True)
class AuctionWon(Event):
    """A line changed hands; `cancelled` of the price was owed anyway (Rule: tokai 11.2.6)."""

    seat: Public[Seat]
    line: Public[LineId]
    owner: Public[Seat]
    price: Public[int]
    cancelled: Public[int]


@state
@dataclass(frozen=True, slots=True)
class WentBankrupt(Event):
    """Nothing left to sell, dues unpaid: the seat is out (Rule: tokai 11.2.7)."""

    seat: Public[Seat]
    missing: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Stranded(Event):
    """No legal movement is left: the seat is out, all it had goes to the bank.

    Rule: tokai 7.2.6, 13.1.
    """

    seat: Public[Seat]
    steps: Public[int]


@state
@dataclass(frozen=True, slots=True)
class LinesReturned(Event):
    """The lines of a seat that is out are unowned again (Rule: tokai 13.1)."""

    seat: Public[Seat]
    lines: Public[tuple[LineId, ...]]


@state
@dataclass(frozen=True, slots=True)
class LastLineSold(Event):
    """Nobody can buy a line any more: that ends the game (Rule: tokai 12.1, 17.1)."""

    seat: Public[Seat]


@state
@dataclass(frozen=True, slots=True)
class LeftAlone(Event):
    """All others are out (Rule: tokai 12.3)."""

    seat: Public[Seat]


@state
@dataclass(frozen=True, slots=True)
class LimitReached(Event):
    """The last turn of the turn limit was played (Rule: tokai 12.4)."""

    turns: Public[int]


@state
@dataclass(frozen=True, slots=True)
class GameOver(Event):
    """The game is over; the most assets win (Rule: tokai 12.2)."""

    winner: Public[tuple[Seat, ...]]
    assets: Public[int]


EVENTS: Final[tuple[type[Event], ...]] = (
    RolledForOrder,
    Tied,
    PlaysFirst,
    Dealt,
    Chose,
    Prebought,
    TicketPrebought,
    RolledRegion,
    RolledCity,
    RolledFree,
    StartTaken,
    Started,
    ThroughGot,
    ThroughEnded,
    TurnBegan,
    HomeRegion,
    RegionNamed,
    DestinationSet,
    HalfLost,
    RolledSteps,
    RolledExtra,
    ExtraGranted,
    Rode,
    WentBack,
    Arrived,
    Bought,
    TicketBought,
    BoughtNothing,
    PaidBank,
    PaidOwner,
    Short,
    SoldToBank,
    AuctionBegan,
    HasBid,
    Passed,
    CannotBid,
    NobodyBid,
    AuctionWon,
    WentBankrupt,
    Stranded,
    LinesReturned,
    LastLineSold,
    LeftAlone,
    LimitReached,
    GameOver,
)

__all__ = [
    "EVENTS",
    "Arrived",
    "AuctionBegan",
    "AuctionWon",
    "Bought",
    "BoughtNothing",
    "CannotBid",
    "Chose",
    "Dealt",
    "DestinationSet",
    "ExtraGranted",
    "GameOver",
    "HalfLost",
    "HasBid",
    "HomeRegion",
    "LastLineSold",
    "LeftAlone",
    "LimitReached",
    "LinesReturned",
    "NobodyBid",
    "PaidBank",
    "PaidOwner",
    "Passed",
    "PlaysFirst",
    "Prebought",
    "RegionNamed",
    "Rode",
    "RolledCity",
    "RolledExtra",
    "RolledForOrder",
    "RolledFree",
    "RolledRegion",
    "RolledSteps",
    "Short",
    "SoldToBank",
    "StartTaken",
    "Started",
    "Stranded",
    "ThroughEnded",
    "ThroughGot",
    "TicketBought",
    "TicketPrebought",
    "Tied",
    "TurnBegan",
    "WentBack",
    "WentBankrupt",
]
