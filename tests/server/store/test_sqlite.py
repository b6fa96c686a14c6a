"""The journal in a file: the contract, the disk's troubles, and what a file may be."""

import asyncio
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from sqlalchemy import Connection

from bluebear.server.store import (
    Append,
    Duplicate,
    Entry,
    Fenced,
    JournalError,
    NotOpened,
    NotRead,
    NotSaved,
    Outgoing,
    Snapshot,
    SqliteStore,
    StreamId,
    Summary,
    Written,
    outbox,
    rooms,
    sqlite,
    streams,
)
from bluebear.server.store.schema import TOKEN, insert
from bluebear.server.store.sqlite import Sqlite
from tests.fuzz.slow_lines import counted
from tests.server.store.contract import OTHER, ROOM, Disk, JournalContract, entry, line
from tests.server.store.outbox_contract import OutboxContract
from tests.server.store.people_contract import PeopleContract
from tests.server.store.rating_contract import RatingContract
from tests.server.store.store_contract import StoreContract, StoreDisk
from tests.server.store.transfer_contract import TransferContract
from tests.support import faults
from tests.support.simulated_store import FaultyDatabase, MemoryDisk

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
        return lambda: SqliteStore(tmp_path / "journal.db")

    @pytest.fixture
    def store_disk(self, tmp_path: Path) -> StoreDisk:
        return lambda: SqliteStore(tmp_path / "journal.db")


class TestSqlite(_OnFile):
    pass


