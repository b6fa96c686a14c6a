"""One node of several: `bluebear serve --role engine`, `--role edge`, until it is told to end.

An engine hears edges at its link address and gives its rooms away before it ends; an edge is where
people connect. Either ends with code 3 when it was deposed, and is to be started anew.
"""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from pathlib import Path
from typing import Any, Final

from bluebear.rules import find_games
from bluebear.server.app import Outside
from bluebear.server.clock import SystemClock
from bluebear.server.config import Config
from bluebear.server.link.address import advertised_address, dial, hear, socket_at
from bluebear.server.link.wire import Ends, SocketLink
from bluebear.server.net.http import url_host
from bluebear.server.node import EdgeNode, EngineNode, Games, Joined
from bluebear.server.observe import log
from bluebear.server.resources import program_version
from bluebear.server.room.creation import read_pins
from bluebear.server.serving import (
    Told,
    drain,
    entry_hash,
    listen,
    open_metrics,
    settle,
    start_child,
)
from bluebear.server.store import Behind, Store
from bluebear.server.store.leases import Node
from bluebear.server.store.nodes import Nodes
from bluebear.server.store.postgres import PostgresStore, postgres_nodes
from bluebear.server.watch.control import Control
from bluebear.server.watch.exposition import Figure, gauge
from bluebear.server.watch.figures import free_share, report

DEPOSED: Final = 3
"""The exit code of a node that owns nothing any more."""


async def run(config: Config) -> int:
    """Be a node until told to end; the exit code. Raises NotOpened, OSError, NoSecret."""
    return await (_engine(config) if config.role == "engine" else _edge(config))


async def _engine(config: Config) -> int:
    told = Told()
    secret = read_secret(config.link_secret)
    found = find_games(config.games)
    nodes = postgres_nodes(config.store)
    heard = socket_at(config.listen)
    own = await nodes.join(
        config.node,
        role="engine",
        address=config.advertise or advertised_address(config.listen),
        version=program_version(),
    )
    store = PostgresStore(config.store, own)
    await store.open()
    node = EngineNode(_joined(config, store, found.games, nodes, own))
    await node.open()
    server = await hear(heard, lambda: node.accepts(secret))
    app = node.app
    health = partial(_health, node, len(found.broken), store.settings, store.behind)
    transport = app.listener(health)
    private = await transport.open_private()
    child = start_child(app, private) if config.house else None
    figures_port = await open_metrics(app, config, lambda: _figures(node))
    log(logging.INFO, "engine", node=own.id, address=config.listen, games=settle(found.games))
    ends = (told.stop.wait(), node.life.drain.wait(), node.over.wait())
    try:
        await _first_of(*ends)
        if not node.over.is_set() and not told.at_once.is_set():
            log(logging.INFO, "giving rooms away", rooms=len(app.engine.live))
            await _first_of(node.drain(), told.at_once.wait(), node.over.wait())
    finally:
        if child is not None:
            child.cancel()
            await asyncio.gather(child, return_exceptions=True)
        server.close()
        await node.close()
        await transport.close()
        if figures_port is not None:
            await figures_port.close()
        log(logging.INFO, "stopped", deposed=node.over.is_set())
    return DEPOSED if node.over.is_set() else 0


async def _edge(config: Config) -> int:
    told = Told()
    secret = read_secret(config.link_secret)
    found = find_games(config.games)
    nodes = postgres_nodes(config.store)
    own = await nodes.join(config.node, role="edge", address="", version=program_version())
    store = PostgresStore(config.store, own)
    await store.open()

    async def call(address: str, ends: Ends) -> None:
        await dial(address, lambda: SocketLink(ends, own.id, secret, dials=True))

    joined = _joined(config, store, found.games, nodes, own, await entry_hash(config))
    node = EdgeNode(joined, call)
    await node.open()
    app = node.app
    health = partial(_health, node, len(found.broken), store.settings, store.behind)
    transport = app.listener(health)
    port = await listen(transport, config)
    if not config.public_url:
        app.resources.public_url = f"http://{url_host(config.host, port)}"
    figures_port = await open_metrics(app, config, lambda: _figures(node))
    control = Control(config.data, app.features.control)
    await control.open()
    log(logging.INFO, "edge", node=own.id, port=port, games=settle(found.games))
    try:
        await _first_of(told.stop.wait(), node.life.drain.wait(), node.over.wait())
        if not node.over.is_set():
            await drain(app, config.drain, told)
    finally:
        await control.close()
        await node.close()
        await transport.close()
        if figures_port is not None:
            await figures_port.close()
        log(logging.INFO, "stopped", deposed=node.over.is_set())
    return DEPOSED if node.over.is_set() else 0


def _joined(
    config: Config, store: Store, games: Games, nodes: Nodes, own: Node, entry_hash: str = ""
) -> Joined:
    """What a node is made of in a process of its own."""
    return Joined(
        config,
        store,
        games,
        SystemClock(),
        nodes,
        own,
        pins=read_pins(config.offered, config.pinned, games),
        entry_hash=entry_hash,
        outside=Outside(meter=time.thread_time, free=lambda: free_share(config.data)),
    )


async def _first_of(*ends: Any) -> None:  # Any: coroutines of whatever
    """Wait until one of them is over; the others are cancelled."""
    tasks = [asyncio.ensure_future(each) for each in ends]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _health(
    node: EngineNode | EdgeNode,
    broken: int,
    settings: Any,
    behind: Behind | None,
) -> dict[str, Any]:  # Any: a plain tree
    """What this node says of itself, and of the whole as it knows it."""
    tree = report(node.app, broken, settings, behind)
    troubles = [*tree["troubles"], *node.troubles()]
    shown = [
        {"name": each.name, "role": each.role, "state": each.state, "version": each.version}
        for each in node.life.living
    ]
    return {**tree, "ok": not troubles, "troubles": troubles, "node": node.node.id, "nodes": shown}


def _figures(node: EngineNode | EdgeNode) -> list[Figure]:
    counted: dict[tuple[str, ...], float] = {}
    for each in node.life.living:
        key = each.role, each.state
        counted[key] = counted.get(key, 0.0) + 1.0
    nodes = Figure("nodes", "gauge", "processes that live", ("role", "state"), counted)
    return [nodes, gauge("links", "open links to other processes", node.links)]


SECRET_LEAST: Final = 16
"""Bytes of a secret, at least: who can guess it is one of us."""


class NoSecret(Exception):
    """The file of the links' secret is missing, or too short to be one."""


def read_secret(path: Path) -> bytes:
    """The secret that our processes share. Raises NoSecret."""
    try:
        secret = path.read_bytes().strip()
    except OSError as problem:
        raise NoSecret(str(path)) from problem
    if len(secret) < SECRET_LEAST:
        raise NoSecret(str(path))
    return secret
