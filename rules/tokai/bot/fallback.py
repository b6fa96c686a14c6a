"""What is played for a seat that does not decide in time: harmless, cheap and towards its goal."""

from __future__ import annotations

from bluebear.rules.core.visibility import Move, Seat
from bluebear.rules.tokai.rules import market, moves, setup, trips
from bluebear.rules.tokai.rules.movement import Stand, go_of, legs, stand
from bluebear.rules.tokai.rules.network import BIT, POINT_AT, REGIONS, STEPS, Step, ways
from bluebear.rules.tokai.rules.state import Phase, State


def stand_in(table: State, seat: Seat) -> Move:
    """A plain legal move of a seat that is to move."""
    match table.phase:
        case Phase.PREBUY:
            return _cheapest_choice(table, seat)
        case Phase.START:
            return moves.NameDestination(setup.start_cities(table)[0])
        case Phase.REGION:
            return moves.NameRegion(REGIONS[0].id)
        case Phase.DEST:
            return moves.NameDestination(trips.destinations(table)[0])
        case Phase.MOVE:
            return homeward(table)
        case Phase.BUY:
            return moves.Buy(moves.NOTHING)
        case Phase.SELL:
            return _sale(table)
        case Phase.AUCTION:
            return moves.Bid(moves.PASS)
        case _:
            return moves.Deal(moves.Choice.BID)


def _cheapest_choice(table: State, seat: Seat) -> moves.Prebuy:
    choices = setup.choices(table.seats[seat].hand)
    return min(choices, key=setup.cost_of)


def _sale(table: State) -> moves.Sell:
    """The cheapest line that covers the dues, else the dearest, to the bank."""
    missing = table.owed - table.mover.cash
    lines = sorted(table.lines_of(table.active), key=setup.price_of)
    enough = (line for line in lines if market.face_half(line) >= missing)
    return moves.Sell(next(enough, lines[-1]), moves.Sale.BANK)


def homeward(table: State) -> moves.Go:
    """The first leg of a shortest way to the destination; any legal one if none leads there."""
    mover, pawn = table.mover, stand(table)
    assert mover.destination is not None
    steps = _shortest(pawn, POINT_AT[mover.destination], express=mover.express)
    if not steps:
        return next(iter(legs(table)))
    line, end = steps[0].line, pawn.at
    entered = 0
    for step in steps[: pawn.left]:
        if step.line != line:
            break
        end, entered = step.to, entered | step.entered
    way = next(way for way in ways(line, pawn.at, end) if way.entered == entered)
    return go_of(line, end, way.turn)


def _shortest(pawn: Stand, destination: int, *, express: bool) -> list[Step]:
    """The steps of a shortest way over points not visited; empty if there is none."""
    previous: dict[int, tuple[int, Step]] = {}
    reached = pawn.visited
    waiting = [pawn.at]
    for at in waiting:
        for step in STEPS[express][at]:
            if not step.entered & reached:
                reached |= BIT[step.to]
                previous[step.to] = (at, step)
                waiting.append(step.to)
        if destination in previous:
            break
    found: list[Step] = []
    at = destination
    while at in previous:
        at, step = previous[at]
        found.append(step)
    return found[::-1]
