"""Newcomers, so many in a turn of the loop: when many come at once, others are heard, too."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial


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


def _comes(come: asyncio.Future[None]) -> None:
    if not come.done():
        come.set_result(None)
