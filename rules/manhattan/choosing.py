"""Choosing the blocks of a round (Rule: manhattan 3.1, 3.2, 3.3)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from rules.core.refusal import NotAllowed
from rules.core.vision import Seat, but
from rules.manhattan.moves import Take, takes
from rules.manhattan.state import SIZES, STOCK, Builder, Table

_SCALE: Final = math.lcm(*STOCK)
"""Makes shares of a full stock whole numbers."""


def choices(table: Table, seat: Seat) -> tuple[Take, ...]:
    """What a seat may take now, sorted by line."""
    return takes(table.seats[seat].stock, table.per_round)


def even_choice(table: Table, seat: Seat) -> Take:
    """The choice that uses up all sizes most evenly, so that large blocks last to the end."""
    stock = table.seats[seat].stock
    return max(choices(table, seat), key=lambda take: evenness(stock, take.blocks))


def evenness(stock: Sequence[int], blocks: tuple[int, ...]) -> int:
    """How evenly a stock is left by a choice: the greater, the more."""
    return -sum(
        (left - blocks.count(size)) ** 2 * _SCALE // full
        for size, left, full in zip(SIZES, stock, STOCK, strict=True)
    )


def checked(table: Table, seat: Seat, move: Take) -> Take:
    """The move in its canonical form; NotAllowed if the stock or the round does not allow it.

    Rule: manhattan 3.2.
    """
    blocks = tuple(sorted(move.blocks, reverse=True))
    if len(blocks) != table.per_round:
        raise NotAllowed("wrong_number", rule="3.2", count=table.per_round, given=len(blocks))
    stock = table.seats[seat].stock
    for block in sorted(set(blocks)):
        left = stock[block - 1] if block in SIZES else 0
        if blocks.count(block) > left:
            raise NotAllowed("not_in_stock", rule="3.2", block=block, left=left)
    return Take(blocks)


def take(table: Table, seat: Seat, move: Take) -> Table:
    """The table after a seat took its blocks."""
    builder = table.seats[seat]
    return but(table, seats=table.seats.put(seat, _with_chosen(builder, move.blocks)))


def _with_chosen(builder: Builder, blocks: tuple[int, ...]) -> Builder:
    left = (count - blocks.count(size) for size, count in zip(SIZES, builder.stock, strict=True))
    return but(builder, stock=tuple(left), chosen=blocks)
