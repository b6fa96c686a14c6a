"""The data files, read and checked: map data, or a DataError that names file and line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NoReturn

from bluebear.rules.core.package_data import DataError, Table, parse_toml, read_text
from bluebear.rules.tokai.data.map_data import (
    FREE,
    Atlas,
    Constants,
    Fares,
    Line,
    LineId,
    Point,
    PointId,
    Region,
    RegionId,
)

# A data file with its lines, so that a wrong value is reported with the line where it stands.


class Source:
    """The text of a TOML file, its table, and where things stand in it."""

    def __init__(self, text: str, name: str) -> None:
        self.table: Table = parse_toml(text, name)
        self._lines = text.splitlines()
        self._name = name

    def line_of(self, *marks: str) -> int:
        """The line of the last mark: each is looked for from where the one before it stands.

        A mark that is not there is passed over.
        """
        at = 0
        for mark in marks:
            found = (i for i in range(at, len(self._lines)) if mark in self._lines[i])
            at = next(found, at)
        return at + 1

    def wrong(self, sentence: str, *marks: str) -> NoReturn:
        """Raise DataError with the file, the line of the marks, and what is wrong there."""
        raise DataError(f"{self._name} line {self.line_of(*marks)}: {sentence}")

    def demand(self, holds: bool, sentence: str, *marks: str) -> None:  # noqa: FBT001 - an assertion
        """Raise DataError as `wrong` does, unless something holds."""
        if not holds:
            self.wrong(sentence, *marks)


# What has to hold between the parts of the map: forms of lines, skipped stops, ways to all points.
#
# Each check raises DataError with the line of the map file.


def check_form(source: Source, line: Line, mark: str) -> None:
    """A loop is one closed path; any other line branches, but never closes a circle."""
    source.demand(bool(line.paths), f"line {line.id} has no path", mark)
    seen: dict[PointId, None] = {}
    for number, path in enumerate(line.paths):
        body = path[:-1] if line.loop else path
        twice = next((point for point in body if body.count(point) > 1), None)
        if twice is not None:
            source.wrong(f"line {line.id}: {twice} stands twice in a path", mark, f'"{twice}"')
        if line.loop:
            closed = len(line.paths) == 1 and path[0] == path[-1]
            source.demand(closed, f"line {line.id}: a loop is one closed path", mark, "paths = ")
        elif number:
            joined = sum(point in seen for point in path) == 1
            source.demand(
                joined,
                f"line {line.id}: a branch meets the paths before it at one point",
                mark,
                f'"{path[0]}"',
            )
        seen.update(dict.fromkeys(path))


def check_different(source: Source, ids: Sequence[str], what: str) -> None:
    for at, each in enumerate(ids):
        if each in ids[:at]:
            first = f'"{each}"'
            source.wrong(f"{what} {each} stands twice", first)


def check_skips(source: Source, points: Sequence[Point], lines: Sequence[Line]) -> None:
    """Rule: tokai 7.2.2.2: no seat with an express ticket ever needs to stand on a skipped stop."""
    by_id = {line.id: line for line in lines}
    for point in points:
        if not point.skip:
            continue
        paths = [path for path in by_id[point.lines[0]].paths if point.id in path]
        plain = (
            len(point.lines) == 1
            and point.region is None
            and len(paths) == 1
            and point.id not in (paths[0][0], paths[0][-1])
        )
        source.demand(
            plain,
            f"{point.id}: a skipped stop is no interchange, no end of a path and no destination",
            "[points]",
            f"{point.id} = ",
        )


def check_connected(source: Source, points: Sequence[Point], lines: Sequence[Line]) -> None:
    on = {line.id: line.points for line in lines}
    reached = {points[0].id: None} if points else {}
    by_id = {point.id: point for point in points}
    waiting = list(reached)
    while waiting:
        for line in by_id[waiting.pop()].lines:
            fresh = [point for point in on[line] if point not in reached]
            reached.update(dict.fromkeys(fresh))
            waiting.extend(fresh)
    for point in points:
        source.demand(
            point.id in reached,
            f"no way leads to {point.id}",
            "[points]",
            f"{point.id} = ",
        )


# The data files read: an atlas, or a DataError that names the file and the line.
#
# Money is in units of 1000 yen (Rule: tokai 1.3).

_ID: Final = re.compile(r"[a-z][a-z0-9_]*")
_COLOUR: Final = re.compile(r"#[0-9a-f]{6}")
_PARITIES: Final = ("odd", "even")
_SUMS: Final = range(2, 13)
_OPERATORS: Final = ("jr", "kintetsu", "meitetsu", "other", "subway")


def load(package: str = "bluebear.rules.tokai") -> Atlas:
    """The atlas of a package's `data` folder. Raises DataError."""
    names = ("data/map.toml", "data/tables.toml", "data/payoffs.toml")
    return read(*(read_text(package, name) for name in names))


