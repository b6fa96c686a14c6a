"""A lock under which commits do not queue behind readings.

People's questions are many small readings, and the moves of all rooms are one commit: in one queue
each move would wait for all questions before it.
"""

import asyncio
from collections import deque
from types import TracebackType
from typing import TypeAlias

_Queue: TypeAlias = "deque[asyncio.Future[None]]"


class CommitLock:
    """One holder at a time; `async with` one of its two sides.

    Where both sides wait they take turns, so a commit waits for one other holder at most, and
    commits that follow each other without a pause keep nothing else waiting for ever.
    """

    def __init__(self) -> None:
        self.for_commit = _Side(self)
        self.for_others = _Side(self)
        self._held = False
        self._next = self.for_commit
        """The side that is served first when both wait."""

    async def acquire(self, side: "_Side") -> None:
        """Wait until nothing else holds it, and hold it."""
        if not self._held:
            self._hold(side)
            return
        given: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        side.queue.append(given)
        try:
            await given
        except asyncio.CancelledError:
            if given.cancelled():
                side.queue.remove(given)
            else:
                self.release()
            raise

    def release(self) -> None:
        """Give it to the next one that waits, if there is one."""
        self._held = False
        for side in (self._next, self._other(self._next)):
            for given in side.queue:
                if not given.done():
                    side.queue.remove(given)
                    self._hold(side)
                    given.set_result(None)
                    return

    def _hold(self, side: "_Side") -> None:
        self._held = True
        self._next = self._other(side)

    def _other(self, side: "_Side") -> "_Side":
        return self.for_others if side is self.for_commit else self.for_commit


class _Side:
    """One of the two ways to hold the lock, with those that wait for it."""

    def __init__(self, lock: CommitLock) -> None:
        self._lock = lock
        self.queue: _Queue = deque()

    async def __aenter__(self) -> None:
        await self._lock.acquire(self)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._lock.release()
