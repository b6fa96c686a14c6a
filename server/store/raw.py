"""Statements that go past SQLAlchemy's expressions: the few that every line or heartbeat costs.

Written with `?1, ?2` for their values, which PostgreSQL's driver has as `$1, $2`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.util import await_only

_VALUE: Final = re.compile(r"\?(\d)")


class Statement:
    """A prepared text in both databases' spelling."""

    def __init__(self, text: str, *, postgres: str | None = None) -> None:
        self._sqlite, self._postgres = text, postgres or _VALUE.sub(r"$\1", text)

    def fetch(self, connection: Connection, *given: object) -> Sequence[Any]:  # Any: driver's rows
        """Run it; all rows of its result."""
        driver = connection.connection.driver_connection
        assert driver is not None
        if connection.dialect.name == "sqlite":
            rows: Sequence[Any] = driver.execute(self._sqlite, given).fetchall()
        else:
            rows = await_only(driver.fetch(self._postgres, *given))
        return rows


def columns(row: Any) -> dict[str, Any]:  # Any: a row of `types`, whose fields are columns
    """The values of a row, by the names of its columns."""
    return {name: getattr(row, name) for name in row.__slots__}


def upsert(connection: Connection, table: Table, rows: Iterable[Mapping[str, Any]]) -> None:
    """Insert rows, in place of those with their primary keys. Any: the values of columns."""
    every = list(rows)
    if every:
        connection.execute(_upsert(connection.dialect.name, table), every)


@cache
def _upsert(dialect: str, table: Table) -> Any:  # Any: an insert of either dialect
    insert = (sqlite if dialect == "sqlite" else postgresql).insert(table)
    keys = [column.name for column in table.primary_key]
    rest = {each.name: insert.excluded[each.name] for each in table.c if each.name not in keys}
    return insert.on_conflict_do_update(index_elements=keys, set_=rest)
