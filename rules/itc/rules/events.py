"""What happens in a game of I.T.C., as data; the sentences are in `phrases.toml`."""

from __future__ import annotations

from typing import ClassVar

from bluebear.rules.core.visibility import Event, Owner, Public, Seat, Visibility
from bluebear.rules.itc.data.terms import ACard, Die, Good, Place, Route, TCard
from bluebear.rules.itc.rules.moves import HandCard
from bluebear.rules.itc.rules.state import Under

# An event that shows a card of a pile or under a load `reveals`, unless the line of the move shows
# it already; so does a die that is rolled in the open while cards are drawn in secret. A neutral
# card is drawn in the open like a die, is never in a hand, and so tells nothing of what is hidden.

# The course of the game: turns, dice, cards drawn, played and discarded.


class Began(Event):
    """Who places the first stone was drawn (Rule: itc 6.3)."""

    seat: Public[Seat]
    goal: Public[int]


class Dealt(Event):
    """The first transport cards of a hand (Rule: itc 6.1)."""

    sight: ClassVar[Visibility] = Visibility.OWNER
    seat: Public[Seat]
    cards: Public[tuple[TCard, ...]]


class MafiaBegan(Event):
    """The first stone came into the grey market (Rule: itc 6.6)."""

    seat: Public[Seat]


class TurnBegan(Event):
    """A turn began (Rule: itc 7.3)."""

    seat: Public[Seat]
    round: Public[int]


class DutyNoted(Event):
    """A full row with own loads stands at the beginning of a turn (Rule: itc 9.2)."""

    seat: Public[Seat]
    route: Public[Route]
    row: Public[int]


class LastRound(Event):
    """A seat reached the goal (Rule: itc 13.1)."""

    seat: Public[Seat]
    money: Public[int]


class GameOver(Event):
    """The last round was played (Rule: itc 13.1, 13.2)."""

    winner: Public[tuple[Seat, ...]]
    money: Public[int]


class DrewAction(Event):
    """A seat drew an action card that it keeps (Rule: itc 11.1)."""

    reveals: ClassVar[Visibility | None] = Visibility.OWNER
    seat: Public[Seat]
    action: Owner[ACard]


class AtOnce(Event):
    """A seat drew an action card that is executed at once (Rule: itc 11.1)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    seat: Public[Seat]
    action: Public[ACard]


class DrewTransports(Event):
    """A seat drew transport cards with the red die (Rule: itc 8.5)."""

    reveals: ClassVar[Visibility | None] = Visibility.OWNER
    seat: Public[Seat]
    count: Public[int]
    cards: Owner[tuple[TCard, ...]]


class PilesMerged(Event):
    """Discarded action cards became part of the pile again (Rule: itc 8.7, 11.5)."""

    count: Public[int]


class TransportsReturned(Event):
    """Discarded transport cards became the pile (Rule: itc 8.7)."""

    count: Public[int]


class Played(Event):
    """A seat played an action card openly (Rule: itc 11.1)."""

    seat: Public[Seat]
    action: Public[ACard]


class TooManyCards(Event):
    """A turn ended with more cards than may be kept; so many are to be discarded.

    Rule: itc 11.3.
    """

    seat: Public[Seat]
    count: Public[int]


class Discarded(Event):
    """A seat had too many cards (Rule: itc 11.3)."""

    seat: Public[Seat]
    held: Public[HandCard]


class Rolled(Event):
    """One die of a roll (Rule: itc 8.1)."""

    seat: Public[Seat]
    die: Public[Die]
    number: Public[int]


class Used(Event):
    """A die was chosen; so many points can be spent (Rule: itc 8.2, 8.3, 8.4)."""

    seat: Public[Seat]
    die: Public[Die]
    points: Public[int]


# The four routes: loads come, move, jam and are inspected.


class Loaded(Event):
    """A transport card came to its route (Rule: itc 9.1)."""

    seat: Public[Seat]
    card: Public[TCard]
    route: Public[Route]
    column: Public[int]


class LoadedOver(Event):
    """A transport card came to its route with an action card under it (Rule: itc 11.11, 11.20)."""

    seat: Public[Seat]
    card: Public[TCard]
    route: Public[Route]
    column: Public[int]
    under: Owner[Under]


class LoadedMega(Event):
    """Two transport cards came to one space (Rule: itc 11.7)."""

    seat: Public[Seat]
    cards: Public[tuple[TCard, ...]]
    route: Public[Route]
    column: Public[int]


class Stepped(Event):
    """A load moved one row up (Rule: itc 9.7)."""

    seat: Public[Seat]
    card: Public[TCard]
    route: Public[Route]
    row: Public[int]
    column: Public[int]


class Jumped(Event):
    """An express load moved to the top row (Rule: itc 11.6)."""

    seat: Public[Seat]
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

    card: Public[TCard]
    route: Public[Route]
    column: Public[int]


class NeutralStranded(Event):
    """A neutral card found no space on either route (Rule: itc 8.6)."""

    card: Public[TCard]


class JamLost(Event):
    """A load is lost that could have left its full row (Rule: itc 9.4)."""

    seat: Public[Seat]
    card: Public[TCard]
    route: Public[Route]
    row: Public[int]


class Uncovered(Event):
    """What lay under a load is shown and discarded with it (Rule: itc 12.7)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    seat: Public[Seat]
    card: Public[TCard]
    under: Public[Under]


class Caught(Event):
    """An inspection found a smuggling card; its owner pays (Rule: itc 11.5)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    seat: Public[Seat]
    card: Public[TCard]
    amount: Public[int]


class ExpressShown(Event):
    """An inspection found an express card, which stays (Rule: itc 11.5)."""

    reveals: ClassVar[Visibility | None] = Visibility.PUBLIC
    seat: Public[Seat]
    card: Public[TCard]


# Arrivals, and what lies and stands on continents and in the grey market.


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
    """No seat controls the grey market any more (Rule: itc 14.3)."""

    seat: Public[Seat]
