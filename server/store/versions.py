"""Versions of the tables: what a database says of itself, and how it gets to this program's.

0.1.0 is the baseline. A step only adds within a release: tables, columns with a default, indexes,
so that programs of this release and the one before write one database while nodes are replaced.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, Final

from sqlalchemy import Dialect
from sqlalchemy.schema import CreateIndex, CreateTable

from bluebear.server.store.leases import ALONE
from bluebear.server.store.schema import METADATA
from bluebear.server.store.types import NotOpened

BASELINE: Final = "0001"
"""The number of the tables of `schema`."""

_TABLES: Final = "SELECT name FROM sqlite_master WHERE type = 'table'"

_ROWS: Final = (
    f"INSERT INTO node VALUES ('{ALONE}', 0, '', '', '', 'alive', NULL)",  # noqa: S608
    "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)",
    f"INSERT INTO alembic_version VALUES ('{BASELINE}')",  # noqa: S608  # of constants only
)


def creation(dialect: Dialect) -> Iterator[str]:
    """The statements that make an empty database one of this program's."""
    for table in METADATA.sorted_tables:
        yield str(CreateTable(table).compile(dialect=dialect))
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            yield str(CreateIndex(index).compile(dialect=dialect))
    yield from _ROWS


def check_tables(driver: sqlite3.Connection, path: str) -> bool:
    """Whether a file has tables. Raises NotOpened for another program's or another version's."""
    tables = {name for (name,) in driver.execute(_TABLES)}
    if {"log", "segment"} <= tables:
        raise NotOpened("journal_older", f"{path}: from before {BASELINE}")
    if tables and not {"alembic_version", "entry", "snapshot"} <= tables:
        raise NotOpened("journal_foreign", f"{path}: another program's tables are in it")
    if tables:
        check_version(driver.execute("SELECT version_num FROM alembic_version").fetchall(), path)
    return bool(tables)


def check_version(rows: Sequence[Sequence[Any]], path: str) -> None:
    """Raise NotOpened for a version that this program does not read. Any: columns."""
    version = str(rows[0][0]) if rows else ""
    if version.isdigit() and version > BASELINE:
        raise NotOpened("journal_newer", f"{path}: version {version}; this program's is {BASELINE}")
    if version != BASELINE:
        raise NotOpened("journal_foreign", f"{path}: version {version!r}")
