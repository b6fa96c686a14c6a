"""A half of a turn: its destination, its roll, its movement, its arrival (Rule: tokai 6 to 10)."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.chance import Chance
from bluebear.rules.core.game import Emit
from bluebear.rules.core.refusal import NotAllowed
from bluebear.rules.tokai.data.map_data import PointId, RegionId
from bluebear.rules.tokai.rules import events, network
from bluebear.rules.tokai.rules.fares import tally
from bluebear.rules.tokai.rules.market import PRICES, can_buy
from bluebear.rules.tokai.rules.movement import legs, stand, turn_of, way_of
from bluebear.rules.tokai.rules.moves import Go, NameRegion
from bluebear.rules.tokai.rules.setup import roll_city, roll_region
from bluebear.rules.tokai.rules.state import Leg, Next, Phase, State

_SIX: Final = (6, 6)


def begin_turn(table: State, emit: Emit) -> Next:
    """The active seat's turn begins (Rule: tokai 5.1)."""
    emit(events.TurnBegan(table.active, table.turns + 1))
    table.extra, table.granted, table.dues = False, False, ()
    return Next.HALF


def begin_half(table: State, chance: Chance, emit: Emit) -> Next:
    """A half begins: a seat without a destination rolls a region (Rule: tokai 6.1, 6.2)."""
    mover = table.mover
    if mover.destination is not None:
        return Next.ROLL
    region = roll_region(table.active, chance, emit)
    if region == network.REGION_OF[mover.trail[-1]]:
        emit(events.HomeRegion(table.active, region))
        table.phase = Phase.REGION
        return Next.DECISION
    return _roll_destination(table, region, chance, emit)


def name_region(table: State, move: NameRegion, chance: Chance, emit: Emit) -> Next:
    """The active seat names the region to roll in (Rule: tokai 6.2)."""
    emit(events.RegionNamed(table.active, move.region))
    return _roll_destination(table, move.region, chance, emit)


def _roll_destination(table: State, region: RegionId, chance: Chance, emit: Emit) -> Next:
    """The city of a region: one to go to, a free choice, or a lost half (Rule: tokai 6.3, 6.4)."""
    point = roll_city(table.active, region, chance, emit)
    if point is None:
        table.phase = Phase.DEST
        return Next.DECISION
    if point == table.mover.at:
        emit(events.HalfLost(table.active, point))
        return Next.HALF_END
    return set_out(table, point, emit)


def no_destination(table: State, point: PointId) -> NotAllowed | None:
    """What forbids a destination; None if it may be named (Rule: tokai 6.3)."""
    if point not in network.REGION_OF:
        return NotAllowed("no_destination", rule="6.3", point=point)
    if point == table.mover.at:
        return NotAllowed("already_there", rule="6.3", point=point)
    return None


def set_out(table: State, point: PointId, emit: Emit) -> Next:
    """The trip has its destination and its payoff (Rule: tokai 6.3, 6.5)."""
    mover = table.mover
    origin = mover.trail[0]
    mover.destination, mover.payoff = point, network.payoff(origin, point)
    emit(events.DestinationSet(table.active, origin, point, mover.payoff))
    return Next.ROLL


def roll(table: State, chance: Chance, emit: Emit) -> Next:
    """The roll for a movement; without a legal one the seat is out (Rule: tokai 7.1, 7.2.6)."""
    seat = table.active
    if table.extra:
        table.roll = chance.die()
        emit(events.RolledExtra(seat, table.roll))
    else:
        whites = (chance.die(), chance.die())
        table.roll = sum(whites)
        emit(events.RolledSteps(seat, whites, table.roll))
        # Rule: tokai 7.1.2, 7.1.4: the ticket counts as it is when the dice are rolled.
        if whites == _SIX or (table.mover.express and whites[0] == whites[1]):
            emit(events.ExtraGranted(seat))
            table.granted = True
    table.phase, table.legs = Phase.MOVE, ()
    return Next.DECISION if legs(table) else Next.STRAND


def go(table: State, move: Go, emit: Emit) -> Next:
    """A leg; the one that uses up the roll or arrives commits the movement (Rule: tokai 16.1)."""
    pawn, turn, rider = stand(table), turn_of(move), table.rider
    way = way_of(network.LINE_AT[move.line], pawn.at, network.POINT_AT[move.point], turn)
    steps = way.steps(express=rider.express)
    left = pawn.left - steps
    arrives = move.point == rider.destination
    emit(events.Rode(table.active, move.line, move.point, steps, 0 if arrives else left))
    table.legs = (*table.legs, Leg(move.line, move.point, turn))
    return Next.DECISION if left and not arrives else _commit(table, emit)


def back(table: State, emit: Emit) -> Next:
    """The last leg is taken back (Rule: tokai 16.1)."""
    table.legs = table.legs[:-1]
    pawn = stand(table)
    emit(events.WentBack(table.active, network.POINTS[pawn.at].id, pawn.left))
    return Next.DECISION


def _commit(table: State, emit: Emit) -> Next:
    """The movement is made: its points are visited, its lines are due (Rule: tokai 11.5)."""
    mover = table.mover
    dues, through = tally(table)
    ended = tuple(line for line in mover.through if line not in through)
    if ended:
        emit(events.ThroughEnded(table.active, ended))
    mover.trail, mover.through = (*mover.trail, *_points_of(table)), through
    table.legs, table.roll, table.dues = (), 0, dues
    return _arrive(table, emit) if mover.at == mover.destination else Next.HALF_END


def _points_of(table: State) -> list[PointId]:
    """The points that the legs enter, one after the other, skipped ones included."""
    found: list[PointId] = []
    at = network.POINT_AT[table.mover.trail[-1]]
    for leg in table.legs:
        way = way_of(network.LINE_AT[leg.line], at, network.POINT_AT[leg.point], leg.turn)
        found += [network.POINTS[point].id for point in way.points]
        at = way.points[-1]
    return found


def _arrive(table: State, emit: Emit) -> Next:
    """The trip pays, and a property may be bought (Rule: tokai 8.1, 9.1, 9.6)."""
    mover = table.mover
    point = mover.trail[-1]
    mover.cash += mover.payoff
    emit(events.Arrived(table.active, point, mover.payoff, mover.cash))
    mover.trail, mover.destination, mover.payoff = (point,), None, 0
    if not any(can_buy(table, item) for item in PRICES):
        return Next.HALF_END
    table.phase = Phase.BUY
    return Next.DECISION


def end_half(table: State) -> Next:
    """After a normal half the extra one that was granted, then the fare (Rule: tokai 5.1, 10.1)."""
    if table.granted and not table.extra:
        table.extra = True
        return Next.HALF
    return Next.SETTLE
