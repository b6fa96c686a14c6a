"""Writes the table of people as the second layout had it, for tests of opening it today."""

import sqlite3
from pathlib import Path

PERSON = (
    """CREATE TABLE person (
        id TEXT PRIMARY KEY, seq INTEGER NOT NULL, name TEXT NOT NULL, key TEXT NOT NULL,
        human INTEGER NOT NULL, token TEXT NOT NULL, used INTEGER NOT NULL)""",
    "CREATE UNIQUE INDEX person_key ON person (key) WHERE key != ''",
    "CREATE UNIQUE INDEX person_token ON person (token) WHERE token != ''",
)


def make_old(path: Path) -> None:
    """Give a closed file of today, in which nobody has more than one token, the older table."""
    connection = sqlite3.connect(path)
    rows = connection.execute(
        "SELECT id, seq, name, key, human, coalesce(hash, ''), used"
        " FROM person LEFT JOIN token ON token.person = person.id"
    ).fetchall()
    connection.execute("DROP TABLE person")
    connection.execute("DROP TABLE token")
    connection.execute("DROP TABLE shape")
    for statement in PERSON:
        connection.execute(statement)
    connection.executemany("INSERT INTO person VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    connection.execute("PRAGMA user_version = 2")
    connection.commit()
    connection.close()
