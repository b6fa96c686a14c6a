"""The journal and store in an SQLite file, for one server process."""

import asyncio
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from bluebear.server import faults
from bluebear.server.store import layout, outbox, person_rows, rating_rows, rows
from bluebear.server.store.aside import Aside, CommitLock
from bluebear.server.store.backup import Copied, copy_pages
from bluebear.server.store.head import Behind, Head, HeadFile, behind, digest_of
from bluebear.server.store.judge import Judged, judge, settle
from bluebear.server.store.store import RatingStore
from bluebear.server.store.types import (
    Answer,
    Append,
    Entry,
    JournalError,
    NotOpened,
    NotRead,
    NotSaved,
    Outgoing,
    Page,
    PersonRow,
    Place,
    Ranked,
    RatingKey,
    RatingRow,
    Snapshot,
    StreamId,
    Summary,
    Window,
)

LOG_MAX_ENTRIES: Final = 16_384
"""Entries of the log before a commit also moves the oldest runs on.

They are held in memory (about 5 MiB) and read at every opening (about 40 ms); 250 rooms between
two snapshots of 64 entries fit in.
"""

MOVE_MIN_ENTRIES: Final = 256
"""Entries that such a commit moves: seldom enough to be cheap, few enough for about 2 ms."""

COLD_HEADS_MAX: Final = 10_000
"""Remembered heads of streams that have nothing in the log; more rooms than are awake at once."""

TOUCH_ROOMS: Final = 64
"""Rooms touched in one commit, about 5 ms: entries of others need not wait for all of them."""

_T = TypeVar("_T")


