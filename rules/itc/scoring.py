"""Where the money came from by which a game is decided (Rule: itc 13.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bluebear.rules.core.game import ScoreLine
from bluebear.rules.itc.state import Table

SOURCES: Final = {
    "transport": "12.6",
    "smuggling": "12.7",
    "thefts": "12.3",
    "sales": "14.2",
    "market": "14.3",
}
"""The sources of income, each with the rule that it rests on."""


def breakdown(table: Table) -> Iterator[ScoreLine]:
    """Where the money of every seat came from."""
    for seat, trader in table.seats.items():
        for source, rule in SOURCES.items():
            yield ScoreLine(seat, source, getattr(trader.income, source), rule)
