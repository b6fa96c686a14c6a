"""The legal moves in the order of their lines, and the one for when a clock has run out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from bluebear.rules.core.game import Rash
from bluebear.rules.core.visibility import Move
from bluebear.rules.itc import jams, turns
from bluebear.rules.itc.commands import GRAMMAR
from bluebear.rules.itc.moves import Discard, End, Land, Roll, Step, Stone, Use
from bluebear.rules.itc.state import Phase, Table

_SIMPLE: Final[Mapping[Phase, type[Move]]] = {
    Phase.PLACING: Stone,
    Phase.DICE: Roll,
    Phase.ROLLED: Use,
    Phase.ACTING: End,
    Phase.DISCARDING: Discard,
}
"""What goes on with the turn in each phase and takes no card and no decision of weight."""


@cache  # bounded: some 20,000 lines exist, nearly all of them of pairs of cards
def _line(choice: Move | Rash) -> str:
    return GRAMMAR.format(choice.move if isinstance(choice, Rash) else choice)


def choices(table: Table) -> list[Move | Rash]:
    """Every legal move of the seat on turn, sorted by line."""
    return sorted(turns.choices(table), key=_line)


def legal(table: Table) -> list[Move]:
    """The same without telling which are rash."""
    return [each.move if isinstance(each, Rash) else each for each in choices(table)]


def fallback(table: Table) -> Move:
    """Goes on with the turn, or ends it; what saves a load from being lost is moved first.

    Rule: itc 7.4, 9.4.
    """
    listed = choices(table)
    for move in listed:
        if isinstance(move, _SIMPLE[table.phase]):
            return move
    cards = jams.rescuers(table)
    return next(each for each in listed if isinstance(each, Step | Land) and each.card in cards)
