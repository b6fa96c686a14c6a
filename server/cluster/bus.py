"""Messages to all nodes of one database, by LISTEN and NOTIFY.

A message arrives at most once: what must not be lost is a row. Where messages may be missing, each
`look` that was given to `missed` is called. Connections are the bus's own: to notify inside a
transaction of the journal would make its commits wait for each other.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Protocol, TypeAlias

import asyncpg

from bluebear.server.observe import count, log
from bluebear.server.store import NotOpened

CHANNEL: Final = "bluebear"
VERSION: Final = "2"
"""Of the text of a notification; others are passed over."""
SECTION_CHARS: Final = 7_000
"""PostgreSQL takes notifications below 8,000 bytes: a longer message goes in several."""
WAITING_MAX: Final = 10_000
"""Notifications that wait to be sent; more are dropped, and counted."""
STATEMENT_SECONDS: Final = 2.0
CHECK_SECONDS: Final = 5.0
"""How often the receiving connection is asked whether it lives."""
RETRY_SECONDS: Final = 0.5

CONNECT_SECONDS: Final = 10.0

FAILED: Final = (
    OSError,
    TimeoutError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)
"""What a call of the driver raises when it did not end well."""

Connection: TypeAlias = "asyncpg.Connection[Any]"  # Any: the record class, the library's own
Hearer = Callable[[bytes], None]


class Bus(Protocol):
    """Owned by the node."""

    def say(self, kind: str, body: bytes) -> None:
        """Send a message to all other nodes."""

    def hears(self, kind: str, hearer: Hearer) -> None:
        """Call `hearer` with the body of each message of a kind that another node has sent."""

    def missed(self, look: Callable[[], None]) -> None:
        """Call `look` whenever messages may be missing."""

    async def close(self) -> None:
        """Neither send nor receive any more."""


class Receivers:
    """The receivers of messages; the base of each bus."""

    def __init__(self) -> None:
        self._hearers: dict[str, Hearer] = {}
        self._looks: list[Callable[[], None]] = []

    def hears(self, kind: str, hearer: Hearer) -> None:
        """See `Bus`."""
        self._hearers[kind] = hearer

    def missed(self, look: Callable[[], None]) -> None:
        """See `Bus`."""
        self._looks.append(look)

    def received(self, kind: str, body: bytes) -> None:
        """Pass a message on; one of a kind that this version does not have is counted."""
        hearer = self._hearers.get(kind)
        if hearer is None:
            count("bus.unknown")
        else:
            hearer(body)

    def look_again(self) -> None:
        """Messages may be missing."""
        count("bus.missed")
        for look in self._looks:
            look()


class LocalBus(Receivers):
    """The `Bus` of nodes in one process, which share `hub`; a server alone shares none."""

    def __init__(self, hub: list[LocalBus] | None = None) -> None:
        super().__init__()
        self._hub = [] if hub is None else hub
        self._hub.append(self)

    def say(self, kind: str, body: bytes) -> None:
        """See `Bus`."""
        loop = asyncio.get_running_loop()
        for each in self._hub:
            if each is not self:
                loop.call_soon(each.received, kind, body)

    async def close(self) -> None:
        """See `Bus`."""
        self._hub.remove(self)


class PostgresBus(Receivers):
    """The `Bus` of the database at `url`. `open` it first."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        self._node = secrets.token_hex(4)
        self._number = 0
        self._waiting: list[str] = []
        self._stirred = asyncio.Event()
        self._receiving: Connection | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._last: dict[str, int] = {}
        """The number of the last notification of each other node."""
        self._sections: dict[str, list[str]] = {}

    async def open(self) -> None:
        """Receive from now on. Raises NotOpened."""
        try:
            self._receiving = await self._receiver()
        except FAILED as error:
            raise NotOpened("journal_unusable", str(error)) from error
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._receive()), loop.create_task(self._send())]

    async def close(self) -> None:
        """See `Bus`."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._receiving is not None:
            self._receiving.terminate()

    def say(self, kind: str, body: bytes) -> None:
        """See `Bus`."""
        text = base64.b85encode(body).decode()
        sections = [text[at : at + SECTION_CHARS] for at in range(0, len(text), SECTION_CHARS)] or [
            ""
        ]
        if len(self._waiting) + len(sections) > WAITING_MAX:
            count("bus.dropped")
            return
        for left, section in zip(reversed(range(len(sections))), sections, strict=True):
            self._number += 1
            self._waiting.append(f"{VERSION} {self._node} {self._number} {left} {kind} {section}")
        self._stirred.set()

    async def _send(self) -> None:
        connection: Connection | None = None
        try:
            while True:
                await self._stirred.wait()
                self._stirred.clear()
                texts, self._waiting = self._waiting, []
                try:
                    if connection is None or connection.is_closed():
                        connection = await asyncpg.connect(self._url, timeout=CONNECT_SECONDS)
                        await connection.execute("SET synchronous_commit = off")
                    statement = "SELECT pg_notify($1, each) FROM unnest($2::text[]) AS each"
                    await connection.execute(statement, CHANNEL, texts, timeout=STATEMENT_SECONDS)
                except FAILED as problem:
                    # The others see the gap by the next number.
                    count("bus.not_sent")
                    log(logging.WARNING, "messages not sent", count=len(texts), why=str(problem))
        finally:
            if connection is not None:
                connection.terminate()

    async def _receiver(self) -> Connection:
        connection = await asyncpg.connect(self._url, timeout=CONNECT_SECONDS)
        await connection.add_listener(CHANNEL, self._notified)
        return connection

    async def _receive(self) -> None:
        while True:
            if (connection := self._receiving) is not None:
                with suppress(*FAILED):
                    while not connection.is_closed():
                        await asyncio.sleep(CHECK_SECONDS)
                        await connection.execute("SELECT 1", timeout=STATEMENT_SECONDS)
                connection.terminate()
            try:
                self._receiving = await self._receiver()
            except FAILED as problem:
                log(logging.WARNING, "no messages of other nodes", why=str(problem))
                self._receiving = None
                await asyncio.sleep(RETRY_SECONDS)
            else:
                self._last.clear()
                self.look_again()

    def _notified(self, *given: object) -> None:
        version, node, number, left, kind, section = str(given[3]).split(" ", 5)
        if version != VERSION or node == self._node:
            return
        last = self._last.get(node)
        self._last[node] = int(number)
        sections = self._sections.setdefault(node, [])
        if last is not None and int(number) != last + 1:
            sections.clear()
            self.look_again()
        sections.append(section)
        if left == "0":
            del self._sections[node]
            try:
                body = base64.b85decode("".join(sections))
            except ValueError:
                return  # its first section was missed
            self.received(kind, body)
