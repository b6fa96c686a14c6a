"""Whose a room is, and the way there: owners from the store, links to all engines that live."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from typing import Any, Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.link.frames import Farewell
from bluebear.server.link.wire import Link
from bluebear.server.observe import log
from bluebear.server.store import JournalError, StreamId
from bluebear.server.store.leases import LEASE_SECONDS, Living
from bluebear.server.store.nodes import Nodes

LOOK_SECONDS: Final = 0.5
"""Between two looks at who lives."""
ASK_SECONDS: Final = 0.1
"""Between two questions whose a room is, while its owner is away."""
WAIT_SECONDS: Final = 10.0
"""So long somebody waits for a room whose owner is away before he hears that it cannot be had."""

UNREACHED_SECONDS: Final = 5.0
"""An engine that beats and is not linked for so long is one that this edge alone does not reach:
one that no edge reaches gives its rooms up before, and one that stands still does not beat."""


class Unreached(NotAllowed):
    """The room has an owner that lives, and that this edge does not reach."""

    def __init__(self, room: str) -> None:
        super().__init__("not_saved")
        self.room = room


Dial = Callable[[str], Coroutine[Any, Any, None]]
"""Links to an engine by its address; OSError if nobody is there."""


def chosen(room: str, names: Iterable[str]) -> str | None:
    """Which of these is to have a room that is nobody's: by rendezvous, so that all agree, and few
    rooms change when somebody comes or goes.
    """
    return max(names, key=lambda name: _weight(room, name), default=None)


def _weight(room: str, name: str) -> bytes:
    return hashlib.blake2b(f"{name} {room}".encode(), digest_size=8).digest()


class Finder:
    """Owned by an edge's node."""

    def __init__(self, nodes: Nodes, own: str, dial: Dial) -> None:
        self.edges_changed: Callable[[Collection[str]], None] = _nobody
        """Is told whenever the edges have become others, and which are no more."""
        self.edges: Sequence[str] = ()
        """The ids of the other edges that live."""
        self._nodes = nodes
        self._own = own
        self._dial = dial
        self._links: dict[str, Link] = {}
        self._nodes_of: dict[Link, str] = {}
        self._living: Sequence[Living] = ()
        self._names: Mapping[str, str] = {}
        """What all nodes that live were started under, by their ids."""
        self._dialing: dict[str, asyncio.Task[None]] = {}
        self._over: set[str] = set()
        """Engines that have said farewell: they live until the store knows."""
        self._missed: dict[str, float] = {}
        """Engines that live and are not linked, since when (loop time)."""

    @property
    def links(self) -> list[Link]:
        """The links that are open."""
        return list(self._links.values())

    @property
    def engines(self) -> list[tuple[str, Link | None]]:
        """The names of all engines that live, and the links to them where they are open."""
        return [(each.name, self._open(each.id)) for each in self._living]

    def name_of(self, node: str) -> str:
        """What a node was started under; its id if it is not known to live."""
        return self._names.get(node, node)

    def opened(self, link: Link, node: str) -> None:
        """An engine is linked."""
        self._links[node] = link
        self._nodes_of[link] = node

    def ended(self, link: Link) -> None:
        """A link is no more."""
        node = self._nodes_of.pop(link, "")
        if self._links.get(node) is link:
            del self._links[node]

    def farewell(self, link: Link) -> None:
        """The engine of a link ends."""
        self._over.add(self._nodes_of.get(link, ""))

    async def link_of(self, room: str) -> Link:
        """The way to the engine that has a room, or is to have it.

        Raises NotAllowed (not_saved) if that one cannot be reached for long, and `Unreached` if it
        is this edge alone that does not reach it.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + WAIT_SECONDS
        while True:
            link = await self._look_for(room)
            if link is not None:
                return link
            if loop.time() > until:
                raise NotAllowed("not_saved")
            await asyncio.sleep(ASK_SECONDS)

    def link_for(self, key: str) -> Link:
        """The way to an engine for something that is no room's: the same one for all edges.

        Raises NotAllowed (not_saved) where no engine is linked.
        """
        node = chosen(key, [node for node, link in self._links.items() if link.is_open])
        if node is None:
            raise NotAllowed("not_saved")
        return self._links[node]

    async def _look_for(self, room: str) -> Link | None:
        try:
            owner = await self._nodes.owner(StreamId(room))
        except JournalError as problem:
            log(logging.WARNING, "owner not read", room=room, why=str(problem))
            return None
        if owner is not None:
            if self._is_unreached(owner.node):
                raise Unreached(room)
            return self._open(owner.node)
        engines = {
            each.name: each.id
            for each in self._living
            if each.state == "alive" and not (each.id in self._over or self._is_unreached(each.id))
        }
        name = chosen(room, engines)
        return None if name is None else self._open(engines[name])

    def _open(self, node: str) -> Link | None:
        link = self._links.get(node)
        return link if link is not None and link.is_open else None

    async def look(self, living: Sequence[Living]) -> None:
        """Link to all engines that live, and cut the links to those that do not."""
        self._names = {each.id: each.name for each in living}
        self._living = [each for each in living if each.role == "engine"]
        before = self.edges
        self.edges = [e.id for e in living if e.role == "edge" and e.id != self._own]
        if before != self.edges:
            self.edges_changed(set(before).difference(self.edges))
        self._note_missed()
        for each in self._living:
            if each.id not in self._over.union(self._links, self._dialing):
                task = asyncio.get_running_loop().create_task(self._call(each))
                self._dialing[each.id] = task
        alive = {each.id for each in self._living}
        for node, link in list(self._links.items()):
            if node not in alive:
                link.close()

    def _note_missed(self) -> None:
        self._over &= {each.id for each in self._living}
        now = asyncio.get_running_loop().time()
        beating = {each.id for each in self._living if (each.beat_seconds or 0) < LEASE_SECONDS}
        missed = beating.difference(self._over, self._links)
        self._missed = {each: self._missed.get(each, now) for each in missed}

    def _is_unreached(self, node: str) -> bool:
        since = self._missed.get(node)
        now = asyncio.get_running_loop().time()
        return since is not None and now - since > UNREACHED_SECONDS

    async def _call(self, engine: Living) -> None:
        try:
            await self._dial(engine.address)
        except OSError as problem:
            log(logging.WARNING, "engine not reached", node=engine.id, why=str(problem))
        finally:
            self._dialing.pop(engine.id, None)

    async def close(self) -> None:
        """Cut all links."""
        for task in list(self._dialing.values()):
            task.cancel()
        await asyncio.gather(*self._dialing.values(), return_exceptions=True)
        for link in self.links:
            link.send(Farewell())
            link.close()


def _nobody(gone: Collection[str]) -> None:
    """Nobody wants to hear of it."""
