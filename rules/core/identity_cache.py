"""Kept: what was worked out from a part of a state, found again by that very part.

States share whatever a move did not write to, so a part that is asked about again is mostly the
same object. To look it up by its value would mean to go through all of it each time.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

from bluebear.rules.core.draft import now

P = TypeVar("P")
V = TypeVar("V")


class IdentityCache(Generic[P, V]):
    """The latest answers about parts of states, at most so many. Owner: the module that makes it.

    An answer is a function of its part and nothing else, so no result depends on what is kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        # The part stands beside its answer, so nothing else can have its identity meanwhile.
        self._known: OrderedDict[int, tuple[P, V]] = OrderedDict()

    def get(self, part: P) -> V | None:
        """What was put for this very object, if it is still there."""
        known = self._known.get(id(part))
        return None if known is None else known[1]

    def put(self, part: P, answer: V) -> V:
        """Keep an answer for a frozen part; TypeError for a draft, which changes."""
        if now(part) is not part:
            raise TypeError("a draft changes; `now` gives its value as it is now")
        self._known[id(part)] = part, answer
        if len(self._known) > self._most:
            self._known.popitem(last=False)
        return answer
