"""Data files of games: TOML read into one typed value; a fault names its file and line.

The types are the checks: enums, tuples, `Annotated[int, between(0, 99)]`, and `__post_init__`,
which raises ValueError. What holds between entries the game checks itself, with `DataFile.fault`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, Generic, TypeVar

from msgspec import Meta, Struct, ValidationError, convert, json

from bluebear.rules.core.merge_patch import Shaped
from bluebear.rules.core.package_data import DataError, file_of, find_file, read_text

T = TypeVar("T")
E = TypeVar("E")
Step = str | int
"""One step of the path to a value: a key, an index, or the `id` of an entry."""

_HEADER: Final = re.compile(r"\[(?P<more>\[?)(?P<name>[\w.-]+)\]")
_KEY: Final = re.compile(r"(?P<name>[\w-]+) *=")
_PROBLEM: Final = re.compile(r"(?:Object )?(?P<what>.*?)(?: - at `\$(?P<path>.*)`)?", re.DOTALL)
_STEP: Final = re.compile(r"\.(\w+)|\[(\d+)\]")

Text = Annotated[str, Meta(pattern=r"\S")]
"""A text that is not blank."""

Constraint = Meta
"""The annotation of a value's limits: `ge` and `le` of a number, `pattern` of a text, ..."""

if TYPE_CHECKING:  # a subclass need not repeat that it is frozen
    Entry = Struct
else:

    class Entry(Struct, frozen=True, forbid_unknown_fields=True):
        """Base of files and their entries; a field without a default has to be there."""


def shown(entry: object, *names: str) -> Shaped:
    """Some fields of an entry as a plain tree, for clients that draw."""
    return {name: json.decode(json.encode(getattr(entry, name))) for name in names}


class DataFile(Generic[T]):
    """A TOML file as a `value` of a type, and the lines on which its parts begin."""

    def __init__(self, kind: type[T], text: str, name: str) -> None:
        try:
            self._name, self._table = name, tomllib.loads(text)
        except tomllib.TOMLDecodeError as problem:
            raise DataError(f"{name}: {problem}") from problem
        self._starts = dict(_starts(text.splitlines()))
        self.value = self.part(kind)

    def part(self, kind: type[E], *path: Step) -> E:
        """What stands at a path as a value of a type; for keys that the file itself names."""
        part: Any = self._table  # Any: a part of a TOML table
        for step in path:
            part = part[step]
        try:
            return convert(part, kind)
        except ValidationError as problem:
            match = _PROBLEM.fullmatch(str(problem))
            assert match is not None
            below = (key or int(at) for key, at in _STEP.findall(match["path"] or ""))
            raise self.fault(match["what"].replace("`", ""), *path, *below) from problem

    def by_id(self, section: str, entries: Iterable[E], ids: Iterable[Any] = ()) -> dict[Any, E]:
        """The entries of a section by `id`. With `ids` there is one for each, in that order."""
        made: dict[Any, E] = {}  # Any: the type of `id`, which each kind of entry has
        for at, entry in enumerate(entries):
            key = entry.id  # type: ignore[attr-defined]  # of each kind that has one
            if made.setdefault(key, entry) is not entry:
                raise self.fault(f"{key} stands twice", section, at)
        if missing := [each for each in ids if each not in made]:
            raise self.fault(f"{missing[0]} is missing", section)
        return {each: made[each] for each in ids or made}

    def fault(self, what: str, *path: Step) -> DataError:
        """The error that says what is wrong with the value of a path, and on which line."""
        steps, names = [*path], [str(step) for step in path if isinstance(step, str)]
        entries = self._table.get(str(path[0])) if len(path) > 1 else None
        if isinstance(entries, list):
            ids = [each.get("id") if isinstance(each, dict) else None for each in entries]
            if isinstance(path[1], str):
                steps[1] = ids.index(path[1])
            elif ids[path[1]] is not None:
                names.insert(1, str(ids[path[1]]))
        paths = (tuple(steps[:size]) for size in range(len(steps), 0, -1))
        line = next(filter(None, map(self._starts.get, paths)), 0)
        where = f"{self._name} line {line}" if line else self._name
        return DataError(": ".join(filter(None, (where, " ".join(names), what))))


def game_file(
    kind: type[T], package: str, name: str, *, otherwise: str | None = None
) -> DataFile[T]:
    """A file of a game's package, found as `find_file` does; without it the text `otherwise`, if
    given. Raises DataError.
    """
    path = find_file(package, name)
    return DataFile(kind, read_text(package, path, otherwise), file_of(package, path))


def _starts(lines: Sequence[str]) -> Iterator[tuple[tuple[Step, ...], int]]:
    """(path, line) of all tables, of their keys, and of rows `{ ... }`, `[ ... ]` below a key."""
    base: tuple[Step, ...] = ()
    rows: tuple[Step, ...] = ()
    counts: dict[tuple[Step, ...], int] = {}
    for number, line in enumerate(lines, start=1):
        if header := _HEADER.match(line):
            base = ()
            for name in header["name"].split("."):
                base = (*base, counts[base], name) if base in counts else (*base, name)
            if header["more"]:
                counts[base] = counts.get(base, -1) + 1
                base = (*base, counts[base])
            yield base, number
        elif key := _KEY.match(line):
            rows = (*base, key["name"])
            yield rows, number
        elif line.lstrip().startswith(("{", "[")):
            counts[rows] = counts.get(rows, -1) + 1
            yield (*rows, counts[rows]), number
