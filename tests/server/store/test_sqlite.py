"""The journal in a file: the contract, the disk's troubles, and what a file may be."""

import asyncio
import contextlib
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from bluebear.server import faults
from bluebear.server.store import (
    Append,
    Duplicate,
    Entry,
    Fenced,
    JournalError,
    NotOpened,
    NotRead,
    NotSaved,
    Snapshot,
    SqliteJournal,
    StreamId,
    Summary,
    Written,
    layout,
    rows,
    sqlite,
)
from tests.fuzz.slow_lines import counted
from tests.server.store.contract import OTHER, ROOM, Disk, JournalContract, entry, line
from tests.server.store.outbox_contract import OutboxContract
from tests.server.store.people_contract import PeopleContract
from tests.server.store.rating_contract import RatingContract
from tests.server.store.store_contract import StoreContract, StoreDisk
from tests.server.store.transfer_contract import TransferContract

LOOK_FOR_THE_FIRST: Final = 16
"""Steps of SQLite, some tens of nanoseconds each, to start again at the lowest number."""


class _OnFile(
    JournalContract,
    StoreContract,
    OutboxContract,
    RatingContract,
    TransferContract,
    PeopleContract,
):
    @pytest.fixture
    def disk(self, tmp_path: Path) -> Disk:
        return lambda: SqliteJournal(tmp_path / "journal.db")

    @pytest.fixture
    def store_disk(self, tmp_path: Path) -> StoreDisk:
        return lambda: SqliteJournal(tmp_path / "journal.db")


class TestSqlite(_OnFile):
    pass