def read(map_text: str, tables_text: str, payoffs_text: str) -> Atlas:
    """The atlas of three texts. Raises DataError, which names the file and the line."""
    of_map = Source(map_text, "map.toml")
    tables = Source(tables_text, "tables.toml")
    constants = _constants(of_map)
    rows: Mapping[str, Table] = of_map.table.get("points", {})
    lines = tuple(_line(of_map, row, rows) for row in of_map.table.get("line", ()))
    check_different(of_map, [line.id for line in lines], "line")
    regions = tuple(_region(tables, row, rows) for row in tables.table.get("region", ()))
    check_different(tables, [region.id for region in regions], "region")
    check_different(tables, [d for region in regions for d in region.destinations], "destination")
    points = tuple(_points(of_map, rows, lines, regions))
    check_skips(of_map, points, lines)
    check_connected(of_map, points, lines)
    payoffs = _payoffs(
        Source(payoffs_text, "payoffs.toml"),
        [d for region in regions for d in region.destinations],
    )
    return Atlas(constants, lines, points, regions, _region_table(tables, regions), payoffs)


def _integer(source: Source, table: Table, key: str, least: int, *marks: str) -> int:
    value = table.get(key)
    if type(value) is not int or value < least:
        source.wrong(f"{key} must be a whole number of at least {least}", *marks, f"{key} = ")
    return value


