"""Events on the four routes: loads come, move, jam and are inspected.

The sentences are in `phrases.toml`. An event that shows somebody a card under a load `reveals`,
unless the line of the move shows it already. A neutral card is drawn in the open like a die: it is
never in a hand, so it tells nothing of what is hidden.
"""

from __future__ import annotations

from typing import ClassVar

from bluebear.rules.core.visibility import Event, Owner, Public, Seat, Visibility
from bluebear.rules.itc.state import Under
from bluebear.rules.itc.terms import Route, TCard


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
