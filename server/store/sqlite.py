"""The store in an SQLite file, for one server process; or in memory, for tests.

To write into the indexes by stream and by client id costs a move more pages than to store it. So a
commit appends its entries to the table `tail`, which has no index, and every few hundred entries
one moves them all into the indexed table. What reads `entry` on this connection reads a view of
both. The newest number of each stream and the client ids of the tail are remembered.

SQLite has no round trips, so entries and their keys are looked up one by one, by prepared texts.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.dialects.sqlite import dialect
from sqlalchemy.exc import StatementError
from sqlalchemy.pool import Pool, StaticPool

from bluebear.server.runtime import fail_point
from bluebear.server.store import streams, upgrade
from bluebear.server.store.backup import HEAD_SUFFIX, copy_pages
from bluebear.server.store.judge import AppendState, Packed, columns_of, plain
from bluebear.server.store.store import Database, Job, Store, ended
from bluebear.server.store.types import (
    RECORD_PREFIX,
    Append,
    Entry,
    EntryKey,
    NotOpened,
    StreamId,
    unpack,
)

_T = TypeVar("_T")

SETTINGS: Final[Mapping[str, str | int]] = {
    # Exclusive before the first read of a WAL file: no shared memory, and a second opener fails.
    "locking_mode": "exclusive",
    "journal_mode": "wal",
    # FULL: every commit is synced before it is answered. NORMAL would lose the last ones.
    "synchronous": 2,
    # The smaller a page, the less is written for an entry, and the longer the log, the more entries
    # share the writing of a page into the file.
    "wal_autocheckpoint": 8000,
    # KiB: all that one move of the tail changes.
    "cache_size": -8000,
}
"""What makes `Written` true; set and read back at every opening."""

PAGE_BYTES: Final = 2048

HEADS_REMEMBERED: Final = 10_000
"""More rooms than are awake at the same time."""

TAIL_ENTRIES: Final = 500
"""So many move together, in some 3 ms. More save little, and all others wait for them meanwhile."""

_TAIL: Final = """
CREATE TABLE IF NOT EXISTS tail (number INTEGER PRIMARY KEY, stream TEXT NOT NULL,
seq INTEGER NOT NULL, actor TEXT NOT NULL, client_id TEXT, body BLOB NOT NULL)"""
_VIEW: Final = """
CREATE TEMP VIEW IF NOT EXISTS entry AS
SELECT rowid AS number, stream, seq, actor, client_id, body FROM main.entry
UNION ALL SELECT number, stream, seq, actor, client_id, body FROM tail"""
_INSERT: Final = """INSERT INTO tail (number, stream, seq, actor, client_id, body)
SELECT ?1, ?2, ?3, ?4, ?5, ?6
WHERE NOT EXISTS (SELECT 1 FROM main.entry WHERE actor = ?4 AND client_id = ?5)"""
# Whatever fails is rolled back with its transaction, so no copy is made for the statement alone.
_MOVE: Final = """
INSERT OR FAIL INTO main.entry (rowid, stream, seq, actor, client_id, body)
SELECT number, stream, seq, actor, client_id, body FROM tail ORDER BY number"""
_NEWEST: Final = "SELECT number, stream, seq, body FROM entry ORDER BY number DESC LIMIT 1"
_NUMBERS: Final = "SELECT (SELECT max(rowid) FROM main.entry), (SELECT max(number) FROM tail)"
_TAIL_IDS: Final = """
SELECT actor, client_id, stream, seq FROM tail WHERE client_id IS NOT NULL"""
_MOVED_ID: Final = "SELECT stream, seq FROM main.entry WHERE actor = ? AND client_id = ?"


class SqliteStore(Store):
    """A `Store` in the file at `path`, which it locks and creates when it is missing.

    Raises `NotOpened`, also for a file that is behind what was last written there, unless
    `accept_older`; then `behind` tells what is missing.
    """

    def __init__(self, path: Path, *, accept_older: bool = False) -> None:
        self._driver = driver = open_file(path)
        with ExitStack() as unless_opened:
            unless_opened.callback(driver.close)
            connection = unless_opened.enter_context(engine(lambda: driver).connect())
            try:
                head = HeadFile(path)
                unless_opened.callback(head.close)
                database = Sqlite(driver, connection, head)
                self.behind = database.compare(path, accept_older=accept_older)
            except (sqlite3.Error, ValueError, OSError) as error:
                raise NotOpened("journal_unusable", f"{path}: {error}") from error
            unless_opened.pop_all()
        self.settings = SETTINGS  # `open_file` has read them back
        self._worker = WorkerThread("store")
        self._copies = asyncio.Lock()
        super().__init__(database, self._worker.run)

    async def copy_to(self, target: Path) -> int:
        async with self._copies:
            self._check_open()
            worker = WorkerThread("backup")
            try:
                return await worker.run(partial(copy_pages, self._driver, target))
            finally:
                worker.close()

    async def close(self) -> None:
        async with self._copies:
            await super().close()
            self._worker.close()


class Sqlite(Database):
    """See `Database`; it owns the connection, and the file beside the store's."""

    failed: tuple[type[Exception], ...] = (StatementError, sqlite3.Error, OSError)
    tail_entries = TAIL_ENTRIES

    def __init__(
        self, driver: sqlite3.Connection, connection: Connection, head: HeadFile | None = None
    ) -> None:
        self.driver = driver
        self.connection = connection
        self._head = head
        driver.execute(_VIEW)
        self._row = self._moved = 0
        self._heads: dict[StreamId, int] = {}
        self._ids: dict[tuple[str, str], EntryKey] = {}
        self._read_tail()

    def compare(self, path: Path, *, accept_older: bool) -> NotOpened | None:
        """Compare the file with what was last written under its name. Raises NotOpened."""
        assert self._head is not None
        newest = self._newest()
        lost = behind(path, newest, self._head.read())
        if lost is not None and not accept_older:
            raise lost
        if lost is not None:
            # From here on this is the newest: the next opening need not be accepted again.
            self._head.write(newest)
        return lost

    def begin(self) -> None:
        self.driver.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        row = self._row + len(self._fresh)
        if moves := row >= self._moved + self.tail_entries:
            self.driver.execute(_MOVE)
            self.driver.execute("DELETE FROM tail")
        self.driver.execute("COMMIT")
        fresh, self._fresh, self._row = self._fresh, (), row
        for entry in [append.entry for append, _ in fresh]:
            if not entry.stream.startswith(RECORD_PREFIX):  # nothing follows a record
                self._heads[entry.stream] = entry.seq
            if entry.client_id:
                self._ids[entry.actor, entry.client_id] = entry.stream, entry.seq
        while len(self._heads) > HEADS_REMEMBERED:
            del self._heads[next(iter(self._heads))]
        if moves:
            self._moved = row
            self._ids.clear()
        if fresh and self._head is not None:
            append, body = fresh[-1]
            self._head.write(Head(row, digest_of(body), append.entry.at))

    def rollback(self) -> None:
        self.driver.execute("ROLLBACK")
        self._fresh = ()

    def recover(self) -> None:
        if self.driver.in_transaction:
            self.driver.execute("ROLLBACK")
        self._read_tail()

    def append(self, batch: Sequence[Append]) -> Sequence[int] | None:
        """See `Database.append`: all of a group without rows, or nothing."""
        group = plain(batch)
        if group is None:
            return None
        self.begin()
        fail_point("store.before_insert")
        if not all(self._is_new(append.entry) for append in batch) or not self._put(group):
            self.rollback()
            return ()
        fail_point("store.before_commit")
        self.commit()
        fail_point("store.after_commit")
        return range(len(batch))

    def insert(self, group: Sequence[Packed]) -> None:
        if not self._put(group):
            raise sqlite3.IntegrityError("a client id is there that was not when it was looked up")

    def _is_new(self, entry: Entry) -> bool:
        """Whether it follows its stream's newest entry, and no entry of the tail has its id."""
        follows = entry.seq == self.head(entry.stream) + 1
        return follows and (entry.actor, entry.client_id) not in self._ids

    def _put(self, group: Sequence[Packed]) -> bool:
        """Insert entries; False: some were not, since a moved one has their client id."""
        self._fresh = group
        rows = [(number, *each) for number, each in enumerate(columns_of(group), self._row + 1)]
        return self.driver.executemany(_INSERT, rows).rowcount == len(rows)

    def head(self, stream: StreamId) -> int:
        """The newest number of a stream; 0: it has no entry."""
        return self._heads.get(stream) or streams.head(self.connection, stream)

    def look_up(self, batch: Sequence[Append]) -> AppendState:
        entries = [append.entry for append in batch]
        state = AppendState({each: self.head(each) for each in {one.stream for one in entries}})
        for given in [(entry.actor, entry.client_id) for entry in entries if entry.client_id]:
            key = self._ids.get(given) or self.driver.execute(_MOVED_ID, given).fetchone()
            if key is not None:
                state.by_client_id[given] = key
        streams.add_rows(self.connection, batch, state)
        return state

    def close(self) -> None:
        self.connection.close()
        self.connection.engine.dispose()
        if self._head is not None:
            self.driver.close()
            self._head.close()

    # What is remembered of the file.

    _fresh: Sequence[Packed] = ()
    """Entries that the transaction has inserted."""

    def _newest(self) -> Head:
        for row, stream, seq, body in self.driver.execute(_NEWEST):
            return Head(row, digest_of(body), unpack(stream, seq, body).at)
        return Head(0, digest_of(b""), 0)

    def _read_tail(self) -> None:
        self._heads.clear()
        self._fresh = ()
        moved, newest = self.driver.execute(_NUMBERS).fetchone()
        self._moved = moved or 0
        self._row = newest or self._moved
        self._ids = {row[:2]: row[2:] for row in self.driver.execute(_TAIL_IDS)}


