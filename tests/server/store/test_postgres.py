"""The journal in PostgreSQL: the contract, who owns a database, and connections that break."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import asyncpg
import pytest
from sqlalchemy import Connection, event, text

from bluebear.server.store import (
    Duplicate,
    Fenced,
    NotOpened,
    NotSaved,
    Snapshot,
    StreamId,
    Written,
    rooms,
    streams,
)
from bluebear.server.store.leases import LEASE_SECONDS
from bluebear.server.store.postgres import (
    STATEMENT_SECONDS,
    Postgres,
    PostgresStore,
    postgres_nodes,
)
from bluebear.server.store.schema import Statement
from tests.server.store.contract import OTHER, ROOM, Disk, JournalContract, line
from tests.server.store.outbox_contract import OutboxContract
from tests.server.store.people_contract import PeopleContract
from tests.server.store.rating_contract import RatingContract
from tests.server.store.store_contract import LINE, StoreContract, StoreDisk, room
from tests.server.store.test_store_file import WINDOWS, look_up_all
from tests.server.store.transfer_contract import TransferContract
from tests.support import faults


async def test_whatever_is_looked_for_is_looked_up_through_an_index(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = PostgresStore(url)
    await store.append(
        [room(replace(LINE, stream=StreamId(f"r{n}"), at=n * 10, invites=())) for n in range(99)]
    )
    plans: list[list[str]] = []

    def explain(connection: Connection, cursor: Any, text: str, given: Any, *_: object) -> None:
        # Any: as the library has it.
        cursor.execute(f"EXPLAIN {text}", given)
        plans.append([line for (line,) in cursor.fetchall()])

    def explained(statement: Statement, connection: Connection, *given: object) -> Any:
        plan = fetch(Statement(f"EXPLAIN {statement._postgres}"), connection, *given)
        plans.append([line for (line,) in plan])
        return fetch(statement, connection, *given)

    fetch = Statement.fetch
    monkeypatch.setattr(Statement, "fetch", explained)

    def look(connection: Connection) -> None:
        # Few rows are sooner read all; without that way the planner takes an index if one serves.
        connection.execute(text("SET enable_seqscan = off"))
        connection.execute(text("SET enable_bitmapscan = off"))
        event.listen(connection, "before_cursor_execute", explain)
        for window in WINDOWS:
            rooms.window(connection, window)
        count = len(plans)
        rooms.room(connection, ROOM)
        assert len(plans) > count
        look_up_all(connection)

    await store.read(look)
    assert len(plans) > 3 * len(WINDOWS)
    assert [plan for plan in plans if "Seq Scan" in "".join(plan)] == []
    await store.close()


class TestPostgres(
    JournalContract,
    StoreContract,
    OutboxContract,
    RatingContract,
    TransferContract,
    PeopleContract,
):
    @pytest.fixture
    def disk(self, url: str) -> Disk:
        return lambda: PostgresStore(url)

    @pytest.fixture
    def store_disk(self, url: str) -> StoreDisk:
        return lambda: PostgresStore(url)


async def test_a_database_has_one_server(url: str) -> None:
    first, second = PostgresStore(url), PostgresStore(url)
    await first.open()
    with pytest.raises(NotOpened) as refused:
        await second.open()
    assert refused.value.code == "journal_in_use"
    await first.close()


async def test_who_was_taken_over_stores_nothing_any_more(url: str) -> None:
    old = PostgresStore(url)
    assert await old.append([line(1)]) == [Written(1)]
    await _bump(url)
    [answer] = await old.append([line(2)])
    assert isinstance(answer, NotSaved)
    with pytest.raises(NotSaved):
        await old.write(rooms.touch, [ROOM], 9)
    await old.close()
    new = PostgresStore(url)
    assert [entry.seq for entry in await new.read(streams.load, ROOM)] == [1]
    await new.close()


async def test_a_broken_connection_is_made_anew_and_nothing_is_lost(url: str) -> None:
    journal = PostgresStore(url)
    assert await journal.append([line(1), room(LINE)][:1]) == [Written(1)]
    await _cut(url)
    answers = await journal.append([line(2)])
    if isinstance(answers[0], NotSaved):  # it was noticed by this very line
        answers = await journal.append([line(2)])
    assert answers == [Written(2)]
    assert [entry.seq for entry in await journal.read(streams.load, ROOM)] == [1, 2]
    await journal.close()


async def test_a_commit_whose_end_is_unknown_is_read_back_behind_the_barrier(url: str) -> None:
    """The connection breaks right after the commit: the entry is there, and said to be."""
    journal = PostgresStore(url)
    await journal.append([line(1)])
    faults.arm("store.after_commit", 1, "raise")
    try:
        assert await journal.append([line(2)]) == [Written(2)]
    finally:
        faults.disarm()
    assert await journal.append([line(3)]) == [Written(3)]
    await journal.close()


async def test_a_barrier_that_succeeds_late_ends_no_person(url: str) -> None:
    """One that was given up may come later: its writer takes the next generation, and goes on."""
    journal = PostgresStore(url)
    await journal.append([line(1), room(LINE)][:1])
    connection = await asyncpg.connect(url)
    await connection.execute("UPDATE bluebear.node SET generation = generation + 1")
    assert await journal.append([line(2)]) == [Written(2)]
    await connection.execute("UPDATE bluebear.node SET generation = generation + 1")
    await journal.write(rooms.touch, [ROOM], 9)
    await journal.write(streams.save_snapshot, Snapshot(ROOM, 2, b""))
    await connection.close()
    await journal.close()


async def test_a_database_of_a_newer_server_is_not_opened(url: str) -> None:
    journal = PostgresStore(url)
    await journal.open()
    await journal.close()
    connection = await asyncpg.connect(url)
    await connection.execute("UPDATE bluebear.alembic_version SET version_num = '0099'")
    await connection.close()
    with pytest.raises(NotOpened) as refused:
        await PostgresStore(url).open()
    assert refused.value.code == "journal_newer"


async def test_a_database_from_before_0_1_0_is_not_opened_and_left_alone(url: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute(
        "CREATE SCHEMA bluebear; CREATE TABLE bluebear.layout (version integer NOT NULL);"
        " INSERT INTO bluebear.layout VALUES (1)"
    )
    with pytest.raises(NotOpened) as refused:
        await PostgresStore(url).open()
    assert refused.value.code == "journal_older"
    with pytest.raises(NotOpened) as refused:
        await postgres_nodes(url).join("one", address="", version="")
    assert refused.value.code == "journal_older"
    tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'bluebear'"
    assert [name for (name,) in await connection.fetch(tables)] == ["layout"]
    await connection.close()


async def test_a_database_that_is_not_there_is_one_clear_refusal() -> None:
    with pytest.raises(NotOpened) as refused:
        await PostgresStore("postgresql:///nowhere?host=/nowhere").open()
    assert refused.value.code == "journal_unusable"


async def test_a_heartbeat_has_time_for_a_second_connection_within_a_lease(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else a node whose first attempt is lost returns later than its peers, which depose it."""
    timeouts: list[object] = []

    async def connect(url: str, **given: object) -> None:
        timeouts.append(given["timeout"])
        raise OSError("away")

    monkeypatch.setattr(asyncpg, "connect", connect)
    for made in (postgres_nodes("postgresql:///x"), PostgresStore("postgresql:///x")):
        with pytest.raises(NotOpened):
            await made.open()
    assert timeouts == [LEASE_SECONDS / 2, STATEMENT_SECONDS]


