"""What never changes and is no part of a view, for clients that draw."""

from __future__ import annotations

from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.tables import shown
from bluebear.rules.tokugawa.data import map_tables
from bluebear.rules.tokugawa.data.map_loader import CANVAS


def static() -> Shaped:
    """The map with places on its canvas, the contracts, prices and strengths, as a plain tree.

    What a move takes in a weather is absent where it is impossible (Rule: tokugawa 6.4).
    """
    return {
        "canvas": CANVAS,
        "provinces": {
            each: shown(named, "en", "ja", "side")
            for each, named in map_tables.CHART.provinces.items()
        },
        "towns": {
            each: {
                **shown(named, "en", "ja", "province", "x", "y", "port"),
                "shipyard": each in map_tables.IS_SHIPYARD,
                "capital": each in map_tables.CAPITALS,
            }
            for each, named in map_tables.CHART.towns.items()
        },
        "roads": [
            shown(road, "a", "b", "terrain", "name", "strait") for road in map_tables.CHART.roads
        ],
        "contracts": {
            each: shown(deal, "en", "ja", "side", "towns", "ships", "points")
            for each, deal in map_tables.DEALS.items()
        },
        "samurai": {
            weapon.value: shown(arms, "cost", "stock", "strength")
            for weapon, arms in map_tables.ARMS.items()
        },
        "buildings": {
            building.value: shown(plan, "cost", "action", "attack", "defence", "limit", "shared")
            for building, plan in map_tables.PLANS.items()
        },
        "needed": {
            terrain.value: {
                weather.value: needs for weather, needs in by.items() if needs is not None
            }
            for terrain, by in map_tables.NEEDED.items()
        },
    }
