"""The map as data for clients: they get it once, and views carry only what changes."""

from __future__ import annotations

from typing import Final

from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.tables import shown
from bluebear.rules.tokai.data.map_data import Point
from bluebear.rules.tokai.rules import network

_OF_LINES: Final = ("id", "en", "ja", "price", "colour", "shinkansen", "loop", "paths")


def drawing() -> Shaped:
    """Lines, points with their coordinates, regions, tables and payoffs.

    Money is in thousands of yen, as in views. `payoffs` has a row for each destination: what it
    pays to or from those after it, in the order of the regions' destinations.
    """
    return {
        **shown(network.CONSTANTS, "canvas", "express_ticket_price"),
        "lines": [shown(line, *_OF_LINES) for line in network.LINES],
        "points": {point.id: _point(point) for point in network.POINTS},
        "regions": [
            shown(each, "id", "en", "ja", "destinations", "table") for each in network.REGIONS
        ],
        **shown(network.ATLAS, "region_table"),
        "payoffs": [
            [network.payoff(one, other) for other in network.DESTINATIONS[at + 1 :]]
            for at, one in enumerate(network.DESTINATIONS)
        ],
    }


def _point(point: Point) -> Shaped:
    if_any = (name for name in ("skip", "region") if getattr(point, name))
    return shown(point, "en", "ja", "x", "y", *if_any)
