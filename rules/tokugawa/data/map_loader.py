"""Reading `map.toml`: provinces, towns, roads and contracts, each checked against the others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Any, Final, NamedTuple

from bluebear.rules.core.tables import Constraint, DataFile, Entry, Text
from bluebear.rules.tokugawa.data.terms import Contract, Named, Province, Side, Terrain, Town

CANVAS: Final = 1000
"""The width and height of the canvas on which towns have their places."""

Coordinate = Annotated[int, Constraint(ge=0, le=CANVAS)]


class ProvinceEntry(Named, kw_only=True):
    """A province; `side` is the stack of contracts to which it belongs."""

    id: Province
    kana: Text
    side: Side
    mirror: Province
    capital: Town | None = None


class TownEntry(Named, kw_only=True):
    """A town and where it lies on the canvas."""

    id: Town
    kana: Text
    province: Province
    x: Coordinate
    y: Coordinate
    mirror: Town
    port: bool = False


class Road(Entry):
    """Two towns with the terrain between them; a strait is only drawn in another way."""

    a: Town
    b: Town
    terrain: Terrain
    name: Text
    strait: bool = False


class Deal(Named, kw_only=True):
    """A contract: samurai in these towns, ships in so many ports (Rule: tokugawa 10.3)."""

    id: Contract
    side: Side
    towns: tuple[Town, ...]
    ships: Annotated[int, Constraint(ge=0, le=99)]
    mirror: Contract

    @property
    def points(self) -> int:
        """One for each town or ship (Rule: tokugawa 10.4)."""
        return len(self.towns) + self.ships

    def __post_init__(self) -> None:
        if len(set(self.towns)) != len(self.towns):
            raise ValueError("a town stands twice")
        if not self.points:
            raise ValueError("asks for nothing")


class _File(Entry):
    province: tuple[ProvinceEntry, ...]
    town: tuple[TownEntry, ...]
    road: tuple[Road, ...]
    contract: tuple[Deal, ...]


class Chart(NamedTuple):
    """All that `map.toml` says, in its order."""

    provinces: Mapping[Province, ProvinceEntry]
    towns: Mapping[Town, TownEntry]
    roads: tuple[Road, ...]
    deals: Mapping[Contract, Deal]
    mirror: Mapping[str, str]


def read_map(text: str, name: str) -> Chart:
    """The map that a text describes; DataError names the line that is wrong."""
    file = DataFile(_File, text, name)
    provinces = file.by_id("province", file.value.province)
    towns = file.by_id("town", file.value.town)
    deals = file.by_id("contract", file.value.contract)
    kinds = (("province", provinces), ("town", towns), ("contract", deals))
    mirror = {each: entry.mirror for _, kind in kinds for each, entry in kind.items()}
    made = Chart(provinces, towns, file.value.road, deals, mirror)
    _check_places(file, made)
    _check_roads(file, made)
    for section, kind in kinds:
        for each in kind:
            _check_one_of(file, mirror[each], kind, section, each, "mirror")
            if (back := mirror[mirror[each]]) != each:
                raise file.fault(f"{mirror[each]} has the mirror {back}", section, each, "mirror")
    _check_names(file, kinds[:2])
    return made


def _check_one_of(
    file: DataFile[_File], value: str, kind: Collection[str], *path: str | int
) -> None:
    if value not in kind:
        raise file.fault(f"{value!r} is none of {', '.join(kind)}", *path)


def _check_places(file: DataFile[_File], chart: Chart) -> None:
    """Each town lies in a province, each capital in its own; contracts name towns."""
    for town, entry in chart.towns.items():
        _check_one_of(file, entry.province, chart.provinces, "town", town, "province")
    for province, has in chart.provinces.items():
        if has.capital is not None:
            path = "province", province, "capital"
            _check_one_of(file, has.capital, chart.towns, *path)
            if (where := chart.towns[has.capital].province) != province:
                raise file.fault(f"{has.capital} lies in {where}", *path)
    for contract, deal in chart.deals.items():
        for town in deal.towns:
            _check_one_of(file, town, chart.towns, "contract", contract, "towns")


def _check_roads(file: DataFile[_File], chart: Chart) -> None:
    """A road joins two towns that no other joins, and roads lead from each town to all others."""
    joined: dict[Town, list[Town]] = {town: [] for town in chart.towns}
    for at, road in enumerate(chart.roads):
        for end in ("a", "b"):
            _check_one_of(file, getattr(road, end), chart.towns, "road", at, end)
        if road.terrain is Terrain.SEA:
            raise file.fault("no road has the terrain sea", "road", at)
        if road.a == road.b:
            raise file.fault(f"leads from {road.a} to itself", "road", at)
        if road.b in joined[road.a]:
            raise file.fault(f"{road.a} and {road.b} are joined already", "road", at)
        joined[road.a].append(road.b)
        joined[road.b].append(road.a)
    reached = list(chart.towns)[:1]
    for town in reached:
        reached.extend(each for each in dict.fromkeys(joined[town]) if each not in reached)
    if lost := [town for town in joined if town not in reached]:
        raise file.fault(f"no road leads from {reached[0]}", "town", lost[0])


def _check_names(
    file: DataFile[_File], kinds: Iterable[tuple[str, Mapping[Any, Named]]]
) -> None:  # Any: ids of each kind
    """No name of two things that are typed (Rule: tokugawa 13.2)."""
    seen: dict[str, str] = {}
    for section, kind in kinds:
        for each, entry in kind.items():
            for name in sorted({each, entry.en.casefold(), entry.ja, entry.kana, *entry.also}):
                if name in seen:
                    raise file.fault(f"{name} is a name of {seen[name]}, too", section, each)
                seen[name] = each
