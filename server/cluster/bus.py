"""Messages to all nodes of one database, by LISTEN and NOTIFY.

A message may get lost, or arrive twice, where a connection breaks: its sender numbers its own.
Where messages may be missing, each `look` that was given to `missed` is called. Connections are the
bus's own: to notify inside a transaction of the journal would make its commits wait for each other.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, TypeAlias

import asyncpg

from bluebear.server.runtime import count, log
from bluebear.server.store import NotOpened

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


class Bus:
    """The way to all other nodes, owned by the node; this one leads to none."""

    def __init__(self) -> None:
        self._hearers: list[Hearer] = []
        self._looks: list[Callable[[], None]] = []
        # Their arguments are called with each body, and whenever messages may be missing.
        self.hears, self.missed = self._hearers.append, self._looks.append

    def say(self, body: bytes) -> None:
        """Send a message to all other nodes."""

    async def close(self) -> None:
        """Neither send nor receive any more."""

    def received(self, body: bytes) -> None:
        """Pass a message on."""
        for hearer in self._hearers:
            hearer(body)

    def look_again(self) -> None:
        """Messages may be missing."""
        count("bus.missed")
        for look in self._looks:
            look()


class PostgresBus(Bus):
    """The `Bus` of the database at `url`. `open` it first."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        self._node = secrets.token_hex(4)
        self._waiting: list[str] = []
        self._stirred = asyncio.Event()
        self._receiving: Connection | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._number = 0
        self._sections: dict[str, list[str]] = {}
        """The number of the newest message of each other node, and what has come of it."""

    async def open(self) -> None:
        """Receive from now on. Raises NotOpened."""
        try:
            self._receiving = await self._receiver()
        except FAILED as error:
            raise NotOpened("journal_unusable", str(error)) from error
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._receive()), loop.create_task(self._send())]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
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
                    # Perhaps they were sent; who gets them twice has counted them.
                    count("bus.not_sent")
                    log(logging.WARNING, "messages not sent", count=len(texts), why=str(problem))
                    self._waiting = [*texts, *self._waiting]
                    await asyncio.sleep(RETRY_SECONDS)
                    self._stirred.set()
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
