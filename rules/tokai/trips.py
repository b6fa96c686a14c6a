"""A half of a turn: its destination, its roll, its movement, its arrival.

Rule: tokai 6 to 10.
"""

from __future__ import annotations

from typing import Final

from rules.core.chance import Chance
from rules.core.refusal import NotAllowed
from rules.core.vision import Event, but
from rules.tokai.atlas import LineId, PointId, RegionId
from rules.tokai.course import Going, Next
from rules.tokai.dice import roll_city, roll_region
from rules.tokai.fares import tally
from rules.tokai.market import offers
from rules.tokai.moves import Go, NameDestination, NameRegion
from rules.tokai.network import DESTINATIONS, LINE_AT, POINT_AT, POINTS, REGION_OF, payoff
from rules.tokai.riding import legs, stand, turn_of, way_of
from rules.tokai.state import Leg, Phase, Table
from rules.tokai.straying import why_not
from rules.tokai.trip_events import (
    Arrived,
    DestinationSet,
    ExtraGranted,
    HalfLost,
    HomeRegion,
    RegionNamed,
    Rode,
    RolledExtra,
    RolledSteps,
    ThroughEnded,
    TurnBegan,
    WentBack,
)

_SIX: Final = (6, 6)


def begin_turn(table: Table, events: list[Event]) -> Going:
    """The active seat's turn begins (Rule: tokai 5.1)."""
    events.append(TurnBegan(table.active, table.turns + 1))
    return Going(but(table, extra=False, granted=False, dues=()), Next.HALF)


def begin_half(table: Table, chance: Chance, events: list[Event]) -> Going:
    """A half begins: a seat without a destination rolls a region (Rule: tokai 6.1, 6.2)."""
    mover = table.mover
    if mover.destination is not None:
        return Going(table, Next.ROLL)
    region = roll_region(table.active, chance, events)
    if region == REGION_OF[mover.trail[-1]]:
        events.append(HomeRegion(table.active, region))
        return Going(but(table, phase=Phase.REGION), Next.DECISION)
    return _roll_destination(table, region, chance, events)


def name_region(table: Table, move: NameRegion, chance: Chance, events: list[Event]) -> Going:
    """The active seat names the region to roll in (Rule: tokai 6.2)."""
    events.append(RegionNamed(table.active, move.region))
    return _roll_destination(table, move.region, chance, events)


def _roll_destination(table: Table, region: RegionId, chance: Chance, events: list[Event]) -> Going:
    """The city of a region: one to go to, a free choice, or a lost half (Rule: tokai 6.3, 6.4)."""
    point = roll_city(table.active, region, chance, events)
    if point is None:
        return Going(but(table, phase=Phase.DEST), Next.DECISION)
    if point == table.mover.at:
        events.append(HalfLost(table.active, point))
        return Going(table, Next.HALF_END)
    return _bound_for(table, point, events)


def destinations(table: Table) -> tuple[PointId, ...]:
    """What the active seat may name as its destination (Rule: tokai 6.3)."""
    return tuple(point for point in DESTINATIONS if point != table.mover.at)


def name_destination(table: Table, move: NameDestination, events: list[Event]) -> Going:
    """The active seat names its destination (Rule: tokai 6.3)."""
    point = move.destination
    if point not in DESTINATIONS:
        raise NotAllowed("no_destination", rule="6.3", point=point)
    if point == table.mover.at:
        raise NotAllowed("already_there", rule="6.3", point=point)
    return _bound_for(table, point, events)


def _bound_for(table: Table, point: PointId, events: list[Event]) -> Going:
    """The trip has its destination and its payoff (Rule: tokai 6.5)."""
    mover = table.mover
    origin = mover.trail[0]
    worth = payoff(origin, point)
    events.append(DestinationSet(table.active, origin, point, worth))
    bound = but(mover, destination=point, payoff=worth)
    return Going(but(table, seats=table.seats.put(table.active, bound)), Next.ROLL)


