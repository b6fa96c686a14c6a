"""Words from edge to edge, over an engine that both are linked to, which does not read them.

A word that may have been lost on its way is said again, over another engine if need be; the edge
that it is for remembers what it has answered lately, so it is done once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from bluebear.protocol import Code
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.link.calls import Calls
from bluebear.server.link.finder import Finder
from bluebear.server.link.wire import Link
from bluebear.server.store.nodes import Nodes
from bluebear.server.tasks import Tasks

TRIES_SECONDS: Final = 5.0
"""So long a word is tried; longer than an engine's end takes to be noticed."""
AGAIN_SECONDS: Final = 0.1
ANSWERS_KEPT: Final = 4_096
"""Words whose answers are remembered: those of more than `TRIES_SECONDS`."""


class Said(Struct, array_like=True, frozen=True):
    """A word of an edge: under its number, to an edge."""

    to: str
    by: str
    number: int
    body: bytes


class Relay:
    """A `Way`; owned by an edge's side of its links. `hear` does what another edge has said."""

    def __init__(
        self,
        nodes: Nodes,
        own: str,
        finder: Finder,
        calls: Calls,
        tasks: Tasks,
    ) -> None:
        self.hear: Callable[[bytes], Coroutine[Any, Any, bytes]] = _deaf
        self._nodes = nodes
        self._own = own
        self._finder = finder
        self._calls = calls
        self._start = tasks.start
        self._number = 0
        self._heard: dict[tuple[str, int], asyncio.Future[bytes]] = {}

    @property
    def node(self) -> str:
        """See `Way`."""
        return self._own

    @property
    def edges(self) -> Sequence[str]:
        """See `Way`."""
        return self._finder.edges

    def name_of(self, node: str) -> str:
        """See `Way`."""
        return self._finder.name_of(node)

    async def ask(self, node: str, body: bytes) -> bytes:
        """See `Way`."""
        self._number += 1
        said = Said(node, self._own, self._number, body)
        loop = asyncio.get_running_loop()
        until = loop.time() + TRIES_SECONDS
        while node in self._finder.edges and loop.time() < until:
            for link in self._finder.links:
                try:
                    return await self._calls.ask(link, "pass_on", said)
                except Refusal as refusal:
                    if refusal.code != Code.NOT_SAVED:
                        raise
            await asyncio.sleep(AGAIN_SECONDS)
        raise NotAllowed("not_saved")

    async def passed(self, link: Link, args: bytes) -> msgspec.Raw:
        """Another edge has said something: do it, unless that was done."""
        said = msgspec.msgpack.decode(args, type=Said)
        key = said.by, said.number
        known = self._heard.get(key)
        if known is None:
            known = asyncio.get_running_loop().create_future()
            self._heard[key] = known
            self._start(self._do(said.body, known))
            if len(self._heard) > ANSWERS_KEPT:
                del self._heard[next(iter(self._heard))]
        return msgspec.Raw(await asyncio.shield(known))

    async def _do(self, body: bytes, done: asyncio.Future[bytes]) -> None:
        """Whoever is told waits for the answer, or asks for it again by another way."""
        try:
            done.set_result(await self.hear(body))
        except Refusal as refusal:
            done.set_exception(refusal)
            done.exception()  # it is nobody's fault if nobody waits any more
        finally:
            done.cancel()

    async def where(self, people: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        """See `Way`."""
        return await self._nodes.where(list(people))

    async def crowd(self, limit: int) -> tuple[Sequence[tuple[str, str]], int]:
        """See `Way`."""
        return await self._nodes.crowd(limit)

    async def attend(self, come: Sequence[str], gone: Sequence[str]) -> None:
        """See `Way`."""
        await self._nodes.attend(come, gone)

    async def reserve(self, key: str) -> bool:
        """See `Way`."""
        return await self._nodes.reserve(key)

    async def unreserve(self, key: str) -> None:
        """See `Way`."""
        await self._nodes.unreserve(key)


async def _deaf(body: bytes) -> bytes:
    raise NotAllowed("not_saved")
