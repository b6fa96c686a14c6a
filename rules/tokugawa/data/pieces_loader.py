"""Reading `pieces.toml`: money, weapons, buildings, weather and terrain, each number checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from bluebear.rules.core.package_data import DataError
from bluebear.rules.tokugawa.data.data_reader import Named, Row, by_id, read_rows
from bluebear.rules.tokugawa.data.terms import Building, Terrain, Weapon, Weather

T = TypeVar("T", Building, Terrain, Weapon, Weather)

DIE: Final = 6
"""The faces of every die."""

_MANY: Final = 99
_SECTIONS: Final = {
    "money": ("player", "province", "all"),
    "weapon": ("id", "en", "ja", "kana", "also", "cost", "stock", "start", "strength", "rolls"),
    "capital": ("id", "en", "ja", "strength"),
    "building": (
        "id",
        "en",
        "ja",
        "kana",
        "also",
        "cost",
        "action",
        "attack",
        "defence",
        "limit",
        "shared",
    ),
    "weather": ("id", "en", "ja", "faces", "modifier"),
    "terrain": ("id", "en", "ja", "kana", "needs", "storm"),
}


@dataclass(frozen=True, slots=True)
class Arms:
    """A kind of samurai: price, pieces, strength of front and forged side.

    Rule: tokugawa 1.5, 1.6.
    """

    cost: int
    stock: int
    start: int
    strength: tuple[int, int]
    rolls: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """What a building costs and does; `limit` counts pieces (Rule: tokugawa 1.5, 10.1)."""

    cost: int
    action: bool
    attack: int
    defence: int
    limit: int
    shared: bool


@dataclass(frozen=True, slots=True)
class Pieces:
    """All that `pieces.toml` says; `labels` are the names of everything by id."""

    start_player: int
    start_province: int
    koku: int
    arms: Mapping[Weapon, Arms]
    capital: tuple[int, int]
    plans: Mapping[Building, Plan]
    faces: tuple[Weather, ...]
    modifier: Mapping[Weather, int]
    needs: Mapping[Terrain, int]
    in_storm: Mapping[Terrain, bool]
    labels: Mapping[str, Named]


def read_pieces(text: str, name: str) -> Pieces:
    """The pieces that a text describes; DataError names the line that is wrong."""
    rows = read_rows(text, name, _SECTIONS)
    money = _single(rows["money"], name, "money")
    capital = _single(rows["capital"], name, "capital")
    weapons = _each(rows["weapon"], Weapon, name)
    buildings = _each(rows["building"], Building, name)
    weathers = _each(rows["weather"], Weather, name)
    terrains = _each(rows["terrain"], Terrain, name)
    faces = tuple(w for w, row in weathers.items() for _ in range(row.number("faces", 1, DIE)))
    if len(faces) != DIE:
        raise DataError(f"{name}: the weather has {len(faces)} faces, not {DIE}")
    kinds = (weapons, buildings, weathers, terrains)
    named = [capital, *(row for kind in kinds for row in kind.values())]
    return Pieces(
        start_player=money.number("player", 0, _MANY),
        start_province=money.number("province", 0, _MANY),
        koku=money.number("all", 1, _MANY),
        arms={weapon: _arms(row) for weapon, row in weapons.items()},
        capital=_pair(capital),
        plans={building: _plan(row) for building, row in buildings.items()},
        faces=faces,
        modifier={weather: row.number("modifier", -2, 0) for weather, row in weathers.items()},
        needs={terrain: row.number("needs", 1, DIE) for terrain, row in terrains.items()},
        in_storm={terrain: row.flag("storm") for terrain, row in terrains.items()},
        labels={row.text("id"): _named(row) for row in named},
    )


def _single(rows: tuple[Row, ...], name: str, section: str) -> Row:
    if len(rows) != 1:
        raise DataError(f"{name}: section {section} has one entry, not {len(rows)}")
    return rows[0]


def _each(rows: tuple[Row, ...], kind: Iterable[T], name: str) -> Mapping[T, Row]:
    """The entries of one kind, in its order; DataError if one is missing or unknown."""
    kinds = list(kind)
    found = {row.one_of("id", kinds): row for row in by_id(rows).values()}
    missing = [str(each) for each in kinds if each not in found]
    if missing:
        raise DataError(f"{name}: {missing[0]} is missing")
    return {each: found[each] for each in kinds}


def _arms(row: Row) -> Arms:
    stock = row.number("stock", 1, _MANY)
    return Arms(
        cost=row.number("cost", 0, _MANY),
        stock=stock,
        start=row.number("start", 0, stock),
        strength=_pair(row),
        rolls=row.flag("rolls"),
    )


def _pair(row: Row) -> tuple[int, int]:
    first, second = row.numbers("strength", 2, 0, DIE)
    return first, second


def _plan(row: Row) -> Plan:
    return Plan(
        cost=row.number("cost", 0, _MANY),
        action=row.flag("action"),
        attack=row.number("attack", 0, DIE),
        defence=row.number("defence", 0, DIE),
        limit=row.number("limit", 1, _MANY),
        shared=row.flag("shared"),
    )


def _named(row: Row) -> Named:
    kana = row.text("kana") if "kana" in row.fields else ""
    return Named(row.text("en"), row.text("ja"), kana, row.texts("also"))
