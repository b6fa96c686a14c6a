"""The legal moves in the order of their lines, and the one for when a clock has run out."""

from __future__ import annotations

from functools import cache
from typing import Final

from rules.core.game import Kind
from rules.core.vision import Move, Seat
from rules.itc import turns
from rules.itc.commands import GRAMMAR
from rules.itc.moves import End, Land, Roll, Step, Use
from rules.itc.state import Phase, Table, row_of
from rules.itc.tracks import find

_END: Final = End()


@cache  # bounded: some 20,000 lines exist, nearly all of them of pairs of cards
def _line(move: Move) -> str:
    return GRAMMAR.format(move)


def legal(table: Table, seat: Seat) -> list[Move]:
    """Every legal move of a seat, sorted by line."""
    return sorted(turns.choices(table, seat), key=_line)


def fallback(table: Table, seat: Seat) -> Move:
    """Ends the turn where that is possible and costs nothing; else what goes on with it.

    A jam is opened; no action card of somebody who is away is played.
    """
    if table.phase is Phase.ACTING and turns.kind(table, _END) is Kind.PLAIN:
        return _END
    plain = [move for move in legal(table, seat) if turns.kind(table, move) is Kind.PLAIN]
    return min(plain, key=lambda move: _reluctance(table, move))


def _reluctance(table: Table, move: Move) -> int:
    """How little a move is wanted as a fallback; of equals the first is taken."""
    if isinstance(move, Step | Land):
        found = find(table, move.card)
        rows = None if found is None else table.turn.duties.get(found.route)
        return 0 if found is not None and row_of(found.at) in (rows or ()) else 1
    return 0 if isinstance(move, Roll | Use) else 1


__all__ = ["fallback", "legal"]
