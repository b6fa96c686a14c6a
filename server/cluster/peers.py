"""The other nodes of this server, as one node messages them; a process alone has none.

A message goes to all nodes of one database, by LISTEN and NOTIFY, and needs no reply; what it
concerns is done where it is. It may get lost, or arrive twice, where a connection breaks: each node
numbers its messages, and where some are missing they are requested, and sent again. The bus has
connections of its own: to notify inside a transaction of the journal would make its commits wait
for each other.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import secrets
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from inspect import isawaitable
from typing import Any, Final, TypeAlias, TypeVar

import asyncpg
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.limits import DISK_RETRY_SECONDS
from bluebear.server.people.people import needs_store
from bluebear.server.runtime import Tasks, count, log
from bluebear.server.store import Deposed, JournalError, NotOpened, leases
from bluebear.server.store.leases import Living, Nodes

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


RESENT_SECONDS: Final = 15.0
"""A message is sent again for this long; longer than a broken connection takes to be noticed."""
RESENT_MAX: Final = 5_000
"""Messages that are sent again, at most; and how many of a node may be missing."""
RESERVE_SECONDS: Final = 5.0
"""Timeout of `only_here`."""
AGAIN_SECONDS: Final = 0.05
"""Before a key that another node has reserved is tried again."""


class NodeMessage(Struct, array_like=True, frozen=True, tag=True):
    """Base of all messages between nodes."""


class Missed(NodeMessage, frozen=True):
    """A node may have missed messages: the others send theirs again.

    But for the first ones of a node, up to the number that `has` gives it: those have arrived.
    """

    node: str
    has: dict[str, int] = {}


class Letter(Struct, array_like=True, frozen=True):
    """A message of a node, which has given it this number; `to` one node, or all ("")."""

    by: str
    number: int
    body: bytes
    to: str = ""


M = TypeVar("M", bound=NodeMessage)
_LETTER: Final = msgspec.msgpack.Decoder(Letter)
_ENCODE: Final = msgspec.msgpack.Encoder().encode


class Peers:
    """Owned by the app, or by the node, which has a store of `nodes`; `node` is its id."""

    def __init__(self, bus: Bus, tasks: Tasks, node: str = "", nodes: Nodes | None = None) -> None:
        self.bus, self.node, self.nodes = bus, node, nodes
        self.on_loss: list[Callable[[str], None]] = []
        """Called with the id of each node that has ended."""
        self._start = tasks.start
        self.ids: Sequence[str] = ()
        """The ids of the other nodes that live."""
        self.living: Sequence[Living] = ()
        """The other nodes that live, as last read."""
        # Any: each handler takes its own kind.
        self._handlers: dict[type[NodeMessage], list[Callable[[Any], object]]] = {}
        self._decoder: msgspec.msgpack.Decoder[NodeMessage] | None = None
        self._number = 0
        self._sent: deque[tuple[float, Letter]] = deque(maxlen=RESENT_MAX)
        """The latest messages of this node, and when (loop time) each was sent."""
        self._newest: dict[str, int] = {}
        """The newest message of each node, by number."""
        self._missing: dict[str, set[int]] = {}
        self._reserved: set[str] = set()
        bus.hears(self._received)
        bus.missed(self._request_missed)
        self.hears(Missed, self._send_again)

    def hears(self, kind: type[M], handler: Callable[[M], object]) -> None:
        """Call `handler` with each message of a kind; it may be a coroutine, and raise Refusal."""
        self._handlers.setdefault(kind, []).append(handler)
        self._decoder = None

    def look(self, living: Sequence[Living]) -> None:
        """These nodes live."""
        before = self.ids
        self.living = [each for each in living if each.id != self.node]
        self.ids = tuple(each.id for each in self.living)
        for node in set(before).difference(self.ids):
            self._newest.pop(node, None)
            self._missing.pop(node, None)
            for lost in self.on_loss:
                lost(node)

    async def attendants(self, people: Collection[str]) -> list[tuple[str, str, leases.Attendant]]:
        """Other nodes, with the names of these people and what is there; none if that fails."""
        if self.nodes is None or not self.ids or not people:
            return []
        try:
            return await self.nodes.read(leases.attendants, self.node, list(people))
        except JournalError as problem:
            log(logging.WARNING, "presence not read", why=str(problem))
            return []

    def tell(self, message: NodeMessage) -> None:
        """Notify all other nodes."""
        if self.ids:
            self._number += 1
            letter = Letter(self.node, self._number, _ENCODE(message))
            self._sent.append((asyncio.get_running_loop().time(), letter))
            self.bus.say(_ENCODE(letter))

    def _request_missed(self) -> None:
        has = {by: min(self._missing[by], default=new + 1) - 1 for by, new in self._newest.items()}
        self.tell(Missed(self.node, has))

    def _send_again(self, message: Missed) -> None:
        since = asyncio.get_running_loop().time() - RESENT_SECONDS
        for sent_at, letter in list(self._sent):
            if sent_at >= since and letter.number > message.has.get(self.node, 0):
                self.bus.say(_ENCODE(replace(letter, to=message.node)))

    def _received(self, body: bytes) -> None:
        letter = _LETTER.decode(body)
        if letter.to not in ("", self.node):
            return
        newest = self._newest.get(letter.by, letter.number - 1)
        missing = self._missing.setdefault(letter.by, set())
        if letter.number > newest:
            self._newest[letter.by] = letter.number
            if gap := range(max(newest + 1, letter.number - RESENT_MAX), letter.number):
                missing.update(gap)
                count("nodes.missed")
                self._request_missed()
        elif letter.number in missing:
            missing.remove(letter.number)
        else:
            return
        self._start(self._do(letter.body))

    async def _do(self, body: bytes) -> None:
        """Carry out a message, unless this version does not have it: an upgrade may be going on."""
        if self._decoder is None:
            kinds: Any = tuple(self._handlers)  # Any: a union that is made at run time
            union = kinds[0]
            for kind in kinds[1:]:
                union |= kind
            self._decoder = msgspec.msgpack.Decoder(union)
        try:
            message = self._decoder.decode(body)
        except msgspec.ValidationError as problem:
            log(logging.WARNING, "unknown message", why=str(problem))
            count("nodes.unknown")
            return
        for handler in self._handlers[type(message)]:
            with suppress(Refusal):
                if isawaitable(result := handler(message)):
                    await result

    @asynccontextmanager
    async def only_here(self, key: str) -> AsyncIterator[None]:
        """Do something that no other node does at the same time, by its key.

        Raises NotAllowed: not_saved, busy.
        """
        if self.nodes is None:
            yield
            return
        self._reserved.add(key)
        try:
            await self._reserve(self.nodes, key)
            yield
        finally:
            self._reserved.discard(key)
            self._start(self._unreserve(self.nodes, key))

    async def _reserve(self, nodes: Nodes, key: str) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + RESERVE_SECONDS
        while loop.time() < until:
            with needs_store(logging.WARNING, "nothing reserved"):
                if await nodes.change(leases.reserve, key):
                    return
            await asyncio.sleep(AGAIN_SECONDS)
        raise NotAllowed("busy")

    async def _unreserve(self, nodes: Nodes, key: str) -> None:
        """Unless it is reserved here again: then that releases it."""
        while key not in self._reserved:
            try:
                await nodes.change(leases.unreserve, key)
            except Deposed:
                return
            except JournalError as problem:
                log(logging.WARNING, "reservation not released", why=str(problem))
                await asyncio.sleep(DISK_RETRY_SECONDS)
            else:
                return
