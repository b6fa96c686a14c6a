"""Who is next in a store: commits do not queue behind readings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from bluebear.server.store import Store
from tests.support import stored_rows


class Turns:
    """A runner in which each task has one turn of the loop; the order in which they had it."""

    def __init__(self) -> None:
        self.order: list[str] = []
        self.broken = False

    async def run(self, job: Callable[[], Any]) -> Any:  # Any: no job is done
        task = asyncio.current_task()
        self.order.append(task.get_name() if task else "")
        if self.broken:
            raise LookupError("a bug")
        await asyncio.sleep(0)
        return []


class NoDatabase:
    failed = ()


class Users:
    """Tasks that append to a store or read it."""

    def __init__(self) -> None:
        database: Any = NoDatabase()  # Any: nothing of it is used
        self.turns = Turns()
        self.store = Store(database, self.turns.run)
        self._tasks: dict[str, asyncio.Task[Any]] = {}

    def start(self, *names: str) -> None:
        for name in names:
            is_commit = name.startswith("commit")
            work = self.store.append([]) if is_commit else self.store.read(stored_rows.all_rooms)
            self._tasks[name] = asyncio.create_task(work, name=name)

    def cancel(self, name: str) -> None:
        self._tasks.pop(name).cancel()

    async def wait(self) -> list[str]:
        async with asyncio.timeout(1):
            await asyncio.gather(*self._tasks.values())
        return self.turns.order


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


@pytest.mark.parametrize("turns", range(6))
async def test_one_that_is_cancelled_as_it_gets_its_turn_gives_it_back(turns: int) -> None:
    users = Users()
    users.start("reading 1", "commit 1", "commit 2", "reading 2")
    for _ in range(turns):
        await asyncio.sleep(0)
    users.cancel("commit 1")
    assert set(await users.wait()) - {"commit 1"} == {"reading 1", "commit 2", "reading 2"}


@pytest.mark.parametrize("name", ["commit", "reading"])
async def test_an_error_gives_the_turn_back(name: str) -> None:
    users = Users()
    users.turns.broken = True
    users.start(name)
    with pytest.raises(LookupError):
        await users.wait()
    users.turns.broken = False
    users.cancel(name)  # it has ended
    users.start("commit 2", "reading 2")
    assert await users.wait() == [name, "commit 2", "reading 2"]
