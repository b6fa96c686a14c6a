"""Numbers that may only fall: stored in a TOML table of rows, compared with what is counted now.

A row of a stored table is one line, `"KEY" = { KIND = 12, OTHER = 3 } # why`; a row that is not
there stands for zeros.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

Counts = Mapping[str, Mapping[str, int]]
"""Numbers by key and kind."""

SLACK: Final = 0.95
"""A number below this share of the stored one has to be stored."""

_ROW: Final = re.compile(r'^"(?P<key>[^"]+)" = \{(?P<numbers>[^}]*)\}(?P<why>.*)$')
_NUMBER: Final = re.compile(r"(\w+) = (\d+)")


def risen(now: Counts, stored: Counts) -> set[tuple[str, str]]:
    """The keys and kinds that have more now than is stored."""
    return {each for each in _compared(now) if _at(now, *each) > _at(stored, *each)}


def stale(now: Counts, stored: Counts) -> set[tuple[str, str]]:
    """The keys and kinds that have so few now that the stored number has to follow."""
    return {each for each in _compared(stored) if _at(now, *each) < _at(stored, *each) * SLACK}


def lowered(text: str, table: str, now: Counts) -> str:
    """The text of a settings file in which each number of one table is at most what it is now.

    A row without numbers above zero is left out; no number rises, no row is added.
    """
    lines: list[str] = []
    inside = False
    for line in text.splitlines():
        if line.startswith("["):
            inside = line == f"[{table}]"
        row = _ROW.match(line) if inside else None
        if row is None:
            lines.append(line)
            continue
        numbers = {
            kind: min(int(number), _at(now, row["key"], kind))
            for kind, number in _NUMBER.findall(row["numbers"])
        }
        left = ", ".join(f"{kind} = {number}" for kind, number in numbers.items() if number)
        if left:
            lines.append(f'"{row["key"]}" = {{ {left} }}{row["why"]}')
    return "\n".join(lines) + "\n"


def _compared(counts: Counts) -> Iterator[tuple[str, str]]:
    return ((key, kind) for key, kinds in counts.items() for kind in kinds)


def _at(counts: Counts, key: str, kind: str) -> int:
    return counts.get(key, {}).get(kind, 0)
