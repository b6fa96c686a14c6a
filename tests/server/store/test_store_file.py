"""Rows in the file: failures of what brings no entry, and how rows are found."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bluebear.server import faults
from bluebear.server.store import (
    NotRead,
    NotSaved,
    SqliteJournal,
    StreamId,
    Window,
    Written,
    person_rows,
    rows,
)
from tests.server.store.contract import ROOM, line
from tests.server.store.store_contract import AYU, BEN, LINE, person, room
from tests.server.store.test_sqlite import rows_of


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
    store = SqliteJournal(path)
    await store.append([room(LINE)])
    faults.arm(f"journal.{point}_touch", 1, "raise")
    with pytest.raises(NotSaved, match="injected"):
        await store.touch([ROOM], 5_000)
    assert await store.room(ROOM) == replace(LINE, at=at)
    assert await store.rooms_of("p-ayu", since=at, limit=9) == [replace(LINE, at=at)]
    assert await store.append([line(2)]) == [Written(2)]
    await store.close()


async def test_a_row_that_is_unreadable_is_reported(path: Path) -> None:
    store = SqliteJournal(path)
    await store.append([room(LINE)])
    await store.close()
    rows_of(path, "UPDATE room SET people = x'93c1'")
    store = SqliteJournal(path)
    with pytest.raises(NotRead):
        await store.room(ROOM)
    await store.close()


async def test_a_move_touches_the_log_alone(path: Path) -> None:
    """What comes with no row writes none: the price of a move."""
    store = SqliteJournal(path)
    await store.append([room(LINE), person(AYU)])
    requests: list[str] = []
    store._connection.set_trace_callback(requests.append)
    await store.append([line(2, "a"), line(3, "b")])
    store._connection.set_trace_callback(None)
    written = [one for one in requests if not one.startswith(("SELECT", "BEGIN", "COMMIT"))]
    assert len(written) == 1
    assert written[0].startswith("INSERT INTO log")
    await store.close()


async def test_large_groups_do_not_make_the_log_grow(path: Path) -> None:
    store = SqliteJournal(path, log_max_entries=100)
    for group in range(12):
        first = group * 500
        await store.append([line(1, stream=StreamId(f"r{first + n}")) for n in range(500)])
    await store.close()
    assert rows_of(path, "SELECT count(*) <= 2 FROM log") == [(1,)]


WINDOWS = (
    Window(),
    Window(since=500, page=3, size=7),
    Window(game="itc", since=500),
    Window(phases=("playing", "paused"), page=1),
    Window(phases=("open",), free=True, since=500),
    Window(game="itc", phases=("open", "playing"), free=True, since=1, page=2),
)


class _Explained:
    """Stands for a connection and says of each statement how it finds its rows."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.plans: list[str] = []

    def execute(self, statement: str, parameters: Any) -> sqlite3.Cursor:  # Any: as sqlite3 has it
        plan = self._connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
        self.plans += [detail for *_, detail in plan]
        return self._connection.execute(statement, parameters)


async def test_whatever_is_looked_for_is_looked_up_through_an_index(path: Path) -> None:
    store = SqliteJournal(path)
    await store.append(
        [room(replace(LINE, stream=StreamId(f"r{n}"), at=n * 10, invites=())) for n in range(99)]
    )
    explained = _Explained(store._connection)
    requested: sqlite3.Connection = explained  # type: ignore[assignment]  # has what is asked for
    for window in WINDOWS:
        rows.read_window(requested, window)
    walks = [plan for plan in explained.plans if "lobby" in plan]
    assert len(walks) >= len(WINDOWS)
    assert [plan for plan in walks if "SEARCH room USING COVERING INDEX" not in plan] == []
    rows.read_room(requested, ROOM)
    rows.read_room_of_invite(requested, "h-1")
    rows.read_rooms_of(requested, "p-ayu", 500, 9)
    rows.read_due(requested, 10**6, 9)
    person_rows.read(requested, "p-ayu")
    person_rows.read_named(requested, "ayu")
    person_rows.read_of_token(requested, "t-ayu")
    tables = ("SCAN room", "SCAN seat", "SCAN invite", "SCAN person", "SCAN token")
    assert [plan for plan in explained.plans if plan.startswith(tables)] == []
    await store.close()


async def test_a_unique_index_stands_behind_the_judgement(path: Path) -> None:
    """Were the answer wrong, the file would refuse: a name never has two people."""
    store = SqliteJournal(path)
    await store.append([person(AYU)])
    stolen = replace(BEN, id="p-chie", key="chie", tokens=("t-ayu",))
    for twin in (replace(BEN, key="ayu"), stolen, replace(BEN, id="p-ayu")):
        with pytest.raises(sqlite3.IntegrityError):
            person_rows._insert(store._connection, twin)
    await store.close()
