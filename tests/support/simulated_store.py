"""The store in memory: SQLite's, with faults on request and, in virtual time, with latency.

What a `MemoryDisk` holds is what is synced: servers come and go, it stays. Jobs run at once, so a
commit is done or not; how long it takes is told by the owner's `latency`, and slept on the running
loop. Several nodes write through stores of their own, each with its generation.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Concatenate, Final, ParamSpec, TypeAlias, TypeVar

from sqlalchemy import Connection, NullPool

from bluebear.server.store import Answer, Append, Deposed, Nodes, Store
from bluebear.server.store.leases import Node
from bluebear.server.store.sqlite import Sqlite, engine, prepare
from bluebear.server.store.store import Database

_P = ParamSpec("_P")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Latency:
    """How long one commit takes: seconds until it is synced, then seconds until it is answered.

    A crash in the first part loses the batch; in the second it is kept, and no caller was told.
    """

    sync: float
    answer: float


Latencies: TypeAlias = Callable[[], Latency]

_NEXT: Final[list[sqlite3.Connection]] = []
_ENGINE: Final = engine(_NEXT.pop, NullPool)
"""One for all disks: what it has compiled for one, the others need not compile again."""


@cache
def _empty() -> sqlite3.Connection:
    """A database with the tables and nothing in them; it is copied, which is quicker."""
    driver = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    prepare(driver, ":memory:")
    return driver


class MemoryDisk:
    """A database in memory, shared by the stores of those who write it; `now` is its clock."""

    def __init__(self, now: Callable[[], float] = lambda: 0.0) -> None:
        self.driver = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self.driver.create_function("store_now", 0, lambda: round(now() * 1000))
        _empty().backup(self.driver)
        _NEXT.append(self.driver)
        self.connection = _ENGINE.connect()

    def rows(self, statement: str, *given: object) -> list[Any]:  # Any: the values of columns
        """What a statement gives, without waiting for any turn."""
        return self.driver.execute(statement, given).fetchall()

    def __del__(self) -> None:
        self.driver.close()


class FaultyDatabase(Sqlite):
    """The database in memory as one writer has it; fails on request.

    With a `node` every transaction that writes checks its generation, as in PostgreSQL.
    """

    def __init__(self, disk: MemoryDisk, node: Node | None = None) -> None:
        super().__init__(disk.driver, disk.connection)
        self.disk = disk
        self.node = node
        self._generation = 0 if node is None else node.generation
        # Often, so that all that is tested happens around it, too; of nodes none remembers a tail.
        self.tail_entries = 1 if node else 7
        self.failures = 0
        self.breaks: deque[bool] = deque()
        self.is_away: Callable[[], bool] = lambda: False
        """Whether there is no route to it."""

    def is_lost(self) -> bool:
        """See `Database.is_lost`."""
        return self.is_away()

    def begin(self) -> None:
        super().begin()
        if self.node is None:
            return
        if not self.is_current():
            self.rollback()
            raise Deposed("another node has deposed this one")
        self._read_tail()  # other nodes write here too

    def commit(self) -> None:
        if self.failures:
            self.failures -= 1
            raise OSError("the disk is full (fail_next)")
        breaks = bool(self._fresh and self.breaks)
        if not breaks or self.breaks.popleft():
            super().commit()
        if breaks:
            raise OSError("the connection broke (break_next)")

    def recover(self) -> None:
        """See `Database.recover`: behind a new generation, as in PostgreSQL."""
        super().recover()
        if self.node is None:
            return
        if not self.is_current():
            raise Deposed("another node has deposed this one")
        self._generation += 1
        self.driver.execute(
            "UPDATE node SET generation = ? WHERE id = ?", (self._generation, self.node.id)
        )

    def close(self) -> None:
        """See `Database.close`; the disk stays."""

    def is_current(self) -> bool:
        """Whether nothing has deposed this writer."""
        assert self.node is not None
        statement = "SELECT generation FROM node WHERE id = ?"
        return self.disk.rows(statement, self.node.id) == [(self._generation,)]


async def _at_once(job: Callable[[], _T]) -> _T:
    """See `Runner`."""
    return job()


class SimulatedStore(Store):
    """A `Store` whose disk is in memory. `close` closes nothing: the next server opens it again."""

    def __init__(
        self,
        latency: Latencies | None = None,
        *,
        disk: MemoryDisk | None = None,
        database: FaultyDatabase | None = None,
    ) -> None:
        self.database = database or FaultyDatabase(disk or MemoryDisk())
        self.disk = self.database.disk
        super().__init__(self.database, _at_once)
        if self.database.node is not None:
            self.writer = self.database.node.id
        self.read_seconds = 0.0
        """How long a query waits before its turn; commits go ahead."""
        self._latency = latency
        self._life = 0
        self._queue = asyncio.Lock()

    def sure(self) -> Database:
        """See `Store.sure`: nothing is while there is no route."""
        if self.database.is_away():
            self.doubt()
            raise OSError("there is no route to the store")
        return super().sure()

    def fail_next(self, commits: int) -> None:
        """Let the next `commits` commits fail with nothing stored, as on a full disk."""
        self.database.failures = commits

    def break_next(self, *, stored: bool) -> None:
        """Let the connection break during the next commit of entries that has none such yet.

        Its writer does not learn whether it was `stored`, and reads it back behind the barrier.
        """
        self.database.breaks.append(stored)

    def break_none(self) -> None:
        """No connection that was to break does."""
        self.database.breaks.clear()

    def crash(self) -> None:
        """Lose what is not synced. Calls under way never return: a dead process gets no answer.

        The simulation ends the dead server's tasks.
        """
        self._life += 1
        self._queue = asyncio.Lock()

    async def append(self, batch: Sequence[Append]) -> list[Answer]:
        async with self._turn_taken():
            life = self._life
            latency = self._latency() if self._latency else None
            if latency is not None:
                await asyncio.sleep(latency.sync)
                await self._live(life)
            answers = await super().append(batch)
            if latency is not None:
                await asyncio.sleep(latency.answer)
                await self._live(life)
            return answers

    async def read(
        self, query: Callable[Concatenate[Connection, _P], _T], *args: _P.args, **more: _P.kwargs
    ) -> _T:
        if self.read_seconds:
            await asyncio.sleep(self.read_seconds)
        async with self._turn_taken():
            return await super().read(query, *args, **more)

    async def write(
        self, change: Callable[Concatenate[Connection, _P], _T], *args: _P.args, **more: _P.kwargs
    ) -> _T:
        async with self._turn_taken():
            return await super().write(change, *args, **more)

    async def close(self) -> None:
        """See `Store.close`; the disk stays."""
        async with self._turn_taken():
            pass

    @asynccontextmanager
    async def _turn_taken(self) -> AsyncIterator[None]:
        """Wait for the turn; for ever, if the process dies meanwhile."""
        life = self._life
        async with self._queue:
            await self._live(life)
            yield

    async def _live(self, life: int) -> None:
        if life != self._life:
            await asyncio.get_running_loop().create_future()


class SimulatedNodes(Nodes, SimulatedStore):
    """The nodes of a database in memory."""
