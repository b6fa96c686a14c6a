"""The lock of the journal's file: commits do not queue behind readings."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest

from bluebear.server.store.runners import CommitLock


class Users:
    """Tasks that hold a lock for one turn of the loop each; the order in which they had it."""

    def __init__(self) -> None:
        self.lock = CommitLock()
        self.order: list[str] = []
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def start(self, *names: str) -> None:
        for name in names:
            self._tasks[name] = asyncio.create_task(self._use(name))

    def cancel(self, name: str) -> None:
        self._tasks.pop(name).cancel()

    async def wait(self) -> list[str]:
        await asyncio.gather(*self._tasks.values())
        return self.order

    async def _use(self, name: str) -> None:
        side = self.lock.for_commit if name.startswith("commit") else self.lock.for_queries
        async with side:
            self.order.append(name)
            await asyncio.sleep(0)


async def test_a_commit_waits_for_one_reading_at_most() -> None:
    users = Users()
    users.start("reading 1", "reading 2", "reading 3", "commit 1")
    assert await users.wait() == ["reading 1", "commit 1", "reading 2", "reading 3"]


async def test_commits_without_a_pause_let_readings_through() -> None:
    users = Users()
    users.start("commit 1", "commit 2", "commit 3", "reading 1", "reading 2")
    assert await users.wait() == ["commit 1", "reading 1", "commit 2", "reading 2", "commit 3"]


async def test_one_that_was_cancelled_while_it_waited_is_passed_over() -> None:
    users = Users()
    users.start("reading 1", "reading 2", "commit 1", "reading 3")
    await asyncio.sleep(0)
    users.cancel("commit 1")
    users.cancel("reading 2")
    assert await users.wait() == ["reading 1", "reading 3"]


async def test_one_that_is_cancelled_as_it_gets_the_lock_gives_it_back() -> None:
    lock = CommitLock()

    async def use() -> None:
        async with lock.for_commit:
            raise AssertionError("it was cancelled")

    async with lock.for_queries:
        waiting = asyncio.create_task(use())
        await asyncio.sleep(0)
    # It is given to the waiting one now, which has not run yet.
    waiting.cancel()
    with suppress(asyncio.CancelledError):
        await waiting
    async with asyncio.timeout(1), lock.for_commit:
        pass


@pytest.mark.parametrize("side", ["for_commit", "for_queries"])
async def test_an_error_gives_the_lock_back(side: str) -> None:
    lock = CommitLock()

    async def fail(use: Callable[[], Awaitable[None]]) -> None:
        async with getattr(lock, side):
            await use()

    async def broken() -> None:
        raise ValueError(side)

    with pytest.raises(ValueError, match=side):
        await fail(broken)
    async with asyncio.timeout(1), lock.for_queries:
        pass
