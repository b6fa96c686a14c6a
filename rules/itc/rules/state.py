"""The state of a game of I.T.C.: board, hands, piles, who sees what of it; points of dice."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NewType

from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Hidden, Node, Owner, Public, Row, Seat
from bluebear.rules.itc.data.tables import LIMITS
from bluebear.rules.itc.data.terms import ACard, Die, Kind, Place, Route, TCard

# The view of a state is read by clients under these very names.

Space = NewType("Space", int)
"""A space of a route: ten times its row, counted from the bottom, plus its column, from the left
(Rule: itc 2.1).
"""

NEUTRAL: Final = Seat(0)
"""Stands for the owner of a load of no seat (Rule: itc 5.2)."""

Goods = tuple[int, ...]
"""How many goods of each colour, the cheapest colour first (Rule: itc 3.2)."""

NO_GOODS: Final[Goods] = (0, 0, 0, 0, 0, 0)


class Phase(StrEnum):
    """What is to be decided (Rule: itc 6.4, 7.4)."""

    PLACING = "placing"
    DICE = "dice"
    ROLLED = "rolled"
    ACTING = "acting"
    DISCARDING = "discarding"
    OVER = "over"


class Under(StrEnum):
    """Which action card lies under a load, or what is known of it (Rule: itc 16.3)."""

    NONE = "none"
    HIDDEN = "hidden"
    SMUGGLING = "smuggling"
    EXPRESS = "express"


class Load(Row):
    """What lies on a space: one transport card, or two of a mega transport, the lower first.

    `under` is what all seats know: `none`, `hidden`, or `express` once it was shown. `fresh` says
    that the load came to its route in this turn (Rule: itc 9.1).
    """

    cards: Public[tuple[TCard, ...]]
    owner: Public[Seat]
    under: Public[Under]
    fresh: Public[bool]


class Store(Row):
    """A continent or the grey market.

    `goods` counts all goods by colour, `fresh` those among them that came in this turn, `stones`
    the stones of each seat, seat 1 first (Rule: itc 2.5, 2.7, 12.8).
    """

    goods: Public[Goods]
    fresh: Public[Goods]
    stones: Public[tuple[int, ...]]

    @property
    def inhabited(self) -> bool:
        """Whether any player has a stone here."""
        return any(self.stones)


class Income(Row):
    """Where a seat's euro come from; fines are negative. Rule: itc 12.6, 12.7, 12.3, 14.2, 14.3."""

    transport: Public[int]
    smuggling: Public[int]
    thefts: Public[int]
    sales: Public[int]
    market: Public[int]

    @property
    def total(self) -> int:
        """All five together."""
        return self.transport + self.smuggling + self.thefts + self.sales + self.market


NO_INCOME: Final = Income(transport=0, smuggling=0, thefts=0, sales=0, market=0)


class Trader(Node):
    """What belongs to one seat.

    `stock` counts the stones that are nowhere on the board; `transports` and `actions` count the
    cards of `hand` and `kept`, which only the seat sees; `under` is what lies under its loads, by
    their first card.
    """

    money: Public[int] = 0
    income: Public[Income] = NO_INCOME
    stock: Public[int] = LIMITS.stones
    transports: Public[int] = 0
    actions: Public[int] = 0
    hand: Owner[tuple[TCard, ...]] = ()
    kept: Owner[tuple[ACard, ...]] = ()
    under: Owner[Keyed[TCard, Under]] = Keyed()

    @property
    def cards(self) -> int:
        """All cards in hand (Rule: itc 11.3)."""
        return self.transports + self.actions


class Selling(Node):
    """A running sale on a continent: how many stones it has used so far (Rule: itc 14.2)."""

    place: Public[Place]
    used: Public[int]


class Dropping(Node):
    """Goods of a load that are to go to the grey market when it lands (Rule: itc 12.2)."""

    card: Public[TCard]
    goods: Public[Goods]


class Resettling(Node):
    """A new location: where own stones go, and how many more may (Rule: itc 11.26)."""

    place: Public[Place]
    left: Public[int]


class Organizing(Node):
    """Stones on their way to the grey market: from where, and whose went (Rule: itc 11.27)."""

    place: Public[Place]
    taken: Public[tuple[Seat, ...]]


Duties = Keyed[Route, tuple[int, ...]]
"""Rows that a seat has to open, by route (Rule: itc 9.2)."""

NO_DUTIES: Final[Duties] = Keyed()


