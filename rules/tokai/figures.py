"""The answers to `/fares` and `/route` as data: thousands of yen, as everywhere in the view.

Rule: tokai 11.12. A payee is a seat, or 0 for the bank.
"""

from __future__ import annotations

from collections.abc import Iterable

from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.visibility import Seat
from bluebear.rules.tokai.answers import lines_from_here, ways_of
from bluebear.rules.tokai.atlas import PointId
from bluebear.rules.tokai.fares import tally
from bluebear.rules.tokai.network import LINES, POINTS
from bluebear.rules.tokai.routing import Route
from bluebear.rules.tokai.state import Due, Phase, Table


def of_fares(table: Table) -> Shaped:
    """What the active seat's turn costs so far, and what each line from its pawn would add."""
    if table.phase in (Phase.PREBUY, Phase.START, Phase.OVER):
        return {"dues": [], "lines": []}
    riding = table.phase is Phase.MOVE
    return {
        "seat": int(table.active),
        "cash": table.mover.cash,
        "dues": _dues(tally(table).dues),
        "lines": [
            {"line": line, "payee": rate.payee, "fare": rate.amount, "adds": more}
            for line, rate, more in (lines_from_here(table) if riding else ())
        ],
    }


def of_route(table: Table, seat: Seat, to: PointId) -> Shaped:
    """The shortest and the cheapest way of a seat to a station; without them there is none."""
    found = ways_of(table, seat, to)
    if found is None:
        return {"to": to}
    return {
        "to": to,
        "shortest": _way(found.shortest),
        "cheapest": _way(found.cheapest),
    }


def _way(way: Route) -> Shaped:
    return {
        "steps": way.steps,
        "turns": way.turns,
        "cost": way.cost,
        "dues": _dues(way.dues),
        "legs": [
            {
                "line": LINES[part.line].id,
                "to": POINTS[part.points[-1]].id,
                "steps": len(part.points),
            }
            for part in way.stretches
        ],
    }


def _dues(dues: Iterable[Due]) -> list[Shaped]:
    return [{"payee": due.payee, "amount": due.amount} for due in dues]
