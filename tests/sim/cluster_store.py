"""The store of a simulated cluster: remote, checked, and at times of unknown result.

Each call of a node takes a while, and calls run one after another. While it `is_doubtful`, some
break with their connection: they were done and the node does not learn it, or are done later, or
never.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from contextlib import suppress
from contextvars import Context
from functools import partial
from typing import Any, Final, TypeVar

from bluebear.server.store import JournalError, NotSaved, StreamId, leases
from bluebear.server.store.leases import Node
from bluebear.server.store.postgres import STATEMENT_SECONDS
from tests.support.simulated_store import (
    FaultyDatabase,
    Latencies,
    MemoryDisk,
    SimulatedNodes,
    SimulatedStore,
)

T = TypeVar("T")

_DELAY_SECONDS: Final = 0.003
"""One way to the store takes up to so long."""
_BREAKS: Final = 0.3
"""The number of calls without a known result while there is doubt."""
_LATE: Final = 0.4
"""How many of those are done later, within `_LATE_SECONDS`."""
_LATE_SECONDS: Final = 0.6


_OWNER: Final = """
SELECT owner.node, owner.epoch, node.state FROM owner
LEFT JOIN node ON node.id = owner.node WHERE owner.room = ?"""
_ROBBED: Final = """
CREATE TEMP TRIGGER robbed AFTER UPDATE OF node ON owner
WHEN old.node IS NOT NULL AND new.node IS NOT old.node BEGIN SELECT robbed(old.node); END"""


class Shared:
    """What nodes share; `faults` is what no store may see.

    Those are entries of a room by who does not own it, and epochs that two have had.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self.disk = MemoryDisk(now)
        self.faults: list[str] = []
        self.late: set[asyncio.Task[None]] = set()
        """Calls that their callers have given up."""
        self._epochs: dict[tuple[StreamId, int], str] = {}
        self._robbed: dict[str, asyncio.Event] = {}
        self.disk.driver.create_function("robbed", 1, self._takes)
        self.disk.driver.execute(_ROBBED)

    async def robbed(self, node: str) -> None:
        """Wait until a room of a node is another's."""
        await self._robbed.setdefault(node, asyncio.Event()).wait()

    def _takes(self, node: str) -> None:
        """A room of a node is another's."""
        if node in self._robbed:
            self._robbed.pop(node).set()

    def owner(self, room: StreamId) -> str | None:
        """The node that owns a room."""
        rows = self.disk.rows(_OWNER, room)
        return str(rows[0][0]) if rows and rows[0][0] else None

    def written(self, stream: StreamId, seq: int, node: str) -> None:
        """A node has written an entry of a room."""
        rows = self.disk.rows(_OWNER, stream)
        owner, epoch, _ = rows[0] if rows else (None, 0, "")
        [state] = self.disk.rows("SELECT state FROM node WHERE id = ?", node) or [("dead",)]
        if state == ("dead",):
            self.faults.append(f"{stream}: {node} wrote {seq}, and was deposed before")
        elif owner != node:
            self.faults.append(f"{stream}: {node} wrote {seq}, and the room is of {owner}")
        elif self._epochs.setdefault((stream, epoch), node) != node:
            self.faults.append(f"{stream}: epoch {epoch} has had two owners")


class WatchedDatabase(FaultyDatabase):
    """The shared database as one node writes it; each commit is looked at."""

    def __init__(self, shared: Shared, node: Node) -> None:
        super().__init__(shared.disk, node)
        self._shared = shared

    def commit(self) -> None:
        """See `Database.commit`."""
        fresh = [append.entry for append, _ in self._fresh]
        try:
            super().commit()
        finally:
            for entry in fresh if not self.driver.in_transaction else ():
                if entry.stream.isdigit() and self.node is not None:
                    self._shared.written(entry.stream, entry.seq, self.node.id)


class FarNodes(SimulatedNodes):
    """A node's route to the others: each call takes a while, and they follow each other."""

    def __init__(self, shared: Shared, chance: random.Random) -> None:
        super().__init__(disk=shared.disk)
        self.patience, self.database.is_away = STATEMENT_SECONDS, lambda: self.is_cut
        self.is_cut = False
        self.is_doubtful = False
        self._shared = shared
        self._chance = chance
        self._route = asyncio.Lock()

    def journal(self, node: Node, latency: Latencies) -> SimulatedStore:
        """What this node writes through, once it has joined."""
        store = SimulatedStore(latency, database=WatchedDatabase(self._shared, node))
        store.patience, store.database.is_away = STATEMENT_SECONDS, lambda: self.is_cut
        return store

    def use(self, chance: random.Random) -> None:
        """Let another chance say what happens."""
        self._chance = chance

    async def _far(self, call: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Do something in the store; it takes a while until it is done, and until that is known."""
        async with self._route:
            await asyncio.sleep(self._chance.uniform(0, _DELAY_SECONDS))
            broken = self.is_doubtful and self._chance.random() < _BREAKS
            if broken and self._chance.random() < _LATE:
                self._later(call)
                raise NotSaved("the connection broke", certain=False)
            done = await call()
            await asyncio.sleep(self._chance.uniform(0, _DELAY_SECONDS))
        if broken:
            raise NotSaved("the connection broke", certain=False)
        return done

    async def _near(self, call: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The same for calls whose time makes no difference to any test."""
        async with self._route:
            await asyncio.sleep(self._chance.uniform(0, 2 * _DELAY_SECONDS))
        return await call()

    def _later(self, call: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """The store has got a call that its caller has given up, and does it after a while."""

        async def done() -> None:
            await asyncio.sleep(self._chance.uniform(0, _LATE_SECONDS))
            with suppress(JournalError):
                await call()

        task = asyncio.get_running_loop().create_task(done(), context=Context())
        self._shared.late.add(task)
        task.add_done_callback(self._shared.late.discard)

    async def read(self, query: Any, *args: Any, **more: Any) -> Any:  # Any: see `Store`
        """See `Store.read`."""
        call = partial(super().read, query, *args, **more)
        return await (self._near(call) if query is leases.owner else call())

    async def change(self, change: Any, *args: Any, **more: Any) -> Any:  # Any: see `Nodes`
        """See `Nodes.change`."""
        call = partial(super().change, change, *args, **more)
        if change is leases.beat:
            return await self._near(call)
        return await (self._far(call) if change in _FAR else call())


_FAR: Final = (leases.depose, leases.claim, leases.claim_due, leases.give, leases.release)
"""What a node changes for others: at times with an unknown result."""
