"""The rows beside the log by which people are found: tables, and statements over them.

A row's tokens stand in it, and each once more in `token`, which finds it. Synchronous, on whatever
thread owns the connection.
"""
# ruff: noqa: S608  # statements are joined of constants only; what is said is always a parameter

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgpack

from bluebear.server.store.types import PersonRow

TABLES: Final = (
    """CREATE TABLE person (
        id TEXT PRIMARY KEY, seq INTEGER NOT NULL, name TEXT NOT NULL, key TEXT NOT NULL,
        human INTEGER NOT NULL, tokens BLOB NOT NULL, used INTEGER NOT NULL,
        kept INTEGER NOT NULL, body BLOB NOT NULL)""",
    "CREATE UNIQUE INDEX person_key ON person (key) WHERE key != ''",
    "CREATE TABLE token (hash TEXT PRIMARY KEY, person TEXT NOT NULL) WITHOUT ROWID",
)

_COLUMNS: Final = "id, seq, name, key, human, tokens, used, kept, body"


def read(connection: sqlite3.Connection, person: str) -> PersonRow | None:
    """Somebody by his id."""
    return _read(connection, "id = ?", person)


def read_after(connection: sqlite3.Connection, person: str, limit: int) -> list[PersonRow]:
    """Everybody by id, from the one after this."""
    found = connection.execute(
        f"SELECT {_COLUMNS} FROM person WHERE id > ? ORDER BY id LIMIT ?", (person, limit)
    )
    return list(map(_row, found))


def read_named(connection: sqlite3.Connection, key: str) -> PersonRow | None:
    """Whose name has this key."""
    return _read(connection, "key = ? AND key != ''", key)


def read_of_token(connection: sqlite3.Connection, hashed: str) -> PersonRow | None:
    """Who has a token with this hash."""
    return _read(connection, "id = (SELECT person FROM token WHERE hash = ?)", hashed)


def _read(connection: sqlite3.Connection, whose: str, value: str) -> PersonRow | None:
    found = connection.execute(f"SELECT {_COLUMNS} FROM person WHERE {whose}", (value,)).fetchone()
    return None if found is None else _row(found)


def _row(found: Sequence[Any]) -> PersonRow:  # Any: the values of columns
    person, seq, name, key, human, tokens, used, kept, body = found
    return PersonRow(
        *(person, seq, name, key, bool(human)),
        tokens=tuple(msgpack.unpackb(tokens)),
        used=used,
        kept=bool(kept),
        body=body,
    )


def write(connection: sqlite3.Connection, rows: Mapping[str, PersonRow | None]) -> int:
    """Store people as they are now, by id; None: the row goes. How many there are more then.

    Inside a transaction.
    """
    # All go first: within one commit a key or a token may have gone from one to another.
    before = [old for one in rows if (old := read(connection, one)) is not None]
    connection.executemany("DELETE FROM person WHERE id = ?", [(old.id,) for old in before])
    connection.executemany(
        "DELETE FROM token WHERE hash = ?", [(token,) for old in before for token in old.tokens]
    )
    here = [row for row in rows.values() if row is not None]
    for row in here:
        _insert(connection, row)
    return len(here) - len(before)


def _insert(connection: sqlite3.Connection, row: PersonRow) -> None:
    connection.execute(
        f"INSERT INTO person ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(row.id, row.seq, row.name, row.key, row.human),
            *(msgpack.packb(row.tokens), row.used, row.kept, row.body),
        ),
    )
    connection.executemany(
        "INSERT INTO token (hash, person) VALUES (?, ?)",
        [(token, row.id) for token in row.tokens],
    )
