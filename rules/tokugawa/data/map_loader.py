"""Reading `map.toml`: provinces, towns, roads and contracts, each checked against the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from bluebear.rules.core.package_data import DataError
from bluebear.rules.tokugawa.data.data_reader import Named, Row, by_id, read_rows
from bluebear.rules.tokugawa.data.terms import Contract, Province, Side, Terrain, Town

K = TypeVar("K", bound=str)

CANVAS: Final = 1000
"""The width and height of the canvas on which towns have their places."""

_MAP_SECTIONS: Final = {
    "province": ("id", "en", "ja", "kana", "side", "mirror", "capital"),
    "town": ("id", "en", "ja", "kana", "province", "x", "y", "mirror", "port", "also"),
    "road": ("a", "b", "terrain", "name", "strait"),
    "contract": ("id", "side", "en", "ja", "towns", "ships", "mirror"),
}
_LAND: Final = tuple(terrain for terrain in Terrain if terrain is not Terrain.SEA)


@dataclass(frozen=True, slots=True)
class Road:
    """Two towns with the terrain between them; a strait is only drawn in another way."""

    a: Town
    b: Town
    terrain: Terrain
    name: str
    strait: bool


@dataclass(frozen=True, slots=True)
class Deal:
    """A contract: samurai in these towns, ships in so many ports (Rule: tokugawa 10.3)."""

    side: Side
    towns: tuple[Town, ...]
    ships: int

    @property
    def points(self) -> int:
        """One for each town or ship (Rule: tokugawa 10.4)."""
        return len(self.towns) + self.ships


@dataclass(frozen=True, slots=True)
class Chart:
    """All that `map.toml` says, in its order."""

    provinces: Mapping[Province, Named]
    sides: Mapping[Province, Side]
    capitals: Mapping[Province, Town]
    towns: Mapping[Town, Named]
    province_of: Mapping[Town, Province]
    place: Mapping[Town, tuple[int, int]]
    ports: tuple[Town, ...]
    roads: tuple[Road, ...]
    contracts: Mapping[Contract, Named]
    deals: Mapping[Contract, Deal]
    mirror: Mapping[str, str]


def read_map(text: str, name: str) -> Chart:
    """The map that a text describes; DataError names the line that is wrong."""
    sections = read_rows(text, name, _MAP_SECTIONS)
    provinces = {Province(each): row for each, row in by_id(sections["province"]).items()}
    towns = {Town(each): row for each, row in by_id(sections["town"]).items()}
    contracts = {Contract(each): row for each, row in by_id(sections["contract"]).items()}
    province_of = {town: row.one_of("province", provinces) for town, row in towns.items()}
    roads = tuple(_roads(sections["road"], towns))
    _check_names([*provinces.items(), *towns.items()])
    made = Chart(
        provinces={each: _named(row) for each, row in provinces.items()},
        sides={each: row.one_of("side", Side) for each, row in provinces.items()},
        capitals=dict(_capitals(provinces, province_of)),
        towns={each: _named(row) for each, row in towns.items()},
        province_of=province_of,
        place={town: _place(row) for town, row in towns.items()},
        ports=tuple(town for town, row in towns.items() if row.flag("port")),
        roads=roads,
        contracts={each: Named(row.text("en"), row.text("ja")) for each, row in contracts.items()},
        deals={each: _deal(row, towns) for each, row in contracts.items()},
        mirror={**_mirror(provinces), **_mirror(towns), **_mirror(contracts)},
    )
    _check_connected(made, name)
    return made


def _named(row: Row) -> Named:
    return Named(row.text("en"), row.text("ja"), row.text("kana"), row.texts("also"))


def _place(row: Row) -> tuple[int, int]:
    return row.number("x", 0, CANVAS), row.number("y", 0, CANVAS)


def _capitals(
    provinces: Mapping[Province, Row], province_of: Mapping[Town, Province]
) -> Iterator[tuple[Province, Town]]:
    for province, row in provinces.items():
        if "capital" in row.fields:
            town = row.one_of("capital", province_of)
            if province_of[town] != province:
                raise row.fault(f"its capital {town} lies in {province_of[town]}")
            yield province, town


def _roads(rows: tuple[Row, ...], towns: Mapping[Town, Row]) -> Iterator[Road]:
    seen: dict[tuple[Town, ...], Row] = {}
    for row in rows:
        a, b = row.one_of("a", towns), row.one_of("b", towns)
        if a == b:
            raise row.fault(f"leads from {a} to itself")
        ends = tuple(sorted((a, b)))
        if ends in seen:
            raise row.fault(f"{a} and {b} are joined already: {seen[ends].place}")
        seen[ends] = row
        yield Road(a, b, row.one_of("terrain", _LAND), row.text("name"), row.flag("strait"))


def _deal(row: Row, towns: Mapping[Town, Row]) -> Deal:
    wanted = tuple(row.one_of("towns", towns, given=each) for each in row.texts("towns"))
    if len(set(wanted)) != len(wanted):
        raise row.fault("a town stands twice")
    made = Deal(row.one_of("side", Side), wanted, row.number("ships", 0, len(towns)))
    if not made.points:
        raise row.fault("asks for nothing")
    return made


def _mirror(rows: Mapping[K, Row]) -> Mapping[str, str]:
    """Everything's mirror, which is of the same kind and has it as its own mirror."""
    made = {str(each): str(row.one_of("mirror", rows)) for each, row in rows.items()}
    for each, row in rows.items():
        if made[made[each]] != each:
            raise row.fault(f"its mirror {made[each]} has the mirror {made[made[each]]}")
    return made


def _check_names(rows: Sequence[tuple[str, Row]]) -> None:
    """No name of two things that are typed (Rule: tokugawa 13.2)."""
    seen: dict[str, Row] = {}
    for each, row in rows:
        named = _named(row)
        for name in (each, named.en.casefold(), named.ja, named.kana, *named.also):
            other = seen.setdefault(name, row)
            if other is not row:
                raise row.fault(f"the name {name} stands twice, first: {other.place}")


def _check_connected(chart: Chart, name: str) -> None:
    """Every town can be reached from every other by road."""
    joined: dict[Town, list[Town]] = {town: [] for town in chart.towns}
    for road in chart.roads:
        joined[road.a].append(road.b)
        joined[road.b].append(road.a)
    first = next(iter(joined), None)
    if first is None:
        raise DataError(f"{name}: there is no town")
    reached = [first]
    for town in reached:
        reached.extend(each for each in dict.fromkeys(joined[town]) if each not in reached)
    lost = [town for town in joined if town not in reached]
    if lost:
        raise DataError(f"{name}: no road leads from {first} to {lost[0]}")
