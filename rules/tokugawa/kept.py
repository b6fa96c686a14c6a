"""What was worked out from a part of a state, kept by the identity of that part.

Parts of a state that a move does not write to are shared with the next state, so that whoever
asks about the same pieces or the same buildings again is answered at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from rules.core.draft import now

P = TypeVar("P")
V = TypeVar("V")


class Kept(Generic[P, V]):
    """A function of parts of states that remembers its last answers.

    Owner: the module that makes it.
    """

    def __init__(self, work_out: Callable[[P], V], *, most: int) -> None:
        self._work_out = work_out
        self._most = most
        # The part stands beside its answer, so nothing else can have its identity meanwhile.
        self._known: dict[int, tuple[P, V]] = {}

    def __call__(self, part: P) -> V:
        known = self._known.get(id(part))
        if known is not None:
            return known[1]
        frozen = now(part)
        if frozen is not part:
            return self(frozen)
        if len(self._known) >= self._most:
            self._known.clear()
        made = self._work_out(part)
        self._known[id(part)] = (part, made)
        return made
