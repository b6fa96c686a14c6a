"""Requests from node to node over the bus, and where people are: the `Way` of one node.

A request whose reply does not come is sent again; the node that it is for remembers what it has
replied lately, so it is done once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.cluster.bus import Bus
from bluebear.server.store import leases
from bluebear.server.store.leases import Living, Nodes
from bluebear.server.tasks import Tasks

TRIES_SECONDS: Final = 5.0
"""A request is sent again for this long; longer than a node's end takes to be noticed."""
REPLY_SECONDS: Final = 0.5
"""Before a request without a reply is sent again."""
REPLIES_CACHED: Final = 4_096
"""Requests whose replies are remembered: those of more than `TRIES_SECONDS`."""

Handle = Callable[[bytes], Coroutine[Any, Any, bytes]]


class Request(Struct, array_like=True, frozen=True):
    """To a node, by another one, which has given it this number."""

    to: str
    by: str
    number: int
    body: bytes


class Reply(Struct, array_like=True, frozen=True):
    """To the request of a node with this number; None where it was refused."""

    to: str
    number: int
    body: bytes | None


_REQUEST: Final = msgspec.msgpack.Decoder(Request)
_REPLY: Final = msgspec.msgpack.Decoder(Reply)
_ENCODE: Final = msgspec.msgpack.Encoder().encode


class Messenger:
    """A `Way`; owned by its node. `handle` carries out what another node requests."""

    def __init__(self, nodes: Nodes, node_id: str, bus: Bus, tasks: Tasks) -> None:
        self.handle: Handle = _refuse
        self.changed: Callable[[Collection[str]], None] = _ignore
        """Called when other nodes have come or gone, with those that are gone."""
        self.bus = bus
        self.edges: Sequence[str] = ()
        """See `Way`."""
        self._names: Mapping[str, str] = {}
        self._nodes = nodes
        self._id = node_id
        self._start = tasks.start
        self._number = 0
        self._waiting: dict[int, asyncio.Future[bytes | None]] = {}
        self._replies: dict[tuple[str, int], Reply | None] = {}
        """By sender and number; None while the request is carried out."""
        bus.hears("request", self._requested)
        bus.hears("reply", self._replied)

    @property
    def node(self) -> str:
        """See `Way`."""
        return self._id

    def name_of(self, node: str) -> str:
        """See `Way`."""
        return self._names.get(node, node)

    def look(self, living: Sequence[Living]) -> None:
        """These nodes live."""
        self._names = {each.id: each.name for each in living}
        before = self.edges
        self.edges = [each.id for each in living if each.id != self._id]
        if before != self.edges:
            self.changed(set(before).difference(self.edges))

    async def ask(self, node: str, body: bytes) -> bytes:
        """See `Way`."""
        self._number += 1
        number = self._number
        request = _ENCODE(Request(node, self._id, number, body))
        loop = asyncio.get_running_loop()
        until = loop.time() + TRIES_SECONDS
        waiting = self._waiting[number] = loop.create_future()
        try:
            while node in self.edges and loop.time() < until:
                self.bus.say("request", request)
                await asyncio.wait((waiting,), timeout=REPLY_SECONDS)
                reply: bytes | None = waiting.result() if waiting.done() else None
                if reply is not None:
                    return reply
                if waiting.done():
                    break
            raise NotAllowed("not_saved")
        finally:
            del self._waiting[number]

    def _requested(self, body: bytes) -> None:
        request = _REQUEST.decode(body)
        if request.to != self._id:
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
            body = await self.handle(request.body)
        except Refusal:
            pass
        finally:
            reply = Reply(request.by, request.number, body)
            self._replies[request.by, request.number] = reply
            self.bus.say("reply", _ENCODE(reply))

    def _replied(self, body: bytes) -> None:
        reply = _REPLY.decode(body)
        waiting = self._waiting.get(reply.number) if reply.to == self._id else None
        if waiting is not None and not waiting.done():
            waiting.set_result(reply.body)

    async def where(self, people: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        """See `Way`."""
        return await self._nodes.read(leases.where, list(people))

    async def crowd(self, limit: int) -> tuple[Sequence[tuple[str, str]], int]:
        """See `Way`."""
        return await self._nodes.read(leases.crowd, limit)

    async def attend(self, come: Sequence[str], gone: Sequence[str]) -> None:
        """See `Way`."""
        await self._nodes.change(leases.attend, come, gone)

    async def reserve(self, key: str) -> bool:
        """See `Way`."""
        return await self._nodes.change(leases.reserve, key)

    async def unreserve(self, key: str) -> None:
        """See `Way`."""
        await self._nodes.change(leases.unreserve, key)


async def _refuse(body: bytes) -> bytes:
    raise NotAllowed("not_saved")


def _ignore(lost: Collection[str]) -> None:
    """The default of `changed`."""