def roll(table: Table, chance: Chance, events: list[Event]) -> Going:
    """The roll for a movement; without a legal one the seat is out (Rule: tokai 7.1, 7.2.6)."""
    seat = table.active
    if table.extra:
        steps = chance.die()
        events.append(RolledExtra(seat, steps))
    else:
        whites = (chance.die(), chance.die())
        steps = sum(whites)
        events.append(RolledSteps(seat, whites, steps))
        # Rule: tokai 7.1.2, 7.1.4: the ticket counts as it is when the dice are rolled.
        if whites == _SIX or (table.mover.express and whites[0] == whites[1]):
            events.append(ExtraGranted(seat))
            table = but(table, granted=True)
    table = but(table, phase=Phase.MOVE, roll=steps, legs=())
    return Going(table, Next.DECISION if legs(table) else Next.STRAND)


def go(table: Table, move: Go, events: list[Event]) -> Going:
    """A leg; the one that uses up the roll or arrives commits the movement (Rule: tokai 16.1)."""
    ride = legs(table).get(move)
    if ride is None:
        raise why_not(table, move)
    left = stand(table).left - ride.steps
    arrives = move.point == table.mover.destination
    events.append(Rode(table.active, move.line, move.point, ride.steps, 0 if arrives else left))
    said = (*table.legs, Leg(move.line, move.point, turn_of(move)))
    table = but(table, legs=said)
    if left and not arrives:
        return Going(table, Next.DECISION)
    return _moved(table, events)


def back(table: Table, events: list[Event]) -> Going:
    """The last leg is taken back (Rule: tokai 16.1)."""
    if not table.legs:
        raise NotAllowed("no_leg", rule="16.1")
    table = but(table, legs=table.legs[:-1])
    standing = stand(table)
    events.append(WentBack(table.active, POINTS[standing.at].id, standing.left))
    return Going(table, Next.DECISION)


def _moved(table: Table, events: list[Event]) -> Going:
    """The movement is made: its points are visited, its lines are due (Rule: tokai 11.5)."""
    seat, mover = table.active, table.mover
    dues, through = tally(table)
    ended = tuple(line for line in mover.through if line not in through)
    if ended:
        events.append(ThroughEnded(seat, ended))
    trail = (*mover.trail, *_points_of(table))
    table = but(table, legs=(), roll=0, dues=dues)
    if trail[-1] != mover.destination:
        rider = but(mover, trail=trail, through=through)
        return Going(but(table, seats=table.seats.put(seat, rider)), Next.HALF_END)
    return _arrived(table, trail[-1], through, events)


def _points_of(table: Table) -> list[PointId]:
    """The points that the legs enter, one after the other, skipped ones included."""
    found: list[PointId] = []
    at = POINT_AT[table.mover.trail[-1]]
    for leg in table.legs:
        way = way_of(LINE_AT[leg.line], at, POINT_AT[leg.point], leg.turn)
        found += (POINTS[point].id for point in way.points)
        at = way.points[-1]
    return found


def _arrived(
    table: Table, point: PointId, through: tuple[LineId, ...], events: list[Event]
) -> Going:
    """The trip pays, and a property may be bought (Rule: tokai 8.1, 9.1, 9.6)."""
    seat, mover = table.active, table.mover
    cash = mover.cash + mover.payoff
    events.append(Arrived(seat, point, mover.payoff, cash))
    rider = but(mover, cash=cash, trail=(point,), destination=None, payoff=0, through=through)
    table = but(table, seats=table.seats.put(seat, rider))
    if not offers(table):
        return Going(table, Next.HALF_END)
    return Going(but(table, phase=Phase.BUY), Next.DECISION)


def end_half(table: Table) -> Going:
    """After a normal half the extra one that was granted, then the fare (Rule: tokai 5.1, 10.1)."""
    if table.granted and not table.extra:
        return Going(but(table, extra=True), Next.HALF)
    return Going(table, Next.SETTLE)
