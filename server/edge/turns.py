"""Turns of the loop: how many newcomers one has, and how long frames are heard in it.

When many come at once, or one sends as much as goes, others are heard, too.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Final
from weakref import WeakValueDictionary


class Turns:
    """Lets so many be done in a turn of the loop, the others in the next ones, as they came."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._done = 0
        self._waiting: deque[Callable[[], None]] = deque()

    def take(self, one: Callable[[], None]) -> None:
        """Do something now, or in a turn that has room for it."""
        if self._done == self._most:
            self._waiting.append(one)
            return
        if not self._done:
            asyncio.get_running_loop().call_soon(self._next)
        self._done += 1
        one()

    async def mine(self) -> None:
        """Wait for a turn that has room."""
        come: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.take(partial(_comes, come))
        await come

    def _next(self) -> None:
        self._done = 0
        for _ in range(min(self._most, len(self._waiting))):
            self.take(self._waiting.popleft())


class Turn:
    """How long frames have been heard in this turn of the loop; it ends by time.

    `most` seconds for all together, of which a network gets `part` at the most: who plays
    somewhere else waits for little more than that, whatever a network sends.
    """

    def __init__(self, most: float, part: float) -> None:
        self._most = most
        self._part_most = part
        self._parts: WeakValueDictionary[str, Part] = WeakValueDictionary()
        self._begun: list[Part] = []
        self._used = 0.0
        self.over = False
        """Whether nothing more is heard in this turn."""

    def part(self, network: str) -> Part:
        """What a network has of each turn; all its connections have it together."""
        found = self._parts.get(network)
        if found is None:
            found = self._parts[network] = Part(self)
        return found

    def spend(self, part: Part, seconds: float) -> None:
        """Work took so long in this turn; the bound of its network counts it, if it has one."""
        if seconds <= 0:
            return
        if not self._begun:
            asyncio.get_running_loop().call_soon(self._next)
        self._used += seconds
        self.over = self._used >= self._most
        if part.turn is not self:
            return
        if not part.used:
            self._begun.append(part)
        part.used += seconds
        part.over = part.used >= self._part_most

    def _next(self) -> None:
        for part in self._begun:
            part.used, part.over = 0.0, False
        self._begun.clear()
        self._used, self.over = 0.0, False


class Part:
    """What one network has of a turn."""

    __slots__ = ("__weakref__", "over", "turn", "used")

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.used = 0.0
        self.over = False
        """Whether nothing more of this network is heard in this turn."""


WITHOUT_END: Final = Part(Turn(float("inf"), float("inf")))
"""The part of who is not bounded, as the house is."""


def _comes(come: asyncio.Future[None]) -> None:
    if not come.done():
        come.set_result(None)
