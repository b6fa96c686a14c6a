"""Versions of the tables: a database that a release has written opens, and becomes today's."""

from __future__ import annotations

import asyncio
import gzip
import json
import shutil
import sqlite3
from argparse import ArgumentTypeError
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import asyncpg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from bluebear.server.ops.transfer import Moved, compare
from bluebear.server.store import (
    Duplicate,
    NotOpened,
    SqliteStore,
    Store,
    Written,
    streams,
    upgrade,
)
from bluebear.server.store.postgres import PostgresStore, postgres_nodes
from bluebear.server.store.schema import METADATA
from bluebear.server.store.sqlite import Sqlite
from tests.journals import reader
from tests.journals.keep_databases import DATABASES, JOURNAL, read_version
from tests.journals.test_journals import SETS, expected
from tests.server.store.contract import ROOM, line
from tests.server.store.test_sqlite import moves
from tests.support import stored_rows

FILES: Final = sorted(DATABASES.glob("*.sqlite.gz"))
NEWEST: Final = FILES[-1]
NEXT_STEP: Final = (
    "import sqlalchemy as sa\nfrom alembic import op\n"
    "revision, down_revision = '0002', '0001'\n"
    "def upgrade():\n"
    "    op.add_column('person', sa.Column('seen', sa.Integer, server_default='7'))\n"
    "    op.create_table('added', sa.Column('id', sa.Integer, primary_key=True))\n"
)
"""A step as a later version has it."""
NAMED: Final = text("SELECT count(*) FROM entry WHERE stream = 'r1'")
FAILS: Final = "    op.execute(sa.text('SELECT 1 FROM nowhere'))\n"

stored = pytest.mark.parametrize("packed", FILES, ids=lambda path: path.name)


def file_of(packed: Path, folder: Path) -> Path:
    path = folder / "bluebear.sqlite"
    path.write_bytes(gzip.decompress(packed.read_bytes()))
    return path


async def database_of(packed: Path, url: str) -> None:
    dump = packed.with_name(packed.name.replace(".sqlite.", ".sql."))
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(gzip.decompress(dump.read_bytes()).decode())
    finally:
        await connection.close()


def drift(connection: Connection) -> list[Any]:  # Any: Alembic's own
    """How the tables that are there differ from those of this program."""
    # The tail of a file's entries is of SQLite alone, and is made anew after each step.
    opts = {"include_name": lambda name, *_: name != "tail"}
    return list(compare_metadata(MigrationContext.configure(connection, opts=opts), METADATA))


def seen(connection: Connection) -> tuple[str, list[int | None], int]:
    """The version, and what the step of these tests has made."""
    version = connection.scalar(text(upgrade.READ))
    people = connection.scalars(text("SELECT seen FROM person")).all()
    return str(version), list(people), connection.scalar(text("SELECT count(*) FROM added")) or 0


