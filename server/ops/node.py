"""One node among several over one store: a whole server that shares its rooms out with the peers.

`bluebear nodes`: which nodes serve a database, and whether their addresses lead to them.
`bluebear drain NODE`: one gives its rooms to others and ends; no game is lost by it.

What listens, and which signals end it, is decided by the owner of the node: a process
(`bluebear.server.__main__`), or a simulation.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import os
import secrets
import sys
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import suppress
from http.client import HTTPException
from typing import Any, Final, TypeAlias, TypeVar
from urllib.error import HTTPError
from urllib.parse import urljoin
from urllib.request import urlopen

import asyncpg
import msgspec

from bluebear.server.app import App
from bluebear.server.cluster.news import REPORT_SECONDS
from bluebear.server.cluster.peers import Bus
from bluebear.server.cluster.room_leases import Membership, give_all
from bluebear.server.config import Config, Parser, program_version
from bluebear.server.runtime import Tasks, count, log
from bluebear.server.sentences import FAILED, UNUSABLE, print_sentence
from bluebear.server.store import JournalError, NotOpened, Store, leases
from bluebear.server.store.leases import LEASE_SECONDS, Living, Node, Nodes
from bluebear.server.store.postgres import DRIVER_FAILED, PostgresStore, connect, postgres_nodes

CHECK_ADDRESSES_SECONDS: Final = 60.0
"""Between two checks of the addresses of all nodes."""


class ClusterNode(Membership):
    """Owned by its process. Give it to an `App`, and that to `open`.

    `over` is set when the node owns nothing any more and is to be started anew.
    """

    def __init__(self, nodes: Nodes, node: Node, address: str, store: Store, bus: Bus) -> None:
        super().__init__(nodes, node, address, store, bus)
        self.name = node.id.rpartition(".")[0]
        self.over = asyncio.Event()
        self.app: App
        self._report_at = 0.0

    async def open(self, app: App) -> None:
        """Live from now on. Raises NotRead and NotSaved."""
        self.app = app
        app.writer.on_deposed = self.deposed
        await app.open()
        self.start()
        self.tasks.start(self._check_addresses())

    async def look(self) -> None:
        await super().look()
        now = asyncio.get_running_loop().time()
        if now >= self._report_at:
            self._report_at = now + REPORT_SECONDS
            stats = msgspec.json.encode(self.app.share()).decode()
            await self.nodes.change(leases.report, stats)

    async def _check_addresses(self) -> None:
        while True:
            await asyncio.sleep(CHECK_ADDRESSES_SECONDS)
            await self.find_unreached()

    async def find_unreached(self) -> None:
        """Check that the proxy leads to each node, where its address is set."""
        if public_url := self.app.config.public_url:
            addresses = {each.name: each.address for each in self.living}
            now = await unreached(public_url, addresses)
            before, self.unreached = self.unreached, now
            for name in now.keys() - before.keys():
                log(logging.WARNING, "node not reached", name=name, why=now[name])

    def deposed(self) -> None:
        """End, and send all clients away."""
        if not self.over.is_set():
            self.over.set()
            self.app.engine.stop()
            self.app.dispatcher.send_bye(0)

    async def drain(self) -> None:
        """Take no more rooms, and give all to nodes that clients reach; what none takes stays."""
        self.app.engine.back_ms = 1
        self.drain_requested.set()
        with suppress(JournalError):
            await self.nodes.write(leases.drain, self.name)
        await self.find_unreached()
        await give_all(self.app.engine, self)

    async def close(self) -> None:
        """End: what is left is stored, and any node may have it."""
        await self.stop()
        await self.app.close()
        await self.tasks.close()
        await self.peers.bus.close()
        with suppress(JournalError):
            await self.nodes.change(leases.leave)
        await self.nodes.close()


CHANNEL: Final = "bluebear"
VERSION: Final = "3"
"""Of the text of a notification; others are passed over."""
SECTION_CHARS: Final = 7_000
"""PostgreSQL takes notifications below 8,000 bytes: a longer message goes in several."""
WAITING_MAX: Final = 10_000
"""Notifications that wait to be sent; more are dropped, and counted."""
STATEMENT_SECONDS: Final = 2.0
CHECK_SECONDS: Final = 5.0
"""How often the receiving connection is asked whether it lives."""
RETRY_SECONDS: Final = 0.5

_Connection: TypeAlias = "asyncpg.Connection[Any]"  # Any: the record class, the library's own


class PostgresBus(Bus):
    """The `Bus` of the database at `url`, by LISTEN and NOTIFY. `open` it first.

    It has connections of its own: to notify inside a transaction of the journal would make its
    commits wait for each other.
    """

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        self._node = secrets.token_hex(4)
        self._waiting: list[str] = []
        self._stirred = asyncio.Event()
        self._receiving: _Connection | None = None
        self._tasks = Tasks()
        self._number = 0
        self._sections: dict[str, list[str]] = {}
        """The number of the newest message of each other node, and what has come of it."""

    async def open(self) -> None:
        """Receive from now on. Raises NotOpened."""
        try:
            self._receiving = await self._receiver()
        except DRIVER_FAILED as error:
            raise NotOpened("journal_unusable", str(error)) from error
        self._tasks.start(self._receive())
        self._tasks.start(self._send())

    async def close(self) -> None:
        await self._tasks.close()
        if self._receiving is not None:
            self._receiving.terminate()

    def say(self, body: bytes) -> None:
        text = base64.b85encode(body).decode()
        starts = range(0, max(1, len(text)), SECTION_CHARS)
        if len(self._waiting) + len(starts) > WAITING_MAX:
            count("bus.dropped")
            return
        self._number += 1
        for index, start in enumerate(starts):
            # Numbered: of equal notifications in one statement PostgreSQL delivers one.
            head = f"{VERSION} {self._node} {self._number} {index} {len(starts)}"
            self._waiting.append(f"{head} {text[start : start + SECTION_CHARS]}")
        self._stirred.set()

    async def _send(self) -> None:
        connection: _Connection | None = None
        try:
            while True:
                await self._stirred.wait()
                self._stirred.clear()
                texts, self._waiting = self._waiting, []
                try:
                    if connection is None or connection.is_closed():
                        connection = await connect(self._url)
                        await connection.execute("SET synchronous_commit = off")
                    statement = "SELECT pg_notify($1, each) FROM unnest($2::text[]) AS each"
                    await connection.execute(statement, CHANNEL, texts, timeout=STATEMENT_SECONDS)
                except (*DRIVER_FAILED, NotOpened) as problem:
                    # Perhaps they were sent; who gets them twice has counted them.
                    count("bus.not_sent")
                    log(logging.WARNING, "messages not sent", count=len(texts), why=str(problem))
                    self._waiting = [*texts, *self._waiting]
                    await asyncio.sleep(RETRY_SECONDS)
                    self._stirred.set()
        finally:
            if connection is not None:
                connection.terminate()

    async def _receiver(self) -> _Connection:
        connection = await connect(self._url)
        await connection.add_listener(CHANNEL, self._notified)
        return connection

    async def _receive(self) -> None:
        while True:
            if (connection := self._receiving) is not None:
                with suppress(*DRIVER_FAILED):
                    while not connection.is_closed():
                        await asyncio.sleep(CHECK_SECONDS)
                        await connection.execute("SELECT 1", timeout=STATEMENT_SECONDS)
                connection.terminate()
            try:
                self._receiving = await self._receiver()
            except (*DRIVER_FAILED, NotOpened) as problem:
                log(logging.WARNING, "no messages of other nodes", why=str(problem))
                self._receiving = None
                await asyncio.sleep(RETRY_SECONDS)
            else:
                self.look_again()

    def _notified(self, *given: object) -> None:
        version, node, number, index, total, section = str(given[3]).split(" ", 5)
        if version != VERSION or node == self._node:
            return
        if index == "0":
            self._sections[node] = [number]
        sections = self._sections.get(node, [""])
        if sections[0] != number or len(sections) != int(index) + 1:
            return  # one before it was missed
        sections.append(section)
        if len(sections) == int(total) + 1:
            self.received(base64.b85decode("".join(sections[1:])))


JOIN_RETRY_SECONDS: Final = 0.25


async def join(config: Config) -> tuple[ClusterNode, PostgresStore]:
    """Join under the name of the settings. Raises NotOpened: journal_unusable, and node_lives where
    a node of this name goes on beating for longer than one that was killed could seem to.
    """
    address = config.node_url or f"/n/{config.node}/ws"
    bus, nodes = PostgresBus(config.store), postgres_nodes(config.store)
    await bus.open()
    loop = asyncio.get_running_loop()
    until, node = loop.time() + 2 * LEASE_SECONDS, None
    while node is None:
        try:
            node = await nodes.join(config.node, address=address, version=program_version())
        except NotOpened as problem:
            if problem.code != "node_lives" or loop.time() > until:
                raise
            await asyncio.sleep(JOIN_RETRY_SECONDS)
    store = PostgresStore(config.store, node)
    await store.open()
    return ClusterNode(nodes, node, address, store, bus), store


ANSWER_SECONDS: Final = 2.0
_MAX_BYTES: Final = 65_536


async def unreached(public_url: str, addresses: Mapping[str, str]) -> dict[str, str]:
    """The names of the nodes at whose addresses another node replies, or none, and the reasons.

    `addresses` are those of `/ws`, by name; relative ones are below `public_url`.
    """
    names = sorted(addresses)
    urls = (health_url(public_url, addresses[each]) for each in names)
    checks = (asyncio.to_thread(_why_not, *each) for each in zip(names, urls, strict=True))
    reasons = zip(names, await asyncio.gather(*checks), strict=True)
    return {name: why for name, why in reasons if why}


def health_url(public_url: str, address: str) -> str:
    """Where a node reports its health.

    >>> health_url("https://example.org", "/n/a/ws")
    'https://example.org/n/a/healthz'
    >>> health_url("https://example.org", "wss://a.example.org/ws")
    'https://a.example.org/healthz'
    """
    url = urljoin(f"{public_url}/", address)
    url = f"http{url[2:]}" if url.startswith("ws") else url
    return f"{url.removesuffix('ws')}healthz"


def _why_not(name: str, url: str) -> str:
    """Why a node is not reached; "" if it is."""
    try:
        node = str(json.loads(_body(url))["node"])
    except (OSError, HTTPException, ValueError, LookupError, TypeError) as problem:
        return str(problem) or type(problem).__name__
    return "" if node.rpartition(".")[0] == name else f"{node} replies"


def _body(url: str) -> bytes:
    """What a URL returns, also with an error's status: a node that is not well is reached."""
    try:
        with urlopen(url, timeout=ANSWER_SECONDS) as reply:
            return bytes(reply.read(_MAX_BYTES))
    except HTTPError as error:
        return error.read(_MAX_BYTES)


