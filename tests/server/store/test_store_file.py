"""Rows in the file: failures of what brings no entry, and how rows are found."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from sqlite3 import IntegrityError
from typing import Any

import pytest
from sqlalchemy import Connection, event

from bluebear.server.store import (
    NotRead,
    NotSaved,
    SqliteStore,
    StreamId,
    Window,
    Written,
    people,
    ratings,
    rooms,
    streams,
)
from bluebear.server.store.schema import Statement
from tests.server.store.contract import ROOM, line
from tests.server.store.store_contract import AYU, BEN, LINE, person, room
from tests.server.store.test_sqlite import driver, rows_of
from tests.support import faults


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture(autouse=True)
def disarmed() -> Iterator[None]:
    faults.disarm()
    yield
    faults.disarm()


@pytest.mark.parametrize(("point", "at"), [("before", 1_000), ("after", 5_000)])
async def test_a_touch_that_fails_hurts_no_entry(path: Path, point: str, at: int) -> None:
    store = SqliteStore(path)
    await store.append([room(LINE)])
    faults.arm(f"store.{point}_write", 1, "raise")
    with pytest.raises(NotSaved, match="injected"):
        await store.write(rooms.touch, [ROOM], 5_000)
    assert await store.read(rooms.room, ROOM) == replace(LINE, at=at)
    assert await store.read(rooms.rooms_of, "p-ayu", since=at, limit=9) == [replace(LINE, at=at)]
    assert await store.append([line(2)]) == [Written(2)]
    await store.close()


async def test_a_row_that_is_unreadable_is_reported(path: Path) -> None:
    store = SqliteStore(path)
    await store.append([room(LINE)])
    await store.close()
    rows_of(path, "UPDATE room SET people = '{'")
    store = SqliteStore(path)
    with pytest.raises(NotRead):
        await store.read(rooms.room, ROOM)
    await store.close()


async def test_a_move_is_one_insertion(path: Path) -> None:
    """An entry that comes with no row writes none, and is not looked up: the price of a move."""
    store = SqliteStore(path)
    await store.append([room(LINE), person(AYU)])
    requests: list[str] = []
    driver(store).set_trace_callback(requests.append)
    await store.append([line(2, "a")])
    driver(store).set_trace_callback(None)
    assert [one.split(" ")[0] for one in requests] == ["BEGIN", "INSERT", "COMMIT"]
    await store.close()


WINDOWS = (
    Window(),
    Window(since=500, page=3, size=7),
    Window(game="itc", since=500),
    Window(running=True, page=1),
    Window(free=True, since=500),
    Window(game="itc", running=True, free=True, since=1, page=2),
)


def look_up_all(connection: Connection) -> None:
    """What is looked up often, beside windows."""
    rooms.room(connection, ROOM)
    rooms.of_invite(connection, "h-1")
    rooms.rooms_of(connection, "p-ayu", 500, 9)
    rooms.due(connection, 10**6, 9)
    people.person(connection, "p-ayu")
    people.named(connection, "ayu")
    people.of_token(connection, "t-ayu")
    people.holders(connection, ["ayu"], ["t-ayu"])
    ratings.read(connection, ("p-ayu", "itc", 3))
    ratings.ranked(connection, "itc", 3, 0, 9)
    streams.snapshot(connection, ROOM)
    streams.load(connection, ROOM, 3)
    streams.head(connection, ROOM)
    streams.find(connection, "p:ayu", "a")
    streams.names(connection, "r", "r1", 9)


async def test_whatever_is_looked_for_is_looked_up_through_an_index(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore(path)
    await store.append(
        [room(replace(LINE, stream=StreamId(f"r{n}"), at=n * 10, invites=())) for n in range(99)]
    )
    plans: list[str] = []

    def explain(connection: Connection, cursor: Any, text: str, given: Any, *_: object) -> None:
        # Any: as the library has it.
        plan = cursor.execute(f"EXPLAIN QUERY PLAN {text}", given).fetchall()
        plans.extend(detail for *_, detail in plan)

    def explained(statement: Statement, connection: Connection, *given: object) -> Any:
        plan = Statement(f"EXPLAIN QUERY PLAN {statement._sqlite}")
        plans.extend(detail for *_, detail in fetch(plan, connection, *given))
        return fetch(statement, connection, *given)

    fetch = Statement.fetch
    monkeypatch.setattr(Statement, "fetch", explained)
    connection = store._database.connection
    event.listen(connection, "before_cursor_execute", explain)
    for window in WINDOWS:
        rooms.window(connection, window)
    walks = [plan for plan in plans if "room_listed" in plan or "room_played" in plan]
    assert len(walks) >= len(WINDOWS)
    assert [plan for plan in walks if "USING COVERING INDEX" not in plan] == []
    count = len(plans)
    rooms.room(connection, ROOM)
    assert len(plans) > count
    look_up_all(connection)
    tables = (
        "room",
        "seat",
        "invite",
        "person",
        "token",
        "rating",
        "snapshot",
        "outbox",
        "main.entry",
    )
    scans = [plan for plan in plans if plan.startswith(tuple(f"SCAN {each}" for each in tables))]
    assert [plan for plan in scans if "USING COVERING INDEX room_" not in plan] == []
    event.remove(connection, "before_cursor_execute", explain)
    await store.close()


async def test_a_unique_index_stands_behind_the_judgement(path: Path) -> None:
    """Were the answer wrong, the file would refuse: a name never has two people."""
    store = SqliteStore(path)
    await store.append([person(AYU)])
    stolen = replace(BEN, id="p-chie", key="chie", tokens=("t-ayu",))
    for twin in (replace(BEN, key="ayu"), stolen, replace(BEN, id="p-ayu")):
        with pytest.raises(IntegrityError):
            people.write(store._database.connection, {"nobody": twin})
    await store.close()
