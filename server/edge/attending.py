"""Says who is connected at this edge: to the store, by which others find him, and to the others.

At once for whoever comes alone, else gathered for a second. Now and then everybody is said again:
a database that was away may have forgotten.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from bluebear.server.edge.connection import Connection
from bluebear.server.edge.others import Others
from bluebear.server.edge.presence import Presence
from bluebear.server.edge.words import Crowded
from bluebear.server.journal import JournalError
from bluebear.server.observe import log
from bluebear.server.tasks import Tasks

GATHER_SECONDS: Final = 1.0
"""Between two times that the store is told who has come and gone."""
AGAIN_SECONDS: Final = 60.0
"""After so long everybody who is here is said again."""
PIECE: Final = 1_000
"""People that one statement speaks of."""


class Attending:
    """Owned by the app of an edge; `open` it once there is a store."""

    def __init__(
        self,
        presence: Presence,
        others: Others,
        tasks: Tasks,
    ) -> None:
        self._presence = presence
        self._others = others
        self._start = tasks.start
        self._changed: dict[str, None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._again: asyncio.TimerHandle | None = None
        self._busy = False
        self._turn = asyncio.Lock()
        """Others hear of it in order, and nobody here waits for them."""
        self._told_at = float("-inf")
        if others.way is not None:
            presence.heed(self._noted, self._noted)

    def open(self) -> None:
        """Say everybody again now and then, from now on."""
        if self._others.way is not None:
            loop = asyncio.get_running_loop()
            self._again = loop.call_later(AGAIN_SECONDS, self._say_all)

    def close(self) -> None:
        """Say nothing more."""
        for timer in (self._timer, self._again):
            if timer is not None:
                timer.cancel()

    def _say_all(self) -> None:
        self._changed.update(dict.fromkeys(self._presence.people()))
        self._soon()
        self.open()

    def _noted(self, connection: Connection) -> None:
        """A connection of somebody has come or gone."""
        self._changed[connection.person] = None
        self._soon()

    def _soon(self) -> None:
        if self._timer is None and not self._busy and self._changed:
            loop = asyncio.get_running_loop()
            when = max(loop.time(), self._told_at + GATHER_SECONDS)
            self._timer = loop.call_at(when, self._flush)

    def _flush(self) -> None:
        self._timer = None
        self._start(self._tell())

    async def _tell(self) -> None:
        way = self._others.way
        assert way is not None
        self._busy, self._told_at = True, asyncio.get_running_loop().time()
        people = list(self._changed)[:PIECE]
        for person in people:
            del self._changed[person]
        come = [person for person in people if self._presence.of(person)]
        gone = [person for person in people if not self._presence.of(person)]
        try:
            await way.attend(come, gone)
        except JournalError as problem:
            log(logging.WARNING, "presence not written", why=str(problem))
            self._changed = {**dict.fromkeys(people), **self._changed}
        else:
            self._start(self._tell_others(Crowded(way.node, come, gone)))
        finally:
            self._busy = False
            self._soon()

    async def _tell_others(self, word: Crowded) -> None:
        async with self._turn:
            if self._others.way is not None:
                await self._others.ask(tuple(self._others.way.edges), word)
