"""The heartbeats of a node: sends its own, reads those of the others, deposes the silent ones."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Final, Protocol

from bluebear.server.runtime import count, log
from bluebear.server.store import Deposed, JournalError, leases
from bluebear.server.store.leases import BEAT_SECONDS, LEASE_SECONDS, Living, Nodes

LATE_SECONDS: Final = 1.5
"""A node without a heartbeat for so long is late; `/healthz` says so."""


class LivingNode(Protocol):
    """What lives by heartbeats: the node of this process."""

    async def look(self, living: Sequence[Living]) -> None:
        """A heartbeat was sent; these nodes live."""

    def deposed(self) -> None:
        """The node has been deposed; no heartbeat follows."""


class Life:
    """Owned by the node."""

    def __init__(self, nodes: Nodes, node: str, owner: LivingNode) -> None:
        self._nodes = nodes
        self._node = node
        self._owner = owner
        self._task: asyncio.Task[None] | None = None
        self.drain = asyncio.Event()
        """Set when an operator has asked this node to give its rooms away and end."""
        self.beat_at = 0.0
        self.living: Sequence[Living] = ()
        """The living nodes, as read after the last heartbeat."""

    def start(self) -> None:
        """Send heartbeats from now on."""
        self.beat_at = asyncio.get_running_loop().time()
        self._task = asyncio.get_running_loop().create_task(self._live())

    async def close(self) -> None:
        """Send no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    @property
    def is_late(self) -> bool:
        """Whether this node is late."""
        return asyncio.get_running_loop().time() - self.beat_at > LATE_SECONDS

    def late(self) -> set[str]:
        """The ids of the late nodes."""
        return {each.id for each in self.living if (each.beat_seconds or 0.0) > LATE_SECONDS}

    async def _live(self) -> None:
        while True:
            try:
                if await self._nodes.change(leases.beat) == "draining":
                    self.drain.set()
                self.beat_at = asyncio.get_running_loop().time()
                self.living = living = await self._nodes.read(leases.living)
                await self._bury(living)
                await self._owner.look(living)
            except Deposed as problem:
                log(logging.ERROR, "this node was deposed", why=str(problem))
                count("nodes.deposed")
                self._owner.deposed()
                return
            except JournalError as problem:
                log(logging.WARNING, "no beat", why=str(problem))
            await asyncio.sleep(BEAT_SECONDS)

    async def _bury(self, living: Sequence[Living]) -> None:
        """Depose silent nodes; the store decides whether that may be."""
        for each in living:
            silent = each.beat_seconds is None or each.beat_seconds > LEASE_SECONDS
            if silent and each.id != self._node:
                if await self._nodes.change(leases.depose, each.id, each.generation):
                    log(logging.WARNING, "node deposed", node=each.id, name=each.name)
                    count("nodes.buried")
