"""The map as data: lines, points, regions, tables of the dice, payoffs, read and checked.

Money is in units of 1000 yen (Rule: tokai 1.3). A DataError names the file and the line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, NewType

from bluebear.rules.core.package_data import read_text
from bluebear.rules.core.tables import Constraint, DataFile, Entry, Text

PointId = NewType("PointId", str)
LineId = NewType("LineId", str)
RegionId = NewType("RegionId", str)

FREE: Final = "free"
"""What stands in a destination table where the player names a destination (Rule: tokai 4.3)."""

_Id: Final = Constraint(pattern=r"^[a-z][a-z0-9_]*$")
Colour = Annotated[str, Constraint(pattern=r"^#[0-9a-f]{6}$")]
Money = Annotated[int, Constraint(ge=1, le=999)]
Some = Annotated[int, Constraint(ge=1, le=99)]
Coordinate = Annotated[int, Constraint(ge=0, le=9999)]
Path = Annotated[tuple[PointId, ...], Constraint(min_length=2)]
Column = Annotated[tuple[str, ...], Constraint(min_length=11, max_length=11)]
"""By sum of the white dice, from 2."""


class Fares(Entry):
    """What riding costs in a turn, by whose line it is (Rule: tokai 11.2)."""

    unowned: Money
    own: Money
    other: Money
    through: Money
    shinkansen_unowned: Money
    shinkansen_own: Money
    shinkansen_other: Money
    shinkansen_through: Money


class Constants(Entry):
    """The numbers of the rules: prices, dealing, money at the start."""

    express_ticket_price: Money
    express_ticket_count: Some
    start_money: Money
    prepurchase_cards: Some
    prepurchase_card_max_price: Money
    prepurchase_min: Money
    prepurchase_max: Money
    canvas: tuple[Coordinate, Coordinate]
    fare: Fares

    def __post_init__(self) -> None:
        if not self.prepurchase_min <= self.prepurchase_max <= self.start_money:
            raise ValueError("prepurchase_min, prepurchase_max and start_money must rise")


class Line(Entry, kw_only=True):
    """A line: its card and its paths; neighbours in a path are one step apart."""

    id: Annotated[LineId, _Id]
    ja: Text
    en: Text
    names: tuple[Text, ...] = ()
    operator: Literal["jr", "kintetsu", "meitetsu", "other", "subway"]
    price: Money
    colour: Colour
    shinkansen: bool = False
    loop: bool = False
    paths: Annotated[tuple[Path, ...], Constraint(min_length=1)]

    def __post_init__(self) -> None:
        """A loop is one closed path; any other line branches, but never closes a circle."""
        if self.loop and (len(self.paths) > 1 or self.paths[0][0] != self.paths[0][-1]):
            raise ValueError("a loop is one closed path")
        seen: set[PointId] = set()
        for number, path in enumerate(self.paths):
            counts = Counter(path[:-1] if self.loop else path)
            if twice := [point for point, count in counts.items() if count > 1]:
                raise ValueError(f"{twice[0]} stands twice in a path")
            if number and len(seen.intersection(path)) != 1:
                raise ValueError(f"the branch at {path[0]} meets the paths before at one point")
            seen.update(path)

    @property
    def points(self) -> tuple[PointId, ...]:
        """Its points, each once, in the order of the paths."""
        return tuple(dict.fromkeys(point for path in self.paths for point in path))


class PointEntry(Entry, kw_only=True):
    """A place where pawns stand, as the file tells it; `names` are what it merges."""

    ja: Text
    en: Text
    names: tuple[Text, ...] = ()
    x: Coordinate
    y: Coordinate
    skip: bool = False


class Point(PointEntry, kw_only=True):
    """A place with its `lines` in the order of the map, and its `region`: of destinations only."""

    id: PointId
    lines: tuple[LineId, ...]
    region: RegionId | None


class Columns(Entry):
    """A table of the dice: what is rolled where the coloured die is odd, and where it is even."""

    odd: Column
    even: Column

    @property
    def both(self) -> tuple[Column, Column]:
        return self.odd, self.even

    def rolled(self, coloured: int, whites: int) -> str:
        """The entry for the coloured die and the sum of the white dice."""
        return (self.odd if coloured % 2 else self.even)[whites - 2]


class Region(Entry, kw_only=True):
    """A region with its destinations and its table (Rule: tokai 4.1.1)."""

    id: RegionId
    ja: Text
    en: Text
    destinations: tuple[PointId, ...]
    table: Columns


class _MapFile(Entry):
    constants: Constants
    line: tuple[Line, ...]
    points: dict[
        Annotated[PointId, _Id], dict[str, Any]
    ]  # Any: each is read as a `PointEntry` of its own


class _TablesFile(Entry):
    region: tuple[Region, ...]
    region_table: Columns


@dataclass(frozen=True, slots=True)
class Atlas:
    """All of the map."""

    constants: Constants
    lines: tuple[Line, ...]
    points: tuple[Point, ...]
    regions: tuple[Region, ...]
    region_table: Columns
    payoffs: Mapping[tuple[PointId, PointId], int]

    @property
    def destinations(self) -> tuple[PointId, ...]:
        """All destinations in the order of the tables."""
        return tuple(point for region in self.regions for point in region.destinations)


def load(package: str = "bluebear.rules.tokai") -> Atlas:
    """The atlas of a package's `data` folder. Raises DataError."""
    names = ("data/map.toml", "data/tables.toml", "data/payoffs.toml")
    return read(*(read_text(package, name) for name in names))


