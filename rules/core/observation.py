"""A view as a row of whole numbers of one length, for learners that want no trees.

Every leaf of the view has a place in the row that follows from the way to it: a number stands
there, a switch as 1, a word as 1 at a place of its own. Seats are counted from the one that looks,
so what is learned at one seat holds at the others. Two leaves may share a place (feature hashing);
there is room enough that few do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final
from zlib import crc32

from bluebear.rules.core.merge_patch import Shaped

TENSOR_LENGTH: Final = 2048
"""A power of two; the largest views have some thousand leaves."""

VALUE_MAX: Final = 2**20
"""No number in a tensor is further from 0."""


def tensor_of(view: Shaped, seat: int) -> list[int]:
    """The row of a view, as this seat looks at it."""
    made = [0] * TENSOR_LENGTH
    seats = view.get("seats")
    count = len(seats) if isinstance(seats, Mapping) else 0
    ring = {str(each): f"seat{(each - seat) % count}" for each in range(1, count + 1)}
    _fill(made, view, "", ring)
    return made


def _fill(
    made: list[int],
    tree: Any,
    path: str,
    ring: Mapping[str, str],  # Any: a part of a tree
) -> None:
    if isinstance(tree, Mapping):
        by_seat = bool(ring) and tree.keys() == ring.keys()
        for key, below in tree.items():
            _fill(made, below, f"{path}.{ring[key] if by_seat else key}", ring)
    elif isinstance(tree, str):
        made[_place(f"{path}={tree}")] += 1
    elif isinstance(tree, Sequence):
        for index, below in enumerate(tree):
            _fill(made, below, f"{path}.{index}", ring)
    elif tree is not None:
        place = _place(path)
        made[place] = max(-VALUE_MAX, min(VALUE_MAX, made[place] + int(tree)))


@lru_cache(maxsize=2**16)
def _place(path: str) -> int:
    return crc32(path.encode()) % TENSOR_LENGTH