_T = TypeVar("_T")


def main(argv: Sequence[str]) -> int:
    """List the nodes of a database, or drain one. `argv[0]` is the command word.

    Returns 0; 1 if there is no such node or one is not reached, 2 if the database cannot be asked,
    with a sentence.
    """
    parser = Parser(argv[0], os.environ)
    if argv[0] == "drain":
        parser.add("node")
    else:
        parser.add("--check", metavar="https://...")
    parser.store()
    given = parser.parse_args(argv[1:])
    if not given.store:
        return print_sentence(UNUSABLE, "serve.no_store")
    nodes = postgres_nodes(given.store)
    try:
        if argv[0] == "drain":
            done = asyncio.run(_closed(nodes, nodes.write(leases.drain, given.node)))
            key = "serve.node_drains" if done else "serve.node_unknown"
            return print_sentence(0 if done else FAILED, key, name=given.node)
        living = asyncio.run(_closed(nodes, _living(nodes)))
        if not given.check:
            return _show(living)
        addresses = {each.name: each.address for each, _ in living}
        if reasons := asyncio.run(unreached(given.check.rstrip("/"), addresses)):
            names = ", ".join(f"{name} ({why})" for name, why in reasons.items())
            return print_sentence(FAILED, "serve.nodes_unreached", names=names, url=given.check)
        return print_sentence(0, "serve.nodes_reached", names=", ".join(addresses), url=given.check)
    except JournalError as problem:
        print(problem, file=sys.stderr)
        return print_sentence(UNUSABLE, "serve.store_unusable")


async def _closed(nodes: Nodes, reply: Awaitable[_T]) -> _T:
    """What nodes reply; they are closed then."""
    try:
        return await reply
    finally:
        await nodes.close()


async def _living(nodes: Nodes) -> list[tuple[Living, int]]:
    living = await nodes.read(leases.living)
    return [(each, len(await nodes.read(leases.owned, each.id))) for each in living]


def _show(living: Sequence[tuple[Living, int]]) -> int:
    """A table for people and for programs: one node a line, fields by tabs."""
    for each, rooms in living:
        beat = "-" if each.beat_seconds is None else f"{each.beat_seconds:.1f}"
        fields = (each.name, each.state, str(rooms), beat, each.version, each.address)
        print("\t".join(fields))
    return 0 if living else print_sentence(0, "serve.no_nodes")
