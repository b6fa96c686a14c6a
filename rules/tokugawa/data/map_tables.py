"""The tables of the game, made once from `map.toml` and `pieces.toml`.

Towns are sorted by id, which is the order of canonical lines; provinces, and the towns of one
province, stand in the order of the map.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.package_data import read_text
from bluebear.rules.core.tables import shown
from bluebear.rules.tokugawa.data import terms
from bluebear.rules.tokugawa.data.map_loader import CANVAS, Deal, read_map
from bluebear.rules.tokugawa.data.pieces_loader import Arms, Plan, read_pieces

_PACKAGE: Final = "bluebear.rules.tokugawa.data"

CHART: Final = read_map(read_text(_PACKAGE, "map.toml"), f"{_PACKAGE}/map.toml")
"""Everything that the map says, for names and drawings."""

PIECES: Final = read_pieces(read_text(_PACKAGE, "pieces.toml"), f"{_PACKAGE}/pieces.toml")
"""Everything that the file of pieces says."""

TOWNS: Final[tuple[terms.Town, ...]] = tuple(sorted(CHART.towns))
"""The 43 towns (Rule: tokugawa 1.1)."""

PROVINCES: Final[tuple[terms.Province, ...]] = tuple(CHART.provinces)
"""The nine provinces from west to east (Rule: tokugawa 2.1)."""

PROVINCE_OF: Final[Mapping[terms.Town, terms.Province]] = {
    town: entry.province for town, entry in CHART.towns.items()
}
TOWNS_OF: Final[Mapping[terms.Province, tuple[terms.Town, ...]]] = {
    province: tuple(town for town in CHART.towns if PROVINCE_OF[town] == province)
    for province in PROVINCES
}

CAPITALS: Final[tuple[terms.Town, ...]] = tuple(
    each.capital for each in CHART.provinces.values() if each.capital
)
"""Kyoto, then Yedo (Rule: tokugawa 3.4)."""

LAND: Final = (terms.Terrain.PLAIN, terms.Terrain.FOREST, terms.Terrain.MOUNTAIN)
"""The terrains of roads (Rule: tokugawa 2.2)."""

_ROADS: Final = {ends: r.terrain for r in CHART.roads for ends in ((r.a, r.b), (r.b, r.a))}
ROAD: Final[Mapping[tuple[terms.Town, terms.Town], terms.Terrain]] = dict(sorted(_ROADS.items()))
"""The terrain between two towns that a road joins, in both directions (Rule: tokugawa 2.2)."""

NEIGHBOURS: Final[Mapping[terms.Town, tuple[terms.Town, ...]]] = {
    town: tuple(b for a, b in ROAD if a == town) for town in TOWNS
}
"""The towns that a road joins to a town, sorted: what is adjacent to it (Rule: tokugawa 2.2)."""


def _steps(origin: terms.Town) -> Mapping[terms.Town, int]:
    """How many roads lead from a town to every town."""
    made = {origin: 0}
    reached = [origin]
    for town in reached:
        for other in NEIGHBOURS[town]:
            if other not in made:
                made[other] = made[town] + 1
                reached.append(other)
    return made


STEPS: Final[Mapping[terms.Town, Mapping[terms.Town, int]]] = {
    town: _steps(town) for town in CAPITALS
}
"""By capital, then town: the roads between them (Rule: tokugawa 2.4)."""

BY_TERRAIN: Final[Mapping[terms.Terrain, Mapping[terms.Town, tuple[terms.Town, ...]]]] = {
    terrain: {
        town: tuple(other for other in NEIGHBOURS[town] if ROAD[town, other] is terrain)
        for town in TOWNS
    }
    for terrain in LAND
}
"""The neighbours of a town over roads of one terrain, sorted (Rule: tokugawa 6.2)."""

PORTS: Final[tuple[terms.Town, ...]] = tuple(
    sorted(town for town, entry in CHART.towns.items() if entry.port)
)
"""The ports, sorted; for a ship each is next to all others (Rule: tokugawa 2.3)."""

SHIPYARDS: Final[tuple[terms.Town, ...]] = tuple(
    town for town in PORTS if BY_TERRAIN[terms.Terrain.FOREST][town]
)
"""The ports on a forest road, where ships are built (Rule: tokugawa 2.3)."""

DEALS: Final[Mapping[terms.Contract, Deal]] = CHART.deals
"""What each contract asks for (Rule: tokugawa 10.4)."""

STACKS: Final[Mapping[terms.Side, tuple[terms.Contract, ...]]] = {
    side: tuple(sorted(each for each, deal in DEALS.items() if deal.side is side))
    for side in terms.Side
}
"""The contracts of each stack, sorted, since no seat knows their order (Rule: tokugawa 3.2)."""

START_PLAYER: Final = PIECES.money.player
"""Koku of a seat at the start (Rule: tokugawa 3.1)."""
START_PROVINCE: Final = PIECES.money.province
"""Koku of each bank at the start (Rule: tokugawa 3.1)."""
KOKU: Final = PIECES.money.all
"""All koku that there are (Rule: tokugawa 1.4)."""

ARMS: Final[Mapping[terms.Weapon, Arms]] = PIECES.arms
"""Cost, stock and strength of each kind of samurai (Rule: tokugawa 1.6)."""
CAPITAL_STRENGTH: Final = PIECES.capital.strength
"""The strength of a capital: untouched, hit once (Rule: tokugawa 1.6)."""
PLANS: Final[Mapping[terms.Building, Plan]] = PIECES.plans
"""Cost and effect of each building (Rule: tokugawa 10.1)."""

WEATHER_FACES: Final[tuple[terms.Weather, ...]] = tuple(
    weather for weather, entry in PIECES.weather.items() for _ in range(entry.faces)
)
"""The six faces of the weather die (Rule: tokugawa 1.3)."""
MODIFIER: Final[Mapping[terms.Weather, int]] = {
    weather: entry.modifier for weather, entry in PIECES.weather.items()
}
"""What the weather adds to a roll for moving and to the attacker (Rule: tokugawa 6.4)."""


NEEDED: Final[Mapping[terms.Terrain, Mapping[terms.Weather, int | None]]] = {
    terrain: {
        weather: entry.needs - modifier
        if entry.storm or weather is not terms.Weather.STORM
        else None
        for weather, modifier in MODIFIER.items()
    }
    for terrain, entry in PIECES.terrain.items()
}
"""What the battle die must show to move; None where nothing helps (Rule: tokugawa 6.4)."""


def static() -> Shaped:
    """The map with places on its canvas, contracts, prices and strengths, for clients that draw.

    What a move takes in a weather is absent where it is impossible (Rule: tokugawa 6.4).
    """
    return {
        "canvas": CANVAS,
        "provinces": {
            each: shown(named, "en", "ja", "side") for each, named in CHART.provinces.items()
        },
        "towns": {
            each: {
                **shown(named, "en", "ja", "province", "x", "y", "port"),
                "shipyard": each in SHIPYARDS,
                "capital": each in CAPITALS,
            }
            for each, named in CHART.towns.items()
        },
        "roads": [shown(road, "a", "b", "terrain", "name", "strait") for road in CHART.roads],
        "contracts": {
            each: shown(deal, "en", "ja", "side", "towns", "ships", "points")
            for each, deal in DEALS.items()
        },
        "samurai": {
            weapon.value: shown(arms, "cost", "stock", "strength") for weapon, arms in ARMS.items()
        },
        "buildings": {
            building.value: shown(plan, "cost", "action", "attack", "defence", "limit", "shared")
            for building, plan in PLANS.items()
        },
        "needed": {
            terrain.value: {
                weather.value: needs for weather, needs in by.items() if needs is not None
            }
            for terrain, by in NEEDED.items()
        },
    }
