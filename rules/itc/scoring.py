"""The end of a game: ranking by money, and where it came from (Rule: itc 13.2)."""

from __future__ import annotations

from typing import Final

from rules.core.game import Result, ScoreLine, ranking
from rules.itc.state import Phase, Table

SOURCES: Final = {
    "transport": "12.6",
    "smuggling": "12.7",
    "thefts": "12.3",
    "sales": "14.2",
    "market": "14.3",
}
"""The sources of income, each with the rule that it rests on."""


def result(table: Table) -> Result | None:
    """How the game ended; None while it goes on."""
    if table.phase is not Phase.OVER:
        return None
    lines = tuple(
        ScoreLine(seat, source, getattr(trader.income, source), rule)
        for seat, trader in table.seats.items()
        for source, rule in SOURCES.items()
    )
    return Result(ranking({seat: trader.money for seat, trader in table.seats.items()}), lines)
