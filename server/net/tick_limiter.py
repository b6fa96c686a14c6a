"""Ticks of the event loop: how many newcomers one has, and how much time frames have in it.

When many connect at once, or one sends as much as goes, the other connections have their turn.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Final
from weakref import WeakValueDictionary


class TickLimiter:
    """Lets `most` calls run in a tick of the loop, the others in the next ones, in order."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._done = 0
        self._waiting: deque[Callable[[], None]] = deque()

    def run(self, call: Callable[[], None]) -> None:
        """Call it now, or in a tick that has room for it."""
        if self._done == self._most:
            self._waiting.append(call)
            return
        if not self._done:
            asyncio.get_running_loop().call_soon(self._next)
        self._done += 1
        call()

    async def wait(self) -> None:
        """Wait for a tick that has room."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.run(partial(_resolve, turn))
        await turn

    def _next(self) -> None:
        self._done = 0
        for _ in range(min(self._most, len(self._waiting))):
            self.run(self._waiting.popleft())


class TickBudget:
    """How long frames have been handled in this tick of the loop; it ends by time.

    `most` seconds for all together, of which a network gets `share` at the most: who plays
    somewhere else waits for little more than that, whatever a network sends.
    """

    def __init__(self, most: float, share: float) -> None:
        self._most = most
        self._share_most = share
        self._shares: WeakValueDictionary[str, TickShare] = WeakValueDictionary()
        self._started: list[TickShare] = []
        self._used = 0.0
        self.over = False
        """Whether no frame is handled any more in this tick."""

    def share(self, network: str) -> TickShare:
        """The share of a network in each tick; all its connections have it together."""
        share = self._shares.get(network)
        if share is None:
            share = self._shares[network] = TickShare(self)
        return share

    def spend(self, share: TickShare, seconds: float) -> None:
        """Work took `seconds` of this tick; the share of its network counts it, if it has one."""
        if seconds <= 0:
            return
        if not self._started:
            asyncio.get_running_loop().call_soon(self._next)
        self._used += seconds
        self.over = self._used >= self._most
        if share.tick is not self:
            return
        if not share.used:
            self._started.append(share)
        share.used += seconds
        share.over = share.used >= self._share_most

    def _next(self) -> None:
        for share in self._started:
            share.used, share.over = 0.0, False
        self._started.clear()
        self._used, self.over = 0.0, False


class TickShare:
    """What one network has of a tick."""

    __slots__ = ("__weakref__", "over", "tick", "used")

    def __init__(self, tick: TickBudget) -> None:
        self.tick = tick
        self.used = 0.0
        self.over = False
        """Whether no frame of this network is handled any more in this tick."""


UNLIMITED: Final = TickShare(TickBudget(float("inf"), float("inf")))
"""The share of a connection without limits, as the house bots have it."""


def _resolve(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)
