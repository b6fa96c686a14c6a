"""What is kept of many, as long as it is used: beyond a bound the one idle for longest goes."""

from __future__ import annotations

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def keep(kept: dict[K, V], key: K, value: V, most: int) -> None:
    """Put a value in, or back, as the one used last; at most so many stay."""
    # Taken out and put back: a dict keeps the order in which keys have come.
    kept.pop(key, None)
    kept[key] = value
    if len(kept) > most:
        del kept[next(iter(kept))]
