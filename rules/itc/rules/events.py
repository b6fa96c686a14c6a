"""What happens in a game of I.T.C., as data; the sentences are in `phrases.toml`."""

from __future__ import annotations

from typing import ClassVar

from bluebear.rules.core.visibility import Event, Owner, Public, Seat, SeatEvent, Visibility
from bluebear.rules.itc.data.terms import ACard, Die, Good, Place, Route, TCard
from bluebear.rules.itc.rules.moves import HandCard
from bluebear.rules.itc.rules.state import Under

# An event that shows a card of a pile or under a load `reveals`, unless the line of the move shows
# it already; so does a die that is rolled in the open while cards are drawn in secret. A neutral
# card is laid open as it is drawn, and no board shows which of two came first.

# The course of the game: turns, dice, cards drawn, played and discarded.


class Began(SeatEvent):
    """Who places the first stone was drawn (Rule: itc 6.3)."""

    goal: Public[int]


class Dealt(SeatEvent):
    """The first transport cards of a hand (Rule: itc 6.1)."""

    sight: ClassVar[Visibility] = Visibility.OWNER
    cards: Public[tuple[TCard, ...]]


class MafiaBegan(SeatEvent):
    """The first stone came into the grey market (Rule: itc 6.6)."""


class TurnBegan(SeatEvent):
    """A turn began (Rule: itc 7.3)."""

    round: Public[int]


class DutyNoted(SeatEvent):
    """A full row with own loads stands at the beginning of a turn (Rule: itc 9.2)."""

    route: Public[Route]
    row: Public[int]


class LastRound(SeatEvent):
    """A seat reached the goal (Rule: itc 13.1)."""

    money: Public[int]


class GameOver(Event):
    """The last round was played (Rule: itc 13.1, 13.2)."""

    winner: Public[tuple[Seat, ...]]
    money: Public[int]


class DrewAction(SeatEvent):
    """A seat drew an action card that it keeps (Rule: itc 11.1)."""

    reveals: ClassVar[Visibility | None] = Visibility.OWNER
    action: Owner[ACard]


class AtOnce(SeatEvent):
    """A seat drew an action card that is executed at once (Rule: itc 11.1)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    action: Public[ACard]


class DrewTransports(SeatEvent):
    """A seat drew transport cards with the red die (Rule: itc 8.5)."""

    reveals: ClassVar[Visibility | None] = Visibility.OWNER
    count: Public[int]
    cards: Owner[tuple[TCard, ...]]


class PilesMerged(Event):
    """Discarded action cards became part of the pile again (Rule: itc 8.7, 11.5)."""

    count: Public[int]


class TransportsReturned(Event):
    """Discarded transport cards became the pile (Rule: itc 8.7)."""

    count: Public[int]


class Played(SeatEvent):
    """A seat played an action card openly (Rule: itc 11.1)."""

    action: Public[ACard]


class TooManyCards(Event):
    """A turn ended with too many cards; so many are to be discarded (Rule: itc 11.3)."""

    seat: Public[Seat]
    count: Public[int]


class Discarded(SeatEvent):
    """A seat had too many cards (Rule: itc 11.3)."""

    held: Public[HandCard]


class Rolled(SeatEvent):
    """One die of a roll (Rule: itc 8.1)."""

    die: Public[Die]
    number: Public[int]


class Used(SeatEvent):
    """A die was chosen; so many points can be spent (Rule: itc 8.2, 8.3, 8.4)."""

    die: Public[Die]
    points: Public[int]


# The four routes: loads come, move, jam and are inspected.


class Loaded(SeatEvent):
    """A transport card came to its route (Rule: itc 9.1)."""

    card: Public[TCard]
    route: Public[Route]
    column: Public[int]


class LoadedOver(SeatEvent):
    """A transport card came to its route with an action card under it (Rule: itc 11.11, 11.20)."""

    card: Public[TCard]
    route: Public[Route]
    column: Public[int]
    under: Owner[Under]


class LoadedMega(SeatEvent):
    """Two transport cards came to one space (Rule: itc 11.7)."""

    cards: Public[tuple[TCard, ...]]
    route: Public[Route]
    column: Public[int]


class Stepped(SeatEvent):
    """A load moved one row up (Rule: itc 9.7)."""

    card: Public[TCard]
    route: Public[Route]
    row: Public[int]
    column: Public[int]


class Jumped(SeatEvent):
    """An express load moved to the top row (Rule: itc 11.6)."""

    card: Public[TCard]
    route: Public[Route]
    column: Public[int]


class SetBack(Event):
    """An obstacle moved a load one row back (Rule: itc 11.17)."""

    card: Public[TCard]
    route: Public[Route]
    row: Public[int]
    column: Public[int]


class NeutralsAdvanced(Event):
    """Neutral loads moved one row up (Rule: itc 10.1)."""

    cards: Public[tuple[TCard, ...]]


class NeutralEntered(Event):
    """A neutral card came to its route (Rule: itc 10.4)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    card: Public[TCard]
    route: Public[Route]
    column: Public[int]


