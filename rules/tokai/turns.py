"""The course of a game: whose decision it is, what is legal, and what follows by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from rules.core.chance import Chance
from rules.core.info import Options
from rules.core.old import Outcome
from rules.core.refusal import NotAllowed
from rules.core.vision import Event, Move, Seat
from rules.tokai import market, paying, setting_up, trips
from rules.tokai.atlas import PointId
from rules.tokai.course import Going, Next
from rules.tokai.moves import (
    Back,
    Bid,
    Buy,
    Choice,
    Deal,
    Go,
    NameDestination,
    NameRegion,
    Prebuy,
    Sell,
)
from rules.tokai.network import REGIONS
from rules.tokai.riding import legs
from rules.tokai.state import Phase, Table

_KINDS: Final[Mapping[Phase, tuple[type[Move], ...]]] = {
    Phase.PREBUY: (Prebuy,),
    Phase.START: (NameDestination,),
    Phase.REGION: (NameRegion,),
    Phase.DEST: (NameDestination,),
    Phase.MOVE: (Go, Back),
    Phase.BUY: (Buy,),
    Phase.SELL: (Sell,),
    Phase.AUCTION: (Bid,),
    Phase.DEAL: (Deal,),
    Phase.OVER: (),
}
"""What answers the question of a phase."""

_RULES: Final[Mapping[Phase, str]] = {
    Phase.PREBUY: "3.1.5",
    Phase.START: "4.3",
    Phase.REGION: "6.2",
    Phase.DEST: "6.3",
    Phase.MOVE: "7.2.4",
    Phase.BUY: "9.1",
    Phase.SELL: "11.2.1",
    Phase.AUCTION: "11.2.5",
    Phase.DEAL: "11.2.3",
    Phase.OVER: "12.1",
}

_REGIONS: Final = tuple(NameRegion(name) for name in sorted(region.id for region in REGIONS))
_DEALS: Final = (Deal(Choice.BANK), Deal(Choice.BID))


def set_up(options: Options, seats: int, chance: Chance) -> Outcome:
    """The table before the first decision."""
    events: list[Event] = []
    table = setting_up.set_up(options, seats, chance, events)
    return Outcome(table, tuple(events))


def to_move(table: Table) -> frozenset[Seat]:
    """Who has to decide."""
    match table.phase:
        case Phase.OVER:
            return frozenset()
        case Phase.PREBUY:
            return frozenset(seat for seat, one in table.seats.items() if not one.chosen)
        case Phase.AUCTION:
            assert table.auction is not None
            return frozenset((table.auction.bidders[0],))
        case _:
            return frozenset((table.active,))


def legal(table: Table, seat: Seat) -> Sequence[Move]:
    """Every legal move of a seat, in the order of canonical lines."""
    if seat not in to_move(table):
        return ()
    match table.phase:
        case Phase.PREBUY:
            return setting_up.choices(table.seats[seat].hand)
        case Phase.START:
            return _named(setting_up.start_cities(table))
        case Phase.REGION:
            return _REGIONS
        case Phase.DEST:
            return _named(trips.destinations(table))
        case Phase.MOVE:
            return [*([Back()] if table.legs else ()), *legs(table)]
        case Phase.BUY:
            return market.purchases(table)
        case Phase.SELL:
            return market.sales(table)
        case Phase.AUCTION:
            assert table.auction is not None
            return market.bids(table, table.auction)
        case _:
            return _DEALS


def _named(points: Sequence[PointId]) -> list[Move]:
    return [NameDestination(point) for point in sorted(points)]


def play(table: Table, seat: Seat, move: Move, chance: Chance) -> Outcome:
    """The outcome of a move, with everything that follows without a decision."""
    check_turn(table, seat, type(move))
    events: list[Event] = []
    going = _decided(table, seat, move, chance, events)
    return _run_on(going, chance, events)


def check_turn(table: Table, seat: Seat, kind: type[Move]) -> None:
    """Raises NotAllowed unless it is for this seat to make a move of this kind now."""
    rule = _RULES[table.phase]
    if table.phase is Phase.OVER:
        raise NotAllowed("game_over", rule=rule)
    deciding = to_move(table)
    if seat not in deciding:
        if table.phase is Phase.PREBUY:
            raise NotAllowed("has_chosen", rule=rule, seats=tuple(sorted(deciding)))
        raise NotAllowed("not_your_turn", rule=rule, other=min(deciding))
    if kind not in _KINDS[table.phase]:
        raise NotAllowed(f"now_{table.phase.value}", rule=rule)


def _decided(table: Table, seat: Seat, move: Move, chance: Chance, events: list[Event]) -> Going:
    """What a decision comes to, before anything follows."""
    match move:
        case Prebuy():
            return setting_up.prebuy(table, seat, move, events)
        case NameDestination() if table.phase is Phase.START:
            return setting_up.name_start(table, seat, move, events)
        case NameDestination():
            return trips.name_destination(table, move, events)
        case NameRegion():
            return trips.name_region(table, move, chance, events)
        case Go():
            return trips.go(table, move, events)
        case Back():
            return trips.back(table, events)
        case Buy():
            return market.buy(table, move, events)
        case Sell():
            return market.sell(table, move, events)
        case Bid():
            return market.bid(table, move, events)
        case Deal():
            return market.deal(table, move, events)
        case _:
            raise TypeError(f"{move!r} is no move of this game")


_Step = Callable[[Table, Chance, list[Event]], Going]

_STEPS: Final[Mapping[Next, _Step]] = {
    Next.START: setting_up.roll_start,
    Next.TURN: lambda table, _, events: trips.begin_turn(table, events),
    Next.HALF: trips.begin_half,
    Next.ROLL: trips.roll,
    Next.STRAND: lambda table, _, events: paying.strand(table, events),
    Next.LAST_LINE: lambda table, _, events: paying.last_line(table, events),
    Next.HALF_END: lambda table, _, _events: trips.end_half(table),
    Next.SETTLE: lambda table, _, events: paying.settle(table, events),
    Next.TURN_END: lambda table, _, events: paying.end_turn(table, events),
}


def _run_on(going: Going, chance: Chance, events: list[Event]) -> Outcome:
    """Everything that happens by itself up to the next decision, or to the end of the game."""
    while going.next is not Next.DECISION:
        going = _STEPS[going.next](going.table, chance, events)
    return Outcome(going.table, tuple(events))
