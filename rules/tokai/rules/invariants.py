"""What always holds at the table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokai.rules import network
from bluebear.rules.tokai.rules.fares import is_on
from bluebear.rules.tokai.rules.movement import legs
from bluebear.rules.tokai.rules.state import Phase, State, Traveller

_AMOUNTS: Final = (1, 2, 5, 6, 10)
"""What a payee can get in a turn before anything is set off (Rule: tokai 11.2)."""
_BEFORE_PLAY: Final = (Phase.PREBUY, Phase.START)
_SELLING: Final = (Phase.SELL, Phase.AUCTION, Phase.DEAL)


def broken(table: State) -> Iterator[str]:
    """What does not hold in this table."""
    for seat, traveller in table.seats.items():
        if seat in table.fallen:
            yield from _out(table, seat, traveller)
        else:
            yield from _belongings(table, seat, traveller)
            yield from _trip(seat, traveller)
    for line, owner in table.owners.items():
        if owner not in table.living:
            yield f"{line} belongs to seat {owner}, which is not there"
    if sum(one.express for one in table.seats.values()) > network.CONSTANTS.express_ticket_count:
        yield "there are more express tickets than there are"
    yield from _dues(table)
    yield from _before_play(table)
    yield from _phase(table)


def _belongings(table: State, seat: Seat, traveller: Traveller) -> Iterator[str]:
    if traveller.cash < 0:
        yield f"seat {seat} has {traveller.cash} in cash"
    for line in traveller.through:
        owner = table.owners.get(line)
        if owner is None or owner == seat:
            yield f"seat {seat} has a through ticket for {line}, which is no one else's"
        elif traveller.at is None or not is_on(traveller.at, line):
            yield f"seat {seat} has a through ticket for {line} and is not on it"


def _trip(seat: Seat, traveller: Traveller) -> Iterator[str]:
    trail, destination = traveller.trail, traveller.destination
    if len(set(trail)) < len(trail):
        yield f"seat {seat} has visited a point twice"
    for one, other in pairwise(trail):
        if all(
            to != network.POINT_AT[other] for to, _ in network.EDGES[False][network.POINT_AT[one]]
        ):
            yield f"seat {seat} has come from {one} to {other}, which are not neighbours"
    if trail and trail[0] not in network.REGION_OF:
        yield f"the trip of seat {seat} began at {trail[0]}"
        return
    if traveller.express and trail and network.BIT[network.POINT_AT[trail[-1]]] & network.SKIPPED:
        yield f"seat {seat} stands on a skipped stop with a ticket"
    if destination in trail:
        yield f"seat {seat} has visited its destination"
        return
    worth = network.payoff(trail[0], destination) if trail and destination else 0
    if traveller.payoff != worth:
        yield f"the trip of seat {seat} pays {traveller.payoff}, not {worth}"


def _out(table: State, seat: Seat, traveller: Traveller) -> Iterator[str]:
    left = traveller.cash or traveller.express or traveller.trail or traveller.through
    if left or traveller.destination or seat in table.owners.values():
        yield f"seat {seat} is out and has something left"


def _dues(table: State) -> Iterator[str]:
    payees = [due.payee for due in table.dues]
    if len(set(payees)) < len(payees):
        yield "a payee stands twice among the dues"
    for due in table.dues:
        if due.payee == table.active or due.payee in table.fallen:
            yield f"seat {due.payee} is owed and cannot be"
        if due.amount < 1 or (table.phase not in _SELLING and due.amount not in _AMOUNTS):
            yield f"{due.amount} is owed to {due.payee}"


def _before_play(table: State) -> Iterator[str]:
    phase = table.phase
    for traveller in table.seats.values():
        if bool(traveller.hand) != (phase is Phase.PREBUY):
            yield f"hands in phase {phase}"
        if traveller.basket is not None and (phase is not Phase.PREBUY or not traveller.chosen):
            yield f"a basket in phase {phase}"
    if phase not in _BEFORE_PLAY and not all(table.seats[seat].trail for seat in table.living):
        yield "a seat has no place"


def _phase(table: State) -> Iterator[str]:
    phase, mover = table.phase, table.mover
    if bool(table.roll) != (phase is Phase.MOVE) or (table.legs and phase is not Phase.MOVE):
        yield f"a movement in phase {phase}"
    if phase is Phase.MOVE and not legs(table):
        yield "the active seat is to ride and cannot"
    if phase in (Phase.REGION, Phase.DEST):
        if mover.destination is not None or mover.at not in network.REGION_OF:
            yield "a destination is asked for on the way"
    if (table.auction is not None) != (phase in (Phase.AUCTION, Phase.DEAL)):
        yield f"an auction in phase {phase}"
    if phase in _SELLING and table.owed <= mover.cash:
        yield "lines are sold and need not be"
    if (table.ending is not None) != (phase is Phase.OVER):
        yield f"ending {table.ending} in phase {phase}"
    if table.active in table.fallen and phase is not Phase.OVER:
        yield "the active seat is out"