class NeutralStranded(Event):
    """A neutral card found no space on either route (Rule: itc 8.6)."""

    card: Public[TCard]


class JamLost(SeatEvent):
    """A load is lost that could have left its full row (Rule: itc 9.4)."""

    card: Public[TCard]
    route: Public[Route]
    row: Public[int]


class Uncovered(SeatEvent):
    """What lay under a load is shown and discarded with it (Rule: itc 12.7)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    card: Public[TCard]
    under: Public[Under]


class Caught(SeatEvent):
    """An inspection found a smuggling card; its owner pays (Rule: itc 11.5)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    card: Public[TCard]
    amount: Public[int]


class ExpressShown(SeatEvent):
    """An inspection found an express card, which stays (Rule: itc 11.5)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    card: Public[TCard]


# Arrivals, and what lies and stands on continents and in the grey market.


class Dropped(SeatEvent):
    """A good was marked for the grey market (Rule: itc 12.2)."""

    card: Public[TCard]
    good: Public[Good]


class Kept(SeatEvent):
    """All marks of a load were taken back (Rule: itc 12.2)."""

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


class TheftPaid(SeatEvent):
    """The controller got the value of a stolen good (Rule: itc 12.3)."""

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
    """A good took the place of a cheaper colour in the grey market (Rule: itc 12.9)."""

    good: Public[Good]
    other_good: Public[Good]


class LeftGame(Event):
    """A good found no space in the grey market at all (Rule: itc 12.9)."""

    good: Public[Good]


class TransportPaid(SeatEvent):
    """The carrier got the income of a card (Rule: itc 12.6)."""

    card: Public[TCard]
    amount: Public[int]


class SmugglingPaid(SeatEvent):
    """A smuggling card paid its bonus (Rule: itc 12.7)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
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


class Sold(SeatEvent):
    """A seat sold all goods of a colour (Rule: itc 14.2, 14.3)."""

    place: Public[Place]
    good: Public[Good]
    count: Public[int]
    amount: Public[int]


class StonePlaced(SeatEvent):
    """A stone from the stock was placed (Rule: itc 6.4, 14.1)."""

    place: Public[Place]


class StoneMoved(SeatEvent):
    """A stone moved from one place to another (Rule: itc 11.12, 11.13, 11.26, 11.27)."""

    origin: Public[Place]
    place: Public[Place]


class StoneLost(SeatEvent):
    """A stone went back to its owner's stock (Rule: itc 11.22, 11.27)."""

    place: Public[Place]


class Attacked(SeatEvent):
    """Stones were sent against the controller of the grey market (Rule: itc 14.4)."""

    other: Public[Seat]
    count: Public[int]


class Clashed(Event):
    """One roll of an attack: both numbers, the stones both have left (Rule: itc 14.4)."""

    seat: Public[Seat]
    other: Public[Seat]
    number: Public[int]
    other_number: Public[int]
    count: Public[int]
    other_count: Public[int]


class MarketTaken(SeatEvent):
    """A seat controls the grey market with so many stones (Rule: itc 14.4, 14.5)."""

    count: Public[int]


class MarketHeld(SeatEvent):
    """The controller has beaten an attack off (Rule: itc 14.4)."""

    count: Public[int]


class MarketLeft(SeatEvent):
    """No seat controls the grey market any more (Rule: itc 14.3)."""
