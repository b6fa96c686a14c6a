"""The other nodes of this server, as one node messages them; a process alone has none.

A request whose reply does not come is sent again; a node remembers what it has replied lately, so
that it carries each out once. Notifications are requests whose replies are not waited for.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from inspect import isawaitable
from typing import Any, ClassVar, Final, TypeVar

import msgspec
from msgspec import Struct

from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.cluster.bus import Bus
from bluebear.server.limits import DISK_RETRY_SECONDS
from bluebear.server.observe import count, log
from bluebear.server.runtime import Tasks
from bluebear.server.store import Deposed, JournalError, leases
from bluebear.server.store.leases import Living, Nodes

TRIES_SECONDS: Final = 5.0
"""A request is sent again for this long; longer than a node's end takes to be noticed."""
REPLY_SECONDS: Final = 0.5
"""Before a request without a reply is sent again."""
REPLIES_CACHED: Final = 4_096
"""Requests whose replies are remembered: those of more than `TRIES_SECONDS`."""
NOTIFICATIONS_MAX: Final = 2_000
"""Notifications whose replies are missing; more are dropped, and counted."""
RESERVE_SECONDS: Final = 5.0
"""Timeout of `only_here`."""
AGAIN_SECONDS: Final = 0.05
"""Before a key that another node has reserved is tried again."""


class NodeMessage(Struct, array_like=True, frozen=True, tag=True):
    """Base of all messages between nodes; `answer` is the type of the reply."""

    answer: ClassVar[object] = None


class Request(Struct, array_like=True, frozen=True):
    """To some nodes, by another one, which has given it this number."""

    to: list[str]
    by: str
    number: int
    body: bytes


class Reply(Struct, array_like=True, frozen=True):
    """Of a node to the request of another one with this number; None where it was refused."""

    to: str
    by: str
    number: int
    body: bytes | None


M = TypeVar("M", bound=NodeMessage)
_REQUEST: Final = msgspec.msgpack.Decoder(Request)
_REPLY: Final = msgspec.msgpack.Decoder(Reply)
_ENCODE: Final = msgspec.msgpack.Encoder().encode


