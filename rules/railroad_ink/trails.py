"""The longest route of one kind, exactly (Rule: railroad_ink 9.2, 9.3).

The squares with lines of the kind are the points of a graph, arms that meet its edges. A stroke of
n edges passes n + 1 points, except that a circuit begins and ends in the same one: it passes n, or
n + 1 where one of its squares has a spare arm to set the pen down on.

Parts with at most two points of odd degree can be drawn whole, and in a tree the longest stroke is
its diameter. What is left is searched: see `strokes`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from rules.railroad_ink.ink import ArmSets, Joins
from rules.railroad_ink.squares import STEPS, Side
from rules.railroad_ink.strokes import most_edges

_REMEMBERED: Final = 8192
"""Parts whose longest route is remembered: a drawing leaves most of them as they were."""

_DOWN: Final = STEPS[Side.S]
_ACROSS: Final = STEPS[Side.E]
_ENDS: Final = 2


def longest(parts: Iterable[int], arms: ArmSets, joins: Joins) -> int:
    """How many squares the longest stroke over some parts passes, repeated ones repeatedly.

    A part is a set of lines of one kind that hang together; arms and joins are those of the board.
    """
    best = 0
    for part in parts:
        down, across = joins.down & part, joins.across & part
        edges = down.bit_count() + across.bit_count()
        if edges < best:
            continue
        has_circuit = edges >= part.bit_count()
        spare = has_circuit and _spare(arms, joins) & part != 0
        best = max(best, stroke(part, down, across, spare=spare))
    return best


@lru_cache(maxsize=_REMEMBERED)
def stroke(part: int, down: int, across: int, *, spare: bool) -> int:
    """The squares that the longest stroke over a whole part passes; `spare` as in `_spare`."""
    edges = down.bit_count() + across.bit_count()
    odds = (down ^ down << _DOWN ^ across ^ across << _ACROSS).bit_count()
    if odds == 0:
        return max(1, edges + spare)
    if odds == _ENDS:
        return edges + 1
    joins = Joins(down, across)
    return 1 + (
        _diameter(part, joins) if edges == part.bit_count() - 1 else most_edges(joins, odds)
    )


def _spare(arms: ArmSets, joins: Joins) -> int:
    """The lines that have an arm which meets none of its kind."""
    down, across = joins
    return (
        arms.south & ~down
        | arms.north & ~(down << _DOWN)
        | arms.east & ~across
        | arms.west & ~(across << _ACROSS)
    )


def _diameter(part: int, joins: Joins) -> int:
    """The edges of the longest path of a tree: from the point furthest from any."""
    _, last = _waves(part & -part, joins)
    steps, _ = _waves(last & -last, joins)
    return steps


def _waves(lines: int, joins: Joins) -> tuple[int, int]:
    """How many steps it takes from some lines to the furthest, and which these are."""
    down, across = joins
    steps, front = 0, lines
    while True:
        wider = (
            (front & down) << _DOWN
            | front >> _DOWN & down
            | (front & across) << _ACROSS
            | front >> _ACROSS & across
        ) & ~lines
        if not wider:
            return steps, front
        lines |= wider
        front = wider
        steps += 1