async def _bump(url: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute(
        "UPDATE bluebear.node SET generation = generation + 1, life = 'another'"
    )
    await connection.close()


async def _cut(url: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    await connection.close()


def database(store: PostgresStore) -> Postgres:
    """The database of a store."""
    assert isinstance(store._database, Postgres)
    return store._database


async def test_a_group_of_moves_is_one_statement_and_the_rest_costs_the_same_however_many(
    url: str,
) -> None:
    journal = PostgresStore(url)
    # The driver asks for the types of columns when it first meets them.
    await journal.append([room(replace(LINE, stream=OTHER)), line(1)])
    sent: list[str] = []
    with database(journal)._driver.query_logger(lambda query: sent.append(query.query)):
        fresh = [line(1, f"{number}", stream=StreamId(f"s{number}")) for number in range(9)]
        assert await journal.append(fresh) == [Written(1)] * 9
        await asyncio.sleep(0)  # the driver tells of a statement with the next turn of the loop
        assert len(sent) == 1
        gap, again = line(5, "x", stream=StreamId("s1")), line(1, "2", stream=StreamId("s2"))
        follows = line(2, "y", stream=StreamId("s0"))
        sent.clear()
        assert await journal.append([gap, again, follows]) == [
            Fenced(1),
            Duplicate(StreamId("s2"), 1),
            Written(2),
        ]
        await asyncio.sleep(0)
        assert len(sent) == 6  # itself; BEGIN, the fence, the heads, the client ids, ROLLBACK
        sent.clear()
        rows = [
            room(replace(LINE, stream=StreamId(f"s{number}"), seq=seq, invites=()))
            for number, seq in ((1, 2), (2, 2), (3, 2))
        ]
        assert await journal.append(rows) == [Written(2)] * 3
        await asyncio.sleep(0)
        # BEGIN, the fence, the heads, the entries, rows, old seats and invites, new seats, COMMIT.
        assert len([each for each in sent if "pg_catalog" not in each]) <= 9
    await journal.close()


async def test_a_statement_that_takes_too_long_loses_its_connection(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another connection locks the writer's row: the write times out, and nothing is lost."""
    journal = PostgresStore(url)
    await journal.append([line(1)])
    monkeypatch.setattr(database(journal), "seconds", 0.05)
    other = await asyncpg.connect(url, server_settings={"search_path": "bluebear"})
    async with other.transaction():
        await other.execute("SELECT FROM node FOR UPDATE")
        [answer] = await journal.append([line(2)])
        assert isinstance(answer, NotSaved)
        assert not answer.certain
    await other.close()
    monkeypatch.undo()
    answers = await journal.append([line(2)])
    assert answers in ([Written(2)], [Fenced(2)])
    assert [entry.seq for entry in await journal.read(streams.load, ROOM)] == [1, 2]
    await journal.close()
