"""One life of the server in the simulation: what it runs ends when it is killed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy import Connection

from bluebear.rules.core.game import Game
from bluebear.server.app import App, Outside
from bluebear.server.config import Config
from bluebear.server.net.http_client import SendRequest, send_request
from bluebear.server.runtime import Clock
from bluebear.server.store import Answer, Append, NotRead, NotSaved, Store
from tests.sim.virtual_loop import SELDOM_SECONDS, Life
from tests.support.simulated_store import SimulatedStore

P = ParamSpec("P")
T = TypeVar("T")
Games = Mapping[str, Game[Any]]  # Any: each game has a state class of its own


_PUSHES: Final = 4
"""Frames between two at which it may die by itself: there are many more of them than awaits."""


Seek = Callable[[], float]
"""How long the disk takes to get to something, in seconds."""


@dataclass(slots=True)
class Whims:
    """Faults of a disk; owned by the simulation, outlives every process.

    `unsure` batches have an unknown result: the caller cannot tell whether the commit succeeded.
    `unread`: the number of next reads that fail.
    """

    unsure_stored: int = 0
    unsure_lost: int = 0
    unread: int = 0


class Disk(Store):
    """A process's route to the store: a dead process has none, and its calls never return."""

    def __init__(self, journal: SimulatedStore, whims: Whims, seek: Seek | None) -> None:
        self._journal = journal
        self._whims = whims
        self._seek = seek
        self.cut = False

    async def append(self, batch: Sequence[Append]) -> list[Answer]:
        """See `Store.append`."""
        await self._alive()
        if self._whims.unsure_lost:
            self._whims.unsure_lost -= 1
            return [NotSaved("who knows", certain=False)] * len(batch)
        answers = await self._journal.append(batch)
        if self._whims.unsure_stored:
            self._whims.unsure_stored -= 1
            return [NotSaved("who knows", certain=False)] * len(batch)
        return answers

    async def read(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **more: P.kwargs
    ) -> T:
        """See `Store.read`."""
        await self._readable()
        return await self._journal.read(query, *args, **more)

    async def write(
        self, change: Callable[Concatenate[Connection, P], T], *args: P.args, **more: P.kwargs
    ) -> T:
        """See `Store.write`."""
        await self._alive()
        return await self._journal.write(change, *args, **more)

    async def copy_to(self, target: Path) -> int:
        """See `Store.copy_to`: nothing is written, and it takes its time."""
        await self._readable()
        return 0

    async def open(self) -> None:
        """See `Store.open`."""

    async def close(self) -> None:
        """See `Store.close`."""
        await self._alive()
        await self._journal.close()

    async def _readable(self) -> None:
        await self._alive()
        if self._whims.unread:
            self._whims.unread -= 1
            raise NotRead("the disk has a bad moment")

    async def _alive(self) -> None:
        if self._seek is not None:
            await asyncio.sleep(self._seek())
        if self.cut:
            await asyncio.get_running_loop().create_future()


class Process:
    """A server that is running, or was. Everything it has set going is marked as its own."""

    def __init__(
        self,
        config: Config,
        journal: SimulatedStore,
        whims: Whims,
        games: Games,
        clock: Clock,
        fresh: Callable[[int], bytes],
        died: Callable[[], None] = lambda: None,
        seek: Seek | None = None,
        calls: SendRequest = send_request,
        entry_hash: str = "",
    ) -> None:
        self._died = died
        self.life = Life(self._dies)
        self._journal = journal
        self._disk = Disk(journal, whims, seek)
        self.dead = False
        self._pushed = 0
        outside = Outside(call=calls, beat=SELDOM_SECONDS, entry_hash=entry_hash)
        self.app = App(config, self._disk, games, clock, fresh, outside=outside)

    def call(self, function: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Call something in the server; it does not happen if the server is dead."""
        if not self.dead:
            self.life.call(function, *args, **kwargs)

    def sends(self) -> bool:
        """Whether it is still alive to send what it has begun to send."""
        self._pushed += 1
        return self._pushed % _PUSHES > 0 or self.life.step()

    async def start(self) -> None:
        """Open the app. Raises `Died`."""
        await self.life.wait(self.app.open())

    async def drain(self, seconds: float) -> None:
        """Announce the shutdown to all clients, and serve them until then. Raises `Died`."""
        await self.life.wait(self.app.drain(seconds, asyncio.Event()))

    async def stop(self) -> None:
        """Close the app as an operator would. Raises `Died`."""
        await self.life.wait(self.app.close())
        self.dead = True

    async def kill(self) -> None:
        """End it at this very moment: nothing more is read, written, sent or answered."""
        self._end()
        await self.life.end()

    def _dies(self) -> None:
        """The end of its life has come, in the middle of something."""
        self._end()
        self._died()

    def _end(self) -> None:
        if not self.dead:
            self.dead = True
            self._disk.cut = True
            self._journal.crash()
