"""A journal and store in memory, for tests and for the server in virtual time.

It keeps the contract and fails on request. Nothing here knows a thread or a clock: how long a
commit takes is said by its owner's `latency`, and slept on the running loop.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from bluebear.server import faults
from bluebear.server.store.judge import Judged, judge, settle
from bluebear.server.store.types import (
    Answer,
    Append,
    Deposed,
    Entry,
    NotRead,
    NotSaved,
    Outgoing,
    Page,
    PersonRow,
    Place,
    Snapshot,
    StreamId,
    Summary,
    Window,
    unpack,
)
from tests.support.memory_disk import MemoryDisk
from tests.support.memory_ratings import MemoryRatings


@dataclass(frozen=True, slots=True)
class Latency:
    """How long one commit takes: seconds until it is synced, then seconds until it is answered.

    A crash in the first part loses the batch; in the second it is kept, and no caller was told.
    """

    sync: float
    answer: float


Latencies: TypeAlias = Callable[[], Latency]


class Fence(Protocol):
    """Whether who writes here still may; `memory_nodes.MemoryNodes` has one for each node."""

    @property
    def is_cut(self) -> bool:
        """Whether there is no way to the disk now."""

    @property
    def is_deposed(self) -> bool:
        """Whether nothing that is sent by this one is stored any more."""

    def renew(self) -> None:
        """Write with a new generation from now on; what was sent with the old one is refused."""

    def may_send_for(self, sender: str) -> bool:
        """Whether what `sender` was to send is to be sent here: it is this node, or none alive."""

    @property
    def node(self) -> str:
        """Who writes here."""


class MemoryJournal(MemoryRatings):
    """A `Store` whose disk is this object: servers come and go, what is synced stays.

    `close` gives nothing away, and after a `crash` the next server uses the same journal. With a
    `disk` of several nodes it is how one of them writes there, with its `fence`.
    """

    def __init__(
        self,
        latency: Latencies | None = None,
        *,
        disk: MemoryDisk | None = None,
        fence: Fence | None = None,
    ) -> None:
        self.disk = disk or MemoryDisk()
        self._latency = latency
        self._fence = fence
        self._failures = 0
        self._breaks: deque[bool] = deque()
        self._life = 0
        self._turn = asyncio.Lock()

    def fail_next(self, commits: int) -> None:
        """Let the next `commits` commits fail with nothing stored, as on a full disk."""
        self._failures = commits

    def break_next(self, *, stored: bool) -> None:
        """Let the connection break during the next commit that has none such yet.

        Its writer does not hear whether it was `stored`, and reads it back behind the barrier.
        """
        self._breaks.append(stored)

    def crash(self) -> None:
        """Lose what is not synced. Calls under way never return: a dead process gets no answer.

        The simulation ends the dead server's tasks.
        """
        self._life += 1
        self._turn = asyncio.Lock()

    async def append(self, batch: Sequence[Append]) -> list[Answer]:
        """See `Journal.append`."""
        async with self._turn_taken():
            life = self._life
            latency = self._latency() if self._latency else None
            if latency is not None:
                await asyncio.sleep(latency.sync)
                await self._live(life)
            judged = judge(batch, self.disk)
            try:
                self._may_write()
                self._commit(judged)
            except NotSaved as refused:
                return [refused for _ in batch]
            except OSError as error:
                return settle(batch, judged, self.disk, str(error))
            if latency is not None:
                await asyncio.sleep(latency.answer)
                await self._live(life)
            return judged.answers

    async def load(self, stream: StreamId, after: int = 0) -> list[Entry]:
        """See `Journal.load`."""
        async with self._reading() as disk:
            bodies = disk.bodies.get(stream, [])[after:]
            return [unpack(stream, seq, body) for seq, body in enumerate(bodies, after + 1)]

    async def snapshot(self, stream: StreamId) -> Snapshot | None:
        """See `Journal.snapshot`."""
        async with self._reading() as disk:
            stored = disk.snapshots.get(stream)
            return stored[-1] if stored else None

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """See `Journal.save_snapshot`."""
        async with self._turn_taken():
            head = self.disk.head(snapshot.stream)
            if not 0 < snapshot.seq <= head:
                raise ValueError(f"a snapshot at {snapshot.seq}, but the newest entry is {head}")
            self._change()
            self.disk.keep(snapshot)

    async def summaries(self) -> list[Summary]:
        """See `Journal.summaries`."""
        async with self._reading() as disk:
            return [disk.rooms[stream] for stream in sorted(disk.rooms)]

    async def find(self, actor: str, client_id: str) -> Place | None:
        """See `Journal.find`."""
        async with self._reading() as disk:
            return disk.place(actor, client_id)

    async def room(self, stream: StreamId) -> Summary | None:
        """See `Store.room`."""
        async with self._reading() as disk:
            return disk.rooms.get(stream)

    async def room_of_invite(self, hashed: str) -> Summary | None:
        """See `Store.room_of_invite`."""
        async with self._reading() as disk:
            leading = [row for row in disk.rooms.values() if hashed in row.invites]
            return min(leading, key=lambda row: row.stream, default=None)

    async def rooms_of(self, person: str, *, since: int, limit: int) -> list[Summary]:
        """See `Store.rooms_of`."""
        async with self._reading() as disk:
            return disk.rooms_of(person, since)[:limit]

    async def window(self, window: Window) -> Page:
        """See `Store.window`."""
        async with self._reading() as disk:
            return disk.window(window)

    async def touch(self, streams: Sequence[StreamId], at: int) -> None:
        """See `Store.touch`."""
        async with self._turn_taken():
            if streams:
                self._change()
            for stream in streams:
                row = self.disk.rooms.get(stream)
                if row is not None and row.at < at:
                    self.disk.rooms[stream] = replace(row, at=at)

    async def person(self, person: str) -> PersonRow | None:
        """See `Store.person`."""
        async with self._reading() as disk:
            return disk.people.get(person)

    async def person_named(self, key: str) -> PersonRow | None:
        """See `Store.person_named`."""
        async with self._reading() as disk:
            return disk.holder_of_key(key)

    async def person_of_token(self, hashed: str) -> PersonRow | None:
        """See `Store.person_of_token`."""
        async with self._reading() as disk:
            return disk.holder_of_token(hashed)

    async def counts(self) -> Mapping[str, int]:
        """See `Store.counts`."""
        async with self._reading() as disk:
            return disk.counts()

    async def outbox(self, now: int, limit: int) -> list[Outgoing]:
        """See `Store.outbox`."""
        async with self._reading() as disk:
            result = disk.outbox(now)
            fence = self._fence
            if fence is None:
                return result[:limit]
            if fence.is_deposed:
                return []
            sendable = [
                each for each in result if fence.may_send_for(disk.senders.get(each.id, ""))
            ][:limit]
            disk.senders |= dict.fromkeys([each.id for each in sendable], fence.node)
            return sendable

    async def settle(self, acknowledged: Sequence[str], later: Sequence[Outgoing]) -> None:
        """See `Store.settle`."""
        async with self._turn_taken():
            if acknowledged or later:
                self._change()
            for one in acknowledged:
                self.disk.take_out(one)
            for each in later:
                self.disk.send_later(each)

    async def due(self, now: int, limit: int) -> list[StreamId]:
        """See `Store.due`."""
        async with self._reading() as disk:
            return disk.due(now)[:limit]

    async def close(self) -> None:
        """See `Journal.close`."""
        async with self._turn_taken():
            pass

    def _commit(self, judged: Judged) -> None:
        """Store what was judged fresh. Raises OSError when its writer does not hear of it."""
        faults.hit("journal.before_insert")
        if judged.rooms or judged.people:
            faults.hit("journal.before_rows")
        faults.hit("journal.before_commit")
        if judged.fresh and self._fails():
            raise OSError("the disk is full (fail_next)")
        breaks = bool(judged.fresh and self._breaks)
        if not breaks or self._breaks.popleft():
            self.disk.store(judged)
        if breaks:
            if self._fence is not None:
                self._fence.renew()
            raise OSError("the connection broke (break_next)")
        faults.hit("journal.after_commit")

    def _change(self) -> None:
        """Something else than entries is to be stored. Raises NotSaved when that fails."""
        self._may_write()
        if self._fails():
            raise NotSaved("the disk is full (fail_next)")

    def _may_write(self) -> None:
        if self._fence is not None and self._fence.is_cut:
            raise NotSaved("there is no way to the store")
        if self._fence is not None and self._fence.is_deposed:
            raise Deposed("another node has deposed this one")

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[MemoryDisk]:
        """Wait for the turn to read. Raises NotRead when there is no way to the disk."""
        async with self._turn_taken():
            if self._fence is not None and self._fence.is_cut:
                raise NotRead("there is no way to the store")
            yield self.disk

    @asynccontextmanager
    async def _turn_taken(self) -> AsyncIterator[None]:
        """Wait for the turn; for ever, if the process dies meanwhile."""
        life = self._life
        async with self._turn:
            await self._live(life)
            yield

    async def _live(self, life: int) -> None:
        if life != self._life:
            await asyncio.get_running_loop().create_future()

    def _fails(self) -> bool:
        if self._failures == 0:
            return False
        self._failures -= 1
        return True
