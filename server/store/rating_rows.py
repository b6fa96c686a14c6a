"""The rows beside the log that say how people stand: tables, and statements over them.

A row is written in the transaction of the record that changes it. A list is a walk through its
index. Synchronous, on whatever thread owns the connection.
"""
# ruff: noqa: S608  # statements are joined of constants only; what is said is always a parameter

import sqlite3
from collections.abc import Iterable
from typing import Final

from bluebear.server.store.types import Ranked, RatingKey, RatingRow, StreamId

TABLES: Final = (
    """CREATE TABLE rating (
        person TEXT NOT NULL, game TEXT NOT NULL, seats INTEGER NOT NULL, seq INTEGER NOT NULL,
        score INTEGER, body BLOB NOT NULL, PRIMARY KEY (person, game, seats)) WITHOUT ROWID""",
    """CREATE INDEX rating_listed ON rating (game, seats, score DESC, person)
        WHERE score IS NOT NULL""",
)

LAST_SIGN: Final = chr(0x10FFFF)
"""No name of a stream has it: what begins with a prefix comes before the prefix and this."""

_COLUMNS: Final = "rating.person, rating.game, rating.seats, rating.seq, score, rating.body"


def read(connection: sqlite3.Connection, key: RatingKey) -> RatingRow | None:
    """One row."""
    found = connection.execute(
        f"SELECT {_COLUMNS} FROM rating WHERE person = ? AND game = ? AND seats = ?", key
    ).fetchone()
    return None if found is None else RatingRow(*found)


def read_of(connection: sqlite3.Connection, person: str, limit: int) -> list[RatingRow]:
    """The rows of one person."""
    found = connection.execute(
        f"SELECT {_COLUMNS} FROM rating WHERE person = ? ORDER BY game, seats LIMIT ?",
        (person, limit),
    )
    return [RatingRow(*row) for row in found]


def read_after(
    connection: sqlite3.Connection, key: RatingKey | None, limit: int
) -> list[RatingRow]:
    """All rows by their keys, from the one after this."""
    found = connection.execute(
        f"SELECT {_COLUMNS} FROM rating WHERE (person, game, seats) > (?, ?, ?)"
        " ORDER BY person, game, seats LIMIT ?",
        (*(key or ("", "", 0)), limit),
    )
    return [RatingRow(*row) for row in found]


def read_ranked(
    connection: sqlite3.Connection, game: str, seats: int, first: int, count: int
) -> list[Ranked]:
    """Rows of a list, the best first."""
    found = connection.execute(
        f"SELECT {_COLUMNS}, coalesce(person.name, '') FROM rating INDEXED BY rating_listed"
        " LEFT JOIN person ON person.id = rating.person"
        " WHERE game = ? AND seats = ? AND score IS NOT NULL"
        " ORDER BY score DESC, rating.person LIMIT ? OFFSET ?",
        (game, seats, count, first),
    )
    return [Ranked(RatingRow(*row), name) for *row, name in found]


def read_better(
    connection: sqlite3.Connection, game: str, seats: int, score: int, most: int
) -> int:
    """How many on a list have a higher score, up to `most`."""
    (count,) = connection.execute(
        "SELECT count(*) FROM (SELECT 1 FROM rating INDEXED BY rating_listed"
        " WHERE game = ? AND seats = ? AND score > ? LIMIT ?)",
        (game, seats, score, most),
    ).fetchone()
    return int(count)


def write(connection: sqlite3.Connection, rows: Iterable[RatingRow]) -> None:
    """Store rows, in place of those that are there. Inside a transaction."""
    connection.executemany(
        "INSERT OR REPLACE INTO rating (person, game, seats, seq, score, body)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [(*row.key, row.seq, row.score, row.body) for row in rows],
    )


def set_all(connection: sqlite3.Connection, rows: Iterable[RatingRow]) -> None:
    """Store rows in place of all that there are. Inside a transaction."""
    connection.execute("DELETE FROM rating")
    write(connection, rows)


def read_streams(
    connection: sqlite3.Connection, logged: Iterable[str], prefix: str, after: str, limit: int
) -> list[StreamId]:
    """Streams in segments and in the log, by name."""
    found = connection.execute(
        "SELECT DISTINCT stream FROM segment WHERE stream > ? AND stream >= ? AND stream < ?"
        " ORDER BY stream LIMIT ?",
        (after, prefix, prefix + LAST_SIGN, limit),
    )
    names = {stream for (stream,) in found}
    names.update(each for each in logged if each > after and each.startswith(prefix))
    return [StreamId(each) for each in sorted(names)[:limit]]
