"""What a board is worth, and how a game ended (Rule: railroad_ink 9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from bluebear.rules.core.game import Result, ScoreLine, Standing, leaders
from bluebear.rules.core.visibility import Seat
from bluebear.rules.railroad_ink.rules.connectivity import FIRST_EXIT, Lines
from bluebear.rules.railroad_ink.rules.longest_route import longest
from bluebear.rules.railroad_ink.rules.pieces import CENTRE, drawn_in, numbers_in
from bluebear.rules.railroad_ink.rules.state import PARTS, Points, State

EXIT_POINTS: Final = (0, 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 45)
"""What a network is worth by the number of exits that it joins."""

_NO_ROUTE: Final = (0, 0)
_RULES: Final = ("9.6", "9.2", "9.2", "9.7", "9.1")
"""The paragraphs of the parts of a score, in the order of `PARTS`."""


def points_of(lines: Lines, *, lap_once: bool = False) -> Points:
    """The five parts of a board's score, open ends counted, and the total (12.6: `lap_once`)."""
    ink, _, roads, railways, networks, ends = lines
    exits = 0
    for network in networks:
        exits += EXIT_POINTS[(network >> FIRST_EXIT).bit_count()]
    if lap_once:
        roads, railways = (
            tuple((longest(part, ink, lap_once=True), part) for _, part in routes)
            for routes in (roads, railways)
        )
    road, railway = max(roads, default=_NO_ROUTE)[0], max(railways, default=_NO_ROUTE)[0]
    centre = (drawn_in(ink) & CENTRE).bit_count()
    return Points(exits, road, railway, centre, ends, exits + road + railway + centre - ends)


def exits_joined(lines: Lines) -> list[list[int]]:
    """The networks that reach exits: the numbers of their exits, as in `EXITS`."""
    return sorted(filter(None, (numbers_in(each >> FIRST_EXIT) for each in lines.networks)))


def result(table: State) -> Result | None:
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
    return leaders({seat: each.rank for seat, each in points.items()})


def _breakdown(table: State) -> Iterator[ScoreLine]:
    """The scores part by part, each with the paragraph that it rests on."""
    for seat, part in table.seats.items():
        for name, count, rule in zip(PARTS, part.points.signed, _RULES, strict=True):
            yield ScoreLine(seat, name, count, rule)
