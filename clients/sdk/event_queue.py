"""Bounded queue of unread client events; drops the oldest when full."""

from __future__ import annotations

import asyncio
from collections import deque

from bluebear.clients.sdk.client_events import Happening, Missed


class EventQueue:
    """Queue of events from a client to its one reader. Owned by the client."""

    def __init__(self, bound: int) -> None:
        self._happenings: deque[Happening] = deque(maxlen=bound)
        self._missed = 0
        self._ended = False
        self._news = asyncio.Event()

    def put(self, happening: Happening) -> None:
        """Add an event; if the queue is full, the oldest event is dropped."""
        if len(self._happenings) == self._happenings.maxlen:
            self._missed += 1
        self._happenings.append(happening)
        self._news.set()

    def end(self) -> None:
        """Mark the end; no event is added after it."""
        self._ended = True
        self._news.set()

    async def get(self) -> Happening | None:
        """The next event; None after the last. Reports dropped events as `Missed`."""
        while not self._happenings and not self._ended:
            self._news.clear()
            await self._news.wait()
        if self._missed:
            missed, self._missed = self._missed, 0
            return Missed(missed)
        return self._happenings.popleft() if self._happenings else None
