"""One node among several over one store: a whole server that shares its rooms out with the peers.

What listens, and which signals end it, is decided by the owner of the node: a process
(`bluebear.server.__main__`), or a simulation.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import msgspec

from bluebear.server.app import App
from bluebear.server.cluster.bus import Bus, PostgresBus
from bluebear.server.cluster.life import Life
from bluebear.server.cluster.peers import Peers
from bluebear.server.cluster.room_leases import ClusterLeases, Drain, Membership
from bluebear.server.cluster.server_status import REPORT_SECONDS
from bluebear.server.config import Config, program_version
from bluebear.server.ops.nodes import unreached
from bluebear.server.runtime import Tasks, log
from bluebear.server.store import JournalError, NotOpened, Store, leases
from bluebear.server.store.leases import LEASE_SECONDS, Living, Node, Nodes
from bluebear.server.store.postgres import PostgresStore, postgres_nodes

CHECK_SECONDS: Final = 60.0
"""Between two checks of the addresses of all nodes."""


class ClusterNode:
    """Owned by its process. Give its `membership` to an `App`, and that to `open`.

    `over` is set when the node owns nothing any more and is to be started anew.
    """

    def __init__(self, nodes: Nodes, node: Node, address: str, store: Store, bus: Bus) -> None:
        self.node, self.nodes, self.bus = node, nodes, bus
        self.name = node.id.rpartition(".")[0]
        self.over = asyncio.Event()
        self.app: App
        self._tasks = Tasks()
        self._late: set[str] = set()
        self._report_at = 0.0
        self.life = Life(nodes, node.id, self)
        self.leases = ClusterLeases(nodes, store, node.id, address, self.life)
        self._peers = Peers(bus, self._tasks, node.id, nodes)
        self.membership = Membership(self.leases, self._peers, self.life)

    async def open(self, app: App) -> None:
        """Live from now on. Raises NotRead and NotSaved."""
        self.app = app
        app.writer.on_deposed = self.deposed
        await app.open()
        self.life.start()
        if app.config.public_url:
            self._tasks.start(self._check_addresses(app.config.public_url))

    async def look(self, living: Sequence[Living]) -> None:
        """See `LivingNode`."""
        self._peers.look(living)
        now = asyncio.get_running_loop().time()
        if now >= self._report_at:
            self._report_at = now + REPORT_SECONDS
            stats = msgspec.json.encode(self.app.share()).decode()
            await self.nodes.change(leases.report, stats)
        late = self.life.late()
        for each in (each for each in living if each.id in late - self._late):
            await self.leases.note_late(each)
        self._late = late

    async def _check_addresses(self, public_url: str) -> None:
        """Every minute, check that the proxy leads to each node."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            addresses = {each.name: each.address for each in self.life.living}
            now = await unreached(public_url, addresses)
            before, self.membership.unreached = self.membership.unreached, now
            for name in now.keys() - before.keys():
                log(logging.WARNING, "node not reached", name=name, why=now[name])

    def deposed(self) -> None:
        """See `LivingNode`: end, and send all clients away."""
        if not self.over.is_set():
            self.over.set()
            self.app.engine.stop()
            self.app.dispatcher.send_bye(0)

    async def drain(self) -> None:
        """Take no more rooms, and give all to other nodes; those that no node takes stay."""
        self.app.engine.back_ms = 1
        self.life.drain.set()
        with suppress(JournalError):
            await self.nodes.store.write(leases.drain, self.name)
        await Drain(self.app.engine, self.leases).give_all()

    async def close(self) -> None:
        """End: what is left is stored, and any node may have it."""
        await self.life.close()
        await self.app.close()
        await self._tasks.close()
        await self.bus.close()
        with suppress(JournalError):
            await self.nodes.change(leases.leave)
        await self.nodes.store.close()


RETRY_SECONDS: Final = 0.25


async def join(config: Config) -> tuple[ClusterNode, PostgresStore]:
    """Join under the name of the settings. Raises NotOpened: journal_unusable, and node_lives where
    a node of this name goes on beating for longer than one that was killed could seem to.
    """
    address = config.node_url or f"/n/{config.node}/ws"
    bus, nodes = PostgresBus(config.store), postgres_nodes(config.store)
    await bus.open()
    node = await _joined(nodes, config.node, address)
    store = PostgresStore(config.store, node)
    await store.open()
    return ClusterNode(nodes, node, address, store, bus), store


async def _joined(nodes: Nodes, name: str, address: str) -> Node:
    loop = asyncio.get_running_loop()
    until = loop.time() + 2 * LEASE_SECONDS
    while True:
        try:
            return await nodes.join(name, address=address, version=program_version())
        except NotOpened as problem:
            if problem.code != "node_lives" or loop.time() > until:
                raise
        await asyncio.sleep(RETRY_SECONDS)
