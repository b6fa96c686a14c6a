"""The outbox beside the log: what has to be sent to the world because of an entry.

A row is written in the transaction of its entry, so nothing that was saved goes untold, also after
a crash; whoever sends it takes it away, or puts it off. Synchronous, on whatever thread owns the
connection.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Final

from bluebear.server.store.types import Outgoing

TABLES: Final = (
    """CREATE TABLE outbox (
        id TEXT PRIMARY KEY, due INTEGER NOT NULL, body BLOB NOT NULL)""",
    "CREATE INDEX outbox_due ON outbox (due, id)",
)


def read(connection: sqlite3.Connection, now: int, limit: int) -> list[Outgoing]:
    """What is due, soonest first."""
    found = connection.execute(
        "SELECT id, due, body FROM outbox WHERE due <= ? ORDER BY due, id LIMIT ?", (now, limit)
    )
    return [Outgoing(*row) for row in found]


def put(connection: sqlite3.Connection, outgoing: Iterable[Outgoing]) -> None:
    """Store some, in place of those with their ids. Inside a transaction."""
    connection.executemany(
        "INSERT OR REPLACE INTO outbox (id, due, body) VALUES (?, ?, ?)",
        [(each.id, each.due, each.body) for each in outgoing],
    )


def take(connection: sqlite3.Connection, ids: Sequence[str]) -> None:
    """They need not be sent any more. Inside a transaction."""
    connection.executemany("DELETE FROM outbox WHERE id = ?", [(each,) for each in ids])
