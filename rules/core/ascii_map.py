"""A map drawn with letters: named spots where they lie, and the roads between them.

Distances are those of the map as far as names leave room; no name is cut, none covers another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from bluebear.rules.core.display_width import columns

_GAP: Final = 1
"""Columns between two names."""
_LOOK: Final = 2
"""A row is about twice as high as a column is wide."""


class Spot(NamedTuple):
    """A name on the map, and where it belongs on the drawing that the map was made from."""

    label: str
    x: int
    y: int


class Road(NamedTuple):
    """What joins two spots, by their keys, and the sign that it is drawn with."""

    start: str
    end: str
    sign: str


def sketch(
    spots: Mapping[str, Spot], roads: Iterable[Road], *, width: int, height: int
) -> list[str]:
    """The map in at most so many columns and, while the names have room there, so many rows."""
    placed = _Paper(spots, width, height).placed
    rows = max(row for row, _ in placed.values()) + 1
    ink: list[dict[int, str]] = [{} for _ in range(rows)]
    for start, end, sign in roads:
        for row, column in _between(_middle(spots, placed, start), _middle(spots, placed, end)):
            ink[row].setdefault(column, sign)
    for key, (row, column) in placed.items():
        _write(ink[row], column, spots[key].label)
    return [_line(row) for row in ink]


class _Paper:
    """Finds a place for each name: where it lies, or near it where another name stands."""

    def __init__(self, spots: Mapping[str, Spot], width: int, height: int) -> None:
        self.placed: dict[str, tuple[int, int]] = {}
        self._taken: list[tuple[int, int, int]] = []
        self._width = width
        widest = max(columns(spot.label) for spot in spots.values())
        xs, ys = [spot.x for spot in spots.values()], [spot.y for spot in spots.values()]
        over = max(max(xs) - min(xs), 1)
        down = max(max(ys) - min(ys), 1)
        room = max(width - widest, 1)
        rows = max(min(height - 1, down * room // (over * _LOOK)), 1)
        for key, spot in sorted(spots.items(), key=lambda each: (each[1].y, each[1].x)):
            row = (spot.y - min(ys)) * rows // down
            column = (spot.x - min(xs)) * room // over
            self.placed[key] = self._free(row, column, columns(spot.label))

    def _free(self, row: int, column: int, size: int) -> tuple[int, int]:
        """The nearest place where nothing stands yet, rather below than beside."""
        tried = sorted(
            (
                (_LOOK * down + abs(aside), row + down, min(column + aside, self._width - size))
                for down in range(40)
                for aside in range(-8, 9)
                if column + aside >= 0
            ),
        )
        for _, below, at in tried:
            if not any(
                below == other and at < end + _GAP and start < at + size + _GAP
                for other, start, end in self._taken
            ):
                self._taken.append((below, at, at + size))
                return below, at
        return row + len(self._taken) + 40, 0


def _middle(
    spots: Mapping[str, Spot], placed: Mapping[str, tuple[int, int]], key: str
) -> tuple[int, int]:
    row, column = placed[key]
    return row, column + columns(spots[key].label) // 2


def _between(start: tuple[int, int], end: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The places on the straight way from one to another."""
    down, over = end[0] - start[0], end[1] - start[1]
    steps = max(abs(down), abs(over), 1)
    for step in range(steps + 1):
        yield (
            start[0] + (2 * down * step + steps) // (2 * steps),
            start[1] + (2 * over * step + steps) // (2 * steps),
        )


def _write(row: dict[int, str], column: int, label: str) -> None:
    """Puts a name over whatever is there, with room around it."""
    for at in (column - 1, column + columns(label)):
        row.pop(at, None)
    for letter in label:
        row[column] = letter
        for more in range(1, columns(letter)):
            row[column + more] = ""
        column += columns(letter)


def _line(row: Mapping[int, str]) -> str:
    made: Sequence[str] = [row.get(at, " ") for at in range(max(row, default=-1) + 1)]
    return "".join(made).rstrip()