# A torn write-ahead log, or a copy without it, opens as an older journal that looks whole. So after
# each commit the newest row is written to a small file beside it, without a sync: that may be
# slightly older than the journal, never newer. A journal that is older has lost saved entries.

_MAGIC: Final = "bluebear-head-1"
_HEAD_BYTES: Final = 128
"""The constant size of the file: a write needs no new block on a full disk."""


@dataclass(frozen=True, slots=True)
class Head:
    """The newest row: its number, the digest of its bytes, and the time of its entry (ms).

    Rows are numbered from 1 and never deleted, so the number counts the entries.
    """

    row: int
    digest: str
    at: int


def digest_of(body: bytes) -> str:
    """The digest of a row's bytes."""
    return hashlib.blake2b(body, digest_size=16).hexdigest()


def behind(path: Path, newest: Head, written: Head | None) -> NotOpened | None:
    """Compare the newest row of a journal with the head file; None if nothing is missing."""
    missing = 0 if written is None else written.row - newest.row
    if written is None or missing < 0 or (missing == 0 and newest.digest == written.digest):
        return None
    detail = f"{path}: {missing} entries are missing, the newest of {written.at}"
    return NotOpened("journal_behind", detail, missing, written.at)


class HeadFile:
    """The file beside a journal; owned by it. Raises OSError if it cannot be opened."""

    def __init__(self, journal: Path) -> None:
        path = journal.with_name(f"{journal.name}{HEAD_SUFFIX}")
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def read(self) -> Head | None:
        """The last write; None if the file is empty or damaged."""
        fields = os.pread(self._file, _HEAD_BYTES, 0).decode("ascii", "replace").split()
        if len(fields) != 6 or fields[0] != _MAGIC:
            return None
        _, row, digest, _, at, check = fields
        if digest_of(" ".join(fields[1:-1]).encode()) != check:
            return None
        return Head(int(row), digest, int(at))

    def write(self, head: Head) -> None:
        """Write the newest row. A failure leaves an older head, which notices fewer losses."""
        fields = f"{head.row} {head.digest} {head.row} {head.at}"
        text = f"{_MAGIC} {fields} {digest_of(fields.encode())}\n"
        with suppress(OSError):
            os.pwrite(self._file, text.encode().ljust(_HEAD_BYTES), 0)

    def close(self) -> None:
        """Sync and close the file."""
        with suppress(OSError):
            os.fsync(self._file)
        os.close(self._file)


