"""Writes journal files as the first layout had them, for tests of opening them today."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import msgpack

from server.journal import Append, StreamId, pack

TABLES = (
    "CREATE TABLE log (row INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    """CREATE TABLE segment (
        stream TEXT NOT NULL, first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL,
        body BLOB NOT NULL, PRIMARY KEY (stream, first_seq)) WITHOUT ROWID""",
    """CREATE TABLE said (
        actor TEXT NOT NULL, client_id TEXT NOT NULL, stream TEXT NOT NULL, seq INTEGER NOT NULL,
        PRIMARY KEY (actor, client_id)) WITHOUT ROWID""",
    """CREATE TABLE summary (
        stream TEXT PRIMARY KEY, seq INTEGER NOT NULL, deadline INTEGER, body BLOB NOT NULL)""",
    """CREATE TABLE snapshot (
        stream TEXT NOT NULL, seq INTEGER NOT NULL, body BLOB NOT NULL,
        PRIMARY KEY (stream, seq))""",
)


def write(path: Path, moved: Sequence[Append], logged: Sequence[Sequence[Append]]) -> None:
    """A closed file: `moved` lies in segments, each group of `logged` in a row of the log."""
    connection = sqlite3.connect(path)
    for table in TABLES:
        connection.execute(table)
    for append in moved:
        entry, summary = append.entry, append.summary
        body = msgpack.packb([pack(entry)])
        place = (entry.stream, entry.seq)
        connection.execute("INSERT INTO segment VALUES (?, ?, ?, ?)", (*place, entry.seq, body))
        if entry.client_id:
            said = (entry.actor, entry.client_id, *place)
            connection.execute("INSERT INTO said VALUES (?, ?, ?, ?)", said)
        if summary is not None:
            connection.execute(
                "INSERT OR REPLACE INTO summary VALUES (?, ?, ?, ?)",
                (*place, summary.deadline, summary.body),
            )
    row = 1
    for group in logged:
        packed = msgpack.packb([_logged(append) for append in group])
        connection.execute("INSERT INTO log VALUES (?, ?)", (row, packed))
        row += len(group)
    connection.execute("PRAGMA user_version = 1")
    connection.commit()
    connection.close()


def _logged(append: Append) -> tuple[StreamId, int, bytes, int | None, bytes | None]:
    entry, summary = append.entry, append.summary
    deadline, body = (None, None) if summary is None else (summary.deadline, summary.body)
    return entry.stream, entry.seq, pack(entry), deadline, body
