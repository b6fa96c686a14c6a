"""What can be done, one small frozen class for each verb of the grammar."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from rules.core.vision import Move, Owner, Public, Seat, state
from rules.itc.state import Under
from rules.itc.terms import Die, Good, Kind, Place, Route, TCard

HandCard = NewType("HandCard", str)
"""A card in a hand: a transport card by its number, an action card by what is printed on it."""


class Side(StrEnum):
    """Where a load goes in the next row (Rule: itc 9.7)."""

    STRAIGHT = "straight"
    LEFT = "left"
    RIGHT = "right"


@state
@dataclass(frozen=True, slots=True)
class Stone(Move):
    """Put an own stone on a continent or into the grey market (Rule: itc 6.4, 14.1)."""

    place: Public[Place]


@state
@dataclass(frozen=True, slots=True)
class Roll(Move):
    """Roll two of the three dice (Rule: itc 8.1)."""

    dice: Public[tuple[Die, ...]]


@state
@dataclass(frozen=True, slots=True)
class Use(Move):
    """Use one of the dice that lie open (Rule: itc 8.1)."""

    die: Public[Die]


@state
@dataclass(frozen=True, slots=True)
class LoadCard(Move):
    """Put a transport card on the first row of a route (Rule: itc 9.1)."""

    card: Public[TCard]
    route: Public[Route]
    column: Public[int]


@state
@dataclass(frozen=True, slots=True)
class HideUnder(Move):
    """Load with an action card under the transport card (Rule: itc 11.11, 11.20)."""

    card: Public[TCard]
    route: Public[Route]
    column: Public[int]
    under: Owner[Under]


@state
@dataclass(frozen=True, slots=True)
class LoadMega(Move):
    """Load two transport cards on one space, the lower one named first (Rule: itc 11.7)."""

    card: Public[TCard]
    other: Public[TCard]
    route: Public[Route]
    column: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Step(Move):
    """Move an own load one row up (Rule: itc 9.7)."""

    card: Public[TCard]
    side: Public[Side]


@state
@dataclass(frozen=True, slots=True)
class Jump(Move):
    """Move an express load to the top row (Rule: itc 11.6)."""

    card: Public[TCard]
    column: Public[int]


@state
@dataclass(frozen=True, slots=True)
class Drop(Move):
    """Mark one good of a load for the grey market, before it lands (Rule: itc 12.2)."""

    card: Public[TCard]
    good: Public[Good]


@state
@dataclass(frozen=True, slots=True)
class Keep(Move):
    """Take all marks of a load back (Rule: itc 12.2)."""

    card: Public[TCard]


@state
@dataclass(frozen=True, slots=True)
class Land(Move):
    """Bring a load from the top row to a continent (Rule: itc 12.1)."""

    card: Public[TCard]
    place: Public[Place]


@state
@dataclass(frozen=True, slots=True)
class Sell(Move):
    """Sell all goods of one colour (Rule: itc 14.2, 14.3)."""

    place: Public[Place]
    good: Public[Good]


@state
@dataclass(frozen=True, slots=True)
class Attack(Move):
    """Attack the grey market for a point (Rule: itc 14.4)."""


@state
@dataclass(frozen=True, slots=True)
class Play(Move):
    """Play an action card that needs no further choice (Rule: itc 11.1)."""

    kind: Public[Kind]


@state
@dataclass(frozen=True, slots=True)
class Rob(Move):
    """Play a robbery card of a continent (Rule: itc 11.21)."""

    place: Public[Place]


@state
@dataclass(frozen=True, slots=True)
class Unrest(Move):
    """Play an unrest card of a continent (Rule: itc 11.22)."""

    place: Public[Place]


@state
@dataclass(frozen=True, slots=True)
class Transfer(Move):
    """Move a stone of another player from continent to continent (Rule: itc 11.12)."""

    seat: Public[Seat]
    origin: Public[Place]
    place: Public[Place]


@state
@dataclass(frozen=True, slots=True)
class Shift(Move):
    """Move an own stone from a continent elsewhere (Rule: itc 11.13)."""

    origin: Public[Place]
    place: Public[Place]


@state
@dataclass(frozen=True, slots=True)
class Obstruct(Move):
    """Set a load one row back (Rule: itc 11.17)."""

    card: Public[TCard]
    side: Public[Side]


@state
@dataclass(frozen=True, slots=True)
class Resettle(Move):
    """Play a new location: bring a first own stone to a continent without any (Rule: itc 11.26)."""

    place: Public[Place]
    origin: Public[Place]


@state
@dataclass(frozen=True, slots=True)
class Fetch(Move):
    """Bring a further stone to the new location (Rule: itc 11.26)."""

    origin: Public[Place]


@state
@dataclass(frozen=True, slots=True)
class Organize(Move):
    """Send a first stone from a continent to the grey market (Rule: itc 11.27)."""

    place: Public[Place]
    seat: Public[Seat]


@state
@dataclass(frozen=True, slots=True)
class Recruit(Move):
    """Send a further stone from the same continent (Rule: itc 11.27)."""

    seat: Public[Seat]


@state
@dataclass(frozen=True, slots=True)
class Discard(Move):
    """Discard a card down to the hand limit (Rule: itc 11.3)."""

    card: Public[HandCard]


@state
@dataclass(frozen=True, slots=True)
class End(Move):
    """End the turn (Rule: itc 7.1)."""


MOVES: tuple[type[Move], ...] = (
    Stone,
    Roll,
    Use,
    LoadCard,
    HideUnder,
    LoadMega,
    Step,
    Jump,
    Drop,
    Keep,
    Land,
    Sell,
    Attack,
    Play,
    Rob,
    Unrest,
    Transfer,
    Shift,
    Obstruct,
    Resettle,
    Fetch,
    Organize,
    Recruit,
    Discard,
    End,
)

__all__ = [
    "MOVES",
    "Attack",
    "Discard",
    "Drop",
    "End",
    "Fetch",
    "HandCard",
    "HideUnder",
    "Jump",
    "Keep",
    "Land",
    "LoadCard",
    "LoadMega",
    "Obstruct",
    "Organize",
    "Play",
    "Recruit",
    "Resettle",
    "Rob",
    "Roll",
    "Sell",
    "Shift",
    "Side",
    "Step",
    "Stone",
    "Transfer",
    "Unrest",
    "Use",
]
