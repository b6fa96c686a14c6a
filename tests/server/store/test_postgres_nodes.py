"""Nodes in PostgreSQL: the contract, and processes that are stopped in the middle of writing."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import asyncpg
import pytest

from bluebear.server.store import (
    Answer,
    Deposed,
    Nodes,
    NotOpened,
    NotRead,
    NotSaved,
    Store,
    StreamId,
    Written,
    leases,
    streams,
)
from bluebear.server.store.leases import Node
from bluebear.server.store.postgres import Postgres, PostgresStore, postgres_nodes
from tests.server.store.contract import ROOM, line
from tests.server.store.nodes_contract import NodesContract, beating, joined
from tests.server.store.store_contract import LINE, room
from tests.support import faults

ANSWER_SECONDS: Final = 30.0
"""A net: who does not wait for a database that is away is answered in milliseconds."""

EMPTY = """
TRUNCATE entry, snapshot, room, seat, invite, person, token, outbox, rating, owner, beat,
    attending, match_request;
DELETE FROM node WHERE id <> 'engine'"""


class Database:
    """Nodes in one database. Its clock goes on by request: all that was, was longer ago."""

    def __init__(self, url: str, control: asyncpg.Connection[asyncpg.Record]) -> None:
        self.url = url
        self.control = control
        self.opened: list[Store] = []

    def nodes(self) -> Nodes:
        made = postgres_nodes(self.url)
        self.opened.append(made)
        return made

    def store(self, nodes: Nodes, node: Node) -> Store:
        made = PostgresStore(self.url, node)
        self.opened.append(made)
        return made

    async def wait(self, seconds: float) -> None:
        await self.control.execute(
            "UPDATE beat SET at = at - $1::bigint, since = since - $1::bigint",
            round(seconds * 1000),
        )


@pytest.fixture
async def shared(server: str) -> AsyncIterator[Database]:
    """An empty database."""
    control: asyncpg.Connection[asyncpg.Record] = await asyncpg.connect(
        server, server_settings={"search_path": "bluebear"}
    )
    if await control.fetchval("SELECT to_regclass('beat')") is not None:
        await control.execute(EMPTY)
    made = Database(server, control)
    yield made
    for each in made.opened:
        await each.close()
    await control.close()


class TestPostgresNodes(NodesContract):
    pass


async def test_a_server_alone_and_nodes_do_not_share_a_database(shared: Database) -> None:
    alone = PostgresStore(shared.url)
    await alone.open()
    with pytest.raises(NotOpened) as refused:
        await joined(shared, "one")
    assert refused.value.code == "journal_in_use"
    await alone.close()
    await joined(shared, "one")
    alone = PostgresStore(shared.url)
    with pytest.raises(NotOpened) as refused:
        await alone.open()
    assert refused.value.code == "journal_in_use"
    await alone.close()


async def test_a_server_that_has_the_database_ends_the_nodes_before_it(shared: Database) -> None:
    one = await joined(shared, "one")
    await one.store.append([line(1)])
    await one.nodes.close()
    alone = PostgresStore(shared.url)
    assert await alone.append([line(2)]) == [Written(2)]
    assert isinstance((await one.store.append([line(3)]))[0], Deposed)
    await alone.close()


async def test_a_commit_of_a_node_whose_end_is_unknown_is_read_back_behind_the_barrier(
    shared: Database,
) -> None:
    one, two = await joined(shared, "one"), await joined(shared, "two")
    for point, kind in (("before_commit", NotSaved), ("after_commit", Written)):
        faults.arm(f"store.{point}", 1, "raise")
        try:
            number = len(await one.store.read(streams.load, ROOM)) + 1
            assert isinstance((await one.store.append([line(number)]))[0], kind)
        finally:
            faults.disarm()
    assert (await two.nodes.read(leases.living))[0].generation > one.node.generation
    assert await one.store.append([line(2)]) == [Written(2)]


async def test_a_node_deposed_while_in_doubt_is_informed(shared: Database) -> None:
    one = await joined(shared, "one")
    faults.arm("store.after_commit", 1, "raise")
    await shared.control.execute("UPDATE node SET generation = generation + 1, state = 'dead'")
    try:
        assert isinstance((await one.store.append([line(1)]))[0], Deposed)
    finally:
        faults.disarm()
    one.store.patience = 3600.0
    async with asyncio.timeout(ANSWER_SECONDS):
        with pytest.raises(NotRead):
            await one.store.read(streams.load, ROOM)


async def test_nodes_come_back_to_a_database_that_was_away(shared: Database) -> None:
    one = await joined(shared, "one")
    await shared.control.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    assert await one.nodes.change(leases.beat) == "alive"
    assert await one.store.append([line(1)]) == [Written(1)]


async def test_a_database_that_is_not_there_is_reported_to_be(tmp_path: Path) -> None:
    nodes = postgres_nodes(f"postgresql:///nowhere?host={tmp_path}")
    with pytest.raises(NotOpened):
        await nodes.join("one", address="", version="")
    with pytest.raises(NotRead):
        await nodes.read(leases.living)
    with pytest.raises(NotSaved):
        await nodes.write(leases.drain, "one")


async def test_a_commit_that_succeeds_after_its_connection_is_recognized(
    shared: Database,
) -> None:
    """The connection breaks while the group waits in the database, which stores it later."""
    one = await joined(shared, "one")
    await one.store.append([line(1)])
    assert isinstance(one.store, PostgresStore)
    assert isinstance(one.store._database, Postgres)
    connection = one.store._database._driver
    async with shared.control.transaction():
        await shared.control.execute("SELECT FROM node FOR UPDATE")
        answer = asyncio.create_task(one.store.append([line(2)]))
        await _until_waiting(shared, 1, answer)
        connection.terminate()
        await _until_waiting(shared, 2, answer)
    assert await answer == [Written(2)]
    assert [entry.seq for entry in await one.store.read(streams.load, ROOM)] == [1, 2]


async def _until_waiting(shared: Database, number: int, answer: asyncio.Task[list[Answer]]) -> None:
    """Until so many statements wait for a lock, or there is an answer without."""
    waiting = (
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        " AND backend_type = 'client backend'"
    )
    # In a transaction what is said of the others is a snapshot.
    while not answer.done() and await shared.control.fetchval(waiting) < number:
        await shared.control.execute("SELECT pg_stat_clear_snapshot()")


async def test_a_due_room_that_a_person_is_claiming_is_passed_over(shared: Database) -> None:
    one = await joined(shared, "one")
    rooms = [
        replace(LINE, stream=StreamId(f"d{number}"), deadline=1_000, invites=())
        for number in range(3)
    ]
    await one.store.append([room(each) for each in rooms])
    async with shared.control.transaction():
        await shared.control.execute("SELECT FROM room WHERE stream = 'd1' FOR UPDATE")
        assert await one.nodes.change(leases.claim_due, 2_000, 9) == {"d0": 1, "d2": 1}
    assert await one.nodes.change(leases.claim_due, 2_000, 9) == {"d1": 1}


async def test_who_was_stopped_in_the_middle_of_writing_stores_nothing_later(
    shared: Database,
) -> None:
    """SIGSTOP at whatever moment: deposing does not wait for it, and nothing of it comes later."""
    two = await joined(shared, "two")
    for _ in range(3):
        writer = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "tests.server.store.stopped_writer", shared.url),
            stdout=asyncio.subprocess.PIPE,
        )
        assert writer.stdout is not None
        node, generation = (await writer.stdout.readline()).split()
        for _ in range(20):
            await writer.stdout.readline()
        writer.send_signal(signal.SIGSTOP)
        await beating(shared, two)
        assert await two.nodes.change(leases.depose, node.decode(), int(generation))
        there = len(await two.store.read(streams.load, ROOM))
        writer.send_signal(signal.SIGCONT)
        output = (await writer.stdout.read()).split()
        assert output[-1] == b"Deposed"
        assert len(await two.store.read(streams.load, ROOM)) == there
        # What it was told is stored, is; one more may be, of which it was not told in time.
        assert int(output[-2]) <= there if len(output) > 1 else True
        assert await writer.wait() == 0
