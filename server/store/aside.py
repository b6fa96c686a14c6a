"""A thread of one's own that does one job after the other while the loop goes on, and its lock.

A commit gives its thread one job and waits for it, thousands of times a second, so this is as
little as that takes; `concurrent.futures` spends 20 us more on each.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Any, TypeAlias, TypeVar

_T = TypeVar("_T")

_Job: TypeAlias = tuple[
    # Any: jobs differ in what they return.
    Callable[[], Any],
    asyncio.AbstractEventLoop,
    "asyncio.Future[Any]",
]


class Aside:
    """The thread; owned by whoever made it, who closes it in the end."""

    def __init__(self, name: str) -> None:
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    async def run(self, work: Callable[[], _T]) -> _T:
        """What `work` returns or raises; ends, or is cancelled, only when `work` is done."""
        done = self._put(work)
        try:
            return await done
        except asyncio.CancelledError:
            # What comes after it is done after it, so this one's end is also the other's.
            last = self._put(lambda: None)
            while not last.done():
                with suppress(asyncio.CancelledError):
                    await asyncio.shield(last)
            raise

    def _put(self, work: Callable[[], _T]) -> "asyncio.Future[_T]":
        loop = asyncio.get_running_loop()
        done: asyncio.Future[_T] = loop.create_future()
        self._jobs.put((work, loop, done))
        return done

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            work, loop, done = job
            try:
                made = work()
            except BaseException as error:  # noqa: BLE001  # it is raised again where it is awaited
                loop.call_soon_threadsafe(_fail, done, error)
            else:
                loop.call_soon_threadsafe(_succeed, done, made)

    def close(self) -> None:
        """End the thread, after what it has been given."""
        self._jobs.put(None)
        self._thread.join()


class CommitLock:
    """One holder at a time; `async with` one of its two sides.

    Where both sides wait they take turns, so a commit waits for one other holder at most, and
    commits that follow each other without a pause keep nothing else waiting for ever. In one queue
    the moves of all rooms, which are one commit, would wait for each person's questions.
    """

    def __init__(self) -> None:
        self.for_commit = _Side(self)
        self.for_others = _Side(self)
        self.for_commit.other, self.for_others.other = self.for_others, self.for_commit
        self.is_held = False
        self.next = self.for_commit
        """The side that is served first when both wait."""

    def pass_on(self) -> None:
        """Give it to the next one that waits."""
        self.is_held = False
        for side in (self.next, self.next.other):
            while side.queue:
                given = side.queue.popleft()
                if not given.done():
                    self.is_held, self.next = True, side.other
                    given.set_result(None)
                    return


class _Side:
    """One of the two ways to hold the lock, with those that wait for it."""

    other: "_Side"

    def __init__(self, lock: CommitLock) -> None:
        self._lock = lock
        self.queue: deque[asyncio.Future[None]] = deque()

    async def __aenter__(self) -> None:
        lock = self._lock
        if not lock.is_held:
            lock.is_held, lock.next = True, self.other
            return
        given: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.queue.append(given)
        try:
            await given
        except asyncio.CancelledError:
            if not given.cancelled():
                lock.pass_on()
            raise

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        lock = self._lock
        if self.queue or self.other.queue:
            lock.pass_on()
        else:
            lock.is_held = False


def _succeed(done: asyncio.Future[_T], made: _T) -> None:
    if not done.cancelled():
        done.set_result(made)


def _fail(done: asyncio.Future[_T], error: BaseException) -> None:
    if not done.cancelled():
        done.set_exception(error)
