"""The state of a game of Tokai Danshaku, and the steps of its course."""

from __future__ import annotations

from enum import Enum, StrEnum, auto
from typing import Final

from bluebear.rules.core.game import alone
from bluebear.rules.core.keyed import Keyed
from bluebear.rules.core.visibility import Node, Owner, Public, Row, Seat
from bluebear.rules.tokai.data.map_data import LineId, PointId

# The state of a game of Tokai Danshaku: who travels where, who owns what, what is owed.
#
# The view of a state is read by clients under these very names; the map itself never changes and is
# no part of it (`bluebear.rules.tokai.rules.network`). Money is counted in thousands of yen.

BANK: Final = 0
"""The bank as a payee; the others are seats (Rule: tokai 11.2)."""


class Phase(StrEnum):
    """What is to be decided; everything else happens by itself."""

    PREBUY = "prebuy"
    """All seats at once pick from the lines they were dealt (Rule: tokai 3.1.5)."""
    START = "start"
    """The active seat names its start city (Rule: tokai 4.3)."""
    REGION = "region"
    """The active seat names a region (Rule: tokai 6.2)."""
    DEST = "dest"
    """The active seat names its destination (Rule: tokai 6.3)."""
    MOVE = "move"
    """The active seat rides, leg by leg (Rule: tokai 7.2.2)."""
    BUY = "buy"
    """The active seat may buy a property (Rule: tokai 9.1)."""
    SELL = "sell"
    """The active seat has to sell a line (Rule: tokai 11.2.1)."""
    AUCTION = "auction"
    """The first bidder of the auction bids or passes (Rule: tokai 11.2.5)."""
    DEAL = "deal"
    """The active seat takes the best bid or sells to the bank (Rule: tokai 11.2.3)."""
    OVER = "over"


class Ending(StrEnum):
    """Why the game is over."""

    LAST_LINE = "last_line"
    """Rule: tokai 12.1."""
    ALONE = "alone"
    """Rule: tokai 12.3."""
    TURN_LIMIT = "turn_limit"
    """Rule: tokai 12.4."""


class Leg(Row):
    """A ride on one line, not committed yet: to which point, on a loop `cw` or `ccw` (else empty).

    Rule: tokai 16.1, 16.2.
    """

    line: Public[LineId]
    point: Public[PointId]
    turn: Public[str]


class Due(Row):
    """What the active seat owes a payee for this turn (Rule: tokai 11.3)."""

    payee: Public[int]
    amount: Public[int]


class Basket(Node):
    """What a seat has picked before the game, while others still choose (Rule: tokai 3.1.2)."""

    lines: Public[tuple[LineId, ...]]
    express: Public[bool]


class Auction(Node):
    """`bidders`: who has not passed, the one who is to bid first; `by` made the bid `best`.

    Rule: tokai 11.2.5.
    """

    line: Public[LineId]
    best: Public[int]
    by: Public[Seat | None]
    bidders: Public[tuple[Seat, ...]]


class Traveller(Node):
    """What belongs to one seat.

    `trail`: the points visited on this trip in their order, skipped ones included: first the
    origin, last the point where the pawn stands; empty before the start city is known and when the
    seat is out. `payoff` of the trip to `destination`. `through`: lines of others that may be
    ridden with a through ticket. `hand`: the lines dealt, until all have chosen.
    """

    cash: Public[int] = 0
    express: Public[bool] = False
    trail: Public[tuple[PointId, ...]] = ()
    destination: Public[PointId | None] = None
    payoff: Public[int] = 0
    through: Public[tuple[LineId, ...]] = ()
    hand: Public[tuple[LineId, ...]] = ()
    chosen: Public[bool] = False
    basket: Owner[Basket | None] = None

    @property
    def at(self) -> PointId | None:
        """Where the pawn stands; before the legs that are not committed."""
        return self.trail[-1] if self.trail else None

    @property
    def origin(self) -> PointId | None:
        """Where the present trip began (Rule: tokai 9.6)."""
        return self.trail[0] if self.trail else None


class State(Node):
    """The whole game.

    `first` plays first; `active` has the turn, or names its start city, or sells; `turns` counts
    finished turns. `roll` is 0 unless the active seat rides, then its steps; `legs` are those it
    has said. `dues` of this turn, in the order of the first ride. `closing`: the last line is
    bought, the fare of the turn is still settled. `fallen`: who is out, the first one first.
    `turnlimit` 0 means none.
    """

    rules: Public[int]
    openchoices: Public[bool]
    settlelast: Public[bool]
    strict: Public[bool]
    through: Public[int]
    turnlimit: Public[int]
    phase: Public[Phase]
    first: Public[Seat]
    active: Public[Seat]
    turns: Public[int]
    extra: Public[bool]
    granted: Public[bool]
    roll: Public[int]
    legs: Public[tuple[Leg, ...]]
    dues: Public[tuple[Due, ...]]
    owners: Public[Keyed[LineId, Seat]]
    auction: Public[Auction | None]
    closing: Public[bool]
    fallen: Public[tuple[Seat, ...]]
    ending: Public[Ending | None]
    seats: Public[Keyed[Seat, Traveller]]

    @property
    def deciding(self) -> frozenset[Seat]:
        """Who has a decision to make."""
        phase = self.phase
        if phase is Phase.PREBUY:
            return frozenset(seat for seat, one in self.seats.items() if not one.chosen)
        if phase is Phase.AUCTION and self.auction is not None:
            return alone(self.auction.bidders[0])
        return alone(None if phase is Phase.OVER else self.active)

    @property
    def mover(self) -> Traveller:
        """What belongs to the active seat."""
        return self.seats[self.active]

    @property
    def rider(self) -> Traveller:
        """What belongs to the active seat, to be read: a draft stays as it is."""
        found = self.seats.get(self.active)
        assert found is not None
        return found

    @property
    def owed(self) -> int:
        """All dues of this turn together."""
        return sum(due.amount for due in self.dues)

    @property
    def living(self) -> tuple[Seat, ...]:
        """Who is not out, in the order of seats."""
        return tuple(seat for seat in self.seats if seat not in self.fallen)

    def lines_of(self, seat: Seat) -> tuple[LineId, ...]:
        """The lines that a seat owns, in the order of their ids."""
        return tuple(line for line, owner in self.owners.items() if owner == seat)


def clockwise(seat: Seat, seats: int) -> tuple[Seat, ...]:
    """All seats in clockwise order, from one on (Rule: tokai 3.1)."""
    return tuple(Seat((seat - 1 + step) % seats + 1) for step in range(seats))


# What comes next without a decision: the steps of the game's course.


class Next(Enum):
    """The next step, or a decision of the table's phase."""

    DECISION = auto()
    START = auto()
    """The next seat rolls its start city (Rule: tokai 4.1)."""
    TURN = auto()
    """The active seat's turn begins (Rule: tokai 5.1)."""
    HALF = auto()
    """A half begins with its destination, where there is none (Rule: tokai 6.1)."""
    ROLL = auto()
    """The roll for the movement (Rule: tokai 7.1)."""
    STRAND = auto()
    """The roll has no legal movement (Rule: tokai 7.2.6)."""
    LAST_LINE = auto()
    """The last unowned line was bought (Rule: tokai 12.1)."""
    HALF_END = auto()
    """The half is over; an extra one may follow (Rule: tokai 10.1)."""
    SETTLE = auto()
    """The fare of the turn is due (Rule: tokai 11.1)."""
    TURN_END = auto()
    """The turn is over."""
