"""Victory points, and who has won (Rule: tokugawa 11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from bluebear.rules.core.game import Emit, Result, ScoreLine, Standing, leaders
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokugawa.data.map_tables import ARMS, PLANS
from bluebear.rules.tokugawa.data.terms import Building
from bluebear.rules.tokugawa.rules import building
from bluebear.rules.tokugawa.rules.events import Counted, GameDrawn, GameWon
from bluebear.rules.tokugawa.rules.pieces import estate_of
from bluebear.rules.tokugawa.rules.state import SEATS, Ending, Phase, State, other

MAJORITY: Final = 5
"""For more koku, more samurai, more buildings (Rule: tokugawa 11.3)."""

_SAMURAI: Final = sum(arms.stock for arms in ARMS.values())
"""All samurai of a seat, on the board or in stock."""
_PER_SEAT: Final = tuple(building for building in Building if not PLANS[building].shared)


class Points(NamedTuple):
    """The victory points of a seat by where they come from (Rule: tokugawa 11.3)."""

    koku: int
    samurai: int
    buildings: int
    contracts: int

    @property
    def total(self) -> int:
        """All together."""
        return self.koku + self.samurai + self.buildings + self.contracts


def samurai_of(table: State, seat: Seat) -> int:
    """The samurai of a seat on the board, the capital not counted (Rule: tokugawa 11.3)."""
    return _SAMURAI - sum(table.seats.peek(seat).samurai.values())


def buildings_of(table: State, seat: Seat) -> int:
    """The buildings of a seat, castles also unfinished, walls not (Rule: tokugawa 11.3)."""
    pieces = table.seats[seat].pieces
    built = sum(PLANS[building].limit - pieces[building] for building in _PER_SEAT)
    return built + estate_of(table, seat).stands[Building.GARDEN].bit_count()


def points_of(table: State) -> Mapping[Seat, Points]:
    """What each seat would have if the game ended as it stands."""
    made = {}
    for seat in SEATS:
        rival = other(seat)
        made[seat] = Points(
            koku=_majority(table.seats[seat].koku, table.seats[rival].koku),
            samurai=_majority(samurai_of(table, seat), samurai_of(table, rival)),
            buildings=_majority(buildings_of(table, seat), buildings_of(table, rival)),
            contracts=building.points(table.seats[seat]),
        )
    return made


def _majority(built: int, against: int) -> int:
    """Equal: no seat gets it (Rule: tokugawa 11.3)."""
    return MAJORITY if built > against else 0


def end_by_points(table: State, ending: Ending, emit: Emit) -> None:
    """The game is over, and victory points decide (Rule: tokugawa 11.2, 11.3, 11.4)."""
    end(table, ending, _winner(points_of(table)), emit)


def end(table: State, ending: Ending, winner: Seat | None, emit: Emit) -> None:
    """The game is over; victory points are told even if they have not decided it."""
    for seat, part in points_of(table).items():
        emit(Counted(seat, *part, part.total))
    emit(GameDrawn(ending) if winner is None else GameWon(winner, ending))
    table.phase, table.battle, table.ship_at = Phase.OVER, None, None
    table.ending, table.winner = ending, winner


def _winner(made: Mapping[Seat, Points]) -> Seat | None:
    """More points, else more of contracts, else no seat (Rule: tokugawa 11.3, 11.4)."""
    first = leaders({seat: (points.total, points.contracts) for seat, points in made.items()})
    return first[0] if len(first) == 1 else None


def result(table: State) -> Result | None:
    """The standings by who has won, and the victory points; None while the game goes on."""
    if table.phase is not Phase.OVER:
        return None
    made = points_of(table)
    standings = tuple(
        Standing(seat, 1 if table.winner in (None, seat) else 2, made[seat].total) for seat in SEATS
    )
    lines = (
        ScoreLine(seat, name, count, "10.4" if name == "contracts" else "11.3")
        for seat in SEATS
        for name, count in made[seat]._asdict().items()
    )
    return Result(standings, tuple(lines))
