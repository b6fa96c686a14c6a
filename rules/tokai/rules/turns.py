"""The course of a game: what is asked, what answers it, and what follows by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit, Rash
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.tokai.data.map_data import PointId
from bluebear.rules.tokai.rules import market, movement, moves, payment, setup, trips
from bluebear.rules.tokai.rules.network import DESTINATIONS, REGIONS
from bluebear.rules.tokai.rules.state import Next, Phase, State

_BACK: Final = moves.Back()
_REGIONS: Final = tuple(moves.NameRegion(name) for name in sorted(region.id for region in REGIONS))
_DEALS: Final = (moves.Deal(moves.Choice.BANK), moves.Deal(moves.Choice.BID))


def _named(
    table: State, why_not: Callable[[State, PointId], NotAllowed | None]
) -> list[moves.NameDestination]:
    free = (point for point in sorted(DESTINATIONS) if why_not(table, point) is None)
    return [moves.NameDestination(point) for point in free]


def _ride(table: State, seat: Seat) -> Iterable[Move | Rash]:
    rides = movement.choices(table)
    return [_BACK, *rides] if table.legs else rides


class _Question(NamedTuple):
    """What a phase asks: its paragraph, the kinds of moves that answer, the legal ones by line."""

    rule: str
    kinds: tuple[type[Move], ...]
    choices: Callable[[State, Seat], Iterable[Move | Rash]]


_QUESTIONS: Final[Mapping[Phase, _Question]] = {
    Phase.PREBUY: _Question(
        "3.1.5", (moves.Prebuy,), lambda table, seat: setup.choices(table.seats[seat].hand)
    ),
    Phase.START: _Question(
        "4.3", (moves.NameDestination,), lambda table, _: _named(table, setup.no_start)
    ),
    Phase.REGION: _Question("6.2", (moves.NameRegion,), lambda _table, _seat: _REGIONS),
    Phase.DEST: _Question(
        "6.3", (moves.NameDestination,), lambda table, _: _named(table, trips.no_destination)
    ),
    Phase.MOVE: _Question("7.2.4", (moves.Go, moves.Back), _ride),
    Phase.BUY: _Question("9.1", (moves.Buy,), lambda table, _: market.purchases(table)),
    Phase.SELL: _Question("11.2.1", (moves.Sell,), lambda table, _: market.sales(table)),
    Phase.AUCTION: _Question("11.2.5", (moves.Bid,), lambda table, _: market.bids(table)),
    Phase.DEAL: _Question("11.2.3", (moves.Deal,), lambda _table, _seat: _DEALS),
}


def rule_of(table: State) -> str:
    """The paragraph that says who has to decide what."""
    return _QUESTIONS[table.phase].rule


def choices(table: State, seat: Seat) -> Iterable[Move | Rash]:
    """Every legal move of a seat that is to move, in the order of canonical lines."""
    return _QUESTIONS[table.phase].choices(table, seat)


def why_not_now(table: State, kind: type[Move]) -> NotAllowed | None:
    """The refusal of a move that does not answer what is asked; None if it does."""
    question = _QUESTIONS[table.phase]
    if kind in question.kinds:
        return None
    return NotAllowed(f"now_{table.phase.value}", rule=question.rule)


def why_not(table: State, seat: Seat, move: Move) -> NotAllowed | None:
    """What forbids a move of a seat that is to move; None if it is legal."""
    refusal = why_not_now(table, type(move))
    if refusal is not None:
        return refusal
    match move:
        case moves.Go():
            return movement.why_not(table, move)
        case moves.Back():
            return None if table.legs else NotAllowed("no_leg", rule="16.1")
        case moves.Prebuy():
            return setup.no_prebuy(table, seat, move)
        case moves.NameDestination() if table.phase is Phase.START:
            return setup.no_start(table, move.destination)
        case moves.NameDestination():
            return trips.no_destination(table, move.destination)
        case moves.Buy():
            return market.no_purchase(table, move)
        case moves.Sell():
            return market.no_sale(table, move)
        case moves.Bid():
            return market.no_bid(table, move)
        case _:
            return None


def play(table: State, seat: Seat, move: Move, chance: Chance, emit: Emit) -> None:
    """Write a legal move to a draft, with everything that follows up to the next decision."""
    following = _decided(table, seat, move, chance, emit)
    while following is not Next.DECISION:
        following = _STEPS[following](table, chance, emit)


def _decided(table: State, seat: Seat, move: Move, chance: Chance, emit: Emit) -> Next:
    """What a decision comes to, before anything follows."""
    match move:
        case moves.Go():
            return trips.go(table, move, emit)
        case moves.Back():
            return trips.back(table, emit)
        case moves.Prebuy():
            return setup.prebuy(table, seat, move, emit)
        case moves.NameDestination() if table.phase is Phase.START:
            return setup.begin_at(table, seat, move.destination, emit)
        case moves.NameDestination():
            return trips.set_out(table, move.destination, emit)
        case moves.NameRegion():
            return trips.name_region(table, move, chance, emit)
        case moves.Buy():
            return market.buy(table, move, emit)
        case moves.Sell():
            return market.sell(table, move, emit)
        case moves.Bid():
            return market.bid(table, move, emit)
        case moves.Deal():
            return market.deal(table, move, emit)
        case _:
            raise TypeError(f"{move!r} is no move of this game")


_Step = Callable[[State, Chance, Emit], Next]

_STEPS: Final[Mapping[Next, _Step]] = {
    Next.START: setup.roll_start,
    Next.TURN: lambda table, _, emit: trips.begin_turn(table, emit),
    Next.HALF: trips.begin_half,
    Next.ROLL: trips.roll,
    Next.STRAND: lambda table, _, emit: payment.strand(table, emit),
    Next.LAST_LINE: lambda table, _, emit: payment.last_line(table, emit),
    Next.HALF_END: lambda table, _, _tell: trips.end_half(table),
    Next.SETTLE: lambda table, _, emit: payment.settle(table, emit),
    Next.TURN_END: lambda table, _, emit: payment.end_turn(table, emit),
}
