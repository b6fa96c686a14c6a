"""The map of a region as text: its destinations, where one may change, the lines between them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from bluebear.rules.core.ascii_map import Road, Spot, sketch
from bluebear.rules.tokai.atlas import Point, Region
from bluebear.rules.tokai.board import Sheet
from bluebear.rules.tokai.network import LINES, POINT_AT, POINTS

_ROWS: Final = 18
"""A map with its head and its foot fits into a window of 24 rows."""
_MOST: Final = 26
"""More names than this leave no room for the lines between them."""
_MARGIN: Final = 12
"""So far around its destinations a region shows where one may change, on the canvas of the map."""


def drawn(region: Region, sheet: Sheet) -> list[str]:
    """The map of a region: pawns by their letters, `*` where one may change.

    Nothing where the page is heard and not seen.
    """
    if sheet.page.linear:
        return []
    shown = list(_shown(region))
    spots = {str(point.id): Spot(_label(point, sheet), point.x, point.y) for point in shown}
    return sketch(spots, _roads(set(spots)), width=sheet.page.width, height=_ROWS)


def _shown(region: Region) -> Iterator[Point]:
    """Destinations first, then changes within their bounds, those of most lines first."""
    wanted = [POINTS[POINT_AT[each]] for each in region.destinations]
    yield from wanted
    low_x, high_x = min(p.x for p in wanted) - _MARGIN, max(p.x for p in wanted) + _MARGIN
    low_y, high_y = min(p.y for p in wanted) - _MARGIN, max(p.y for p in wanted) + _MARGIN
    changes = [
        point
        for point in POINTS
        if len(point.lines) > 1
        and point not in wanted
        and low_x <= point.x <= high_x
        and low_y <= point.y <= high_y
    ]
    changes.sort(key=lambda point: -len(point.lines))
    yield from changes[: _MOST - len(wanted)]


def _label(point: Point, sheet: Sheet) -> str:
    pawns = "".join(
        sheet.letter(seat) for seat, one in sheet.table.seats.items() if one.at == point.id
    )
    star = "*" if len(point.lines) > 1 else ""
    return sheet.point(POINT_AT[point.id]) + star + (f"[{pawns}]" if pawns else "")


def _roads(shown: set[str]) -> Iterator[Road]:
    """Every line between two of the stations shown that follow each other on it."""
    for line in LINES:
        for path in line.paths:
            stops = [point for point in path if point in shown]
            if line.loop and len(stops) > 2:
                stops.append(stops[0])
            for one, other in pairwise(stops):
                yield Road(one, other, "=" if line.shinkansen else "-")
