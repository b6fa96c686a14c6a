"""What happens with properties and money, as data: purchases, fares, sales, auctions."""

from __future__ import annotations

from bluebear.rules.core.visibility import Event, Public, Seat
from bluebear.rules.tokai.atlas import LineId


class Bought(Event):
    """A line was bought (Rule: tokai 9.1)."""

    seat: Public[Seat]
    line: Public[LineId]
    price: Public[int]
    cash: Public[int]


class TicketBought(Event):
    """An express ticket was bought (Rule: tokai 9.1)."""

    seat: Public[Seat]
    price: Public[int]
    cash: Public[int]


class BoughtNothing(Event):
    """A seat bought nothing on arrival (Rule: tokai 9.1)."""

    seat: Public[Seat]


class PaidBank(Event):
    """The bank's share of the fare of a turn (Rule: tokai 11.1)."""

    seat: Public[Seat]
    amount: Public[int]


class PaidOwner(Event):
    """An owner's share of the fare of a turn (Rule: tokai 11.1)."""

    seat: Public[Seat]
    other: Public[Seat]
    amount: Public[int]


class Short(Event):
    """The cash does not cover the dues: the seat has to sell (Rule: tokai 11.2.1)."""

    seat: Public[Seat]
    cash: Public[int]
    owed: Public[int]


class SoldToBank(Event):
    """The bank took a line at half its face; it is unowned now (Rule: tokai 11.2.2)."""

    seat: Public[Seat]
    line: Public[LineId]
    amount: Public[int]


class AuctionBegan(Event):
    """A line is up for auction; `least` is the lowest bid (Rule: tokai 11.2.5)."""

    seat: Public[Seat]
    line: Public[LineId]
    least: Public[int]


class HasBid(Event):
    """A bid in an auction (Rule: tokai 11.2.5)."""

    seat: Public[Seat]
    line: Public[LineId]
    bid: Public[int]


class Passed(Event):
    """A seat has left the auction (Rule: tokai 11.2.5)."""

    seat: Public[Seat]


class CannotBid(Event):
    """A seat cannot make the least bid and is not asked (Rule: tokai 11.2.5)."""

    seat: Public[Seat]


class NobodyBid(Event):
    """An auction ended without a bid, so the bank takes the line (Rule: tokai 11.2.5)."""

    line: Public[LineId]


class AuctionWon(Event):
    """A line changed hands, from `owner` to `seat` (Rule: tokai 11.2.3)."""

    seat: Public[Seat]
    line: Public[LineId]
    owner: Public[Seat]
    price: Public[int]


class SetOff(Event):
    """So much of the price was paid by what `seat` owed `other` (Rule: tokai 11.2.6)."""

    seat: Public[Seat]
    other: Public[Seat]
    amount: Public[int]