def _text(source: Source, table: Table, key: str, *marks: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        source.wrong(f"{key} must be a text", *marks)
    return value


def _texts(source: Source, table: Table, key: str, *marks: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        source.wrong(f"{key} must be a list of texts", *marks, f"{key} = ")
    return tuple(value)


def _constants(source: Source) -> Constants:
    table = source.table.get("constants", {})
    numbers = {
        key: _integer(source, table, key, 1, "[constants]")
        for key in (
            "express_ticket_price",
            "express_ticket_count",
            "start_money",
            "prepurchase_cards",
            "prepurchase_card_max_price",
            "prepurchase_min",
            "prepurchase_max",
        )
    }
    least, most, money = (
        numbers[key] for key in ("prepurchase_min", "prepurchase_max", "start_money")
    )
    source.demand(
        least <= most <= money,
        "prepurchase_min, prepurchase_max and start_money must rise",
        "prepurchase_max = ",
    )
    canvas = table.get("canvas")
    if not isinstance(canvas, list) or [type(side) for side in canvas] != [int, int]:
        source.wrong("canvas must be two whole numbers", "[constants]", "canvas = ")
    fares = table.get("fare", {})
    payoff = table.get("payoff", {})
    return Constants(
        **numbers,
        canvas=(canvas[0], canvas[1]),
        fare=Fares(
            **{
                key: _integer(source, fares, key, 1, "[constants.fare]")
                for key in Fares.__dataclass_fields__
            }
        ),
        payoff=(
            _integer(source, payoff, "base", 0, "[constants.payoff]"),
            _integer(source, payoff, "num", 1, "[constants.payoff]"),
            _integer(source, payoff, "den", 1, "[constants.payoff]"),
        ),
    )


def _line(source: Source, row: Table, points: Mapping[str, Table]) -> Line:
    name = _text(source, row, "id", "[[line]]")
    mark = f'id = "{name}"'
    source.demand(_ID.fullmatch(name) is not None, f"line {name}: an id is a-z, 0-9, _", mark)
    colour = _text(source, row, "colour", mark)
    source.demand(
        _COLOUR.fullmatch(colour) is not None, f"line {name}: a colour is #rrggbb", mark, "colour ="
    )
    operator = _text(source, row, "operator", mark)
    source.demand(
        operator in _OPERATORS,
        f"line {name}: the operator is one of {', '.join(_OPERATORS)}",
        mark,
        "operator =",
    )
    line = Line(
        id=LineId(name),
        ja=_text(source, row, "ja", mark),
        en=_text(source, row, "en", mark),
        names=_texts(source, row, "names", mark),
        operator=operator,
        price=_integer(source, row, "price", 1, mark),
        colour=colour,
        shinkansen=row.get("shinkansen") is True,
        loop=row.get("loop") is True,
        paths=tuple(_path(source, path, points, name) for path in row.get("paths", ())),
    )
    check_form(source, line, mark)
    return line


def _path(source: Source, path: Any, points: Mapping[str, Table], line: str) -> tuple[PointId, ...]:
    """A path whose points are all on the map (Any: whatever the file holds)."""
    mark = f'id = "{line}"'
    if not isinstance(path, list) or len(path) < 2:
        source.wrong(f"line {line}: a path has two points or more", mark, "paths = ")
    for point in path:
        source.demand(point in points, f"line {line}: there is no point {point}", mark, f'"{point}')
    return tuple(map(PointId, path))


def _region(source: Source, row: Table, points: Mapping[str, Table]) -> Region:
    name = _text(source, row, "id", "[[region]]")
    mark = f'id = "{name}"'
    destinations = _texts(source, row, "destinations", mark)
    for point in destinations:
        source.demand(point in points, f"region {name}: no point {point}", mark, f'"{point}"')
    table = source.table.get("destination_table", {}).get(name, {})
    heading = f"[destination_table.{name}]"
    columns = {parity: _column(source, table, parity, heading) for parity in _PARITIES}
    rolled = [entry for column in columns.values() for entry in column]
    for entry in rolled:
        source.demand(
            entry in destinations or entry == FREE,
            f"{entry} is no destination of {name}",
            heading,
            f'"{entry}"',
        )
    for point in destinations:
        source.demand(point in rolled, f"{point} is never rolled in {name}", mark, f'"{point}"')
    return Region(
        id=RegionId(name),
        ja=_text(source, row, "ja", mark),
        en=_text(source, row, "en", mark),
        destinations=tuple(map(PointId, destinations)),
        table=columns,
    )


def _column(source: Source, table: Table, parity: str, heading: str) -> tuple[str, ...]:
    column = _texts(source, table, parity, heading)
    if len(column) != len(_SUMS):
        source.wrong(
            f"column {parity} has {len(column)} entries, not {len(_SUMS)}", heading, f"{parity} ="
        )
    return column


def _region_table(source: Source, regions: Sequence[Region]) -> Mapping[str, tuple[RegionId, ...]]:
    heading = "[region_table]"
    table = source.table.get("region_table", {})
    ids = [region.id for region in regions]
    made = {}
    for parity in _PARITIES:
        column = _column(source, table, parity, heading)
        for entry in column:
            source.demand(
                entry in ids, f"there is no region {entry}", heading, f"{parity} =", f'"{entry}"'
            )
        made[parity] = tuple(map(RegionId, column))
    return made


def _points(
    source: Source, rows: Mapping[str, Table], lines: Sequence[Line], regions: Sequence[Region]
) -> Iterator[Point]:
    canvas = source.table["constants"]["canvas"]
    region_of = {point: region.id for region in regions for point in region.destinations}
    for name, row in rows.items():
        mark = f"{name} = "
        source.demand(_ID.fullmatch(name) is not None, f"{name}: an id is a-z, 0-9, _", mark)
        x, y = (_integer(source, row, key, 0, "[points]", mark) for key in ("x", "y"))
        source.demand(
            x <= canvas[0] and y <= canvas[1], f"{name} lies beside the map", "[points]", mark
        )
        point = PointId(name)
        on = tuple(line.id for line in lines if point in line.points)
        source.demand(bool(on), f"{name} is on no line", "[points]", mark)
        yield Point(
            id=point,
            ja=_text(source, row, "ja", "[points]", mark),
            en=_text(source, row, "en", "[points]", mark),
            names=_texts(source, row, "merges", "[points]", mark),
            x=x,
            y=y,
            skip=row.get("skip") is True,
            lines=on,
            region=region_of.get(point),
        )


def _payoffs(
    source: Source, destinations: Sequence[PointId]
) -> Mapping[tuple[PointId, PointId], int]:
    made: dict[tuple[PointId, PointId], int] = {}
    for name in source.table:
        source.demand(name in destinations, f"{name} is no destination", f"{name} =")
    for at, one in enumerate(destinations):
        below = destinations[at + 1 :]
        row = source.table.get(one)
        mark = f"{one} ="
        if not isinstance(row, list) or len(row) != len(below):
            source.wrong(f"{one} must have {len(below)} payoffs", mark)
        for other, value in zip(below, row, strict=True):
            good = type(value) is int and value > 0
            source.demand(good, f"{one} to {other}: {value!r} is no payoff", mark)
            made[one, other] = made[other, one] = value
    return made
