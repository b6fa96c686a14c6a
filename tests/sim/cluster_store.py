"""The store of a simulated cluster: remote, checked, and at times of unknown result.

Each call of a node takes a while, and calls run one after another. While there is `doubt`, some
break with their connection: they were done and the node does not learn it, or are done later, or
never.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from contextvars import Context
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeVar

from bluebear.server.store import JournalError, NotSaved, StreamId
from bluebear.server.store.judge import Judged
from bluebear.server.store.nodes import Owner, State
from tests.support.memory_nodes import MemoryCluster, MemoryNodes
from tests.support.memory_store import Latencies, MemoryJournal

T = TypeVar("T")

_DELAY_SECONDS: Final = 0.003
"""One way to the store takes up to so long."""
_BREAKS: Final = 0.3
"""The number of calls without a known result while there is doubt."""
_LATE: Final = 0.4
"""How many of those are done later, within `_LATE_SECONDS`."""
_LATE_SECONDS: Final = 0.6


@dataclass(slots=True)
class Shared(MemoryCluster):
    """What nodes share; `faults` is what no store may see.

    Those are entries of a room by who does not own it, and epochs that two have had.
    """

    faults: list[str] = field(default_factory=list)
    late: set[asyncio.Task[None]] = field(default_factory=set)
    """Calls that their callers have given up."""
    _epochs: dict[tuple[StreamId, int], str] = field(default_factory=dict)
    _robbed: dict[str, asyncio.Event] = field(default_factory=dict)

    async def robbed(self, node: str) -> None:
        """Wait until a room of a node is another's."""
        await self._robbed.setdefault(node, asyncio.Event()).wait()

    def takes(self, room: StreamId) -> None:
        """A room is about to be another node's."""
        claim = self.claims.get(room)
        if claim is not None and claim.node in self._robbed:
            self._robbed.pop(claim.node).set()

    def written(self, stream: StreamId, seq: int, node: str) -> None:
        """A node has written an entry of a room."""
        claim = self.claims.get(stream)
        if not self.lives(node):
            self.faults.append(f"{stream}: {node} wrote {seq}, and was deposed before")
        elif claim is None or claim.node != node:
            owner = "nobody" if claim is None else claim.node or "nobody"
            self.faults.append(f"{stream}: {node} wrote {seq}, and the room is of {owner}")
        elif self._epochs.setdefault((stream, claim.epoch), node) != node:
            self.faults.append(f"{stream}: epoch {claim.epoch} has had two owners")


class WatchedJournal(MemoryJournal):
    """How one node writes to the shared disk."""

    def __init__(self, shared: Shared, nodes: MemoryNodes, latency: Latencies) -> None:
        super().__init__(latency, disk=shared.disk, fence=nodes)
        self._shared = shared
        self._nodes = nodes

    def break_none(self) -> None:
        """No connection that was to break does."""
        self._breaks.clear()

    def _commit(self, judged: Judged) -> None:
        before = {each.entry.stream: self.disk.head(each.entry.stream) for each, _ in judged.fresh}
        try:
            super()._commit(judged)
        finally:
            for stream, head in before.items():
                if self.disk.head(stream) > head and stream.isdigit():
                    self._shared.written(stream, head + 1, self._nodes.node)


class FarNodes(MemoryNodes):
    """A node's way to the others: each call takes a while, and they follow each other."""

    def __init__(self, shared: Shared, chance: random.Random) -> None:
        super().__init__(shared)
        self.doubt = False
        self._shared = shared
        self._chance = chance
        self._turn = asyncio.Lock()

    def use(self, chance: random.Random) -> None:
        """Let another chance say what happens."""
        self._chance = chance

    async def _far(self, call: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Do something in the store; it takes a while until it is done, and until that is known."""
        async with self._turn:
            await asyncio.sleep(self._chance.uniform(0, _DELAY_SECONDS))
            broken = self.doubt and self._chance.random() < _BREAKS
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
        async with self._turn:
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

    def _take(self, room: StreamId, node: str) -> int:
        self._shared.takes(room)
        return super()._take(room, node)

    async def beat(self) -> State:
        """See `Nodes.beat`."""
        return await self._near(super().beat)

    async def depose(self, node: str, generation: int) -> bool:
        """See `Nodes.depose`."""
        return await self._far(partial(super().depose, node, generation))

    async def owner(self, room: StreamId) -> Owner | None:
        """See `Nodes.owner`."""
        return await self._near(partial(super().owner, room))

    async def claim(self, room: StreamId) -> int | None:
        """See `Nodes.claim`."""
        return await self._far(partial(super().claim, room))

    async def claim_due(self, now: int, limit: int) -> Mapping[StreamId, int]:
        """See `Nodes.claim_due`."""
        return await self._far(partial(super().claim_due, now, limit))

    async def give(
        self, room: StreamId, to: str, epoch: int, handover_state: bytes = b""
    ) -> int | None:
        """See `Nodes.give`."""
        return await self._far(partial(super().give, room, to, epoch, handover_state))

    async def release(self, room: StreamId, epoch: int, handover_state: bytes = b"") -> bool:
        """See `Nodes.release`."""
        return await self._far(partial(super().release, room, epoch, handover_state))
