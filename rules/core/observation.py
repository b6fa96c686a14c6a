"""A view as a vector of whole numbers of fixed length, for learners.

The index of a leaf is a hash of its path (feature hashing). A number is stored as its value, true
as 1, a string as 1 at an index of its path and text. Seats are counted from the observing seat, so
what is learned at one seat holds at the others. Leaves may collide; the vector is long enough that
few do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final
from zlib import crc32

from bluebear.rules.core.merge_patch import Shaped

TENSOR_LENGTH: Final = 2048
"""The length of the vector; the largest views have some thousand leaves."""

VALUE_MAX: Final = 2**20
"""The largest absolute value in the vector."""


def tensor_of(view: Shaped, seat: int) -> list[int]:
    """The vector of a view, as this seat observes it."""
    made = [0] * TENSOR_LENGTH
    seats = view.get("seats")
    count = len(seats) if isinstance(seats, Mapping) else 0
    ring = {str(each): f"seat{(each - seat) % count}" for each in range(1, count + 1)}
    _fill(made, view, "", ring)
    return made


def _fill(made: list[int], tree: Any, path: str, ring: Mapping[str, str]) -> None:  # Any: a part
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