class TestSqliteWithAShortLog(_OnFile):
    """Nearly every commit also moves older entries on."""

    @pytest.fixture
    def disk(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Disk:
        monkeypatch.setattr(sqlite, "MOVE_MIN_ENTRIES", 2)
        monkeypatch.setattr(sqlite, "COLD_HEADS_MAX", 1)
        monkeypatch.setattr(layout, "SEGMENT_MAX_ENTRIES", 2)
        return lambda: SqliteJournal(tmp_path / "journal.db", log_max_entries=3)

    @pytest.fixture
    def store_disk(self, disk: Disk, tmp_path: Path) -> StoreDisk:
        return lambda: SqliteJournal(tmp_path / "journal.db", log_max_entries=3)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture(autouse=True)
def disarmed() -> Iterator[None]:
    faults.disarm()
    yield
    faults.disarm()


def rows_of(path: Path, query: str) -> list[tuple[int, ...]]:
    """What a closed journal's file says."""
    connection = sqlite3.connect(path)
    try:
        result = connection.execute(query).fetchall()
        connection.commit()
        return result
    finally:
        connection.close()


def wide(seq: int, *, stream: StreamId = ROOM) -> Append:
    return Append(Entry(stream, seq, "p:ayu", f"{stream}-{seq}", ("x" * 20_000,), {}, seq))


async def test_a_commit_is_synced_before_it_is_answered(path: Path) -> None:
    journal = SqliteJournal(path)
    assert journal.settings == {
        "locking_mode": "exclusive",
        "journal_mode": "wal",
        "synchronous": 2,
    }
    await journal.close()


async def test_a_full_disk_fails_what_does_not_fit_and_works_again_later(path: Path) -> None:
    journal = SqliteJournal(path)
    await journal.append([line(1, "a")])
    (pages,) = journal._connection.execute("PRAGMA page_count").fetchone()
    journal._connection.execute(f"PRAGMA max_page_count = {pages}")

    [first, second] = await journal.append([wide(2), wide(1, stream=OTHER)])
    assert isinstance(first, NotSaved)
    assert isinstance(second, NotSaved)
    assert "full" in str(first)
    assert first.certain
    assert [one.seq for one in await journal.load(ROOM)] == [1]
    assert await journal.append([line(3, "b"), line(9, "a")]) == [Fenced(1), Duplicate(ROOM, 1)]
    with pytest.raises(NotSaved, match="full"):
        await journal.save_snapshot(Snapshot(ROOM, 1, b"x" * 20_000))

    journal._connection.execute("PRAGMA max_page_count = 1000000")
    assert await journal.append([wide(2), wide(1, stream=OTHER)]) == [Written(2), Written(1)]
    await journal.save_snapshot(Snapshot(ROOM, 2, b"x" * 20_000))
    await journal.close()


async def test_what_cannot_be_read_back_is_answered_as_uncertain(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = SqliteJournal(path)

    def broken(_: sqlite3.Connection) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patched:
        patched.setattr(layout, "read_tail", broken)
        faults.arm("journal.after_commit", 1, "raise")
        [answer] = await journal.append([line(1, "a")])
        assert isinstance(answer, NotSaved)
        assert not answer.certain
        [answer] = await journal.append([line(2, "b")])
        assert isinstance(answer, NotSaved)
        assert answer.certain
        with pytest.raises(NotRead, match="I/O"):
            await journal.load(ROOM)

    assert await journal.append([line(1, "a"), line(2, "b")]) == [Duplicate(ROOM, 1), Written(2)]
    await journal.close()


@pytest.mark.parametrize("point", ["journal.before_snapshot", "journal.after_snapshot"])
async def test_a_failed_snapshot_hurts_no_entry(path: Path, point: str) -> None:
    journal = SqliteJournal(path)
    await journal.append([line(1, "a"), line(2, "b")])
    faults.arm(point, 1, "raise")
    with pytest.raises(NotSaved, match="injected"):
        await journal.save_snapshot(Snapshot(ROOM, 2, b"state"))
    assert await journal.append([line(9, "a"), line(3)]) == [Duplicate(ROOM, 1), Written(3)]
    assert [one.seq for one in await journal.load(ROOM)] == [1, 2, 3]
    await journal.close()


async def test_a_cancelled_commit_is_finished_before_anybody_else_has_the_file(path: Path) -> None:
    journal = SqliteJournal(path)
    cancelled = asyncio.create_task(journal.append([line(1, "a")]))
    await asyncio.sleep(0)  # the entries are inserted, the commit is on its way
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    [answer] = await journal.append([line(1, "a")])
    assert answer in (Written(1), Duplicate(ROOM, 1))
    assert len(await journal.load(ROOM)) == 1
    await journal.close()


async def test_a_cancelled_reader_gives_the_file_away_when_it_is_done(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, go_on = threading.Event(), threading.Event()

    def slow(*_: object) -> None:
        reading.set()
        go_on.wait()

    monkeypatch.setattr(layout, "read_snapshot", slow)
    journal = SqliteJournal(path)
    reader = asyncio.create_task(journal.snapshot(ROOM))
    await asyncio.to_thread(reading.wait)
    reader.cancel()
    writer = asyncio.create_task(journal.append([line(1)]))
    for _ in range(5):
        await asyncio.sleep(0)
    begun = journal._connection.in_transaction
    go_on.set()
    assert not begun
    assert await writer == [Written(1)]
    assert reader.cancelled()
    await journal.close()


async def test_the_log_stays_short_and_old_entries_are_still_detected(path: Path) -> None:
    journal = SqliteJournal(path, log_max_entries=100)
    await journal.append([line(1, stream=OTHER)])  # the oldest row, in a room that sleeps
    for seq in range(1, 801, 4):
        await journal.append([line(one, f"id-{one}") for one in range(seq, seq + 4)])
    assert [one.seq for one in await journal.load(ROOM)] == list(range(1, 801))
    assert await journal.append([line(801, "id-3")]) == [Duplicate(ROOM, 3)]
    assert await journal.append([line(2, stream=OTHER)]) == [Written(2)]
    await journal.close()
    assert rows_of(path, "SELECT count(*) <= 26 FROM log") == [(1,)]


async def test_a_snapshot_moves_the_streams_entries_out_of_the_log(path: Path) -> None:
    journal = SqliteJournal(path)
    await journal.append([line(seq, f"id-{seq}") for seq in (1, 2)])
    await journal.save_snapshot(Snapshot(ROOM, 2, b"state"))
    await journal.close()
    # The newest row stays, so that numbers go on from it.
    assert rows_of(path, "SELECT row FROM log") == [(1,)]
    assert rows_of(path, "SELECT first_seq, last_seq FROM segment") == [(1, 2)]


async def test_two_snapshots_of_a_stream_are_stored(path: Path) -> None:
    journal = SqliteJournal(path)
    await journal.append([line(seq) for seq in range(1, 6)])
    for seq in (1, 3, 5):
        await journal.save_snapshot(Snapshot(ROOM, seq, b""))
    await journal.close()
    assert rows_of(path, "SELECT seq FROM snapshot ORDER BY seq") == [(3,), (5,)]


async def test_a_closed_journal_may_be_closed_again_but_not_used(path: Path) -> None:
    journal = SqliteJournal(path)
    await journal.close()
    await journal.close()
    with pytest.raises(JournalError, match="closed"):
        await journal.append([line(1)])


async def test_a_second_opener_is_refused(path: Path) -> None:
    journal = SqliteJournal(path)
    program = (
        "import sys, pathlib; from bluebear.server.store import NotOpened, SqliteJournal\n"
        "try: SqliteJournal(pathlib.Path(sys.argv[1]))\n"
        "except NotOpened as refused: print(refused.code)"
    )
    other = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", program, str(path)), stdout=subprocess.PIPE
    )
    output, _ = await other.communicate()
    assert output == b"journal_in_use\n"
    await journal.append([line(1)])
    await journal.close()


@pytest.mark.parametrize("number", ["100000", "499999", "500001", "999999"])
def test_a_number_that_no_room_has_costs_what_a_rooms_does(number: str) -> None:
    """Otherwise a client that guesses numbers could tell hidden rooms from none by timing."""
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        for table in rows.TABLES:
            connection.execute(table)
        row = Summary(StreamId("500000"), 3, b"x" * 400, None, people=("a",), invites=("b",))
        rows.write_rooms(connection, [row, replace(row, stream=StreamId("300000"))])
        there, nowhere = (_cost(connection, each) for each in (row.stream, StreamId(number)))
    assert there.exists
    assert not nowhere.exists
    assert there.lines == nowhere.lines
    assert abs(there.steps - nowhere.steps) <= LOOK_FOR_THE_FIRST


class _Cost(NamedTuple):
    exists: bool
    lines: int
    steps: int


def _cost(connection: sqlite3.Connection, stream: StreamId) -> _Cost:
    """Whether a room is found, and the lines of Python and the steps of SQLite that it takes."""
    steps = 0
    result: Summary | None = None

    def step() -> int:
        nonlocal steps
        steps += 1
        return 0

    def read() -> None:
        nonlocal result
        result = rows.read_room(connection, stream)

    read()
    connection.set_progress_handler(step, 1)
    read()
    connection.set_progress_handler(None, 0)
    return _Cost(result is not None, counted(read), steps)


async def test_a_newer_layout_is_refused_and_left_alone(path: Path) -> None:
    await SqliteJournal(path).close()
    newer = layout.SCHEMA + 1
    rows_of(path, f"PRAGMA user_version = {newer}")
    with pytest.raises(NotOpened, match=f"layout {newer}") as refused:
        SqliteJournal(path)
    assert refused.value.code == "journal_newer"
    assert rows_of(path, "PRAGMA user_version") == [(newer,)]


@pytest.mark.parametrize("version", range(1, layout.OLDEST))
def test_a_layout_from_before_0_1_0_is_refused_and_left_alone(path: Path, version: int) -> None:
    rows_of(path, "CREATE TABLE log (row INTEGER PRIMARY KEY, body BLOB NOT NULL)")
    rows_of(path, f"PRAGMA user_version = {version}")
    before = path.read_bytes()
    with pytest.raises(NotOpened, match=f"layout {version}") as refused:
        SqliteJournal(path)
    assert refused.value.code == "journal_older"
    assert path.read_bytes() == before


def test_another_programs_database_is_refused(path: Path) -> None:
    rows_of(path, "CREATE TABLE diary (day TEXT)")
    with pytest.raises(NotOpened) as refused:
        SqliteJournal(path)
    assert refused.value.code == "journal_foreign"
    assert rows_of(path, "SELECT count(*) FROM sqlite_master") == [(1,)]


def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.write_bytes(b"Dear diary, " * 1000)
    with pytest.raises(NotOpened) as refused:
        SqliteJournal(path)
    assert refused.value.code == "journal_foreign"


def test_a_folder_that_is_missing_is_reported(tmp_path: Path) -> None:
    with pytest.raises(NotOpened) as refused:
        SqliteJournal(tmp_path / "nowhere" / "journal.db")
    assert refused.value.code == "journal_unusable"


async def test_a_log_with_a_gap_is_refused(path: Path) -> None:
    journal = SqliteJournal(path)
    for seq in (1, 2, 3):
        await journal.append([line(seq)])
    await journal.close()
    connection = sqlite3.connect(path)
    connection.execute("DELETE FROM log WHERE row = 2")
    connection.commit()
    connection.close()
    with pytest.raises(NotOpened, match="entry 3 of r1 after 1") as refused:
        SqliteJournal(path)
    assert refused.value.code == "journal_unusable"


async def test_a_log_with_an_unreadable_entry_is_refused(path: Path) -> None:
    journal = SqliteJournal(path)
    await journal.append([line(1)])
    await journal.close()
    connection = sqlite3.connect(path)
    connection.execute("UPDATE log SET body = x'93c1'")
    connection.commit()
    connection.close()
    with pytest.raises(NotOpened, match="unreadable entry") as refused:
        SqliteJournal(path)
    assert refused.value.code == "journal_unusable"


async def test_a_segment_that_is_unreadable_is_reported(path: Path) -> None:
    journal = SqliteJournal(path)
    await journal.append([line(1)])
    await journal.save_snapshot(Snapshot(ROOM, 1, b""))
    await journal.close()
    connection = sqlite3.connect(path)
    connection.execute("UPDATE segment SET body = x'93c1'")
    connection.commit()
    connection.close()
    journal = SqliteJournal(path)
    with pytest.raises(NotRead):
        await journal.load(ROOM)
    await journal.close()


def test_a_summary_speaks_of_its_entry() -> None:
    with pytest.raises(ValueError, match="beside entry r1 1"):
        Append(entry(1), Summary(ROOM, 2, b"", None))