def engine(creator: Callable[[], sqlite3.Connection], pool: type[Pool] = StaticPool) -> Engine:
    """SQLAlchemy over the driver's connections, in which `begin` and `commit` are ours."""
    return create_engine(
        "sqlite://",
        creator=creator,
        poolclass=pool,
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
        pool_reset_on_return=None,
        skip_autocommit_rollback=True,
    )


def open_file(path: Path) -> sqlite3.Connection:
    """Open or create the store's file, locked for this connection alone.

    The connection may move between threads; its owner ensures that one uses it at a time. Raises
    `NotOpened`.
    """
    try:
        # What people sent is for no other user of this machine; SQLite's other files follow suit.
        path.touch(mode=0o600)
        # On a volume the file may belong to another user, who has let us write to it.
        with suppress(PermissionError):
            path.chmod(0o600)
        # No waiting for a lock: another process owns it for as long as it lives.
        driver = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    except (sqlite3.Error, OSError) as error:
        raise _not_opened(path, error) from error
    try:
        # Locked and looked at before anything is set: another program's file stays as it is.
        driver.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        driver.execute(f"PRAGMA locking_mode = {SETTINGS['locking_mode']}")
        prepare(driver, str(path))
        for name, value in SETTINGS.items():
            driver.execute(f"PRAGMA {name} = {value}")
            (real,) = driver.execute(f"PRAGMA {name}").fetchone()
            if real != value:
                raise NotOpened("journal_unusable", f"{path}: {name} is {real}, not {value}")
    except (sqlite3.Error, StatementError, OSError, NotOpened) as error:
        driver.close()
        raise _not_opened(path, getattr(error, "orig", None) or error) from error
    return driver