class Turn(Node):
    """The turn that is being played; everything but `seat` begins empty with every turn.

    `dice` what was rolled, `used` the die that was chosen, `points` what is left of it, `extra`
    points that only pay for sales on a continent; `played` the numbers of the cards that were
    played openly; `duties` the rows, by route, that the seat still has to open; `landed` where its
    loads arrived; `attacked` whether it has attacked for a point; `busy` what it is in the middle
    of, which any other act ends; `stranded` neutral cards that found no space.
    """

    seat: Public[Seat]
    dice: Public[Keyed[Die, int]] = Keyed()
    used: Public[Die | None] = None
    points: Public[int] = 0
    extra: Public[int] = 0
    played: Public[tuple[Kind, ...]] = ()
    duties: Public[Duties] = NO_DUTIES
    landed: Public[tuple[Place, ...]] = ()
    attacked: Public[bool] = False
    busy: Public[Selling | Dropping | Resettling | Organizing | None] = None
    stranded: Public[tuple[TCard, ...]] = ()


Spaces = Keyed[Space, Load]
"""A route; a space without a key is empty."""


class State(Node):
    """The whole game.

    `start` is who placed the first stone; `last` says that the game ends with this round. The
    discards are open: `used_transports` by number, `used_actions` counted by what is printed, those
    that are there.
    `transport_pile` lists the cards that are left, `action_pile` counts them; they have no order.
    """

    rules: Public[int]
    goal: Public[int]
    attack_limit: Public[bool]
    transport_pay: Public[bool]
    move_loaded: Public[bool | None]
    """Absent where it is off, as in games from before this option; the next one, too."""
    express_blue: Public[bool | None]
    green_die: Public[int]
    max_rounds: Public[int]
    phase: Public[Phase]
    round: Public[int]
    start: Public[Seat]
    last: Public[bool]
    turn: Public[Turn]
    routes: Public[Keyed[Route, Spaces]]
    places: Public[Keyed[Place, Store]]
    seats: Public[Keyed[Seat, Trader]]
    used_transports: Public[Keyed[TCard, bool]]
    used_actions: Public[Keyed[ACard, int]]
    transport_pile: Hidden[tuple[TCard, ...]]
    action_pile: Hidden[tuple[int, ...]]

    @property
    def mover(self) -> Seat | None:
        """Whose decision it is, None when the game is over."""
        return None if self.phase is Phase.OVER else self.turn.seat

    @property
    def controller(self) -> Seat | None:
        """Whose stones stand in the grey market (Rule: itc 2.8)."""
        stones = enumerate(self.places[Place.MARKET].stones, start=1)
        return next((Seat(at) for at, count in stones if count), None)

    @property
    def first(self) -> Seat:
        """Who takes the first turn: the sixth after who placed the first stone.

        Rule: itc 6.6, 7.3.
        """
        return seat_after(self.start, LIMITS.placing_rounds + 1, len(self.seats))


def seat_after(seat: Seat, steps: int, seats: int) -> Seat:
    """The seat so many places further clockwise."""
    return Seat((seat - 1 + steps) % seats + 1)


def space(row: int, column: int) -> Space:
    return Space(10 * row + column)


def row_of(at: Space) -> int:
    """The row of a space, 1 at the bottom."""
    return at // 10


def column_of(at: Space) -> int:
    """The column of a space, 1 at the left."""
    return at % 10


# Points: what the chosen die pays for (Rule: itc 8.2, 8.3, 8.4).

_RULES: Final = {Die.BLUE: "8.2", Die.GREEN: "8.3", Die.RED: "8.4", None: "8.1"}


def pays_transport(turn: Turn) -> bool:
    """Whether a point for loading, moving or landing is left."""
    return turn.points > 0 and turn.used in (Die.BLUE, Die.RED)


def pays_inland(turn: Turn) -> bool:
    """Whether a point for stones, sales and attacks is left."""
    return turn.points > 0 and turn.used in (Die.GREEN, Die.RED)


def no_transport(turn: Turn) -> NotAllowed | None:
    """Why no point pays for the routes; None if one does."""
    if pays_transport(turn):
        return None
    if turn.used is Die.GREEN:
        return NotAllowed("green_is_inland", rule="8.3")
    return NotAllowed("no_points", rule=_RULES[turn.used])


def no_inland(turn: Turn) -> NotAllowed | None:
    """Why no point pays for continents and the grey market; None if one does."""
    if pays_inland(turn):
        return None
    if turn.used is Die.BLUE:
        return NotAllowed("blue_is_transport", rule="8.2")
    return NotAllowed("no_points", rule=_RULES[turn.used])
