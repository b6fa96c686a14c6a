"""Gathers the entries of all rooms into commits; the hot path of the journal.

When nothing is under way, a commit starts with the loop's next turn and takes whatever has been
submitted by then. What comes while a commit runs goes into the next one, and that one starts
before the answers of the last are delivered: the disk works while the rooms publish. Only where
several rooms play at once, two commits are a little apart, so that each takes more along: a
commit costs as much as six entries in it.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from bluebear.server.limits import DISK_RETRY_SECONDS
from bluebear.server.runtime import CpuMeter, Payer, Times, log, log_bug
from bluebear.server.store import streams
from bluebear.server.store.store import Store
from bluebear.server.store.types import Answer, Append, Deposed, JournalError, NotSaved, Written

GATHER_SECONDS: Final = 0.002
"""Between the starts of two commits, once a group had several entries.

Measured in docs/notes/2026-11-performance.md.
"""

_UNSAVED: Final = frozenset((NotSaved, Deposed))

Done: TypeAlias = Callable[[Answer], None]
"""Called once on the loop's thread with what an entry got."""


class GroupWriter:
    """Submits entries to a journal in groups; owned by the running server.

    Bugs are logged: of a `Done` that raised (the others are still called) and of a journal that
    raised (its entries are answered `NotSaved`, uncertain). What waits here is bounded by the
    rooms, each of which has one entry and one record in flight.

    What is done with an answer is charged to the payer at the time its entry was submitted.

    `failing` says that the newest commit left an entry unsaved; the next good one clears it.
    `busy_since` is when the commit under way began; None: there is none. `commits`, `entries` and
    `commit_times` count from the start; the time is the loop's own.
    """

    def __init__(self, journal: Store, meter: CpuMeter | None = None) -> None:
        self._journal = journal
        self._meter = meter or CpuMeter()
        self._waiting: list[Append] = []
        self._dones: list[tuple[Done, Payer | None]] = []
        self._commit: asyncio.Task[None] | None = None
        self._not_before = 0.0
        self._undelivered = 0
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._closed = False
        self.failing = False
        self.commits = 0
        self.entries = 0
        self.commit_times = Times()
        self.busy_since: float | None = None
        self.on_deposed: Callable[[], None] = lambda: None
        """Called when this node may no longer write, before the answers are delivered."""

    @property
    def waiting(self) -> int:
        """Entries that wait for the next commit."""
        return len(self._waiting)

    def is_committing(self) -> bool:
        """Whether an entry waits for the disk."""
        return self.busy_since is not None

    def submit(self, append: Append, done: Done) -> None:
        """Store an entry; `done` gets its answer, in order. RuntimeError after the end."""
        if self._closed:
            raise RuntimeError("the writer is closed")
        self._waiting.append(append)
        self._dones.append((done, self._meter.payer))
        if self._commit is None:
            self._quiet.clear()
            self._commit = asyncio.get_running_loop().create_task(self._commit_waiting())

    async def store(self, append: Append, *, alone: bool = False) -> Answer:
        """The answer to an entry; where its end is unknown, as soon as the store can tell it.

        `alone`: in a commit of its own, which may fail without failing others.
        """
        if alone:
            (answer,) = await self._journal.append((append,))
        else:
            future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
            self.submit(append, lambda answer: None if future.done() else future.set_result(answer))
            answer = await future
        while isinstance(answer, NotSaved) and not answer.certain:
            try:
                if await self._journal.read(streams.is_stored, append):
                    return Written(append.entry.seq)
                return NotSaved("not written")
            except JournalError as problem:
                log(logging.ERROR, "entry not read back", why=str(problem))
                await asyncio.sleep(DISK_RETRY_SECONDS)
        return answer

    async def drain(self) -> None:
        """Wait until all entries are answered, also those that the answers cause."""
        await self._quiet.wait()

    async def close(self) -> None:
        """Refuse new entries and answer the submitted ones. The journal stays open."""
        self._closed = True
        await self.drain()

    async def _commit_waiting(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            if loop.time() < self._not_before:
                await asyncio.sleep(self._not_before - loop.time())
            group, dones = self._waiting, self._dones
            self._waiting, self._dones = [], []
            began = self.busy_since = loop.time()
            if len(group) > 1:
                self._not_before = began + GATHER_SECONDS
            try:
                answers = await self._journal.append(group)
            except Exception as bug:  # noqa: BLE001  # the boundary: the rooms wait for an answer
                log_bug(bug, "journal writer")
                answers = [NotSaved(f"the journal raised {bug!r}", certain=False)] * len(group)
            self.failing = not _UNSAVED.isdisjoint(map(type, answers))
            self.commits += 1
            self.entries += len(group)
            self.busy_since = None
            self.commit_times.add(loop.time() - began)
            self._undelivered += 1
            # Delivered in the loop's next turn, when the next commit is under way.
            loop.call_soon(self._deliver, dones, answers)
        self._commit = None

    def _deliver(self, dones: list[tuple[Done, Payer | None]], answers: Sequence[Answer]) -> None:
        if self.failing and any(isinstance(answer, Deposed) for answer in answers):
            try:
                self.on_deposed()
            except Exception as bug:  # noqa: BLE001  # the boundary: the rooms wait for an answer
                log_bug(bug, "journal writer")
        meter = self._meter
        for (done, payer), answer in zip(dones, answers, strict=True):
            meter.turn_to(payer)
            try:
                done(answer)
            except Exception as bug:  # noqa: BLE001  # the boundary: one room's bug is its own
                log_bug(bug, "journal writer")
        meter.turn_to(None)
        self._undelivered -= 1
        if self._commit is None and not self._undelivered:
            self._quiet.set()


class NoWriter(GroupWriter):
    """Stores nothing: answers each entry as written, with the loop's next turn as one does."""

    def submit(self, append: Append, done: Done) -> None:
        self._undelivered += 1
        dones, answers = [(done, self._meter.payer)], [Written(append.entry.seq)]
        asyncio.get_running_loop().call_soon(self._deliver, dones, answers)
