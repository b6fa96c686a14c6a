"""Choosing the blocks of a round (Rule: manhattan 3.1, 3.2, 3.3)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from bluebear.rules.core.game import Emit
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.rules.core.slots import NumberListSlot, tokens_of
from bluebear.rules.core.visibility import Seat
from bluebear.rules.manhattan.rules.events import Took
from bluebear.rules.manhattan.rules.moves import Take, takes
from bluebear.rules.manhattan.rules.state import SIZES, STOCK, State

_SCALE: Final = math.lcm(*STOCK)
"""Makes shares of a full stock whole numbers."""


def choices(table: State, seat: Seat) -> tuple[Take, ...]:
    """What a seat may take now, sorted by line."""
    return takes(table.seats[seat].stock, table.per_round)


def why_not(table: State, seat: Seat, move: Take) -> NotAllowed | None:
    """What forbids a choice: the number of its blocks, or the stock (Rule: manhattan 3.2)."""
    blocks = move.blocks
    if len(blocks) != table.per_round:
        return NotAllowed("wrong_number", rule="3.2", count=table.per_round, given=len(blocks))
    stock = table.seats[seat].stock
    for block in sorted(set(blocks)):
        left = stock[block - 1] if block in SIZES else 0
        if blocks.count(block) > left:
            return NotAllowed("not_in_stock", rule="3.2", block=block, left=left)
    return None


_ANY_NUMBER: Final = NumberListSlot("blocks", SIZES[0], SIZES[-1], most=99)


def wrong_number(table: State, text: str) -> NotAllowed | None:
    """What is wrong with a typed choice that has not the number of blocks of this round's option.

    None for one that has, and where nothing or no list of blocks is typed. Rule: manhattan 3.2.
    """
    tokens = tokens_of(text)
    try:
        blocks = _ANY_NUMBER.read(tokens, 0)[0] if tokens else None
    except Refusal:
        return None
    if blocks is None or len(blocks) == table.per_round:
        return None
    return NotAllowed("wrong_number", rule="3.2", count=table.per_round, given=len(blocks))


def take(table: State, seat: Seat, move: Take) -> None:
    """Put the blocks of a choice before its seat, largest first."""
    builder = table.seats[seat]
    taken = map(move.blocks.count, SIZES)
    builder.stock = tuple(left - count for left, count in zip(builder.stock, taken, strict=True))
    builder.chosen = tuple(sorted(move.blocks, reverse=True))


def took(table: State, seat: Seat, move: Take, emit: Emit) -> None:
    """A seat chooses."""
    take(table, seat, move)
    emit(Took(seat, table.seats[seat].chosen))


def even_choice(table: State, seat: Seat) -> Take:
    """The choice that uses up all sizes most evenly, so that large blocks last to the end."""
    stock = table.seats[seat].stock
    return max(choices(table, seat), key=lambda take: evenness(stock, take.blocks))


def evenness(stock: Sequence[int], blocks: tuple[int, ...]) -> int:
    """How evenly a stock is left by a choice: the greater, the more."""
    return -sum(
        (left - blocks.count(size)) ** 2 * _SCALE // full
        for size, left, full in zip(SIZES, stock, STOCK, strict=True)
    )
