"""What everybody is worth, and the places at the end (Rule: tokai 12.2, 12.3)."""

from __future__ import annotations

from bluebear.rules.core.game import Result, ScoreLine, Standing, ranking
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokai.setting_up import price_of
from bluebear.rules.tokai.state import Phase, Table


def worth_of_lines(table: Table, seat: Seat) -> int:
    """The lines of a seat at face (Rule: tokai 12.2)."""
    return sum(map(price_of, table.lines_of(seat)))


def assets(table: Table, seat: Seat) -> int:
    """Cash and lines; express tickets count nothing (Rule: tokai 12.2)."""
    return table.seats[seat].cash + worth_of_lines(table, seat)


def result(table: Table) -> Result | None:
    """Places by assets, those who are out below all others, the first one last.

    Rule: tokai 12.2, 12.3.
    """
    if table.phase is not Phase.OVER:
        return None
    worth = {seat: assets(table, seat) for seat in table.living}
    below = [
        Standing(seat, len(table.seats) - number, 0) for number, seat in enumerate(table.fallen)
    ]
    standings = tuple(sorted((*ranking(worth), *below), key=lambda standing: standing.seat))
    breakdown = tuple(
        ScoreLine(seat, key, points, "12.2")
        for seat in table.seats
        for key, points in (
            ("cash", table.seats[seat].cash),
            ("lines", worth_of_lines(table, seat)),
        )
    )
    return Result(standings, breakdown)
