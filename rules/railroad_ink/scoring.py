"""What a board is worth, and how a game ended (Rule: railroad_ink 9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rules.core.game import Result, ScoreLine, Standing
from rules.core.vision import Seat
from rules.railroad_ink.ink import (
    ArmSets,
    Joins,
    arm_at,
    arms_of,
    at_exits,
    both,
    drawn_in,
    joins_of,
    line_at,
)
from rules.railroad_ink.lines import Lines
from rules.railroad_ink.squares import ALL, CENTRE, EXITS, INSIDE, NUMBER
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
    (arm_at(NUMBER[each.square], each.side, each.line), line_at(NUMBER[each.square], each.line))
    for each in EXITS
)
"""For each exit the arm that meets it, and the line of that."""
_INSIDE: Final = tuple(both(squares) for squares in INSIDE)


def points_of(lines: Lines) -> Points:
    """The five parts of a board's score, open ends as a number of them, and the total."""
    arms = arms_of(lines.ink)
    joins, reached = joins_of(arms), at_exits(arms)
    exits = sum([EXIT_POINTS[(network & reached).bit_count()] for network in lines.networks])
    road = longest([part for part in lines.parts if part & ALL], arms, joins)
    railway = longest([part for part in lines.parts if not part & ALL], arms, joins)
    centre = (drawn_in(lines.ink) & CENTRE).bit_count()
    ends = open_ends(arms, joins)
    return Points(exits, road, railway, centre, ends, exits + road + railway + centre - ends)


def open_ends(arms: ArmSets, joins: Joins) -> int:
    """How many arms meet neither an arm of their kind, nor an exit, nor the border.

    Rule: railroad_ink 9.1. Exits are outside the border, so an arm at one is at the border.
    """
    inside = [(lines & within).bit_count() for lines, within in zip(arms, _INSIDE, strict=True)]
    return sum(inside) - 2 * (joins.down.bit_count() + joins.across.bit_count())


def exits_joined(lines: Lines) -> list[list[int]]:
    """The networks that reach exits: the numbers of their exits, as in `EXITS`."""
    reached = [
        [number for number, (arm, line) in enumerate(_EXITS) if lines.ink & arm and network & line]
        for network in lines.networks
    ]
    return sorted(filter(None, reached))


def result(table: Table) -> Result | None:
    """The ranking: most points, then fewest open ends (Rule: railroad_ink 9.5)."""
    if not table.over:
        return None
    ranks = {seat: part.points.rank for seat, part in table.seats.items()}
    standings = tuple(
        Standing(seat, 1 + sum(other > rank for other in ranks.values()), rank[0])
        for seat, rank in ranks.items()
    )
    return Result(standings, tuple(_breakdown(table)))


def winners(points: Mapping[Seat, Points]) -> tuple[Seat, ...]:
    """Who is first: most points, then fewest open ends, else shared (Rule: railroad_ink 9.5)."""
    best = max(each.rank for each in points.values())
    return tuple(seat for seat, each in points.items() if each.rank == best)


def _breakdown(table: Table) -> Iterator[ScoreLine]:
    """The scores part by part, each with the paragraph that it rests on."""
    for seat, part in table.seats.items():
        for name, count in zip(PARTS, part.points.signed, strict=True):
            yield ScoreLine(seat, name, count, _RULES[name])
