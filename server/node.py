"""One process among several over one store: an engine with its links, or an edge with its.

What listens, and which signals end it, is the business of whoever owns the node: a process
(`bluebear.server.roles`), or a simulation with links of its own.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from bluebear.rules.core.game import Game
from bluebear.server.app import NOTHING_OUTSIDE, App, Outside
from bluebear.server.clock import Clock
from bluebear.server.config import Config
from bluebear.server.link.finder import Finder
from bluebear.server.link.inward import Inward
from bluebear.server.link.life import Life
from bluebear.server.link.outward import Outward
from bluebear.server.link.owning import Owning
from bluebear.server.link.wire import Ends, SocketLink
from bluebear.server.observe import log
from bluebear.server.room.creation import NO_PINS, Pins
from bluebear.server.rooms.leases import RoomLeases
from bluebear.server.store import JournalError, Store
from bluebear.server.store.leases import Living, Node
from bluebear.server.store.nodes import Nodes
from bluebear.server.tasks import Tasks
from bluebear.server.tokens import FreshBytes

UNLINKED_SECONDS: Final = 3.0
"""An engine that no edge is linked to for so long gives its rooms up: others may be reached."""

Dial = Callable[[str, Ends], Coroutine[Any, Any, None]]
"""Links to an engine by its address, for these ends; OSError if nobody is there."""
Games = Mapping[str, Game[Any]]  # Any: each game has a state class of its own


@dataclass(frozen=True, slots=True)
class Joined:
    """What a node is made of, once it has joined as `node`; as an `App` has it."""

    config: Config
    store: Store
    games: Games
    clock: Clock
    nodes: Nodes
    node: Node
    fresh: FreshBytes = os.urandom
    pins: Pins = NO_PINS
    entry_hash: str = ""
    outside: Outside = NOTHING_OUTSIDE

    def app(self, among: RoomLeases | Outward) -> App:
        """The server that it is."""
        return App(
            self.config,
            self.store,
            self.games,
            self.clock,
            self.fresh,
            pins=self.pins,
            outside=replace(self.outside, entry_hash=self.entry_hash),
            among=among,
        )


class EngineNode:
    """An engine: rooms, links to all edges, and house bots of its own; owned by its process.

    `over` is set when it owns nothing any more and is to be started anew.
    """

    def __init__(
        self,
        joined: Joined,
    ) -> None:
        self.node, self.nodes = joined.node, joined.nodes
        self.owning = Owning(joined.nodes, joined.store, joined.node.id)
        self.app = joined.app(self.owning)
        app = self.app
        self.inward = Inward(app.engine, app.share, app.tasks, app.budgets)
        app.wrong_beside = self.troubles
        self.app.news.edges = self.inward
        self.app.writer.on_deposed = self._deposed
        self.life = Life(self.nodes, self.node.id, self._look, self._deposed)
        self.over = asyncio.Event()
        self._linked_at = 0.0
        self._gives_up = False

    async def open(self) -> None:
        """Live from now on. Raises NotRead and NotSaved."""
        await self.app.open()
        self._linked_at = asyncio.get_running_loop().time()
        self.life.start()

    async def _look(self, living: Sequence[Living]) -> None:
        """Without any edge for long, its rooms are better anybody's."""
        now = asyncio.get_running_loop().time()
        if self.inward.links:
            self._linked_at = now
        elif self.app.engine.live and now - self._linked_at > UNLINKED_SECONDS:
            if not self._gives_up:
                self._gives_up = True
                self.app.tasks.start(self._give_up())

    async def _give_up(self) -> None:
        log(logging.WARNING, "no edge: rooms given up", rooms=len(self.app.engine.live))
        try:
            await self.inward.giving.give_up(self.owning)
        finally:
            self._gives_up = False

    def accepts(self, secret: bytes) -> SocketLink:
        """The end of a link that an edge has called."""
        return SocketLink(self.inward, self.node.id, secret, dials=False)

    @property
    def links(self) -> int:
        """How many edges are linked."""
        return self.inward.links

    def troubles(self) -> list[str]:
        """What is wrong beside what an app knows of."""
        return ["store"] if self.life.is_late else []

    def _deposed(self) -> None:
        if not self.over.is_set():
            self.inward.cut()
            self.over.set()

    async def drain(self) -> None:
        """Give all rooms to other engines; those that nobody takes stay."""
        self.app.engine.back_ms = 1
        await self.inward.giving.give_away(self.owning)

    async def close(self) -> None:
        """End: what is left is kept, and is anybody's."""
        await self.life.close()
        self.inward.cut()
        await self.app.close()
        await _leave(self.nodes)


class EdgeNode:
    """An edge: connections, links to all engines; owned by its process."""

    def __init__(
        self,
        joined: Joined,
        dial: Dial,
    ) -> None:
        self.node, self.nodes = joined.node, joined.nodes
        self._tasks = Tasks()
        own, nodes = joined.node.id, joined.nodes
        self.finder = Finder(nodes, own, lambda address: dial(address, self.outward))
        self.outward = Outward(
            joined.store, joined.clock, joined.fresh, nodes, own, self.finder, self._tasks
        )
        self.app = joined.app(self.outward)
        self.app.wrong_beside = self.troubles
        self.life = Life(nodes, own, self.finder.look, self._deposed)
        self.over = asyncio.Event()

    async def open(self) -> None:
        """Live from now on. Raises NotRead and NotSaved."""
        await self.app.open()
        self.life.start()

    @property
    def links(self) -> int:
        """How many engines are linked."""
        return len(self.finder.links)

    def troubles(self) -> list[str]:
        """What is wrong beside what an app knows of: nobody has rooms, or the store is away."""
        troubles = ["store"] if self.life.is_late else []
        return [*troubles, *([] if self.links else ["engines"])]

    def _deposed(self) -> None:
        self.over.set()

    async def close(self) -> None:
        """End: everybody is told goodbye."""
        await self.life.close()
        self.app.dispatcher.send_bye(0)
        self.outward.stop()
        await self.finder.close()
        await self._tasks.close()
        await self.app.close()
        await _leave(self.nodes)


async def _leave(nodes: Nodes) -> None:
    """Nobody has to wait until it is clear that this node has gone."""
    with suppress(JournalError):
        await nodes.leave()
    await nodes.close()
