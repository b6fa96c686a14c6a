"""What happened and was not read yet: a queue that drops the oldest rather than grow."""

from __future__ import annotations

import asyncio
from collections import deque

from bluebear.clients.sdk.client_events import Happening, Missed


class EventQueue:
    """Happenings on their way from a client to its one reader. Owned by the client."""

    def __init__(self, bound: int) -> None:
        self._happenings: deque[Happening] = deque(maxlen=bound)
        self._missed = 0
        self._ended = False
        self._news = asyncio.Event()

    def put(self, happening: Happening) -> None:
        """Add one; over the bound the oldest is dropped."""
        if len(self._happenings) == self._happenings.maxlen:
            self._missed += 1
        self._happenings.append(happening)
        self._news.set()

    def end(self) -> None:
        """Nothing more will come."""
        self._ended = True
        self._news.set()

    async def get(self) -> Happening | None:
        """The next one; None after the last. What was dropped is told as `Missed`."""
        while not self._happenings and not self._ended:
            self._news.clear()
            await self._news.wait()
        if self._missed:
            missed, self._missed = self._missed, 0
            return Missed(missed)
        return self._happenings.popleft() if self._happenings else None