class Peers:
    """Owned by the app, or by the node, which has a store of `nodes`; `node` is its id."""

    def __init__(self, bus: Bus, tasks: Tasks, node: str = "", nodes: Nodes | None = None) -> None:
        self.bus, self.node, self.nodes = bus, node, nodes
        self.on_loss: list[Callable[[str], None]] = []
        """Called with the id of each node that has ended."""
        self.on_change: list[Callable[[], None]] = []
        """Called whenever other nodes have started or ended."""
        self._start = tasks.start
        self.ids: Sequence[str] = ()
        """The ids of the other nodes that live."""
        self.living: Sequence[Living] = ()
        """The other nodes that live, as last read."""
        # Any: each handler takes its own kind.
        self._handlers: dict[type[NodeMessage], list[Callable[[Any], object]]] = {}
        self._decoder: msgspec.msgpack.Decoder[NodeMessage] | None = None
        self._number = 0
        self._notifications = 0
        self.waiting: dict[int, dict[str, asyncio.Future[bytes | None]]] = {}
        """Replies that are waited for, by the numbers of their requests and their nodes."""
        self._replies: dict[tuple[str, int], Reply | None] = {}
        """By sender and number; None while the request is carried out."""
        self._reserved: set[str] = set()
        bus.hears("request", self._requested)
        bus.hears("reply", self._replied)

    def hears(self, kind: type[M], handler: Callable[[M], object]) -> None:
        """Call `handler` with each message of a kind; the result of the first is the reply.

        It may be awaitable, and raise Refusal.
        """
        self._handlers.setdefault(kind, []).append(handler)
        self._decoder = None

    @property
    def leader(self) -> str:
        """The id of the node that does what only one may do; the same at all nodes."""
        return min((self.node, *self.ids))

    def look(self, living: Sequence[Living]) -> None:
        """These nodes live."""
        before = self.ids
        self.living = [each for each in living if each.id != self.node]
        self.ids = tuple(each.id for each in self.living)
        if before == self.ids:
            return
        for node in set(before).difference(self.ids):
            for lost in self.on_loss:
                lost(node)
        for changed in self.on_change:
            changed()

    def do_here(self, message: NodeMessage) -> Any:  # Any: `message.answer`, or its awaitable
        """Carry a message out at this node."""
        return self._handlers[type(message)][0](message)

    async def where(self, people: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        """At which other nodes people are; without those who are at none.

        Empty where the store cannot say.
        """
        if self.nodes is None or not self.ids or not people:
            return {}
        try:
            rows = await self.nodes.read(leases.where, list(people))
        except JournalError as problem:
            log(logging.WARNING, "presence not read", why=str(problem))
            return {}
        far = ((person, [n for n in nodes if n != self.node]) for person, nodes in rows.items())
        return {person: tuple(nodes) for person, nodes in far if nodes}

    async def attendants(self, people: Collection[str]) -> list[tuple[str, leases.Attendant]]:
        """These people, with their names, as other nodes have them; empty if the store fails."""
        if self.nodes is None or not self.ids or not people:
            return []
        try:
            return await self.nodes.read(leases.attendants, self.node, list(people))
        except JournalError as problem:
            log(logging.WARNING, "presence not read", why=str(problem))
            return []

    async def ask(
        self, nodes: Collection[str], message: NodeMessage
    ) -> list[Any]:  # Any: `message.answer`
        """The replies of some nodes; without those that refuse, or do not reply in time."""
        replies = await self._request(nodes, _ENCODE(message)) if nodes else []
        if len(replies) < len(nodes):
            count("nodes.not_reached", len(nodes) - len(replies))
        return [msgspec.msgpack.decode(each, type=message.answer) for each in replies]

    async def ask_of(self, person: str, message: NodeMessage, but: str = "") -> list[Any]:
        """The replies of the other nodes where a person is, except one. Any: `message.answer`."""
        nodes = (await self.where([person])).get(person, ())
        return await self.ask([node for node in nodes if node != but], message)

    def tell(self, message: NodeMessage) -> None:
        """Notify all other nodes."""
        if self.ids:
            self._notify(partial(self.ask, self.ids, message))

    def tell_at(self, node: str, message: NodeMessage) -> None:
        """Notify one node, if it is another one."""
        if node != self.node:
            self._notify(partial(self.ask, [node], message))

    def tell_of(self, person: str, message: NodeMessage, but: str = "") -> None:
        """Notify the other nodes where a person is, except one."""
        if self.ids:
            self._notify(partial(self.ask_of, person, message, but))

    def _notify(self, ask: partial[Any]) -> None:  # Any: the replies, which are ignored
        if self._notifications >= NOTIFICATIONS_MAX:
            count("nodes.not_told")
            return
        self._notifications += 1
        self._start(self._notified(ask))

    async def _notified(self, ask: partial[Any]) -> None:
        try:
            await ask()
        finally:
            self._notifications -= 1

    async def _request(self, nodes: Collection[str], body: bytes) -> list[bytes]:
        self._number += 1
        number, loop = self._number, asyncio.get_running_loop()
        until = loop.time() + TRIES_SECONDS
        replies = self.waiting[number] = {node: loop.create_future() for node in nodes}
        try:
            while loop.time() < until:
                to = [each for each in nodes if each in self.ids and not replies[each].done()]
                if not to:
                    break
                self.bus.say("request", _ENCODE(Request(to, self.node, number, body)))
                await asyncio.wait([replies[each] for each in to], timeout=REPLY_SECONDS)
        finally:
            del self.waiting[number]
        bodies = (each.result() for each in replies.values() if each.done())
        return [each for each in bodies if each is not None]

    def _requested(self, body: bytes) -> None:
        request = _REQUEST.decode(body)
        if self.node not in request.to:
            return
        key = request.by, request.number
        if key in self._replies:
            if (cached := self._replies[key]) is not None:
                self.bus.say("reply", _ENCODE(cached))
            return
        self._replies[key] = None
        if len(self._replies) > REPLIES_CACHED:
            del self._replies[next(iter(self._replies))]
        self._start(self._do(request))

    async def _do(self, request: Request) -> None:
        body: bytes | None = None
        try:
            body = await self._handle(request.body)
        except Refusal:
            pass
        finally:
            reply = Reply(request.by, self.node, request.number, body)
            self._replies[request.by, request.number] = reply
            self.bus.say("reply", _ENCODE(reply))

    async def _handle(self, body: bytes) -> bytes | None:
        """The encoded result of a message; None for one that this version does not have.

        During an upgrade two versions message each other. Raises Refusal.
        """
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
            return None
        results = [handler(message) for handler in self._handlers[type(message)]]
        replies = [await each if isawaitable(each) else each for each in results]
        return _ENCODE(replies[0])

    def _replied(self, body: bytes) -> None:
        reply = _REPLY.decode(body)
        waiting = self.waiting.get(reply.number, {}) if reply.to == self.node else {}
        if reply.by in waiting and not waiting[reply.by].done():
            waiting[reply.by].set_result(reply.body)

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
            if not await self._unreserve(self.nodes, key):
                self._start(self._unreserve_later(self.nodes, key))

    async def _reserve(self, nodes: Nodes, key: str) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + RESERVE_SECONDS
        while loop.time() < until:
            try:
                if await nodes.change(leases.reserve, key):
                    return
            except JournalError as problem:
                log(logging.WARNING, "nothing reserved", why=str(problem))
                raise NotAllowed("not_saved") from problem
            await asyncio.sleep(AGAIN_SECONDS)
        raise NotAllowed("busy")

    async def _unreserve(self, nodes: Nodes, key: str) -> bool:
        try:
            await nodes.change(leases.unreserve, key)
        except Deposed:
            return True
        except JournalError as problem:
            log(logging.WARNING, "reservation not released", why=str(problem))
            return False
        return True

    async def _unreserve_later(self, nodes: Nodes, key: str) -> None:
        """Unless it is reserved here again: then that releases it."""
        is_done = False
        while not is_done:
            await asyncio.sleep(DISK_RETRY_SECONDS)
            is_done = key in self._reserved or await self._unreserve(nodes, key)
