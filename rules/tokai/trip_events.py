"""What happens on trips, as data: dice, destinations, rides, arrivals.

Dice are told as `whites` (the two white ones, empty in an extra half) and `coloured`.
"""

from __future__ import annotations

from bluebear.rules.core.visibility import Event, Public, Seat
from bluebear.rules.tokai.atlas import LineId, PointId, RegionId


class RolledRegion(Event):
    """Three dice gave a region (Rule: tokai 4.1.1)."""

    seat: Public[Seat]
    coloured: Public[int]
    whites: Public[tuple[int, ...]]
    region: Public[RegionId]


class RolledCity(Event):
    """Three dice gave a city in the table of a region (Rule: tokai 4.1.1)."""

    seat: Public[Seat]
    coloured: Public[int]
    whites: Public[tuple[int, ...]]
    region: Public[RegionId]
    point: Public[PointId]


class RolledFree(Event):
    """Three dice let the seat name any destination (Rule: tokai 4.3, 6.3)."""

    seat: Public[Seat]
    coloured: Public[int]
    whites: Public[tuple[int, ...]]
    region: Public[RegionId]


class ThroughGot(Event):
    """A line was bought under a pawn: its seat has a through ticket (Rule: tokai 11.6, 4.5)."""

    seat: Public[Seat]
    line: Public[LineId]
    owner: Public[Seat]


class ThroughEnded(Event):
    """Through tickets ended by riding another line (Rule: tokai 11.7, 11.9)."""

    seat: Public[Seat]
    lines: Public[tuple[LineId, ...]]


class TurnBegan(Event):
    """A seat's turn began (Rule: tokai 5.1)."""

    seat: Public[Seat]
    turn: Public[int]


class HomeRegion(Event):
    """The region rolled is where the pawn stands: the seat names any (Rule: tokai 6.2)."""

    seat: Public[Seat]
    region: Public[RegionId]


class RegionNamed(Event):
    """A seat named a region (Rule: tokai 6.2)."""

    seat: Public[Seat]
    region: Public[RegionId]


class DestinationSet(Event):
    """A trip has its destination and its payoff (Rule: tokai 6.5)."""

    seat: Public[Seat]
    origin: Public[PointId]
    destination: Public[PointId]
    payoff: Public[int]


class HalfLost(Event):
    """The city rolled is where the pawn stands: this half is lost (Rule: tokai 6.4)."""

    seat: Public[Seat]
    point: Public[PointId]


class RolledSteps(Event):
    """The white dice of a normal half (Rule: tokai 7.1.1)."""

    seat: Public[Seat]
    whites: Public[tuple[int, ...]]
    steps: Public[int]


class RolledExtra(Event):
    """The coloured die of an extra half (Rule: tokai 7.1.1)."""

    seat: Public[Seat]
    steps: Public[int]


class ExtraGranted(Event):
    """The roll grants an extra half (Rule: tokai 7.1.2)."""

    seat: Public[Seat]


class Rode(Event):
    """A leg: along one line to a point; `left` steps remain (Rule: tokai 7.2.2)."""

    seat: Public[Seat]
    line: Public[LineId]
    point: Public[PointId]
    steps: Public[int]
    left: Public[int]


class WentBack(Event):
    """A seat took back its last leg (Rule: tokai 16.1)."""

    seat: Public[Seat]
    point: Public[PointId]
    left: Public[int]


class Arrived(Event):
    """A trip ended, and its payoff was paid out (Rule: tokai 8.1)."""

    seat: Public[Seat]
    point: Public[PointId]
    payoff: Public[int]
    cash: Public[int]