@pytest.fixture
def steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The next version of this program; the module of its step, which may be written anew."""
    folder = tmp_path / "migrations"
    shutil.copytree(upgrade.STEPS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    step = folder / "next.py"
    step.write_text(NEXT_STEP)
    monkeypatch.setattr(upgrade, "STEPS", folder)
    monkeypatch.setattr(upgrade, "VERSION", "0002")
    return step


# What a release has written.


def test_there_is_a_database_of_each_version_and_the_last_step_leads_to_this_program() -> None:
    folder = str(upgrade.STEPS)
    assert ScriptDirectory(folder, version_locations=[folder]).get_heads() == [upgrade.VERSION]
    assert FILES
    assert all(each.with_name(each.name.replace(".sqlite.", ".sql.")).is_file() for each in FILES)


@stored
async def test_a_file_of_a_release_has_its_people_and_rooms(packed: Path, tmp_path: Path) -> None:
    wanted = expected(SETS[0] / f"{JOURNAL}.jsonl.gz")
    path = file_of(packed, tmp_path)
    async with reader.serving(path) as app:
        assert await app.store.read(drift) == []
        assert await reader.people_of_server(app) == wanted["people"]
        rooms = await reader.rooms_of_server(app, wanted["rooms"])
    about = {room: json.loads(json.dumps(reader.describe(each))) for room, each in rooms.items()}
    assert about == {room: each["about"] for room, each in wanted["rooms"].items()}


@stored
async def test_a_database_of_a_release_has_what_its_file_has(
    packed: Path, tmp_path: Path, url: str
) -> None:
    await database_of(packed, url)
    file, database = SqliteStore(file_of(packed, tmp_path)), PostgresStore(url)
    await compare(file, database, moved := Moved())
    assert (moved.rooms, [each.id for each in await database.read(stored_rows.outgoing)]) == (
        1,
        ["o-1"],
    )
    assert await database.read(drift) == []
    await file.close()
    await database.close()


# Steps.


async def test_a_file_takes_the_steps_that_it_misses(tmp_path: Path, steps: Path) -> None:
    path = file_of(NEWEST, tmp_path)
    for _ in range(2):  # once: the second opening has nothing to do
        store = SqliteStore(path)
        version, people, added = await store.read(seen)
        assert (version, set(people), added) == ("0002", {7}, 0)
        await store.close()


@moves
async def test_a_step_finds_all_entries_in_one_table(
    table: str, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Sqlite, "tail_entries", count)
    path = file_of(NEWEST, tmp_path)
    store = SqliteStore(path)
    await store.append([line(1, "a"), line(2, "b")])
    before = await store.read(streams.load, ROOM)
    await store.close()
    monkeypatch.setattr(upgrade, "VERSION", "0002")
    monkeypatch.setattr(
        upgrade, "upgrade", lambda connection: entries.append(connection.scalar(NAMED))
    )
    entries: list[int] = []
    store = SqliteStore(path)
    assert entries == [2]
    assert await store.append([line(3, "a"), line(3, "c")]) == [Duplicate(ROOM, 1), Written(3)]
    assert (await store.read(streams.load, ROOM))[:2] == before
    await store.close()


async def test_a_database_takes_them_once_whoever_is_first(url: str, steps: Path) -> None:
    await database_of(NEWEST, url)
    nodes = [postgres_nodes(url) for _ in range(2)]
    await asyncio.gather(
        *(each.join(f"n{number}", address="", version="") for number, each in enumerate(nodes))
    )
    version, people, added = await nodes[1].read(seen)
    assert (version, set(people), added) == ("0002", {7}, 0)
    for each in nodes:
        await each.close()


def spoil(step: Path) -> None:
    step.write_text(NEXT_STEP + FAILS)


@pytest.mark.parametrize("store", ["file", "database"])
async def test_a_step_that_fails_leaves_all_as_it_was(
    store: str, tmp_path: Path, url: str, steps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(steps)
    path = file_of(NEWEST, tmp_path)
    await database_of(NEWEST, url)

    def opened() -> Store:
        return SqliteStore(path) if store == "file" else PostgresStore(url)

    with pytest.raises(NotOpened, match="nowhere") as refused:
        await opened().open()
    assert refused.value.code == "journal_unusable"
    monkeypatch.undo()
    again = opened()
    assert await again.read(drift) == []
    assert await again.read(lambda connection: connection.scalar(text(upgrade.READ))) == "0001"
    await again.close()


async def test_a_file_of_the_next_version_is_refused_by_this_one(
    tmp_path: Path, steps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = file_of(NEWEST, tmp_path)
    await SqliteStore(path).close()
    monkeypatch.undo()
    with pytest.raises(NotOpened) as refused:
        SqliteStore(path)
    assert refused.value.code == "journal_newer"


async def test_a_start_that_needs_no_step_does_not_load_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(connection: Connection) -> None:
        raise AssertionError("no step is needed")

    monkeypatch.setattr(upgrade, "upgrade", never)
    await SqliteStore(tmp_path / "new.sqlite").close()
    await SqliteStore(file_of(NEWEST, tmp_path)).close()


def test_a_copy_of_an_earlier_version_is_one_that_can_be_restored(
    tmp_path: Path, steps: Path
) -> None:
    with closing(sqlite3.connect(file_of(NEWEST, tmp_path))) as copy:
        assert upgrade.file_version(copy, "copy") == "0001"


@pytest.mark.parametrize("given", ["--help", "0.1", "databases"])
def test_only_a_version_names_databases(given: str) -> None:
    assert read_version("0.1.0") == "0.1.0"
    with pytest.raises(ArgumentTypeError):
        read_version(given)