class SqliteJournal(RatingStore):
    """A `Store` in the file at `path`, which it locks and creates when it is missing.

    Opening reads the log and blocks meanwhile. Raises `NotOpened`, also for a journal that is
    behind what was last written there, unless `accept_older`; then `behind` says what is missing.
    `settings` are the file's, as read back.
    """

    def __init__(
        self, path: Path, *, log_max_entries: int = LOG_MAX_ENTRIES, accept_older: bool = False
    ) -> None:
        self._connection = layout.open_file(path)
        self.settings: Mapping[str, str | int] = layout.SETTINGS  # `open_file` has read them back
        self._path = path
        try:
            self._tail = layout.read_tail(self._connection)
            self._head = HeadFile(path)
        except (sqlite3.Error, OSError) as error:
            self._connection.close()
            raise NotOpened("journal_unusable", f"{path}: {error}") from error
        self.behind = self._compare(accept_older=accept_older)
        self._log_max_entries = log_max_entries
        self._cold_heads: dict[StreamId, int] = {}
        self._in_doubt = False
        self._closed = False
        self._turn = CommitLock()
        self._copying = asyncio.Lock()
        self._thread = Aside("journal")

    def _compare(self, *, accept_older: bool) -> Behind | None:
        found = layout.read_log_head(self._connection)
        lost = behind(found, self._head.read())
        if lost is not None and not accept_older:
            self._head.close()
            self._connection.close()
            detail = f"{self._path}: {lost.entries} entries are missing, the newest of {lost.at}"
            raise NotOpened("journal_behind", detail, lost.entries, lost.at)
        if lost is not None:
            # From here on this is the newest: the next opening need not be accepted again.
            self._head.write(found or Head(row=0, digest=digest_of(b""), entries=0, at=0))
        return lost

    async def append(self, batch: Sequence[Append]) -> list[Answer]:
        """See `Journal.append`."""
        async with self._turn.for_commit:
            if self._closed:
                self._check_open()
            judged: Judged | None = None
            try:
                if self._in_doubt:
                    await self._resolve_doubt()
                judged = judge(batch, self)
                if judged.fresh:
                    await self._store(judged)
                return judged.answers
            except (sqlite3.Error, OSError) as error:
                return await self._read_back(batch, judged, str(error))

    async def load(self, stream: StreamId, after: int = 0) -> list[Entry]:
        """See `Journal.load`."""
        return await self._read(
            lambda: layout.read_entries(
                self._connection, stream, after, self._tail.runs.get(stream)
            )
        )

    async def snapshot(self, stream: StreamId) -> Snapshot | None:
        """See `Journal.snapshot`."""
        return await self._read(lambda: layout.read_snapshot(self._connection, stream))

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """See `Journal.save_snapshot`; moves the stream's entries out of the log as well."""
        async with self._turn.for_others:
            self._check_open()
            what = f"snapshot of {snapshot.stream}"
            await self._sure(what)
            head = self.head(snapshot.stream)
            if not 0 < snapshot.seq <= head:
                raise ValueError(f"a snapshot at {snapshot.seq}, but the newest is {head}")
            moving = [snapshot.stream] if snapshot.stream in self._tail.runs else []
            await self._change(what, partial(self._commit_snapshot, snapshot, moving))
            self._forget(moving)

    async def summaries(self) -> list[Summary]:
        """See `Journal.summaries`."""
        return await self._read(lambda: rows.read_rooms(self._connection))

    async def find(self, actor: str, client_id: str) -> Place | None:
        """See `Journal.find`."""
        return await self._read(lambda: self.place(actor, client_id))

    async def room(self, stream: StreamId) -> Summary | None:
        """See `Store.room`."""
        return await self._read(lambda: rows.read_room(self._connection, stream))

    async def room_of_invite(self, hashed: str) -> Summary | None:
        """See `Store.room_of_invite`."""
        return await self._read(lambda: rows.read_room_of_invite(self._connection, hashed))

    async def rooms_of(self, person: str, *, since: int, limit: int) -> list[Summary]:
        """See `Store.rooms_of`."""
        return await self._read(lambda: rows.read_rooms_of(self._connection, person, since, limit))

    async def window(self, window: Window) -> Page:
        """See `Store.window`."""
        return await self._read(lambda: rows.read_window(self._connection, window))

    async def touch(self, streams: Sequence[StreamId], at: int) -> None:
        """See `Store.touch`."""
        for start in range(0, len(streams), TOUCH_ROOMS):
            some = streams[start : start + TOUCH_ROOMS]
            async with self._turn.for_others:
                self._check_open()
                await self._sure("touch")
                await self._change("touch", partial(self._commit_touch, some, at))

    async def outbox(self, now: int, limit: int) -> list[Outgoing]:
        """See `Store.outbox`."""
        return await self._read(lambda: outbox.read(self._connection, now, limit))

    async def settle(self, gone: Sequence[str], later: Sequence[Outgoing]) -> None:
        """See `Store.settle`."""
        async with self._turn.for_others:
            self._check_open()
            await self._sure("outbox")
            await self._change("outbox", partial(self._commit_outbox, gone, later))

    async def person(self, person: str) -> PersonRow | None:
        """See `Store.person`."""
        return await self._read(lambda: person_rows.read(self._connection, person))

    async def person_named(self, key: str) -> PersonRow | None:
        """See `Store.person_named`."""
        return await self._read(lambda: self.holder_of_key(key))

    async def person_of_token(self, hashed: str) -> PersonRow | None:
        """See `Store.person_of_token`."""
        return await self._read(lambda: self.holder_of_token(hashed))

    async def counts(self) -> Mapping[str, int]:
        """See `Store.counts`."""
        return await self._read(lambda: rows.read_tally(self._connection))

    async def due(self, now: int, limit: int) -> list[StreamId]:
        """See `Store.due`."""
        return await self._read(lambda: rows.read_due(self._connection, now, limit))

    async def rating(self, key: RatingKey) -> RatingRow | None:
        """See `RatingStore.rating`."""
        return await self._read(lambda: rating_rows.read(self._connection, key))

    async def ratings_of(self, person: str, limit: int) -> list[RatingRow]:
        """See `RatingStore.ratings_of`."""
        return await self._read(lambda: rating_rows.read_of(self._connection, person, limit))

    async def ranked(self, game: str, seats: int, first: int, count: int) -> list[Ranked]:
        """See `RatingStore.ranked`."""
        return await self._read(
            lambda: rating_rows.read_ranked(self._connection, game, seats, first, count)
        )

    async def better(self, game: str, seats: int, score: int, most: int) -> int:
        """See `RatingStore.better`."""
        return await self._read(
            lambda: rating_rows.read_better(self._connection, game, seats, score, most)
        )

    async def set_ratings(self, every: Sequence[RatingRow]) -> None:
        """See `RatingStore.set_ratings`."""
        await self._change_all("ratings", lambda: rating_rows.set_all(self._connection, every))

    async def ratings_after(self, key: RatingKey | None, limit: int) -> list[RatingRow]:
        """See `WholeStore.ratings_after`."""
        return await self._read(lambda: rating_rows.read_after(self._connection, key, limit))

    async def people_after(self, person: str, limit: int) -> list[PersonRow]:
        """See `WholeStore.people_after`."""
        return await self._read(lambda: person_rows.read_after(self._connection, person, limit))

    async def streams(self, prefix: str, after: str, limit: int) -> list[StreamId]:
        """See `RatingStore.streams`."""
        return await self._read(
            lambda: rating_rows.read_streams(
                self._connection, self._tail.runs, prefix, after, limit
            )
        )

    def rating_seq(self, key: RatingKey) -> int:
        """See `Known.rating_seq`."""
        found = rating_rows.read(self._connection, key)
        return 0 if found is None else found.seq

    async def copy_to(self, target: Path) -> Copied:
        """Copy the journal into one file while it goes on; one copy at a time.

        The copy is that of one moment: each stream up to an entry. Raises JournalError.
        """
        async with self._copying:
            self._check_open()
            aside = Aside("backup")
            try:
                return await aside.run(partial(copy_pages, self._connection, target))
            finally:
                aside.close()

    async def close(self) -> None:
        """See `Journal.close`."""
        async with self._copying, self._turn.for_others:
            if self._closed:
                return
            self._closed = True
            await self._thread.run(self._connection.close)
            self._thread.close()
            self._head.close()

    async def _store(self, judged: Judged) -> None:
        """Insert here, commit over there, then take note of what the file has now."""
        tail = self._tail
        row = tail.next_row
        moving: list[StreamId] = []
        if row - tail.first_row > self._log_max_entries:
            # As many as come at least, or the log would grow with every large group.
            moving = tail.oldest(max(MOVE_MIN_ENTRIES, len(judged.fresh)))
        self._in_doubt = True
        faults.hit("journal.before_insert")
        self._connection.execute("BEGIN IMMEDIATE")
        head = layout.write_log(self._connection, row, judged.fresh)
        await self._thread.run(partial(self._commit, judged, moving, head))
        if moving:
            self._forget(moving)
        for append, body in judged.fresh:
            entry = append.entry
            tail.add(row, (entry.stream, entry.seq), (entry.actor, entry.client_id), body)
        tail.next_row = row + len(judged.fresh)
        self._in_doubt = False

    async def _read_back(
        self, batch: Sequence[Append], judged: Judged | None, reason: str
    ) -> list[Answer]:
        """What the batch gets after a failure, by what the file says now."""
        if judged is None:
            return [NotSaved(reason) for _ in batch]
        try:
            await self._resolve_doubt()
            return settle(batch, judged, self, reason)
        except (sqlite3.Error, OSError) as error:
            self._in_doubt = True
            return [NotSaved(f"{reason}; then {error}", certain=False) for _ in batch]

    async def _read(self, work: Callable[[], _T]) -> _T:
        async with self._turn.for_others:
            self._check_open()
            try:
                await self._resolve_doubt()
                return await self._thread.run(work)
            except (sqlite3.Error, OSError, ValueError) as error:
                raise NotRead(str(error)) from error

    async def _resolve_doubt(self) -> None:
        if self._in_doubt:
            await self._thread.run(self._reread)
            self._in_doubt = False

    async def _sure(self, what: str) -> None:
        """Know what the file holds, or raise `NotSaved`."""
        try:
            await self._resolve_doubt()
        except (sqlite3.Error, OSError) as error:
            raise NotSaved(f"{what}: {error}") from error

    async def _change(self, what: str, commit: Callable[[], None]) -> None:
        """Run a whole transaction over there. Raises `NotSaved` when it did not end well."""
        self._in_doubt = True
        try:
            await self._thread.run(commit)
        except (sqlite3.Error, OSError) as error:
            with suppress(sqlite3.Error, OSError):  # still in doubt, then; the next one asks
                await self._resolve_doubt()
            raise NotSaved(f"{what}: {error}") from error
        self._in_doubt = False

    async def _change_all(self, what: str, change: Callable[[], None]) -> None:
        def commit() -> None:
            self._connection.execute("BEGIN IMMEDIATE")
            change()
            self._connection.execute("COMMIT")

        async with self._turn.for_others:
            self._check_open()
            await self._sure(what)
            await self._change(what, commit)

    def _commit(self, judged: Judged, moving: list[StreamId], head: Head) -> None:
        """In the journal's thread: end the transaction that the loop's thread has begun."""
        if judged.rooms or judged.people:
            faults.hit("journal.before_rows")
            rows.write_rooms(self._connection, judged.rooms.values())
            more = person_rows.write(self._connection, judged.people)
            rows.add(self._connection, {"people": more})
        going = [each for append, _ in judged.fresh for each in append.outgoing]
        if going:
            outbox.put(self._connection, going)
        if judged.ratings:
            rating_rows.write(self._connection, judged.ratings.values())
        faults.hit("journal.before_commit")
        if moving:
            self._move(moving)
        self._connection.execute("COMMIT")
        self._head.write(head)
        faults.hit("journal.after_commit")

    def _commit_snapshot(self, snapshot: Snapshot, moving: list[StreamId]) -> None:
        """In the journal's thread."""
        self._connection.execute("BEGIN IMMEDIATE")
        layout.keep_snapshot(self._connection, snapshot)
        if moving:
            self._move(moving)
        faults.hit("journal.before_snapshot")
        self._connection.execute("COMMIT")
        faults.hit("journal.after_snapshot")

    def _commit_touch(self, streams: Sequence[StreamId], at: int) -> None:
        """In the journal's thread."""
        self._connection.execute("BEGIN IMMEDIATE")
        rows.touch(self._connection, streams, at)
        faults.hit("journal.before_touch")
        self._connection.execute("COMMIT")
        faults.hit("journal.after_touch")

    def _commit_outbox(self, gone: Sequence[str], later: Sequence[Outgoing]) -> None:
        """In the journal's thread."""
        self._connection.execute("BEGIN IMMEDIATE")
        outbox.take(self._connection, gone)
        outbox.put(self._connection, later)
        self._connection.execute("COMMIT")

    def _move(self, moving: list[StreamId]) -> None:
        layout.move(self._connection, {stream: self._tail.runs[stream] for stream in moving})
        layout.trim(self._connection, self._tail.first_needed(moving))

    def _reread(self) -> None:
        """In the journal's thread: end what is half done and learn what the file holds."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        self._cold_heads.clear()
        self._tail = layout.read_tail(self._connection)

    def _forget(self, moved: list[StreamId]) -> None:
        for stream in moved:
            self._remember_head(stream, self._tail.runs[stream].head)
        self._tail.forget(moved)

    def head(self, stream: StreamId) -> int:
        run = self._tail.runs.get(stream)
        if run is not None:
            return run.head
        head = self._cold_heads.get(stream)
        if head is None:
            head = layout.read_head(self._connection, stream)
            self._remember_head(stream, head)
        return head

    def _remember_head(self, stream: StreamId, head: int) -> None:
        self._cold_heads[stream] = head
        if len(self._cold_heads) > COLD_HEADS_MAX:
            del self._cold_heads[next(iter(self._cold_heads))]

    def place(self, actor: str, client_id: str) -> Place | None:
        return self._tail.said.get((actor, client_id)) or layout.read_place(
            self._connection, actor, client_id
        )

    def holder_of_key(self, key: str) -> PersonRow | None:
        """See `Known.holder_of_key`."""
        return person_rows.read_named(self._connection, key)

    def holder_of_token(self, token: str) -> PersonRow | None:
        """See `Known.holder_of_token`."""
        return person_rows.read_of_token(self._connection, token)

    def _check_open(self) -> None:
        if self._closed:
            raise JournalError("the journal is closed")
