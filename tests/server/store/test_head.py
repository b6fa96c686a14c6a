"""A torn or older write-ahead log opens as a journal that looks whole: its head tells."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bluebear.server.store import (
    Append,
    Entry,
    NotOpened,
    Snapshot,
    SqliteStore,
    StreamId,
    streams,
)
from bluebear.server.store.backup import HEAD_SUFFIX
from bluebear.server.store.sqlite import Head, HeadFile, behind

ROOM = StreamId("123456")
FIRST_AT = 1_700_000_000_000


def entry(seq: int) -> Append:
    at = FIRST_AT + seq
    return Append(Entry(ROOM, seq, "p:ayu", f"line-{seq}", (f"line {seq}",), {"x": "y" * 900}, at))


async def written(path: Path, count: int) -> None:
    """A journal of so many commits, and its files as a killed server leaves them: in `killed`."""
    journal = SqliteStore(path)
    for seq in range(1, count + 1):
        await journal.append([entry(seq)])
    killed = path.parent / "killed"
    killed.mkdir()
    for file in path.parent.glob(f"{path.name}*"):
        shutil.copy(file, killed)
    await journal.close()


def refusal(path: Path) -> NotOpened:
    with pytest.raises(NotOpened) as caught:
        SqliteStore(path)
    return caught.value


@pytest.fixture
async def killed(tmp_path: Path) -> Path:
    await written(tmp_path / "bluebear.sqlite", 20)
    return tmp_path / "killed" / "bluebear.sqlite"


async def test_what_a_kill_leaves_is_not_behind(killed: Path) -> None:
    journal = SqliteStore(killed)
    assert journal.behind is None
    assert len(await journal.read(streams.load, ROOM)) == 20
    await journal.close()


@pytest.mark.parametrize("fraction", [0.9, 0.6, 0.3])
async def test_a_torn_log_is_refused_and_says_how_much_is_missing(
    killed: Path, fraction: float
) -> None:
    wal = killed.with_name(f"{killed.name}-wal")
    complete = wal.read_bytes()
    wal.write_bytes(complete[: int(len(complete) * fraction)])
    problem = refusal(killed)
    assert problem.code == "journal_behind"
    assert 1 <= problem.missing <= 20
    assert problem.at == FIRST_AT + 20
    journal = SqliteStore(killed, accept_older=True)
    assert journal.behind is not None
    assert (journal.behind.missing, journal.behind.at) == (problem.missing, problem.at)
    assert len(await journal.read(streams.load, ROOM)) == 20 - problem.missing
    await journal.close()


async def test_a_file_without_its_log_is_refused(killed: Path) -> None:
    killed.with_name(f"{killed.name}-wal").unlink()
    assert refusal(killed).missing == 20


@pytest.mark.parametrize("fraction", [0, 40_000])
async def test_a_torn_log_that_is_put_back_opens_again(killed: Path, fraction: int) -> None:
    """To be refused does the file no harm."""
    wal = killed.with_name(f"{killed.name}-wal")
    complete = wal.read_bytes()
    wal.write_bytes(complete[:fraction])
    refusal(killed)
    wal.write_bytes(complete)
    journal = SqliteStore(killed)
    assert len(await journal.read(streams.load, ROOM)) == 20
    await journal.close()


async def test_once_accepted_it_is_the_newest(killed: Path) -> None:
    wal = killed.with_name(f"{killed.name}-wal")
    wal.write_bytes(wal.read_bytes()[:30_000])
    await SqliteStore(killed, accept_older=True).close()
    journal = SqliteStore(killed)
    assert journal.behind is None
    missing_from = len(await journal.read(streams.load, ROOM)) + 1
    await journal.append([entry(missing_from)])
    await journal.close()
    await SqliteStore(killed).close()


async def test_other_entries_under_the_same_numbers_are_noticed(tmp_path: Path) -> None:
    for name, text in (("one", "a"), ("two", "b")):
        journal = SqliteStore(tmp_path / name)
        await journal.append([Append(Entry(ROOM, 1, "p:ayu", "1", (text,), {}, FIRST_AT))])
        await journal.close()
    shutil.copy(tmp_path / "two", tmp_path / "one")
    assert refusal(tmp_path / "one").missing == 0


async def test_a_journal_whose_log_was_moved_on_counts_on(tmp_path: Path) -> None:
    path = tmp_path / "bluebear.sqlite"
    for lives in range(3):
        journal = SqliteStore(path)
        await journal.append([entry(lives + 1)])
        await journal.write(streams.save_snapshot, Snapshot(ROOM, lives + 1, b"all"))
        await journal.close()
    head = HeadFile(path)
    seen = head.read()
    assert isinstance(seen, Head)
    assert (seen.row, seen.at) == (3, FIRST_AT + 3)
    head.close()


async def test_a_journal_without_a_head_is_taken_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "bluebear.sqlite"
    journal = SqliteStore(path)
    await journal.append([entry(1)])
    await journal.close()
    path.with_name(path.name + HEAD_SUFFIX).unlink()
    await SqliteStore(path).close()


@pytest.mark.parametrize("text", [b"", b"bluebear-head-1 9 x", b"\xff" * 128, b"0" * 4096])
async def test_a_head_that_is_no_head_says_nothing(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "bluebear.sqlite"
    await SqliteStore(path).close()
    path.with_name(path.name + HEAD_SUFFIX).write_bytes(text)
    await SqliteStore(path).close()


def test_who_is_behind() -> None:
    written = Head(9, "aa", FIRST_AT)

    def missing(newest: Head, written: Head | None = written) -> tuple[int, int] | None:
        lost = behind(Path("journal"), newest, written)
        return None if lost is None else (lost.missing, lost.at)

    assert missing(written, None) is None
    assert missing(written) is None
    assert missing(Head(12, "bb", FIRST_AT)) is None
    assert missing(Head(6, "aa", 0)) == (3, FIRST_AT)
    assert missing(Head(0, "", 0)) == (9, FIRST_AT)
    assert missing(Head(9, "bb", FIRST_AT)) == (0, FIRST_AT)


async def test_it_is_for_no_other_person_on_the_machine(tmp_path: Path) -> None:
    path = tmp_path / "bluebear.sqlite"
    await SqliteStore(path).close()
    assert path.with_name(path.name + HEAD_SUFFIX).stat().st_mode & 0o077 == 0
