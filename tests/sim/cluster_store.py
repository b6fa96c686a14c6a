"""The store of a simulated cluster: far away, watched, and at times nobody knows what became of it.

Each call of a node takes a while, before it is done and after. While there is `doubt`, some that
were done are answered as if they had not been: the connection broke.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from server.journal import MemoryJournal, NotSaved, StreamId
from server.journal.fence import Judged
from server.journal.memory import Latencies
from server.journal.memory_nodes import MemoryCluster, MemoryNodes
from server.journal.nodes import Owner, State

T = TypeVar("T")

_WAY_SECONDS: Final = 0.003
"""One way to the store takes up to so long."""
_BREAKS: Final = 0.3
"""How many calls nobody knows the end of, while there is doubt."""


@dataclass(slots=True)
class Shared(MemoryCluster):
    """What nodes share; `faults` is what no store may see.

    Those are entries of a room by who does not own it, and epochs that two have had.
    """

    faults: list[str] = field(default_factory=list)
    _epochs: dict[tuple[StreamId, int], str] = field(default_factory=dict)

    def written(self, stream: StreamId, seq: int, node: str) -> None:
        """A node has written an entry of a room."""
        claim = self.claims.get(stream)
        if claim is None or claim.node != node:
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
    """A node's way to the others: each call takes a while."""

    def __init__(self, shared: Shared, chance: random.Random) -> None:
        super().__init__(shared)
        self.doubt = False
        self._chance = chance

    async def _far(self, call: Coroutine[Any, Any, T], *, writes: bool = True) -> T:
        try:
            await asyncio.sleep(self._chance.uniform(0, _WAY_SECONDS))
        except BaseException:
            call.close()
            raise
        done = await call
        await asyncio.sleep(self._chance.uniform(0, _WAY_SECONDS))
        if writes and self.doubt and self._chance.random() < _BREAKS:
            raise NotSaved("the connection broke", certain=False)
        return done

    async def beat(self) -> State:
        """See `Nodes.beat`."""
        return await self._far(super().beat())

    async def depose(self, node: str, generation: int) -> bool:
        """See `Nodes.depose`."""
        return await self._far(super().depose(node, generation))

    async def owner(self, room: StreamId) -> Owner | None:
        """See `Nodes.owner`."""
        return await self._far(super().owner(room), writes=False)

    async def claim(self, room: StreamId) -> int | None:
        """See `Nodes.claim`."""
        return await self._far(super().claim(room))

    async def claim_due(self, now: int, limit: int) -> Mapping[StreamId, int]:
        """See `Nodes.claim_due`."""
        return await self._far(super().claim_due(now, limit))

    async def give(self, room: StreamId, to: str, epoch: int, carried: bytes = b"") -> int | None:
        """See `Nodes.give`."""
        return await self._far(super().give(room, to, epoch, carried))

    async def release(self, room: StreamId, epoch: int, carried: bytes = b"") -> bool:
        """See `Nodes.release`."""
        return await self._far(super().release(room, epoch, carried))
