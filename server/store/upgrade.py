"""Versions of the tables: what a database says of itself, and how it gets to this program's.

An empty database gets the tables of `schema`; one of an earlier version goes through the steps in
`migrations`, all of them in the transaction in which it was looked at. A step only adds within a
release: tables, columns with a default, indexes, so that programs of this release and the one
before write one database while nodes are replaced.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Dialect
from sqlalchemy.schema import CreateIndex, CreateTable

from bluebear.server.store.schema import ALONE, METADATA
from bluebear.server.store.types import NotOpened

BASELINE: Final = "0001"
"""The version of 0.1.0: nothing older is read."""

VERSION: Final = "0001"
"""The version of `schema`, which the last of the steps leads to."""

STEPS: Final = Path(__file__).with_name("migrations")
"""Alembic's folder."""

_TABLES: Final = "SELECT name FROM sqlite_master WHERE type = 'table'"

READ: Final = "SELECT version_num FROM alembic_version"


def creation(dialect: Dialect) -> Iterator[str]:
    """The statements that make an empty database one of this program's."""
    for table in METADATA.sorted_tables:
        yield str(CreateTable(table).compile(dialect=dialect))
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            index.dialect_options[dialect.name]["where"] = index.info["where"]
            yield str(CreateIndex(index).compile(dialect=dialect))
    yield f"INSERT INTO node VALUES ('{ALONE}', 0, '', '', '', 'alive', NULL, NULL)"  # noqa: S608
    yield "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"
    yield f"INSERT INTO alembic_version VALUES ('{VERSION}')"  # noqa: S608  # of constants only


def file_version(driver: sqlite3.Connection, path: str) -> str:
    """The version of a file, "" for an empty one. Raises NotOpened if it is not read here."""
    tables = {name for (name,) in driver.execute(_TABLES)}
    if {"log", "segment"} <= tables:
        raise NotOpened("journal_older", f"{path}: from before {BASELINE}")
    if tables and not {"alembic_version", "entry", "snapshot"} <= tables:
        raise NotOpened("journal_foreign", f"{path}: another program's tables are in it")
    return readable(driver.execute(READ).fetchall(), path) if tables else ""


def readable(rows: Sequence[Sequence[Any]], where: str) -> str:
    """The version that was read. Raises NotOpened if it is not read here. Any: columns."""
    version = str(rows[0][0]) if rows else ""
    if version.isdigit() and version > VERSION:
        raise NotOpened("journal_newer", f"{where}: version {version}; this program's is {VERSION}")
    if not version.isdigit() or version < BASELINE:
        raise NotOpened("journal_foreign", f"{where}: version {version!r}")
    return version


def upgrade(connection: Connection) -> None:
    """Take the steps that a database lacks, in the transaction that its caller has begun."""
    # Loaded for this alone: it takes 0.2 s of a start.
    from alembic.config import Config  # noqa: PLC0415
    from alembic.runtime.environment import EnvironmentContext  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    script = ScriptDirectory(str(STEPS), version_locations=[str(STEPS)])
    # As `command.upgrade` does, without a module that is run for its effects.
    with EnvironmentContext(
        Config(), script, fn=lambda version, _: script._upgrade_revs("head", version)
    ) as steps:
        # The caller's transaction, in SQLite too, which changes a table by making it anew.
        steps.configure(connection=connection, transactional_ddl=True, render_as_batch=True)
        steps.run_migrations()
