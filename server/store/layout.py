"""How a journal lies in an SQLite file, and the statements that read and move it.

A commit adds one row to `log`, which holds its entries and has no index but its number: one or
two pages are touched however many rooms are in it. The log is read when the file is opened. A
stream's entries are moved on in one go into `segment` (many entries in a row) and their client
ids into `said`. Rows of the log are deleted from its old end only, so an entry that has been
moved may stay in the log for a while. The rows that come with some entries are in `rows`.

Everything here is synchronous and runs on whatever thread owns the connection at the time.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeAlias

import msgpack

from bluebear.server import faults
from bluebear.server.store import outbox, rating_rows, rows
from bluebear.server.store.head import Head, digest_of
from bluebear.server.store.tail import Run, Tail
from bluebear.server.store.types import Append, Entry, NotOpened, Snapshot, StreamId, unpack

SCHEMA: Final = 5
"""The number of this layout: the file's `user_version`."""

OLDEST: Final = 5
"""The oldest layout that is opened. Lower numbers are from before 0.1.0."""

SETTINGS: Final[Mapping[str, str | int]] = {
    # Exclusive before the first read of a WAL file: no shared memory, and a second opener fails.
    "locking_mode": "exclusive",
    "journal_mode": "wal",
    # FULL: every commit is synced before it is answered. NORMAL would lose the last ones.
    "synchronous": 2,
}
"""What makes `Written` true; set and read back at every opening."""

SEGMENT_MAX_ENTRIES: Final = 256
"""Entries in one segment row: reading one old entry unpacks at most so many (about 40 KiB)."""

SNAPSHOTS_KEPT: Final = 2
"""Per stream, see `Journal.save_snapshot`."""