def read(map_text: str, tables_text: str, payoffs_text: str) -> Atlas:
    """The atlas of three texts. Raises DataError."""
    of_map = DataFile(_MapFile, map_text, "map.toml")
    tables = DataFile(_TablesFile, tables_text, "tables.toml")
    lines = of_map.by_id("line", of_map.value.line)
    for line in lines.values():
        for at, path in enumerate(line.paths):
            for lost in sorted(set(path).difference(of_map.value.points)):
                raise of_map.fault(f"there is no point {lost}", "line", line.id, "paths", at)
    regions = tables.by_id("region", tables.value.region)
    region_of = _region_of(tables, regions, of_map.value.points)
    points = _points(of_map, lines, region_of)
    _check_skips(of_map, points, lines)
    _check_connected(of_map, points, lines)
    return Atlas(
        of_map.value.constants,
        tuple(lines.values()),
        tuple(points.values()),
        tuple(regions.values()),
        tables.value.region_table,
        _payoffs(payoffs_text, [*region_of]),
    )


def _region_of(
    file: DataFile[_TablesFile], regions: Mapping[RegionId, Region], points: Collection[PointId]
) -> Mapping[PointId, RegionId]:
    """The region of each destination; what the dice say has to be there, and all of it."""
    made: dict[PointId, RegionId] = {}
    for name, region in regions.items():
        path = "region", name
        for point in region.destinations:
            if point not in points:
                raise file.fault(f"there is no point {point}", *path, "destinations")
            if point in made:
                raise file.fault(f"{point} stands twice", *path, "destinations")
            made[point] = name
        _check_table(file, region.table, (*region.destinations, FREE), *path, "table")
        for point in region.destinations:
            if not any(point in column for column in region.table.both):
                raise file.fault(f"{point} is never rolled", *path, "destinations")
    _check_table(file, file.value.region_table, regions, "region_table")
    return made


def _check_table(
    file: DataFile[_TablesFile], table: Columns, entries: Collection[str], *path: str
) -> None:
    for name, column in zip(("odd", "even"), table.both, strict=True):
        for entry in column:
            if entry not in entries:
                raise file.fault(f"{entry} is none of {', '.join(entries)}", *path, name)


def _points(
    file: DataFile[_MapFile],
    lines: Mapping[LineId, Line],
    region_of: Mapping[PointId, RegionId],
) -> Mapping[PointId, Point]:
    width, height = file.value.constants.canvas
    on: dict[PointId, list[LineId]] = {}
    for line in lines.values():
        for point in line.points:
            on.setdefault(point, []).append(line.id)
    made = {}
    for name in file.value.points:
        entry = file.part(PointEntry, "points", name)
        if entry.x > width or entry.y > height:
            raise file.fault("lies beside the map", "points", name)
        if name not in on:
            raise file.fault("is on no line", "points", name)
        made[name] = Point(
            id=name,
            lines=tuple(on[name]),
            region=region_of.get(name),
            ja=entry.ja,
            en=entry.en,
            names=entry.names,
            x=entry.x,
            y=entry.y,
            skip=entry.skip,
        )
    return made


def _check_skips(
    file: DataFile[_MapFile], points: Mapping[PointId, Point], lines: Mapping[LineId, Line]
) -> None:
    """Rule: tokai 7.2.2.2: no seat with an express ticket ever needs to stand on a skipped stop."""
    for point in points.values():
        ends = [path for path in lines[point.lines[0]].paths if point.id in path]
        inside = len(ends) == 1 and point.id not in (ends[0][0], ends[0][-1])
        if point.skip and (len(point.lines) > 1 or point.region is not None or not inside):
            what = "a skipped stop is no interchange, no end of a path and no destination"
            raise file.fault(what, "points", point.id)


def _check_connected(
    file: DataFile[_MapFile], points: Mapping[PointId, Point], lines: Mapping[LineId, Line]
) -> None:
    reached = dict.fromkeys([*points][:1])
    waiting = [*reached]
    while waiting:
        for line in points[waiting.pop()].lines:
            fresh = [point for point in lines[line].points if point not in reached]
            reached.update(dict.fromkeys(fresh))
            waiting.extend(fresh)
    for lost in points:
        if lost not in reached:
            raise file.fault("no way leads there", "points", lost)


def _payoffs(text: str, destinations: Sequence[PointId]) -> Mapping[tuple[PointId, PointId], int]:
    file = DataFile(dict[PointId, list[Any]], text, "payoffs.toml")  # Any: read row by row
    for name in file.value:
        if name not in destinations:
            raise file.fault("is no destination", name)
    made: dict[tuple[PointId, PointId], int] = {}
    for at, one in enumerate(destinations):
        below = destinations[at + 1 :]
        row = file.part(tuple[Money, ...], one) if one in file.value else ()
        if len(row) != len(below):
            raise file.fault(f"has {len(below)} payoffs, not {len(row)}", one)
        for other, value in zip(below, row, strict=True):
            made[one, other] = made[other, one] = value
    return made
