"""Cache of values derived from parts of states, keyed by object identity.

States share all parts that a move did not write to, so a part that is looked up again is mostly
the same object. A lookup by value would have to hash the whole part each time.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

from bluebear.rules.core.draft import freeze

P = TypeVar("P")
V = TypeVar("V")


class IdentityCache(Generic[P, V]):
    """The newest `most` values, each derived from its part alone. Owned by its module."""

    def __init__(self, most: int) -> None:
        self._most = most
        # Each value is stored with its part, so no other object can get the part's id meanwhile.
        self._cached: OrderedDict[int, tuple[P, V]] = OrderedDict()

    def get(self, part: P) -> V | None:
        """The value of this very object; None if it is not cached."""
        return self._cached.get(id(part), (None, None))[1]

    def put(self, part: P, value: V) -> V:
        """Cache and return the value of a frozen part. TypeError for a draft, which changes."""
        if freeze(part) is not part:
            raise TypeError("a draft changes; `freeze` gives its value as it is now")
        self._cached[id(part)] = part, value
        if len(self._cached) > self._most:
            self._cached.popitem(last=False)
        return value
