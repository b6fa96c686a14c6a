"""Data files: typed entries, and faults that name file, line, entry and field."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final

import pytest
from msgspec import Meta

from bluebear.rules.core.package_data import DataError
from bluebear.rules.core.tables import Constraint, DataFile, Entry, Text

FILE: Final = """\
# A comment.
title = "Harbours"
widths = [1, 2]
road = [
    { a = "east", b = "west" },

    { a = "west", b = "east", toll = true },
]

[limits]
ships = 3
colour = "#00ff00"

[limits.crew]
most = 9

[[port]]
id = "east"
en = "East"
ja = "東"
depth = 4

[[port]]
id = "west"
en = "West"
ja = "西"
kana = "にし"
routes = [
    "north",
    "south",
]

[tides]
east = [1, 2]
"""


class Side(StrEnum):
    EAST = "east"
    WEST = "west"


class Crew(Entry):
    most: Annotated[int, Constraint(ge=1, le=9)]


class Limits(Entry):
    ships: Annotated[int, Constraint(ge=0, le=5)]
    colour: Annotated[str, Meta(pattern="^#[0-9a-f]{6}$")]
    crew: Crew


class Port(Entry, kw_only=True):
    id: Side
    en: Text
    ja: Text
    kana: str = ""
    depth: int = 1
    routes: tuple[Text, ...] = ()

    def __post_init__(self) -> None:
        if self.depth > 9:
            raise ValueError("too deep")


class Road(Entry):
    a: Side
    b: Side
    toll: bool = False


class Harbours(Entry):
    title: str
    road: tuple[Road, ...]
    widths: tuple[int, ...]
    limits: Limits
    port: tuple[Port, ...]
    tides: dict[Side, tuple[int, int]]


def file(old: str = "", new: str = "") -> DataFile[Harbours]:
    """The file with one change."""
    assert FILE.count(old) == 1 or not old
    return DataFile(Harbours, FILE.replace(old, new) if old else FILE, "port.toml")


def line_of(text: str) -> int:
    """The line on which a text begins."""
    assert FILE.count(text) == 1
    return FILE[: FILE.index(text)].count("\n") + 1


def test_a_file_is_one_typed_value() -> None:
    value = file().value
    assert value.limits == Limits(3, "#00ff00", Crew(9))
    assert value.road == (Road(Side.EAST, Side.WEST), Road(Side.WEST, Side.EAST, toll=True))
    assert value.tides == {Side.EAST: (1, 2)}
    ports = file().by_id("port", value.port)
    assert list(ports) == [Side.EAST, Side.WEST]
    assert ports[Side.WEST] == Port(
        id=Side.WEST, en="West", ja="西", kana="にし", routes=("north", "south")
    )
    ordered = file().by_id("port", value.port, (Side.WEST, Side.EAST))
    assert list(ordered) == [Side.WEST, Side.EAST]


@pytest.mark.parametrize(
    ("old", "new", "near", "what"),
    [
        ("ships = 3", "ships = 6", "ships", "limits ships: Expected int <= 5"),
        ("ships = 3", "ships = true", "ships", "limits ships: Expected int, got bool"),
        ("#00ff00", "#00ff0g", "colour", "limits colour: Expected str matching regex"),
        ("most = 9", "most = 0", "most =", "limits crew most: Expected int >= 1"),
        ('en = "East"', 'en = " "', 'en = "East"', "port east en: Expected str matching"),
        ('ja = "東"\n', "", '[[port]]\nid = "east"', "port east: missing required field ja"),
        ("depth = 4", "depth = 12", '[[port]]\nid = "east"', "port east: too deep"),
        ("depth = 4", "deep = 4", '[[port]]\nid = "east"', "port east: contains unknown field"),
        ('"south"', "5", "routes", "port west routes: Expected str, got int"),
        ("toll = true", "toll = 1", "toll", "road toll: Expected bool, got int"),
        ("east = [1, 2]", "east = [1]", "[tides]", "tides: Expected array of length 2"),
    ],
)
def test_a_fault_names_its_line(old: str, new: str, near: str, what: str) -> None:
    with pytest.raises(DataError) as caught:
        file(old, new)
    assert str(caught.value).startswith(f"port.toml line {line_of(near)}: {what}")


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("widths = [1, 2]", "", "port.toml: missing required field widths"),
        ("widths = [1, 2]", "widths = [1, 2]\nowner = 1", "port.toml: contains unknown field"),
        ("widths = [1, 2]", "widths = = 1", "port.toml: Invalid value (at line "),
    ],
)
def test_a_fault_of_the_file_names_the_file(old: str, new: str, what: str) -> None:
    with pytest.raises(DataError) as caught:
        file(old, new)
    assert str(caught.value).startswith(what)


def test_an_id_stands_once_and_none_is_missing() -> None:
    twice = file('id = "west"', 'id = "east"')
    with pytest.raises(DataError) as caught:
        twice.by_id("port", twice.value.port)
    line = line_of('[[port]]\nid = "west"')
    assert str(caught.value) == f"port.toml line {line}: port east: east stands twice"
    with pytest.raises(DataError, match="port: north is missing"):
        file().by_id("port", file().value.port, (Side.EAST, "north"))


def test_a_check_of_the_game_names_its_line_too() -> None:
    data = file()
    assert str(data.fault("too far", "port", "west", "routes")) == (
        f"port.toml line {line_of('routes')}: port west routes: too far"
    )
    assert str(data.fault("a loop", "road", 1)) == (
        f"port.toml line {line_of('toll')}: road: a loop"
    )
