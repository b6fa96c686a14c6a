"""The legal moves in the order of their lines, and the one for when a clock has run out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from rules.core.game import Kind
from rules.core.vision import Move, Seat
from rules.itc import jams, turns
from rules.itc.commands import GRAMMAR
from rules.itc.moves import Discard, End, Land, Roll, Step, Stone, Use
from rules.itc.state import Phase, Table

_SIMPLE: Final[Mapping[Phase, type[Move]]] = {
    Phase.PLACING: Stone,
    Phase.DICE: Roll,
    Phase.ROLLED: Use,
    Phase.ACTING: End,
    Phase.DISCARDING: Discard,
}
"""What goes on with the turn in each phase and takes no card and no decision of weight."""


@cache  # bounded: some 20,000 lines exist, nearly all of them of pairs of cards
def _line(move: Move) -> str:
    return GRAMMAR.format(move)


def legal(table: Table, seat: Seat) -> list[Move]:
    """Every legal move of a seat, sorted by line."""
    return sorted(turns.choices(table, seat), key=_line)


def fallback(table: Table, seat: Seat) -> Move:
    """Goes on with the turn, or ends it; what saves a load from being lost is moved first.

    Rule: itc 7.4, 9.4.
    """
    listed = legal(table, seat)
    move = next(each for each in listed if isinstance(each, _SIMPLE[table.phase]))
    if turns.kind(table, move) is Kind.PLAIN:
        return move
    cards = jams.rescuers(table)
    return next(each for each in listed if isinstance(each, Step | Land) and each.card in cards)
