"""One life of the server in the simulation: what it runs ends when it is killed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, ParamSpec

from bluebear.rules.core.game import Game
from bluebear.server.app import App, Outside
from bluebear.server.clock import Clock
from bluebear.server.config import Config
from bluebear.server.net.http_client import SendRequest, send_request
from bluebear.server.store import (
    Answer,
    Append,
    Entry,
    NotRead,
    NotSaved,
    Outgoing,
    Page,
    PersonRow,
    Ranked,
    RatingKey,
    RatingRow,
    Snapshot,
    StreamId,
    Summary,
    Window,
)
from bluebear.server.store.backup import Copied
from bluebear.server.store.types import Place
from tests.sim.virtual_loop import SELDOM_SECONDS, Life
from tests.support.memory_store import MemoryJournal

P = ParamSpec("P")
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


class Disk:
    """A process's way to the journal: a dead process has none, and its calls never return."""

    def __init__(self, journal: MemoryJournal, whims: Whims, seek: Seek | None) -> None:
        self._journal = journal
        self._whims = whims
        self._seek = seek
        self.cut = False

    async def append(self, batch: Sequence[Append]) -> list[Answer]:
        """See `Journal.append`."""
        await self._alive()
        if self._whims.unsure_lost:
            self._whims.unsure_lost -= 1
            return [NotSaved("who knows", certain=False)] * len(batch)
        answers = await self._journal.append(batch)
        if self._whims.unsure_stored:
            self._whims.unsure_stored -= 1
            return [NotSaved("who knows", certain=False)] * len(batch)
        return answers

    async def load(self, stream: StreamId, after: int = 0) -> list[Entry]:
        """See `Journal.load`."""
        await self._readable()
        return await self._journal.load(stream, after)

    async def snapshot(self, stream: StreamId) -> Snapshot | None:
        """See `Journal.snapshot`."""
        await self._readable()
        return await self._journal.snapshot(stream)

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """See `Journal.save_snapshot`."""
        await self._alive()
        await self._journal.save_snapshot(snapshot)

    async def summaries(self) -> list[Summary]:
        """See `Journal.summaries`."""
        await self._readable()
        return await self._journal.summaries()

    async def room(self, stream: StreamId) -> Summary | None:
        """See `Store.room`."""
        await self._readable()
        return await self._journal.room(stream)

    async def room_of_invite(self, hashed: str) -> Summary | None:
        """See `Store.room_of_invite`."""
        await self._readable()
        return await self._journal.room_of_invite(hashed)

    async def rooms_of(self, person: str, *, since: int, limit: int) -> list[Summary]:
        """See `Store.rooms_of`."""
        await self._readable()
        return await self._journal.rooms_of(person, since=since, limit=limit)

    async def window(self, window: Window) -> Page:
        """See `Store.window`."""
        await self._readable()
        return await self._journal.window(window)

    async def touch(self, streams: Sequence[StreamId], at: int) -> None:
        """See `Store.touch`."""
        await self._alive()
        await self._journal.touch(streams, at)

    async def outbox(self, now: int, limit: int) -> list[Outgoing]:
        """See `Store.outbox`."""
        await self._readable()
        return await self._journal.outbox(now, limit)

    async def settle(self, removed: Sequence[str], later: Sequence[Outgoing]) -> None:
        """See `Store.settle`."""
        await self._alive()
        await self._journal.settle(removed, later)

    async def person(self, person: str) -> PersonRow | None:
        """See `Store.person`."""
        await self._readable()
        return await self._journal.person(person)

    async def person_named(self, key: str) -> PersonRow | None:
        """See `Store.person_named`."""
        await self._readable()
        return await self._journal.person_named(key)

    async def person_of_token(self, hashed: str) -> PersonRow | None:
        """See `Store.person_of_token`."""
        await self._readable()
        return await self._journal.person_of_token(hashed)

    async def counts(self) -> Mapping[str, int]:
        """See `Store.counts`."""
        await self._readable()
        return await self._journal.counts()

    async def due(self, now: int, limit: int) -> list[StreamId]:
        """See `Store.due`."""
        await self._readable()
        return await self._journal.due(now, limit)

    async def rating(self, key: RatingKey) -> RatingRow | None:
        """See `RatingStore.rating`."""
        await self._readable()
        return await self._journal.rating(key)

    async def ratings_of(self, person: str, limit: int) -> list[RatingRow]:
        """See `RatingStore.ratings_of`."""
        await self._readable()
        return await self._journal.ratings_of(person, limit)

    async def ranked(self, game: str, seats: int, first: int, count: int) -> list[Ranked]:
        """See `RatingStore.ranked`."""
        await self._readable()
        return await self._journal.ranked(game, seats, first, count)

    async def better(self, game: str, seats: int, score: int, most: int) -> int:
        """See `RatingStore.better`."""
        await self._readable()
        return await self._journal.better(game, seats, score, most)

    async def set_ratings(self, rows: Sequence[RatingRow]) -> None:
        """See `RatingStore.set_ratings`."""
        await self._alive()
        await self._journal.set_ratings(rows)

    async def streams(self, prefix: str, after: str, limit: int) -> list[StreamId]:
        """See `RatingStore.streams`."""
        await self._readable()
        return await self._journal.streams(prefix, after, limit)

    async def find(self, actor: str, client_id: str) -> Place | None:
        """See `Journal.find`."""
        await self._readable()
        return await self._journal.find(actor, client_id)

    async def copy_to(self, target: Path) -> Copied:
        """See `Copying`: nothing is written, and it takes its time."""
        await self._readable()
        return Copied(target, 0)

    async def close(self) -> None:
        """See `Journal.close`."""
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
        journal: MemoryJournal,
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
