"""Entries of a data file in which one entry is one line, each with the number of that line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from bluebear.rules.core.package_data import DataError, Table, parse_toml

E = TypeVar("E")

_OPENED: Final = re.compile(r"(?P<section>\w+) = \[")
_CLOSED: Final = "]"
_ENTRY: Final = "{"


@dataclass(frozen=True, slots=True)
class Named:
    """What something is called: English, Japanese, its reading, exact further names."""

    en: str
    ja: str
    kana: str = ""
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One entry, and what an error about it begins with: file, line, section, id."""

    fields: Table
    place: str

    def fault(self, what: str) -> DataError:
        """The error that says what is wrong with this entry."""
        return DataError(f"{self.place}: {what}")

    def text(self, name: str) -> str:
        """A field that is a word or a sentence, and not empty; DataError otherwise."""
        value = self._field(name)
        if not isinstance(value, str) or not value.strip():
            raise self.fault(f"{name} is a text, not {value!r}")
        return value

    def number(self, name: str, low: int, high: int) -> int:
        """A field that is a whole number from `low` to `high`; DataError otherwise."""
        return self._integer(name, self._field(name), low, high)

    def numbers(self, name: str, count: int, low: int, high: int) -> tuple[int, ...]:
        """A field that is a list of `count` whole numbers; DataError otherwise."""
        value = self._list(name)
        if len(value) != count:
            raise self.fault(f"{name} has {count} numbers, not {len(value)}")
        return tuple(self._integer(name, each, low, high) for each in value)

    def flag(self, name: str) -> bool:
        """A field that is true or false, false where it is left out; DataError otherwise."""
        value = self.fields.get(name, False)
        if not isinstance(value, bool):
            raise self.fault(f"{name} is true or false, not {value!r}")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """A field that is a list of words, none where it is left out; DataError otherwise."""
        value = self._list(name) if name in self.fields else []
        if not all(isinstance(each, str) and each for each in value):
            raise self.fault(f"{name} is a list of texts, not {value!r}")
        return tuple(value)

    def one_of(self, name: str, names: Iterable[E], *, given: str | None = None) -> E:
        """The value of a field, or a given one, that is one of these; DataError otherwise."""
        value = self.text(name) if given is None else given
        found = {str(each): each for each in names}
        if value not in found:
            raise self.fault(f"{name} {value!r} is none of {', '.join(found)}")
        return found[value]

    def only(self, names: Iterable[str]) -> None:
        """DataError if the entry has a field of another name."""
        strange = sorted(set(self.fields) - set(names))
        if strange:
            raise self.fault(f"there is no field {strange[0]}")

    def _field(self, name: str) -> Any:  # Any: what TOML holds
        if name not in self.fields:
            raise self.fault(f"{name} is missing")
        return self.fields[name]

    def _list(self, name: str) -> list[Any]:  # Any: what TOML holds
        value = self._field(name)
        if not isinstance(value, list):
            raise self.fault(f"{name} is a list, not {value!r}")
        return value

    def _integer(self, name: str, value: object, low: int, high: int) -> int:
        # A bool is an int for Python, and no number in a data file.
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise self.fault(f"{name} is a whole number from {low} to {high}, not {value!r}")
        return value


def read_rows(
    text: str, name: str, sections: Mapping[str, Iterable[str]]
) -> Mapping[str, tuple[Row, ...]]:
    """The entries of all sections, in order; `sections` names them and their fields.

    `name` is what an error calls the file. Raises DataError for broken TOML, an unknown or missing
    section, an entry that is not on one line of its own, and an unknown field.
    """
    table = parse_toml(text, name)
    for section in table:
        if section not in sections:
            raise DataError(f"{name}: there is no section {section}")
    lines = _lines(text)
    made: dict[str, tuple[Row, ...]] = {}
    for section, fields in sections.items():
        entries = table.get(section)
        if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
            raise DataError(f"{name}: section {section} is missing or no list of entries")
        numbers = lines.get(section, [])
        if len(numbers) != len(entries):
            raise DataError(f"{name}: section {section} has one entry on each line")
        made[section] = tuple(
            Row(entry, f"{name} line {number}: {section} {entry.get('id', '')}".rstrip())
            for number, entry in zip(numbers, entries, strict=True)
        )
        for row in made[section]:
            row.only(fields)
    return made


def _lines(text: str) -> Mapping[str, list[int]]:
    """The numbers of the lines that begin an entry, by section."""
    made: dict[str, list[int]] = {}
    section = ""
    for number, line in enumerate(text.splitlines(), start=1):
        opened = _OPENED.fullmatch(line.strip())
        if opened is not None:
            section = opened["section"]
        elif line.strip() == _CLOSED:
            section = ""
        elif section and line.strip().startswith(_ENTRY):
            made.setdefault(section, []).append(number)
    return made


def by_id(rows: Iterable[Row]) -> Mapping[str, Row]:
    """Entries by their id; DataError if one stands twice."""
    made: dict[str, Row] = {}
    for row in rows:
        each = row.text("id")
        if each in made:
            raise row.fault(f"stands twice, first: {made[each].place}")
        made[each] = row
    return made