class TestMovedEntries(_OnFile):
    """The same where every second entry moves all, and one stream's number is remembered."""

    @pytest.fixture(autouse=True)
    def often(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Sqlite, "tail_entries", 2)
        monkeypatch.setattr(sqlite, "HEADS_REMEMBERED", 1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture(autouse=True)
def disarmed() -> Iterator[None]:
    faults.disarm()
    yield
    faults.disarm()


def rows_of(path: Path, query: str) -> list[tuple[object, ...]]:
    """What a closed journal's file says."""
    connection = sqlite3.connect(path)
    try:
        result = connection.execute(query).fetchall()
        connection.commit()
        return result
    finally:
        connection.close()


def driver(store: SqliteStore) -> sqlite3.Connection:
    """The connection of a store."""
    database = store._database
    assert isinstance(database, Sqlite)
    return database.driver


def wide(seq: int, *, stream: StreamId = ROOM) -> Append:
    return Append(Entry(stream, seq, "p:ayu", f"{stream}-{seq}", ("x" * 20_000,), {}, seq))


moves = pytest.mark.parametrize(("table", "count"), [("tail", 9), ("entry", 2)])
"""Where two entries are that were stored in one commit, if so many move together."""


async def test_a_commit_is_synced_before_it_is_answered(path: Path) -> None:
    journal = SqliteStore(path)
    assert journal.settings == {
        "locking_mode": "exclusive",
        "journal_mode": "wal",
        "synchronous": 2,
        "wal_autocheckpoint": 8000,
        "cache_size": -8000,
    }
    await journal.close()


async def test_a_full_disk_fails_what_does_not_fit_and_works_again_later(path: Path) -> None:
    journal = SqliteStore(path)
    await journal.append([line(1, "a")])
    (pages,) = driver(journal).execute("PRAGMA page_count").fetchone()
    driver(journal).execute(f"PRAGMA max_page_count = {pages}")

    [first, second] = await journal.append([wide(2), wide(1, stream=OTHER)])
    assert isinstance(first, NotSaved)
    assert isinstance(second, NotSaved)
    assert "full" in str(first)
    assert first.certain
    assert [one.seq for one in await journal.read(streams.load, ROOM)] == [1]
    assert await journal.append([line(3, "b"), line(9, "a")]) == [Fenced(1), Duplicate(ROOM, 1)]
    with pytest.raises(NotSaved, match="full"):
        await journal.write(streams.save_snapshot, Snapshot(ROOM, 1, b"x" * 20_000))

    driver(journal).execute("PRAGMA max_page_count = 1000000")
    assert await journal.append([wide(2), wide(1, stream=OTHER)]) == [Written(2), Written(1)]
    await journal.write(streams.save_snapshot, Snapshot(ROOM, 2, b"x" * 20_000))
    await journal.close()


async def test_what_cannot_be_read_back_is_answered_as_uncertain(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = SqliteStore(path)

    def broken(_: Sqlite) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patched:
        patched.setattr(Sqlite, "recover", broken)
        faults.arm("store.after_commit", 1, "raise")
        [answer] = await journal.append([line(1, "a")])
        assert isinstance(answer, NotSaved)
        assert not answer.certain
        [answer] = await journal.append([line(2, "b")])
        assert isinstance(answer, NotSaved)
        assert answer.certain
        with pytest.raises(NotRead, match="I/O"):
            await journal.read(streams.load, ROOM)

    assert await journal.append([line(1, "a"), line(2, "b")]) == [Duplicate(ROOM, 1), Written(2)]
    await journal.close()


@pytest.mark.parametrize("point", ["store.before_write", "store.after_write"])
async def test_a_failed_snapshot_hurts_no_entry(path: Path, point: str) -> None:
    journal = SqliteStore(path)
    await journal.append([line(1, "a"), line(2, "b")])
    faults.arm(point, 1, "raise")
    with pytest.raises(NotSaved, match="injected"):
        await journal.write(streams.save_snapshot, Snapshot(ROOM, 2, b"state"))
    assert await journal.append([line(9, "a"), line(3)]) == [Duplicate(ROOM, 1), Written(3)]
    assert [one.seq for one in await journal.read(streams.load, ROOM)] == [1, 2, 3]
    await journal.close()


async def test_a_cancelled_commit_is_finished_before_anybody_else_has_the_file(path: Path) -> None:
    journal = SqliteStore(path)
    cancelled = asyncio.create_task(journal.append([line(1, "a")]))
    await asyncio.sleep(0)  # the entries are inserted, the commit is on its way
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    [answer] = await journal.append([line(1, "a")])
    assert answer in (Written(1), Duplicate(ROOM, 1))
    assert len(await journal.read(streams.load, ROOM)) == 1
    await journal.close()


async def test_a_cancelled_reader_gives_the_file_away_when_it_is_done(path: Path) -> None:
    reading, go_on = threading.Event(), threading.Event()

    def slow(_: Connection) -> None:
        reading.set()
        go_on.wait()

    journal = SqliteStore(path)
    reader = asyncio.create_task(journal.read(slow))
    await asyncio.to_thread(reading.wait)
    reader.cancel()
    writer = asyncio.create_task(journal.append([line(1)]))
    for _ in range(5):
        await asyncio.sleep(0)
    begun = driver(journal).in_transaction
    go_on.set()
    assert not begun
    assert await writer == [Written(1)]
    assert reader.cancelled()
    await journal.close()


@moves
async def test_an_opened_file_knows_the_ids_and_numbers_of_all_entries(
    path: Path, monkeypatch: pytest.MonkeyPatch, table: str, count: int
) -> None:
    monkeypatch.setattr(Sqlite, "tail_entries", count)
    journal = SqliteStore(path)
    await journal.append([line(1, "a"), line(2, "b")])
    await journal.close()
    counts = "SELECT (SELECT count(*) FROM entry), (SELECT count(*) FROM tail)"
    assert rows_of(path, counts) == [(2, 0) if table == "entry" else (0, 2)]
    journal = SqliteStore(path)
    assert await journal.append([line(3, "a")]) == [Duplicate(ROOM, 1)]
    assert await journal.append([line(2, "c")]) == [Fenced(2)]
    assert await journal.append([line(3, "b"), line(1, stream=OTHER)]) == [
        Duplicate(ROOM, 2),
        Written(1),
    ]
    assert [one.seq for one in await journal.read(streams.load, ROOM)] == [1, 2]
    await journal.close()


@pytest.mark.parametrize("moved", [1, 2, 3])
async def test_a_move_of_the_tail_that_fails_leaves_all_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch, moved: int
) -> None:
    """The entry that comes with it is not stored, and the next one moves them all."""
    monkeypatch.setattr(Sqlite, "tail_entries", 3)
    journal = SqliteStore(path)
    await journal.append([line(1, "a"), line(2, "b")])
    driver(journal).execute(
        "CREATE TRIGGER main.full BEFORE INSERT ON entry"
        f" WHEN new.seq = {moved} BEGIN SELECT raise(FAIL, 'full'); END"
    )
    [answer] = await journal.append([line(3, "c")])
    assert isinstance(answer, NotSaved)
    assert answer.certain
    driver(journal).execute("DROP TRIGGER main.full")
    assert await journal.append([line(3, "a"), line(3, "c")]) == [Duplicate(ROOM, 1), Written(3)]
    assert [one.seq for one in await journal.read(streams.load, ROOM)] == [1, 2, 3]
    await journal.close()
    assert rows_of(path, "SELECT rowid, seq FROM entry") == [(1, 1), (2, 2), (3, 3)]
    assert rows_of(path, "SELECT * FROM tail") == []


class _Unsure:
    """A connection whose next commit is done, and fails."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._fails = True

    def __getattr__(self, name: str) -> object:
        return getattr(self._connection, name)

    def execute(self, statement: str, given: Sequence[str] = ()) -> sqlite3.Cursor:
        result = self._connection.execute(statement, given)
        if statement == "COMMIT" and self._fails:
            self._fails = False
            raise sqlite3.OperationalError("disk I/O error")
        return result


@moves
async def test_what_a_commit_of_unknown_end_has_stored_is_remembered(
    path: Path, monkeypatch: pytest.MonkeyPatch, table: str, count: int
) -> None:
    monkeypatch.setattr(Sqlite, "tail_entries", count)
    journal = SqliteStore(path)
    await journal.append([line(1, "a")])
    monkeypatch.setattr(journal._database, "driver", _Unsure(driver(journal)))
    assert await journal.append([line(2, "b")]) == [Written(2)]
    assert await journal.append([line(2, "c")]) == [Fenced(2)]
    assert await journal.append([line(3, "b")]) == [Duplicate(ROOM, 2)]
    await journal.close()
    assert rows_of(path, f"SELECT seq FROM {table}") == [(1,), (2,)]  # noqa: S608  # of the names above


async def test_what_is_remembered_of_a_file_is_bounded(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Sqlite, "tail_entries", 3)
    monkeypatch.setattr(sqlite, "HEADS_REMEMBERED", 2)
    journal = SqliteStore(path)
    database = journal._database
    assert isinstance(database, Sqlite)
    for number in range(9):
        await journal.append([line(1, f"c{number}", stream=StreamId(f"r{number}"))])
        assert len(database._heads) <= 2
        assert len(database._ids) < 3
    await journal.close()


async def test_two_snapshots_of_a_stream_are_stored(path: Path) -> None:
    journal = SqliteStore(path)
    await journal.append([line(seq) for seq in range(1, 6)])
    for seq in (1, 3, 5):
        await journal.write(streams.save_snapshot, Snapshot(ROOM, seq, b""))
    await journal.close()
    assert rows_of(path, "SELECT seq FROM snapshot ORDER BY seq") == [(3,), (5,)]


async def test_a_closed_journal_may_be_closed_again_but_not_used(path: Path) -> None:
    journal = SqliteStore(path)
    await journal.close()
    await journal.close()
    with pytest.raises(JournalError, match="closed"):
        await journal.append([line(1)])


async def test_a_second_opener_is_refused(path: Path) -> None:
    journal = SqliteStore(path)
    program = (
        "import sys, pathlib; from bluebear.server.store import NotOpened, SqliteStore\n"
        "try: SqliteStore(pathlib.Path(sys.argv[1]))\n"
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
    database = FaultyDatabase(MemoryDisk())
    row = Summary(StreamId("500000"), 3, b"x" * 400, None, people=("a",), invites=("b",))
    rooms.write(database.connection, [row, replace(row, stream=StreamId("300000"))])
    there, nowhere = (_cost(database, each) for each in (row.stream, StreamId(number)))
    assert there.exists
    assert not nowhere.exists
    assert there.lines == nowhere.lines
    assert abs(there.steps - nowhere.steps) <= LOOK_FOR_THE_FIRST


class _Cost(NamedTuple):
    exists: bool
    lines: int
    steps: int


def _cost(database: Sqlite, stream: StreamId) -> _Cost:
    """Whether a room is found, and the lines of Python and the steps of SQLite that it takes."""
    steps = 0
    result: Summary | None = None

    def step() -> int:
        nonlocal steps
        steps += 1
        return 0

    def read() -> None:
        nonlocal result
        result = rooms.room(database.connection, stream)

    read()
    database.driver.set_progress_handler(step, 1)
    read()
    database.driver.set_progress_handler(None, 0)
    return _Cost(result is not None, counted(read), steps)


async def test_a_newer_version_is_refused_and_left_alone(path: Path) -> None:
    await SqliteStore(path).close()
    rows_of(path, "UPDATE alembic_version SET version_num = '0099'")
    with pytest.raises(NotOpened, match="version 0099") as refused:
        SqliteStore(path)
    assert refused.value.code == "journal_newer"
    assert rows_of(path, "SELECT version_num FROM alembic_version") == [("0099",)]


def test_a_file_from_before_0_1_0_is_refused_and_left_alone(path: Path) -> None:
    rows_of(path, "CREATE TABLE log (row INTEGER PRIMARY KEY, body BLOB NOT NULL)")
    rows_of(path, "CREATE TABLE segment (stream TEXT NOT NULL)")
    before = path.read_bytes()
    with pytest.raises(NotOpened) as refused:
        SqliteStore(path)
    assert refused.value.code == "journal_older"
    assert path.read_bytes() == before


def test_another_programs_database_is_refused(path: Path) -> None:
    rows_of(path, "CREATE TABLE diary (day TEXT)")
    with pytest.raises(NotOpened) as refused:
        SqliteStore(path)
    assert refused.value.code == "journal_foreign"
    assert rows_of(path, "SELECT count(*) FROM sqlite_master") == [(1,)]


def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.write_bytes(b"Dear diary, " * 1000)
    with pytest.raises(NotOpened) as refused:
        SqliteStore(path)
    assert refused.value.code == "journal_foreign"


def test_a_folder_that_is_missing_is_reported(tmp_path: Path) -> None:
    with pytest.raises(NotOpened) as refused:
        SqliteStore(tmp_path / "nowhere" / "journal.db")
    assert refused.value.code == "journal_unusable"


@moves
async def test_an_entry_that_is_unreadable_is_reported(
    path: Path, monkeypatch: pytest.MonkeyPatch, table: str, count: int
) -> None:
    monkeypatch.setattr(Sqlite, "tail_entries", count)
    journal = SqliteStore(path)
    await journal.append([line(1), line(2)])
    await journal.close()
    rows_of(path, f"UPDATE {table} SET body = x'93c1' WHERE seq = 1")  # noqa: S608  # of the names above
    journal = SqliteStore(path)
    with pytest.raises(NotRead):
        await journal.read(streams.load, ROOM)
    await journal.close()


async def test_a_summary_speaks_of_its_entry(path: Path) -> None:
    journal = SqliteStore(path)
    [refused] = await journal.append([Append(entry(1), Summary(ROOM, 2, b"", None))])
    assert isinstance(refused, NotSaved)
    assert "beside entry r1 1" in str(refused)
    assert refused.certain
    await journal.close()


async def test_a_row_that_is_refused_says_which_and_is_not_repeated(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore(path)
    attempts: list[Connection] = []

    def twice(connection: Connection, outgoing: object) -> None:
        attempts.append(connection)
        insert(connection, TOKEN, [{"hash": "t", "person": "p"}] * 2)

    monkeypatch.setattr(outbox, "put", twice)
    append = Append(entry(1), outgoing=(Outgoing("a", 1, b""),))
    [answer] = await store.append([append])
    assert isinstance(answer, NotSaved)
    assert "token.hash" in str(answer)
    assert len(attempts) == 1
    await store.close()
