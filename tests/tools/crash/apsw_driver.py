"""An `apsw` connection with the face of `sqlite3`, as far as the store and SQLAlchemy use it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw
import apsw.ext


class Cursor:
    """The cursor of one statement after the other; all rows are read at once."""

    arraysize = 1
    lastrowid = 0

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._rows: Iterator[Any] = iter(())  # Any: the values of columns
        self.description: Sequence[Any] | None = None
        self.rowcount = -1

    def execute(self, statement: str, given: Sequence[Any] = ()) -> Cursor:
        """See `sqlite3.Cursor.execute`."""
        described = apsw.ext.query_info(self._connection, statement).description
        before = self._connection.total_changes()
        rows = self._connection.cursor().execute(statement, tuple(given)).fetchall()
        self.rowcount = self._connection.total_changes() - before
        self.description = [(name, *[None] * 6) for name, _ in described] or None
        self._rows = iter(rows)
        return self

    def executemany(self, statement: str, every: Sequence[Sequence[Any]]) -> Cursor:
        """See `sqlite3.Cursor.executemany`."""
        before = self._connection.total_changes()
        self._connection.cursor().executemany(statement, [tuple(given) for given in every])
        self.rowcount = self._connection.total_changes() - before
        self.description = None
        return self

    def fetchone(self) -> Any:
        """See `sqlite3.Cursor.fetchone`."""
        return next(self._rows, None)

    def fetchall(self) -> list[Any]:
        """See `sqlite3.Cursor.fetchall`."""
        return list(self._rows)

    def __iter__(self) -> Iterator[Any]:
        return self._rows

    def close(self) -> None:
        """See `sqlite3.Cursor.close`."""


class Driver:
    """The connection, on a file system of apsw's."""

    isolation_level = None

    def __init__(self, path: Path, vfs: str) -> None:
        self._connection = apsw.Connection(str(path), vfs=vfs)

    @property
    def in_transaction(self) -> bool:
        """See `sqlite3.Connection.in_transaction`."""
        return self._connection.in_transaction

    def cursor(self) -> Cursor:
        """See `sqlite3.Connection.cursor`."""
        return Cursor(self._connection)

    def execute(self, statement: str, given: Sequence[Any] = ()) -> Cursor:
        """See `sqlite3.Connection.execute`."""
        return self.cursor().execute(statement, given)

    def executemany(self, statement: str, every: Sequence[Sequence[Any]]) -> Cursor:
        """See `sqlite3.Connection.executemany`."""
        return self.cursor().executemany(statement, every)

    def rollback(self) -> None:
        """See `sqlite3.Connection.rollback`."""
        if self.in_transaction:
            self.execute("ROLLBACK")

    def create_function(self, *_: object, **__: object) -> None:
        """See `sqlite3.Connection.create_function`: no statement calls one."""

    def close(self) -> None:
        """See `sqlite3.Connection.close`."""
        self._connection.close()
