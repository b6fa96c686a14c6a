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

from bluebear.rules.railroad_ink.ink import Ink, Joins, arms_of, joins_of
from bluebear.rules.railroad_ink.squares import STEPS, Side
from bluebear.rules.railroad_ink.strokes import most_edges

_REMEMBERED: Final = 4096
"""Parts whose longest route is remembered: what is weighed is often drawn, taken back, told."""

_DOWN: Final = STEPS[Side.S]
_ACROSS: Final = STEPS[Side.E]
_ENDS: Final = 2


def longest(part: int, ink: Ink) -> int:
    """How many squares the longest stroke over a part passes, repeated ones repeatedly.

    A part is a set of lines of one kind that hang together.
    """
    down, across = joins_of(ink)
    down &= part
    across &= part
    if down.bit_count() + across.bit_count() < part.bit_count():
        return most_squares(part, down, across, 0)
    return most_squares(part, down, across, int(_has_spare(part, ink, down, across)))


@lru_cache(maxsize=_REMEMBERED)
def most_squares(part: int, down: int, across: int, spare: int) -> int:
    """The squares that the longest stroke over a part passes, by where its lines meet.

    `spare` is what a bare circuit gains by an arm where the pen can be set down, 0 or 1.
    """
    edges = down.bit_count() + across.bit_count()
    odds = (down ^ down << _DOWN ^ across ^ across << _ACROSS).bit_count()
    if odds == 0:
        return edges + spare
    if odds == _ENDS:
        return edges + 1
    joins = Joins(down, across)
    if edges < part.bit_count():
        return _diameter(part, joins) + 1
    return most_edges(joins, odds) + 1


def _has_spare(part: int, ink: Ink, down: int, across: int) -> bool:
    """Whether a part has an arm which meets none of its kind."""
    north, east, south, west = arms_of(ink)
    spare = south & ~down | north & ~(down << _DOWN) | east & ~across | west & ~(across << _ACROSS)
    return spare & part != 0


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
