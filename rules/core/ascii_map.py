"""Draws a map as text: named spots at their positions, and the roads between them.

Distances are true to the map where names leave room. No name is cut or covered by another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from bluebear.rules.core.text_layout import columns

_GAP: Final = 1
"""Columns between two names."""
_LOOK: Final = 2
"""Height of a row in widths of a column, about."""
_NEAREST: Final = sorted(
    ((down, shift) for down in range(40) for shift in range(-8, 9)),
    key=lambda each: (_LOOK * each[0] + abs(each[1]), *each),
)
"""Steps down and to either side, the nearest first."""


class Spot(NamedTuple):
    """A name on the map and its position on the drawing that the map is made from."""

    label: str
    x: int
    y: int


class Road(NamedTuple):
    """A line between two spots, given by their keys, and the sign that draws it."""

    start: str
    end: str
    sign: str


def sketch(
    spots: Mapping[str, Spot], roads: Iterable[Road], *, width: int, height: int
) -> list[str]:
    """The map in at most `width` columns, and in `height` rows unless the names need more."""
    placed = _placed(spots, width, height)
    rows = max(row for row, _ in placed.values()) + 1
    ink: list[dict[int, str]] = [{} for _ in range(rows)]
    for start, end, sign in roads:
        for row, column in _between(_middle(spots, placed, start), _middle(spots, placed, end)):
            ink[row].setdefault(column, sign)
    for key, (row, column) in placed.items():
        _write(ink[row], column, spots[key].label)
    return [_line(row) for row in ink]


def _placed(spots: Mapping[str, Spot], width: int, height: int) -> dict[str, tuple[int, int]]:
    """The row and column of each name: its own, or the nearest free ones if a name is there."""
    placed: dict[str, tuple[int, int]] = {}
    taken: list[tuple[int, int, int]] = []
    widest = max(columns(spot.label) for spot in spots.values())
    xs, ys = [spot.x for spot in spots.values()], [spot.y for spot in spots.values()]
    over = max(max(xs) - min(xs), 1)
    down = max(max(ys) - min(ys), 1)
    room = max(width - widest, 1)
    rows = max(min(height - 1, down * room // (over * _LOOK)), 1)
    for key, spot in sorted(spots.items(), key=lambda each: (each[1].y, each[1].x)):
        size = columns(spot.label)
        row = (spot.y - min(ys)) * rows // down
        column = (spot.x - min(xs)) * room // over
        row, column = placed[key] = _free(taken, row, column, size, width - size)
        taken.append((row, column, column + size))
    return placed


def _free(
    taken: Sequence[tuple[int, int, int]], row: int, column: int, size: int, last: int
) -> tuple[int, int]:
    """The nearest free position, at the row or below it, up to 8 columns to either side."""
    for down, shift in _NEAREST:
        below, at = row + down, min(column + shift, last)
        if column + shift >= 0 and not any(
            below == other and at < end + _GAP and start < at + size + _GAP
            for other, start, end in taken
        ):
            return below, at
    return row + len(taken) + 40, 0


def _middle(
    spots: Mapping[str, Spot], placed: Mapping[str, tuple[int, int]], key: str
) -> tuple[int, int]:
    row, column = placed[key]
    return row, column + columns(spots[key].label) // 2


def _between(start: tuple[int, int], end: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The cells on the straight line between two cells."""
    down, over = end[0] - start[0], end[1] - start[1]
    steps = max(abs(down), abs(over), 1)
    for step in range(steps + 1):
        yield (
            start[0] + (2 * down * step + steps) // (2 * steps),
            start[1] + (2 * over * step + steps) // (2 * steps),
        )


def _write(row: dict[int, str], column: int, label: str) -> None:
    """Write a name over the roads in a row, with a space on either side."""
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