TABLES: Final = (
    "CREATE TABLE log (row INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    """CREATE TABLE segment (
        stream TEXT NOT NULL, first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL,
        body BLOB NOT NULL, PRIMARY KEY (stream, first_seq)) WITHOUT ROWID""",
    """CREATE TABLE said (
        actor TEXT NOT NULL, client_id TEXT NOT NULL, stream TEXT NOT NULL, seq INTEGER NOT NULL,
        PRIMARY KEY (actor, client_id)) WITHOUT ROWID""",
    """CREATE TABLE snapshot (
        stream TEXT NOT NULL, seq INTEGER NOT NULL, body BLOB NOT NULL,
        PRIMARY KEY (stream, seq))""",
    *rows.TABLES,
    *outbox.TABLES,
    *rating_rows.TABLES,
)

Runs: TypeAlias = Mapping[StreamId, Run]

_Logged: TypeAlias = tuple[StreamId, int, bytes]
"""An entry in a log row: stream, seq, body."""


def open_file(path: Path) -> sqlite3.Connection:
    """Open or create the journal's file, locked for this connection alone.

    The connection may move between threads; its user sees to it that one has it at a time.
    Raises `NotOpened`.
    """
    try:
        # What people said is for nobody else on this machine; SQLite's other files follow suit.
        path.touch(mode=0o600)
        # On a volume the file may be somebody else's, who has let us write to it.
        with suppress(PermissionError):
            path.chmod(0o600)
    except OSError as error:
        raise NotOpened("journal_unusable", f"{path}: {error}") from error
    try:
        # No waiting for a lock: another process holds it for as long as it lives.
        connection = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise _not_opened(path, error) from error
    try:
        # Locked and looked at before anything is set: another program's file stays as it is.
        connection.execute(f"PRAGMA locking_mode = {SETTINGS['locking_mode']}")
        _prepare(connection, path)
        for name, value in SETTINGS.items():
            connection.execute(f"PRAGMA {name} = {value}")
        for name, value in SETTINGS.items():
            (real,) = connection.execute(f"PRAGMA {name}").fetchone()
            if real != value:
                raise NotOpened("journal_unusable", f"{path}: {name} is {real}, not {value}")
    except (sqlite3.Error, OSError) as error:
        connection.close()
        raise _not_opened(path, error) from error
    except NotOpened:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Lock the file, see that its layout is known, and create the tables of a new one."""
    connection.execute("BEGIN EXCLUSIVE")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == 0:
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables:
            raise NotOpened("journal_foreign", f"{path}: another program's tables are in it")
        for table in TABLES:
            connection.execute(table)
        connection.execute(f"PRAGMA user_version = {SCHEMA}")
    else:
        check_layout(version, path)
    faults.hit("journal.before_layout")
    connection.execute("COMMIT")


def check_layout(version: int, path: Path) -> None:
    """Raise NotOpened for a file of a layout that this program does not read."""
    if version > SCHEMA:
        raise NotOpened("journal_newer", f"{path}: layout {version}; this program knows {SCHEMA}")
    if version < OLDEST:
        raise NotOpened("journal_older", f"{path}: layout {version}, from before {OLDEST}")


def _not_opened(path: Path, error: Exception) -> NotOpened:
    # The low byte is the kind of error, the rest its variety. Absent on errors of the module.
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            code = "journal_in_use"
        case sqlite3.SQLITE_NOTADB:
            code = "journal_foreign"
        case _:
            code = "journal_unusable"
    return NotOpened(code, f"{path}: {error}")


def write_log(
    connection: sqlite3.Connection, row: int, fresh: Sequence[tuple[Append, bytes]]
) -> Head:
    """Add one commit's entries to the log, with their packed bodies. Inside a transaction.

    Returns what the head of the journal is once that is committed.
    """
    group: list[_Logged] = []
    for append, body in fresh:
        group.append((append.entry.stream, append.entry.seq, body))
    packed = msgpack.packb(group)
    connection.execute("INSERT INTO log (row, body) VALUES (?, ?)", (row, packed))
    return _head(row, packed, len(group), fresh[-1][0].entry.at)


def read_log_head(connection: sqlite3.Connection) -> Head | None:
    """The newest row of the log; None where there is none."""
    found = connection.execute("SELECT row, body FROM log ORDER BY row DESC LIMIT 1").fetchone()
    if found is None:
        return None
    row, packed = found
    group: list[_Logged] = msgpack.unpackb(packed)
    stream, seq, body = group[-1]
    return _head(row, packed, len(group), unpack(stream, seq, body).at)


def _head(row: int, packed: bytes, entries: int, at: int) -> Head:
    # Rows are numbered by the entries before them, see `_scan`.
    return Head(row=row, digest=digest_of(packed), entries=row - 1 + entries, at=at)


def read_tail(connection: sqlite3.Connection) -> Tail:
    """Build the tail by one scan of the log.

    Raises sqlite3.DatabaseError also when entries are unreadable or do not follow each other,
    which no crash can cause.
    """
    try:
        return _scan(connection)
    except ValueError as error:
        raise sqlite3.DatabaseError(f"unreadable entry in the log: {error}") from error


def _scan(connection: sqlite3.Connection) -> Tail:
    (first,) = connection.execute("SELECT coalesce(min(row), 1) FROM log").fetchone()
    tail = Tail(first)
    heads: dict[StreamId, int] = {}
    for row, packed in connection.execute("SELECT row, body FROM log ORDER BY row"):
        group: list[_Logged] = msgpack.unpackb(packed)
        for stream, seq, body in group:
            if stream not in heads:
                heads[stream] = read_head(connection, stream)
            if seq <= heads[stream] and stream not in tail.runs:
                continue  # moved into a segment before
            if seq != heads[stream] + 1:
                raise sqlite3.DatabaseError(f"entry {seq} of {stream} after {heads[stream]}")
            heads[stream] = seq
            entry = unpack(stream, seq, body)
            tail.add(row, (stream, seq), (entry.actor, entry.client_id), body)
        tail.next_row = row + len(group)
    return tail


def read_head(connection: sqlite3.Connection, stream: StreamId) -> int:
    """The newest number of a stream that lies in segments only; 0 when it has none."""
    (head,) = connection.execute(
        "SELECT coalesce(max(last_seq), 0) FROM segment WHERE stream = ?", (stream,)
    ).fetchone()
    return int(head)


def read_place(
    connection: sqlite3.Connection, actor: str, client_id: str
) -> tuple[StreamId, int] | None:
    """Where an entry stands that lies in a segment, by its client id."""
    found = connection.execute(
        "SELECT stream, seq FROM said WHERE actor = ? AND client_id = ?", (actor, client_id)
    ).fetchone()
    return None if found is None else (StreamId(found[0]), found[1])


def read_entries(
    connection: sqlite3.Connection, stream: StreamId, after: int, run: Run | None
) -> list[Entry]:
    """The stream's entries with a number above `after`. Raises ValueError for unreadable ones."""
    entries: list[Entry] = []
    for first, segment in connection.execute(
        "SELECT first_seq, body FROM segment WHERE stream = ? AND last_seq > ? ORDER BY first_seq",
        (stream, after),
    ):
        for seq, body in enumerate(msgpack.unpackb(segment), first):
            if seq > after:
                entries.append(unpack(stream, seq, body))
    if run is not None:
        start = max(after + 1, run.first)
        for seq, body in enumerate(run.bodies[start - run.first :], start):
            entries.append(unpack(stream, seq, body))
    return entries


def read_snapshot(connection: sqlite3.Connection, stream: StreamId) -> Snapshot | None:
    """The stream's newest snapshot."""
    found = connection.execute(
        "SELECT seq, body FROM snapshot WHERE stream = ? ORDER BY seq DESC LIMIT 1", (stream,)
    ).fetchone()
    return None if found is None else Snapshot(stream, *found)


def move(connection: sqlite3.Connection, runs: Runs) -> None:
    """Move these runs, whole, from the log into segments. Inside a transaction."""
    for stream, run in runs.items():
        connection.executemany(
            "INSERT INTO segment (stream, first_seq, last_seq, body) VALUES (?, ?, ?, ?)",
            _segments(stream, run),
        )
        connection.executemany(
            "INSERT INTO said (actor, client_id, stream, seq) VALUES (?, ?, ?, ?)",
            # Sorted by key, so that neighbours are written to the page that is at hand.
            [(actor, client_id, stream, seq) for actor, client_id, seq in sorted(run.said)],
        )


def _segments(stream: StreamId, run: Run) -> Iterator[tuple[StreamId, int, int, bytes]]:
    for start in range(0, len(run.bodies), SEGMENT_MAX_ENTRIES):
        part = run.bodies[start : start + SEGMENT_MAX_ENTRIES]
        first = run.first + start
        yield stream, first, first + len(part) - 1, msgpack.packb(part)


def trim(connection: sqlite3.Connection, first_needed: int) -> None:
    """Delete the log's rows before this one. Inside a transaction.

    The newest row stays: from it the numbers go on when the file is opened again.
    """
    connection.execute(
        "DELETE FROM log WHERE row < ? AND row < (SELECT max(row) FROM log)", (first_needed,)
    )


def keep_snapshot(connection: sqlite3.Connection, snapshot: Snapshot) -> None:
    """Store a snapshot and drop those that are too old to be kept. Inside a transaction."""
    connection.execute(
        "INSERT OR REPLACE INTO snapshot (stream, seq, body) VALUES (?, ?, ?)",
        (snapshot.stream, snapshot.seq, snapshot.body),
    )
    connection.execute(
        "DELETE FROM snapshot WHERE stream = ?1 AND seq NOT IN"
        " (SELECT seq FROM snapshot WHERE stream = ?1 ORDER BY seq DESC LIMIT ?2)",
        (snapshot.stream, SNAPSHOTS_KEPT),
    )
