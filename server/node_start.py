"""Joins the nodes of a database, as the last step of a node's start before it takes rooms."""

from __future__ import annotations

import asyncio
from typing import Final

from bluebear.server.cluster.bus import PostgresBus
from bluebear.server.config import Config
from bluebear.server.node import ClusterNode
from bluebear.server.resources import program_version
from bluebear.server.store import NotOpened
from bluebear.server.store.leases import LEASE_SECONDS, Node, Nodes
from bluebear.server.store.postgres import PostgresStore, postgres_nodes

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
