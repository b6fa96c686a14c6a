"""The legal moves in the order of their lines, and the one for when a clock has run out."""

from __future__ import annotations

from functools import cache
from typing import Final

from rules.core.game import Kind
from rules.core.vision import Move, Seat
from rules.itc import turns
from rules.itc.commands import GRAMMAR
from rules.itc.moves import End
from rules.itc.state import Phase, Table

_END: Final = End()


@cache  # bounded: some 20,000 lines exist, nearly all of them of pairs of cards
def _line(move: Move) -> str:
    return GRAMMAR.format(move)


def legal(table: Table, seat: Seat) -> list[Move]:
    """Every legal move of a seat, sorted by line."""
    return sorted(turns.choices(table, seat), key=_line)


def fallback(table: Table, seat: Seat) -> Move:
    """Ends the turn where that is possible and costs nothing, else the first plain move."""
    if table.phase is Phase.ACTING and turns.kind(table, _END) is Kind.PLAIN:
        return _END
    return next(move for move in legal(table, seat) if turns.kind(table, move) is Kind.PLAIN)


__all__ = ["fallback", "legal"]
