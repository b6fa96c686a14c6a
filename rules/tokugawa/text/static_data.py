"""What never changes and is no part of a view, for clients that draw."""

from __future__ import annotations

from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.tokugawa.data.map_loader import CANVAS
from bluebear.rules.tokugawa.data.map_tables import (
    ARMS,
    CAPITALS,
    CHART,
    DEALS,
    IS_PORT,
    IS_SHIPYARD,
    NEEDED,
    PLANS,
    PROVINCE_OF,
)


def static() -> Shaped:
    """The map with places on its canvas, the contracts, prices and strengths, as a plain tree.

    What a move takes in a weather is absent where it is impossible (Rule: tokugawa 6.4).
    """
    return {
        "canvas": CANVAS,
        "provinces": {
            str(each): {"en": named.en, "ja": named.ja, "side": named.side.value}
            for each, named in CHART.provinces.items()
        },
        "towns": {
            str(each): {
                "en": named.en,
                "ja": named.ja,
                "province": str(PROVINCE_OF[each]),
                "x": named.x,
                "y": named.y,
                "port": each in IS_PORT,
                "shipyard": each in IS_SHIPYARD,
                "capital": each in CAPITALS,
            }
            for each, named in CHART.towns.items()
        },
        "roads": [
            {
                "a": str(road.a),
                "b": str(road.b),
                "terrain": road.terrain.value,
                "name": road.name,
                "strait": road.strait,
            }
            for road in CHART.roads
        ],
        "contracts": {
            str(each): {
                "en": deal.en,
                "ja": deal.ja,
                "side": deal.side.value,
                "towns": [str(town) for town in deal.towns],
                "ships": deal.ships,
                "points": deal.points,
            }
            for each, deal in DEALS.items()
        },
        "samurai": {
            weapon.value: {"cost": arms.cost, "stock": arms.stock, "strength": list(arms.strength)}
            for weapon, arms in ARMS.items()
        },
        "buildings": {
            building.value: {
                "cost": plan.cost,
                "action": plan.action,
                "attack": plan.attack,
                "defence": plan.defence,
                "limit": plan.limit,
                "shared": plan.shared,
            }
            for building, plan in PLANS.items()
        },
        "needed": {
            terrain.value: {
                weather.value: needs for weather, needs in by.items() if needs is not None
            }
            for terrain, by in NEEDED.items()
        },
    }
