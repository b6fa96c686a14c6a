"""The map as data for clients: they get it once, and views carry only what changes."""

from __future__ import annotations

from typing import Any

from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.tokai.data.map_data import Columns, Line, Point, Region
from bluebear.rules.tokai.rules.network import (
    ATLAS,
    CONSTANTS,
    DESTINATIONS,
    LINES,
    POINTS,
    REGIONS,
    payoff,
)


def drawing() -> Shaped:
    """Lines, points with their coordinates, regions, tables and payoffs.

    Money is in thousands of yen, as in views. `payoffs` has a row for each destination: what it
    pays to or from those after it, in the order of the regions' destinations.
    """
    return {
        "canvas": list(CONSTANTS.canvas),
        "express_ticket_price": CONSTANTS.express_ticket_price,
        "lines": [_line(line) for line in LINES],
        "points": {point.id: _point(point) for point in POINTS},
        "regions": [_region(region) for region in REGIONS],
        "region_table": _columns(ATLAS.region_table),
        "payoffs": [
            [payoff(one, other) for other in DESTINATIONS[at + 1 :]]
            for at, one in enumerate(DESTINATIONS)
        ],
    }


def _line(line: Line) -> Shaped:
    return {
        "id": line.id,
        "en": line.en,
        "ja": line.ja,
        "price": line.price,
        "colour": line.colour,
        "shinkansen": line.shinkansen,
        "loop": line.loop,
        "paths": [list(path) for path in line.paths],
    }


def _point(point: Point) -> Shaped:
    made: dict[str, Any] = {"en": point.en, "ja": point.ja, "x": point.x, "y": point.y}  # Any: JSON
    if point.skip:
        made["skip"] = True
    if point.region is not None:
        made["region"] = point.region
    return made


def _region(region: Region) -> Shaped:
    return {
        "id": region.id,
        "en": region.en,
        "ja": region.ja,
        "destinations": list(region.destinations),
        "table": _columns(region.table),
    }


def _columns(table: Columns) -> Shaped:
    return {"odd": list(table.odd), "even": list(table.even)}
