"""Reading a table of a data file entry by entry, so that an error names the file, line and key."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Any, Final, TypeVar

from bluebear.rules.core.package_data import DataError, Table, parse_toml

E = TypeVar("E", bound=Enum)
T = TypeVar("T")

_HEADER: Final = re.compile(r"\[\[?(?P<name>\w+)\]\]?")
_ARRAY: Final = re.compile(r"(?P<name>\w+) = \[")


class Entry:
    """One table of a file: takes its keys one by one and names its line in every error."""

    def __init__(self, table: Table, where: str) -> None:
        self._table = table
        self._where = where
        self._taken: set[str] = set()

    def error(self, what: str) -> DataError:
        """What is wrong with this entry, as an error that says where it stands."""
        return DataError(f"{self._where}: {what}")

    def check(self, *, holds: bool, what: str) -> None:
        """Raise DataError with `what` unless it holds."""
        if not holds:
            raise self.error(what)

    def close(self) -> None:
        """Raise DataError if the entry has keys that nobody took."""
        unknown = sorted(self._table.keys() - self._taken)
        if unknown:
            raise self.error(f"unknown key {unknown[0]!r}")

    def has(self, key: str) -> bool:
        """Whether the entry has a key."""
        return key in self._table

    def text(self, key: str) -> str:
        """A text that is not empty."""
        value = self._value(key)
        if not isinstance(value, str) or not value:
            raise self.error(f"{key} is a text, not {value!r}")
        return value

    def number(self, key: str, low: int, high: int) -> int:
        """A whole number in a range."""
        return self._whole(key, self._value(key), low, high)

    def numbers(self, key: str, count: int, low: int, high: int) -> tuple[int, ...]:
        """Exactly so many whole numbers in a range."""
        value = self._list(key)
        if len(value) != count:
            raise self.error(f"{key} has {count} numbers, not {len(value)}")
        return tuple(self._whole(key, each, low, high) for each in value)

    def word(self, key: str, kind: type[E]) -> E:
        """One of the words of an enum."""
        return self._word(key, self._value(key), kind)

    def words(self, key: str, kind: type[E]) -> tuple[E, ...]:
        """A list of words of an enum, in the order of the file; or one text of them."""
        value = self._value(key)
        given = value.split() if isinstance(value, str) else self._list(key)
        if not given:
            raise self.error(f"{key} is empty")
        return tuple(self._word(key, each, kind) for each in given)

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts."""
        value = self._list(key)
        for each in value:
            if not isinstance(each, str) or not each:
                raise self.error(f"{key} is a list of texts, not {each!r}")
        return tuple(value)

    def _value(self, key: str) -> Any:  # Any: as TOML has it
        self._taken.add(key)
        if key not in self._table:
            raise self.error(f"{key} is missing")
        return self._table[key]

    def _list(self, key: str) -> list[Any]:  # Any: as TOML has it
        value = self._value(key)
        if not isinstance(value, list):
            raise self.error(f"{key} is a list, not {value!r}")
        return value

    def _whole(self, key: str, value: object, low: int, high: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.error(f"{key} is a whole number from {low} to {high}, not {value!r}")
        return value

    def _word(self, key: str, value: object, kind: type[E]) -> E:
        for each in kind:
            if each.value == value:
                return each
        names = ", ".join(str(each.value) for each in kind)
        raise self.error(f"{key} is one of {names}, not {value!r}")


class DataFile:
    """A TOML file of tables and of arrays of tables, with the line on which each begins."""

    def __init__(self, text: str, name: str) -> None:
        self._table = parse_toml(text, name)
        self._name = name
        self._lines = dict(_first_lines(text))

    def error(self, what: str) -> DataError:
        """What is wrong with the file as a whole."""
        return DataError(f"{self._name}: {what}")

    def one(self, name: str) -> Entry:
        """The table of a name; DataError if there is none."""
        table = self._table.get(name)
        if not isinstance(table, Mapping):
            raise self.error(f"[{name}] is missing")
        return self._entry(name, 0, table)

    def all(self, name: str) -> Iterator[Entry]:
        """The tables of an array of tables, in order; DataError if there is none."""
        tables = self._table.get(name)
        if not isinstance(tables, list) or not all(isinstance(each, Mapping) for each in tables):
            raise self.error(f"{name} is missing or no list of tables")
        for index, table in enumerate(tables):
            yield self._entry(name, index, table)

    def by_word(self, name: str, kind: type[E], read: Callable[[Entry], T]) -> dict[E, T]:
        """What `read` makes of each table of an array, by its `name`: every word once, in order."""
        made: dict[E, T] = {}
        words = tuple(kind)
        for entry in self.all(name):
            word = entry.word("name", kind)
            expected = words[len(made)] if len(made) < len(words) else None
            entry.check(
                holds=word is expected,
                what=f"name is {expected.value!r} here" if expected else "one entry too many",
            )
            made[word] = read(entry)
            entry.close()
        if len(made) < len(words):
            raise self.error(f"{name} {words[len(made)].value!r} is missing")
        return made

    def _entry(self, name: str, index: int, table: Table) -> Entry:
        line = self._lines.get((name, index))
        at = f" line {line}" if line else ""
        return Entry(table, f"{self._name}{at}, {name}")


def _first_lines(text: str) -> Iterator[tuple[tuple[str, int], int]]:
    """((name, how many before it), line) of `[name]`, `[[name]]` and rows below `name = [`."""
    seen: dict[str, int] = {}
    array = ""
    for number, line in enumerate(text.splitlines(), start=1):
        header, opened = _HEADER.match(line), _ARRAY.match(line)
        if header or (array and line.lstrip().startswith("{")):
            name = header["name"] if header else array
            yield (name, seen.get(name, 0)), number
            seen[name] = seen.get(name, 0) + 1
        if opened or header:
            array = opened["name"] if opened else ""
