"""The other nodes of this server, as one node messages them; a process alone has none.

A message goes to all nodes of one database and needs no reply; what it concerns is done where it
is. It may get lost, or arrive twice, where a connection breaks: each node numbers its messages, and
where some are missing they are requested, and sent again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from inspect import isawaitable
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.limits import DISK_RETRY_SECONDS
from bluebear.server.people.people import needs_store
from bluebear.server.runtime import Tasks, count, log
from bluebear.server.store import Deposed, JournalError, leases
from bluebear.server.store.leases import Living, Nodes

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

    def tell_all(self, message: NodeMessage) -> None:
        """Carry a message out here, at once, and notify all other nodes."""
        for handler in self._handlers[type(message)]:
            handler(message)
        self.tell(message)

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
