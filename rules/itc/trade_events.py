"""Events of arrivals and of what lies and stands on continents and in the grey market.

The sentences are in `phrases.toml`. An event that shows somebody a card of a pile or under a
load `reveals`, unless the line of the move shows it already; so does a die that is rolled in the
open while cards are drawn in secret.
"""

from __future__ import annotations

from typing import ClassVar

from bluebear.rules.core.visibility import Event, Public, Seat, Visibility
from bluebear.rules.itc.terms import Good, Place, TCard


class Dropped(Event):
    """A good was marked for the grey market (Rule: itc 12.2)."""

    seat: Public[Seat]
    card: Public[TCard]
    good: Public[Good]


class Kept(Event):
    """All marks of a load were taken back (Rule: itc 12.2)."""

    seat: Public[Seat]
    card: Public[TCard]


class TheftRolled(Event):
    """The red die was rolled for an arriving card (Rule: itc 12.3)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    card: Public[TCard]
    place: Public[Place]
    number: Public[int]


class Stolen(Event):
    """A good of an arriving card went to the grey market (Rule: itc 12.3)."""

    card: Public[TCard]
    good: Public[Good]


class TheftPaid(Event):
    """The controller got the value of a stolen good (Rule: itc 12.3)."""

    seat: Public[Seat]
    amount: Public[int]


class Arrived(Event):
    """Goods of a card were put on a continent (Rule: itc 12.5)."""

    card: Public[TCard]
    place: Public[Place]
    goods: Public[tuple[Good, ...]]


class WentToMarket(Event):
    """Goods of a card went to the grey market (Rule: itc 12.2, 12.4, 12.5, 9.4, 8.6)."""

    card: Public[TCard]
    goods: Public[tuple[Good, ...]]


class Overflowed(Event):
    """A good found its group in the grey market full and took the place of a cheaper colour.

    Rule: itc 12.9.
    """

    good: Public[Good]
    other_good: Public[Good]


class LeftGame(Event):
    """A good found no space in the grey market at all (Rule: itc 12.9)."""

    good: Public[Good]


class TransportPaid(Event):
    """The carrier got the income of a card (Rule: itc 12.6)."""

    seat: Public[Seat]
    card: Public[TCard]
    amount: Public[int]


class SmugglingPaid(Event):
    """A smuggling card paid its bonus (Rule: itc 12.7)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    seat: Public[Seat]
    card: Public[TCard]
    amount: Public[int]


class Delivered(Event):
    """An action card brought goods to a continent (Rule: itc 11.4)."""

    place: Public[Place]
    good: Public[Good]
    count: Public[int]


class NothingDelivered(Event):
    """No accepted colour was without goods (Rule: itc 11.4)."""

    place: Public[Place]


class Purged(Event):
    """One good of every colour left the grey market (Rule: itc 11.16)."""

    goods: Public[tuple[Good, ...]]


class Robbed(Event):
    """The dearest good of a continent went to the grey market (Rule: itc 11.21)."""

    place: Public[Place]
    good: Public[Good]


class Sold(Event):
    """A seat sold all goods of a colour (Rule: itc 14.2, 14.3)."""

    seat: Public[Seat]
    place: Public[Place]
    good: Public[Good]
    count: Public[int]
    amount: Public[int]


class StonePlaced(Event):
    """A stone from the stock was placed (Rule: itc 6.4, 14.1)."""

    seat: Public[Seat]
    place: Public[Place]


class StoneMoved(Event):
    """A stone moved from one place to another (Rule: itc 11.12, 11.13, 11.26, 11.27)."""

    seat: Public[Seat]
    origin: Public[Place]
    place: Public[Place]


class StoneLost(Event):
    """A stone went back to its owner's stock (Rule: itc 11.22, 11.27)."""

    seat: Public[Seat]
    place: Public[Place]


class Attacked(Event):
    """Stones were sent against the controller of the grey market (Rule: itc 14.4)."""

    seat: Public[Seat]
    other: Public[Seat]
    count: Public[int]


class Clashed(Event):
    """One roll of an attack: the attacker's number, the defender's, the stones both have left.

    Rule: itc 14.4.
    """

    seat: Public[Seat]
    other: Public[Seat]
    number: Public[int]
    other_number: Public[int]
    count: Public[int]
    other_count: Public[int]


class MarketTaken(Event):
    """A seat controls the grey market with so many stones (Rule: itc 14.4, 14.5)."""

    seat: Public[Seat]
    count: Public[int]


class MarketHeld(Event):
    """The controller has beaten an attack off (Rule: itc 14.4)."""

    seat: Public[Seat]
    count: Public[int]


class MarketLeft(Event):
    """Nobody controls the grey market any more (Rule: itc 14.3)."""

    seat: Public[Seat]
