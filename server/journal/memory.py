"""A journal in memory, for tests and for the server in virtual time.

It keeps the contract and fails on request. Nothing here knows a thread or a clock: how long a
commit takes is said by its owner's `latency`, and slept on the running loop. Entries are kept
packed, so that what comes back is what a file would give.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeAlias

from server import faults
from server.journal.base import Answer, NotSaved
from server.journal.entry import (
    Append,
    Entry,
    Place,
    Snapshot,
    StreamId,
    Summary,
    unpack,
)
from server.journal.fence import Judged, judge, settle


@dataclass(frozen=True, slots=True)
class Latency:
    """How long one commit takes: seconds until it is synced, then seconds until it is answered.

    A crash in the first part loses the batch; in the second it is kept, and nobody was told.
    """

    sync: float
    answer: float


Latencies: TypeAlias = Callable[[], Latency]


class MemoryJournal:
    """A `Journal` whose disk is this object: servers come and go, what is synced stays.

    `close` gives nothing away, and after a `crash` the next server uses the same journal.
    """

    def __init__(self, latency: Latencies | None = None) -> None:
        self._latency = latency
        self._bodies: dict[StreamId, list[bytes]] = {}
        self._said: dict[tuple[str, str], Place] = {}
        self._summaries: dict[StreamId, Summary] = {}
        self._snapshots: dict[StreamId, list[Snapshot]] = {}
        self._failures = 0
        self._life = 0
        self._turn = asyncio.Lock()

    def fail_next(self, commits: int) -> None:
        """Let the next `commits` commits fail with nothing stored, as on a full disk."""
        self._failures = commits

    def crash(self) -> None:
        """Lose what is not synced. Calls under way never return: a dead process gets no answer.

        Whoever simulates the crash ends the dead server's tasks.
        """
        self._life += 1
        self._turn = asyncio.Lock()

    async def append(self, batch: Sequence[Append]) -> list[Answer]:
        """See `Journal.append`."""
        async with self._own():
            judged = judge(batch, self._head, self._place)
            try:
                faults.hit("journal.before_insert")
                await self._commit(judged)
            except OSError as error:
                return settle(batch, judged, self._head, str(error))
            return judged.answers

    async def load(self, stream: StreamId, after: int = 0) -> list[Entry]:
        """See `Journal.load`."""
        async with self._own():
            bodies = self._bodies.get(stream, [])[after:]
            return [unpack(stream, seq, body) for seq, body in enumerate(bodies, after + 1)]

    async def snapshot(self, stream: StreamId) -> Snapshot | None:
        """See `Journal.snapshot`."""
        async with self._own():
            kept = self._snapshots.get(stream)
            return kept[-1] if kept else None

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """See `Journal.save_snapshot`."""
        async with self._own():
            head = self._head(snapshot.stream)
            if not 0 < snapshot.seq <= head:
                raise ValueError(f"a snapshot at {snapshot.seq}, but the newest entry is {head}")
            if self._fails():
                raise NotSaved("the disk is full (fail_next)")
            kept = {old.seq: old for old in self._snapshots.get(snapshot.stream, ())}
            kept[snapshot.seq] = snapshot
            self._snapshots[snapshot.stream] = [kept[seq] for seq in sorted(kept)[-2:]]

    async def summaries(self) -> list[Summary]:
        """See `Journal.summaries`."""
        async with self._own():
            return [self._summaries[stream] for stream in sorted(self._summaries)]

    async def find(self, actor: str, client_id: str) -> Place | None:
        """See `Journal.find`."""
        async with self._own():
            return self._place(actor, client_id)

    async def close(self) -> None:
        """See `Journal.close`."""
        async with self._own():
            pass

    async def _commit(self, judged: Judged) -> None:
        """Sync, between the two sleeps, what was judged fresh. Raises OSError when it fails."""
        life = self._life
        latency = self._latency() if self._latency else None
        if latency is not None:
            await asyncio.sleep(latency.sync)
            await self._live(life)
        faults.hit("journal.before_commit")
        if judged.fresh and self._fails():
            raise OSError("the disk is full (fail_next)")
        for append, body in judged.fresh:
            entry = append.entry
            self._bodies.setdefault(entry.stream, []).append(body)
            if entry.client_id:
                self._said[entry.actor, entry.client_id] = (entry.stream, entry.seq)
            if append.summary is not None:
                self._summaries[entry.stream] = append.summary
        faults.hit("journal.after_commit")
        if latency is not None:
            await asyncio.sleep(latency.answer)
            await self._live(life)

    @asynccontextmanager
    async def _own(self) -> AsyncIterator[None]:
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

    def _head(self, stream: StreamId) -> int:
        return len(self._bodies.get(stream, ()))

    def _place(self, actor: str, client_id: str) -> Place | None:
        return self._said.get((actor, client_id))