def prepare(driver: sqlite3.Connection, path: str) -> None:
    """Lock the file; create its tables, or bring them to this program's. Raises NotOpened."""
    driver.execute("BEGIN EXCLUSIVE")
    version = upgrade.file_version(driver, path)
    if not version:
        for statement in upgrade.creation(dialect()):
            driver.execute(statement)
    elif version != upgrade.VERSION:
        if driver.execute("SELECT 1 FROM sqlite_master WHERE name = 'tail'").fetchone():
            # The steps know the indexed table alone.
            driver.execute(_MOVE)
            driver.execute("DROP TABLE tail")
        # A new engine ends what is begun on its first connection; the lock stays.
        driver.execute("COMMIT")
        with engine(lambda: driver).connect() as connection:
            driver.execute("BEGIN EXCLUSIVE")
            upgrade.upgrade(connection)
    driver.execute(_TAIL)
    fail_point("store.before_layout")
    driver.execute("COMMIT")


def _not_opened(path: Path, error: Exception) -> NotOpened:
    if isinstance(error, NotOpened):
        return error
    # The low byte is the kind of error, the rest its variety. Absent on errors of the module.
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            code = "journal_in_use"
        case sqlite3.SQLITE_NOTADB:
            code = "journal_foreign"
        case _:
            code = "journal_unusable"
    return NotOpened(code, f"{path}: {error}")


# Where jobs run, beside the loop.


class WorkerThread:
    """Runs jobs in a thread of its own.

    A commit is one job, thousands of times a second, so this is as little as that takes;
    `concurrent.futures` spends 20 us more on each.
    """

    def __init__(self, name: str) -> None:
        # Any: what a job returns.
        self._jobs: SimpleQueue[tuple[Job[Any], asyncio.Future[Any]] | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    async def run(self, job: Job[_T]) -> _T:
        """What a job returns or raises; ends, or is cancelled, only when the job has ended."""
        result: asyncio.Future[_T] = asyncio.get_running_loop().create_future()
        self._jobs.put((job, result))
        return await ended(result)

    def _work(self) -> None:
        while (given := self._jobs.get()) is not None:
            job, result = given
            try:
                settle = partial(result.set_result, job())
            except BaseException as error:  # noqa: BLE001  # it is raised again where it is awaited
                settle = partial(result.set_exception, error)
            result.get_loop().call_soon_threadsafe(settle)

    def close(self) -> None:
        self._jobs.put(None)
        self._thread.join()
