"""What can be done, one small frozen class for each verb of the grammar."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Final, NewType

from bluebear.rules.core.visibility import Move, Owner, Public, Seat
from bluebear.rules.itc.data.terms import Die, Good, Kind, Place, Route, TCard
from bluebear.rules.itc.rules.state import Under

HandCard = NewType("HandCard", str)
"""A card in a hand: a transport card by its number, an action card by what is printed on it."""


class Side(StrEnum):
    """Where a load goes in the next row (Rule: itc 9.7)."""

    STRAIGHT = "straight"
    LEFT = "left"
    RIGHT = "right"


class Stone(Move):
    """Put an own stone on a continent or into the grey market (Rule: itc 6.4, 14.1)."""

    place: Public[Place]


class Roll(Move):
    """Roll two of the three dice (Rule: itc 8.1)."""

    dice: Public[tuple[Die, ...]]


class Use(Move):
    """Use one of the dice that lie open (Rule: itc 8.1)."""

    die: Public[Die]


class LoadCard(Move):
    """Put a transport card on the first row of a route (Rule: itc 9.1)."""

    card: Public[TCard]
    route: Public[Route]
    column: Public[int]


class HideUnder(Move):
    """Load with an action card under the transport card (Rule: itc 11.11, 11.20)."""

    card: Public[TCard]
    route: Public[Route]
    column: Public[int]
    under: Owner[Under]


class LoadMega(Move):
    """Load two transport cards on one space, the lower one named first (Rule: itc 11.7)."""

    card: Public[TCard]
    other: Public[TCard]
    route: Public[Route]
    column: Public[int]


class Step(Move):
    """Move an own load one row up (Rule: itc 9.7)."""

    card: Public[TCard]
    side: Public[Side]


class Jump(Move):
    """Move an express load to the top row (Rule: itc 11.6)."""

    card: Public[TCard]
    column: Public[int]


class Drop(Move):
    """Mark one good of a load for the grey market, before it lands (Rule: itc 12.2)."""

    card: Public[TCard]
    good: Public[Good]


class Keep(Move):
    """Take all marks of a load back (Rule: itc 12.2)."""

    takes_back: ClassVar[bool] = True

    card: Public[TCard]


class Land(Move):
    """Bring a load from the top row to a continent (Rule: itc 12.1)."""

    card: Public[TCard]
    place: Public[Place]


class Sell(Move):
    """Sell all goods of one colour (Rule: itc 14.2, 14.3)."""

    place: Public[Place]
    good: Public[Good]


class Attack(Move):
    """Attack the grey market for a point (Rule: itc 14.4)."""


class Play(Move):
    """Play an action card that needs no further choice (Rule: itc 11.1)."""

    kind: Public[Kind]


class Rob(Move):
    """Play a robbery card of a continent (Rule: itc 11.21)."""

    place: Public[Place]


class Unrest(Move):
    """Play an unrest card of a continent (Rule: itc 11.22)."""

    place: Public[Place]


class Transfer(Move):
    """Move a stone of another player from continent to continent (Rule: itc 11.12)."""

    seat: Public[Seat]
    origin: Public[Place]
    place: Public[Place]


class Shift(Move):
    """Move an own stone from a continent elsewhere (Rule: itc 11.13)."""

    origin: Public[Place]
    place: Public[Place]


class Obstruct(Move):
    """Set a load one row back (Rule: itc 11.17)."""

    card: Public[TCard]
    side: Public[Side]


class Resettle(Move):
    """Play a new location: bring a first own stone to a continent without any (Rule: itc 11.26)."""

    place: Public[Place]
    origin: Public[Place]


class Fetch(Move):
    """Bring a further stone to the new location (Rule: itc 11.26)."""

    origin: Public[Place]


class Organize(Move):
    """Send a first stone from a continent to the grey market (Rule: itc 11.27)."""

    place: Public[Place]
    seat: Public[Seat]


class Recruit(Move):
    """Send a further stone from the same continent (Rule: itc 11.27)."""

    seat: Public[Seat]


class Discard(Move):
    """Discard a card down to the hand limit (Rule: itc 11.3)."""

    card: Public[HandCard]


class End(Move):
    """End the turn (Rule: itc 7.1)."""


STONES: Final = tuple(map(Stone, Place))
"""A stone at every place."""
