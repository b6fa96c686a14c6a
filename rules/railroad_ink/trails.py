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

from rules.railroad_ink.ink import ArmSets, Ink, Joins, arms_of, joins_of
from rules.railroad_ink.squares import STEPS, Side
from rules.railroad_ink.strokes import most_edges

_REMEMBERED: Final = 4096
"""Parts whose longest route is remembered: what is weighed is often drawn, taken back, told."""

_DOWN: Final = STEPS[Side.S]
_ACROSS: Final = STEPS[Side.E]
_ENDS: Final = 2


def longest(part: int, ink: Ink) -> int:
    """How many squares the longest stroke over a part passes, repeated ones repeatedly.

    A part is a set of lines of one kind that hang together.
    """
    arms = arms_of(ink)
    down, across = joins_of(arms)
    down, across = down & part, across & part
    edges = down.bit_count() + across.bit_count()
    spare = edges >= part.bit_count() and _spare(arms, Joins(down, across)) & part != 0
    return most_squares(part, Joins(down, across), spare=spare)


@lru_cache(maxsize=_REMEMBERED)
def most_squares(part: int, joins: Joins, *, spare: bool) -> int:
    """The squares that the longest stroke over a part passes, by where its lines meet.

    `spare`: an arm of it meets none of its kind; that matters to circuits only.
    """
    down, across = joins
    edges = down.bit_count() + across.bit_count()
    odds = (down ^ down << _DOWN ^ across ^ across << _ACROSS).bit_count()
    if odds == 0:
        return edges + spare
    if odds == _ENDS:
        return edges + 1
    if edges < part.bit_count():
        return _diameter(part, joins) + 1
    return most_edges(joins, odds) + 1


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
