"""A database of the first program with PostgreSQL, under this one: what it has stays as it was."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from server.journal import Append, Entry, Outgoing, Snapshot, StreamId, Summary, Written
from server.journal.pg_nodes import PostgresNodes
from server.journal.pg_schema import STEPS
from server.journal.postgres import PostgresJournal
from tests.postgres import IN_MEMORY, MISSING, private_postgres, programs

pytestmark = pytest.mark.skipif(programs() is None, reason=MISSING)

DUMP = Path(__file__).with_name("postgres1.sql")
ROOM = StreamId("r1")
ROW = Summary(
    *(ROOM, 2, b"body 2", 2_000),
    listed=True,
    game="tokai",
    phase="open",
    free=3,
    at=1_000,
    people=("p-ayu", "p-ben"),
    invites=("h-1",),
)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with (
        tempfile.TemporaryDirectory(prefix="bluebear-pg-", dir=IN_MEMORY) as folder,
        private_postgres(Path(folder)) as url,
    ):
        yield url


@pytest.fixture
async def old(server: str) -> str:
    """A database as the dump has it."""
    connection = await asyncpg.connect(server)
    await connection.execute("DROP SCHEMA IF EXISTS bluebear CASCADE")
    await connection.execute("SET check_function_bodies = off")
    await connection.execute(DUMP.read_text(encoding="utf-8"))
    await connection.close()
    return server


async def test_an_older_database_is_opened_and_goes_on(old: str) -> None:
    journal = PostgresJournal(old)
    await journal.open()
    assert [(entry.seq, entry.lines, entry.digest) for entry in await journal.load(ROOM)] == [
        (1, ("/new",), "d1"),
        (2, ("hello",), "d2"),
    ]
    assert await journal.room(ROOM) == ROW
    assert await journal.room_of_invite("h-1") == ROW
    assert await journal.snapshot(ROOM) == Snapshot(ROOM, 1, b"snap")
    assert await journal.find("p:ayu", "say-2") == (ROOM, 2)
    person = await journal.person_of_token("t-ayu")
    assert person is not None
    assert person.name == "Ayu"
    assert await journal.outbox(50, 9) == [Outgoing("o-1", 50, b"out")]
    over = Summary(*(ROOM, 3, b"over", None), listed=True, phase="over", people=("p-ben",), at=2)
    entry = Entry(ROOM, 3, "p:ayu", "say-3", ("/x",), {}, 2, "")
    assert await journal.append([Append(entry, over)]) == [Written(3)]
    assert await journal.room(ROOM) == over
    assert await journal.rooms_of("p-ayu", since=0, limit=9) == []
    assert await journal.counts() == {"rooms": 1, "people": 1, "listed.over": 1}
    await journal.close()


async def test_nodes_join_an_older_database(old: str) -> None:
    nodes = PostgresNodes(old)
    node = await nodes.join("one", role="engine", address="", version="")
    assert await nodes.claim(ROOM) == 1
    journal = PostgresJournal(old, node)
    entry = Entry(ROOM, 3, "p:ayu", "say-3", ("/x",), {}, 2, "")
    assert await journal.append([Append(entry)]) == [Written(3)]
    await journal.close()
    await nodes.close()


async def test_what_an_older_program_says_to_the_database_still_works(old: str) -> None:
    """Steps only add: so programs of two releases write one database during an upgrade."""
    journal = PostgresJournal(old)
    await journal.open()
    await journal.close()
    connection = await asyncpg.connect(old, server_settings={"search_path": "bluebear"})
    assert await connection.fetchval("SELECT steps FROM layout") == len(STEPS)
    generation = await connection.fetchval(
        "UPDATE node SET generation = generation + 1 WHERE id = 'engine' RETURNING generation"
    )
    columns = [[ROOM], [3], ["p:ayu"], ["say-3"], [b"\x90"]]
    rows = ["[]", "[]", ["o-2"], [60], [b"again"]]
    write = "SELECT write_group($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
    assert await connection.fetchval(write, generation, *columns, *rows)
    assert await connection.fetchval("SELECT count(*) FROM entry WHERE stream = 'r1'") == 3
    assert await connection.fetchval("SELECT sender FROM outbox WHERE id = 'o-2'") == ""
    await connection.close()
