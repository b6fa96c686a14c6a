"""Bounded queue of unread client events; drops the oldest when full."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class EventQueue(Generic[T]):
    """Queue of events from a client to its one reader. Owned by the client.

    `report_missed` makes the event that reports a number of dropped ones.
    """

    def __init__(self, bound: int, report_missed: Callable[[int], T]) -> None:
        self._happenings: deque[T] = deque(maxlen=bound)
        self._report_missed = report_missed
        self._missed = 0
        self._ended = False
        self._news = asyncio.Event()

    def put(self, happening: T) -> None:
        """Add an event; if the queue is full, the oldest event is dropped."""
        if len(self._happenings) == self._happenings.maxlen:
            self._missed += 1
        self._happenings.append(happening)
        self._news.set()

    def end(self) -> None:
        """Mark the end; no event is added after it."""
        self._ended = True
        self._news.set()

    async def get(self) -> T | None:
        """The next event; None after the last. Reports dropped events first."""
        while not self._happenings and not self._ended:
            self._news.clear()
            await self._news.wait()
        if self._missed:
            missed, self._missed = self._missed, 0
            return self._report_missed(missed)
        return self._happenings.popleft() if self._happenings else None
