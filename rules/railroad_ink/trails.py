"""The longest route of one kind, exactly (Rule: railroad_ink 9.2, 9.3).

The squares with lines of the kind are the points of a graph, arms that meet its edges. A stroke of
n edges passes n + 1 points, except that a circuit begins and ends in the same one: it passes n, or
n + 1 where one of its squares has a spare arm to set the pen down on.

Parts with at most two points of odd degree can be drawn whole, and in a tree the longest stroke is
its diameter. What is left is searched: see `strokes`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from rules.railroad_ink.ink import ArmSets, Joins, joins_of, spread
from rules.railroad_ink.squares import STEPS, Side
from rules.railroad_ink.strokes import most_edges

_REMEMBERED: Final = 4096
"""Lines whose longest route is remembered: a drawing of roads leaves the railways as they were."""

_DOWN: Final = STEPS[Side.S]
_ACROSS: Final = STEPS[Side.E]
_ENDS: Final = 2


@lru_cache(maxsize=_REMEMBERED)
def longest(arms: ArmSets) -> int:
    """How many squares the longest stroke over lines of one kind passes, repeated ones repeatedly.

    `arms` are given as roads, whatever they are.
    """
    joins = joins_of(arms)
    left = arms.north | arms.east | arms.south | arms.west
    if not left:
        return 0
    down, across = joins
    odd = down ^ down << _DOWN ^ across ^ across << _ACROSS
    spare = _spare(arms, joins)
    best = 1
    left &= down | down << _DOWN | across | across << _ACROSS
    while left:
        part = spread(left & -left, joins)
        left &= ~part
        edges = (down & part).bit_count() + (across & part).bit_count()
        if edges < best:
            continue
        odds = (odd & part).bit_count()
        if odds == 0:
            stroke = edges + (spare & part != 0)
        elif odds == _ENDS:
            stroke = edges + 1
        elif edges == part.bit_count() - 1:
            stroke = _diameter(part, joins) + 1
        else:
            stroke = most_edges(Joins(down & part, across & part), odds) + 1
        best = max(best, stroke)
    return best


def _spare(arms: ArmSets, joins: Joins) -> int:
    """The squares that have an arm which meets none of its kind."""
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


def _waves(squares: int, joins: Joins) -> tuple[int, int]:
    """How many steps it takes from some squares to the furthest, and which these are."""
    down, across = joins
    steps, front = 0, squares
    while True:
        wider = (
            (front & down) << _DOWN
            | front >> _DOWN & down
            | (front & across) << _ACROSS
            | front >> _ACROSS & across
        ) & ~squares
        if not wider:
            return steps, front
        squares |= wider
        front = wider
        steps += 1
