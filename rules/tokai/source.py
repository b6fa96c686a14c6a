"""A data file with its lines, so that a wrong value is reported with the line where it stands."""

from __future__ import annotations

from typing import NoReturn

from bluebear.rules.core.package_data import DataError, Table, parse_toml


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
