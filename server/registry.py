"""People and rooms as the journal has them: loading, writing what is no room's entry, saving."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from rules.core.refusal import NotAllowed
from server.clock import Clock
from server.journal import (
    PEOPLE,
    Answer,
    Append,
    Entry,
    Fenced,
    GroupWriter,
    Journal,
    JournalError,
    NotSaved,
    Snapshot,
    StreamId,
    Written,
)
from server.limits import DISK_RETRY_SECONDS
from server.observe import count, log
from server.people.person import Draft, People, Person
from server.room.reducer import fold
from server.room.snapshot import dump_room, load_room
from server.room.state import Room
from server.room.step import Games

_PEOPLE_SNAPSHOT_EVERY: Final = 1000
_RECORD_PREFIX: Final = "record:"


class Tasks:
    """Every task has an owner: this one, of the app. Empty when the app is closed."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something to its end; a bug in it is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and task.exception() is not None:
            count("bugs")
            logging.getLogger("bluebear").error("task failed", exc_info=task.exception())

    async def close(self) -> None:
        """Cancel what still runs and wait for it."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)


@dataclass(slots=True)
class _Pending:
    """An entry about somebody that is on its way, and who waits for it."""

    entry: Entry
    draft: Draft
    then: Callable[[Person | None], None]


class Registry:
    """The journal's other readers and writers; owned by the app."""

    def __init__(self, journal: Journal, writer: GroupWriter, games: Games, clock: Clock) -> None:
        self._journal = journal
        self._writer = writer
        self._games = games
        self._clock = clock
        self.people = People()
        self._head = 0
        self._next_seq = 1
        self._doubtful: list[_Pending] | None = None
        self._tasks = Tasks()

    async def load_people(self) -> None:
        """Fold the stream `people` from its newest snapshot. Raises NotRead."""
        newest = await self._journal.snapshot(PEOPLE)
        if newest is not None:
            self.people.load(newest.body)
            self._head = newest.seq
        for entry in await self._journal.load(PEOPLE, self._head):
            self.people.fold(entry)
            self._head = entry.seq
        self._next_seq = self._head + 1

    def write_person(self, draft: Draft, then: Callable[[Person | None], None]) -> None:
        """Store an entry about somebody; `then` gets the person, or None if it was not saved."""
        if self._doubtful is not None:
            self._not_saved(draft, then)
            return
        entry = Entry(
            stream=PEOPLE,
            seq=self._next_seq,
            actor="server",
            client_id="",
            lines=(draft.line,),
            facts=draft.facts,
            at=self._clock.now(),
        )
        self._next_seq += 1
        pending = _Pending(entry, draft, then)
        self._writer.submit(Append(entry), partial(self._person, pending))

    def _person(self, pending: _Pending, answer: Answer) -> None:
        if isinstance(answer, Written):
            # After a gap the head waits for `_read_on`, which folds this one once more.
            if answer.seq == self._head + 1:
                self._head = answer.seq
            self._next_seq = max(self._next_seq, answer.seq + 1)
            pending.then(self.people.fold(pending.entry))
        elif isinstance(answer, NotSaved) and not answer.certain:
            self._doubt().append(pending)
        else:
            if isinstance(answer, Fenced) and answer.head > self._head:
                self._doubt()
            # What was numbered behind this one is fenced too; the next draft starts afresh.
            self._next_seq = self._head + 1
            self._not_saved(pending.draft, pending.then)

    def _not_saved(self, draft: Draft, then: Callable[[Person | None], None]) -> None:
        self.people.release(draft)
        then(None)

    def _doubt(self) -> list[_Pending]:
        """The journal has more than is known here: read on before anything else is written."""
        if self._doubtful is None:
            self._doubtful = []
            self._tasks.start(self._read_on())
        return self._doubtful

    async def _read_on(self) -> None:
        """Fold what the journal has, and answer those of whom nobody could tell."""
        try:
            entries = await self._journal.load(PEOPLE, self._head)
        except JournalError as problem:
            log(logging.ERROR, "people not loaded", why=str(problem))
            await asyncio.sleep(DISK_RETRY_SECONDS)
            self._tasks.start(self._read_on())
            return
        for entry in entries:
            self.people.fold(entry)
            self._head = entry.seq
        self._next_seq = self._head + 1
        stored = {entry.facts["person"]: entry.lines for entry in entries}
        waiting, self._doubtful = self._doubtful or [], None
        for pending in waiting:
            if stored.get(pending.draft.person) == pending.entry.lines:
                pending.then(self.people.get(pending.draft.person))
            else:
                self._not_saved(pending.draft, pending.then)

    async def close(self) -> None:
        """Read nothing more."""
        await self._tasks.close()

    @property
    def people_snapshot_due(self) -> bool:
        """Whether the people's stream has grown enough for a snapshot."""
        return self._head > 0 and self._head % _PEOPLE_SNAPSHOT_EVERY == 0

    async def save_people(self) -> None:
        """Save a snapshot of all people."""
        await self._save(Snapshot(PEOPLE, self._head, self.people.dump()))

    async def load_room(self, room_id: str) -> Room | None:
        """Fold a room from its newest usable snapshot; None if there is no such room.

        Raises NotRead, and NotAllowed (version_gap) for a game that this server does not have.
        """
        stream = StreamId(room_id)
        newest = await self._journal.snapshot(stream)
        room = None
        if newest is not None:
            try:
                room = load_room(newest.body, self._games)
            except (KeyError, ValueError, TypeError) as problem:
                log(logging.WARNING, "snapshot not usable", room=room_id, why=repr(problem))
                count("snapshots.unusable")
        for entry in await self._journal.load(stream, 0 if room is None else room.version):
            if room is None and entry.lines[0].split(" ")[1] not in self._games:
                raise NotAllowed("version_gap", given=entry.lines[0].split(" ")[1])
            folded = fold(room, entry, self._games)
            room = folded.room
            if entry.digest and folded.digest and entry.digest != folded.digest:
                log(logging.ERROR, "digest differs", room=room_id, version=entry.seq)
                count("digests.different")
        return room

    async def save_room(self, room: Room) -> None:
        """Save a snapshot of a room."""
        body = dump_room(room, self._games)
        await self._save(Snapshot(StreamId(room.table.id), room.version, body))

    async def _save(self, snapshot: Snapshot) -> None:
        try:
            await self._journal.save_snapshot(snapshot)
        except JournalError as problem:
            # The entries are there; a snapshot only makes loading shorter.
            log(logging.WARNING, "no snapshot", stream=snapshot.stream, why=str(problem))
            count("snapshots.not_saved")

    async def save_record(self, game_id: str, room: Room, text: str) -> None:
        """Keep the record of a finished game under its id; the first one stays. A full disk is
        tried again until it takes it.
        """
        table = room.table
        entry = Entry(
            stream=StreamId(_RECORD_PREFIX + game_id),
            seq=1,
            actor="server",
            client_id="",
            lines=(text,),
            facts={"room": table.id, "private": table.privacy.value == "private"},
            at=self._clock.now(),
        )
        while isinstance((await self._journal.append((Append(entry),)))[0], NotSaved):
            count("journal.record_not_saved")
            await asyncio.sleep(DISK_RETRY_SECONDS)

    async def load_record(self, game_id: str) -> Entry | None:
        """The stored record of a finished game: its text is the entry's only line."""
        found = await self._journal.load(StreamId(_RECORD_PREFIX + game_id))
        return found[0] if found else None
