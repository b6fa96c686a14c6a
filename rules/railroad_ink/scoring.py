"""What a board is worth, and how a game ended (Rule: railroad_ink 9)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from rules.core.game import Result, ScoreLine, Standing
from rules.core.vision import Seat
from rules.railroad_ink.ink import (
    HALF,
    ArmSets,
    Ink,
    arms_of,
    both,
    drawn_in,
    joins_of,
    spread,
    stations_of,
)
from rules.railroad_ink.squares import CENTRE, EXITS, INSIDE, LINES, NUMBER, Line
from rules.railroad_ink.state import PARTS, Points, Table
from rules.railroad_ink.trails import longest

EXIT_POINTS: Final = (0, 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 45)
"""What a network is worth by the number of exits that it joins."""

_RULES: Final = {
    "exits": "9.6",
    "road": "9.2",
    "railway": "9.2",
    "centre": "9.7",
    "open_ends": "9.1",
}

_EXITS: Final = tuple(
    (each.side, 1 << NUMBER[each.square] + LINES.index(each.line) * HALF) for each in EXITS
)
"""For each exit the side where an arm meets it, and that arm as a line of its square."""
_INSIDE: Final = tuple(both(squares) for squares in INSIDE)

_REMEMBERED: Final = 1024
"""Boards whose points are remembered: every drawing is told, stored and checked."""


@lru_cache(maxsize=_REMEMBERED)
def points_of(ink: Ink) -> Points:
    """The five parts of a board's score, open ends as a number of them, and the total."""
    arms = arms_of(ink)
    exits = sum([EXIT_POINTS[len(joined)] for joined in networks(ink)])
    road, railway = longest(arms.of(Line.ROAD)), longest(arms.of(Line.RAILWAY))
    centre = (drawn_in(ink) & CENTRE).bit_count()
    ends = open_ends(arms)
    total = exits + road + railway + centre - ends
    return Points(exits, road, railway, centre, ends, total)


def open_ends(arms: ArmSets) -> int:
    """How many arms meet neither an arm of their kind, nor an exit, nor the border.

    Rule: railroad_ink 9.1. Exits are outside the border, so an arm at one is at the border.
    """
    joins = joins_of(arms)
    inside = [(lines & within).bit_count() for lines, within in zip(arms, _INSIDE, strict=True)]
    return sum(inside) - 2 * (joins.down.bit_count() + joins.across.bit_count())


def networks(ink: Ink) -> list[list[int]]:
    """The networks that reach exits: the numbers of their exits, as in `EXITS`.

    Rule: railroad_ink 9.0. A station takes a network from one kind to the other.
    """
    arms = arms_of(ink)
    left = [number for number, (side, line) in enumerate(_EXITS) if arms[side] & line]
    joins, stations = joins_of(arms), stations_of(ink)
    found = []
    while left:
        reached = spread(_EXITS[left[0]][1], joins, stations)
        inside = [number for number in left if reached & _EXITS[number][1]]
        left = [number for number in left if number not in inside]
        found.append(inside)
    return found


def result(table: Table) -> Result | None:
    """The ranking: most points, then fewest open ends (Rule: railroad_ink 9.5)."""
    if not table.over:
        return None
    ranks = {seat: part.points.rank for seat, part in table.seats.items()}
    standings = tuple(
        Standing(seat, 1 + sum(other > rank for other in ranks.values()), rank[0])
        for seat, rank in ranks.items()
    )
    lines = tuple(
        line for seat, part in table.seats.items() for line in breakdown(seat, part.points)
    )
    return Result(standings, lines)


def winners(points: Mapping[Seat, Points]) -> tuple[Seat, ...]:
    """Who is first: most points, then fewest open ends, else shared (Rule: railroad_ink 9.5)."""
    best = max(each.rank for each in points.values())
    return tuple(seat for seat, each in points.items() if each.rank == best)


def breakdown(seat: Seat, points: Points) -> tuple[ScoreLine, ...]:
    """A score part by part, each with the paragraph that it rests on."""
    return tuple(
        ScoreLine(seat, part, count, _RULES[part])
        for part, count in zip(PARTS, points.signed, strict=True)
    )
