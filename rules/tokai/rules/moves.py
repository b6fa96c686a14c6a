"""The moves: one for each decision of the game, and the step back on a ride."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Final

from bluebear.rules.core.visibility import Move, Owner, Public, Visibility
from bluebear.rules.tokai.data.map_data import LineId, PointId, RegionId

EXPRESS: Final = "express"
"""The express ticket as something to buy."""

NOTHING: Final = "none"
"""Buying nothing."""

PASS: Final = 0
"""A bid of nothing."""


class Sale(StrEnum):
    """How a line is sold (Rule: tokai 11.2.2, 11.2.3)."""

    BANK = "bank"
    AUCTION = "auction"


class Choice(StrEnum):
    """What a seller takes after an auction (Rule: tokai 11.2.3)."""

    BID = "bid"
    BANK = "bank"


class Prebuy(Move):
    """Pick lines of the own hand and the express ticket or not (Rule: tokai 3.1.2)."""

    sight: ClassVar[Visibility] = Visibility.OWNER
    lines: Owner[tuple[LineId, ...]]
    express: Owner[bool]


class NameRegion(Move):
    """Name a region to roll in (Rule: tokai 6.2)."""

    region: Public[RegionId]


class NameDestination(Move):
    """Name a start city or a destination (Rule: tokai 4.3, 6.3)."""

    destination: Public[PointId]


class Go(Move):
    """Ride one line to a point; on a loop `cw` or `ccw` says which way (Rule: tokai 16.1, 16.2)."""

    line: Public[LineId]
    point: Public[PointId]
    cw: Public[bool]
    ccw: Public[bool]


class Back(Move):
    """Take the last leg back (Rule: tokai 16.1)."""

    takes_back: ClassVar[bool] = True


class Buy(Move):
    """Buy a line, the express ticket or nothing (Rule: tokai 9.1)."""

    item: Public[str]


class Sell(Move):
    """Sell a line to the bank, or put it up for auction (Rule: tokai 11.2.2, 11.2.3)."""

    line: Public[LineId]
    sale: Public[Sale]


class Bid(Move):
    """Bid so many thousand yen, or pass (Rule: tokai 11.2.5)."""

    bid: Public[int]


class Deal(Move):
    """Take the highest bid, or sell to the bank after all (Rule: tokai 11.2.3)."""

    deal: Public[Choice]
