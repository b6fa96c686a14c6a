"""A copy of a journal that is being written to: whole, of one moment, and it comes back."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from bluebear.server.store import (
    Append,
    Entry,
    JournalError,
    NotOpened,
    PersonRow,
    Snapshot,
    SqliteStore,
    StreamId,
    Summary,
    Written,
    backup,
    people,
    person_stream,
    streams,
)
from bluebear.server.store.backup import JOURNAL_FILES, copy_file, copy_path, restore
from tests.support import stored_rows
from tests.support.simulated_store import SimulatedStore

ROOMS = 40
STREAMS = [StreamId(f"{100_000 + number}") for number in range(ROOMS)]
ENOUGH = 30


def line(stream: StreamId, seq: int) -> Append:
    entry = Entry(stream, seq, "p:ayu", f"{stream}-{seq}", (f"line {seq}",), {"x": "y" * 600}, seq)
    body = f"{stream} {seq}".encode()
    row = Summary(stream, seq, body, None, listed=True, game="journey", phase="open", at=seq)
    return Append(entry, row)


async def stored_entries(path: Path) -> dict[StreamId, list[Entry]]:
    """The entries of all rooms of a file; what stands beside them is looked at as well."""
    journal = SqliteStore(path)
    results = {stream: await journal.read(streams.load, stream) for stream in STREAMS}
    for row in await journal.read(stored_rows.all_rooms):
        entries = results[row.stream]
        assert row.seq == len(entries)
        assert row.body == f"{row.stream} {row.seq}".encode()
        position = await journal.read(streams.find, "p:ayu", f"{row.stream}-{row.seq}")
        assert position == (row.stream, row.seq)
    await journal.close()
    return results


def check_prefixes(
    section: Mapping[StreamId, list[Entry]], complete: Mapping[StreamId, list[Entry]]
) -> None:
    for stream, entries in section.items():
        assert entries == complete[stream][: len(entries)], stream
        assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))


@pytest.mark.slow_loop
async def test_a_copy_made_while_rooms_play_has_a_prefix_of_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So small steps that many commits lie between the first and the last."""
    monkeypatch.setattr(backup, "PAGES_AT_ONCE", 4)
    monkeypatch.setattr(backup, "PAUSE_SECONDS", 0.001)
    journal = SqliteStore(tmp_path / "live.sqlite")
    for seq in range(1, ENOUGH):
        await journal.append([line(stream, seq) for stream in STREAMS])
    await journal.write(streams.save_snapshot, Snapshot(STREAMS[0], ENOUGH - 1, b"as it was"))
    before = {stream: len(await journal.read(streams.load, stream)) for stream in STREAMS}
    await journal.close()

    journal = SqliteStore(tmp_path / "live.sqlite")
    over = asyncio.Event()

    async def go_on() -> None:
        seq = ENOUGH - 1
        while not over.is_set():
            seq += 1
            await journal.append([line(stream, seq) for stream in STREAMS])

    playing = asyncio.create_task(go_on())
    copies = []
    for number in range(4):
        copied = tmp_path / "copies" / f"{number}.sqlite"
        size = await journal.copy_to(copied)
        assert size == copied.stat().st_size > 0
        copies.append(copied)
    over.set()
    await playing
    await journal.close()
    complete = await stored_entries(tmp_path / "live.sqlite")
    lengths = []
    for copy in copies:
        section = await stored_entries(copy)
        check_prefixes(section, complete)
        assert all(len(entries) >= before[stream] for stream, entries in section.items())
        lengths.append(len(section[STREAMS[0]]))
    assert lengths == sorted(lengths)
    assert before[STREAMS[0]] < lengths[-1]


async def test_a_copy_is_one_file_for_no_other_person(tmp_path: Path) -> None:
    journal = SqliteStore(tmp_path / "live.sqlite")
    await journal.append([line(STREAMS[0], 1)])
    copied = tmp_path / "copies" / "one.sqlite"
    await journal.copy_to(copied)
    await journal.close()
    assert [file.name for file in files_below(copied.parent)] == ["one.sqlite"]
    assert copied.stat().st_mode & 0o077 == 0


async def test_people_and_their_names_are_in_it(tmp_path: Path) -> None:
    journal = SqliteStore(tmp_path / "live.sqlite")
    row = PersonRow("p1", 1, "Ayu", "ayu", human=True, tokens=("hash",), used=7)
    entry = Entry(person_stream("p1"), 1, "server", "", ("@guest Ayu",), {}, 7)
    await journal.append([Append(entry, person=row)])
    copied = tmp_path / "copy.sqlite"
    await journal.copy_to(copied)
    await journal.close()
    again = SqliteStore(copied)
    assert await again.read(people.named, "ayu") == row
    await again.close()


async def test_a_copy_that_cannot_be_written_leaves_nothing_and_stops_nothing(
    tmp_path: Path,
) -> None:
    journal = SqliteStore(tmp_path / "live.sqlite")
    await journal.append([line(STREAMS[0], 1)])
    (tmp_path / "file").touch()
    with pytest.raises(JournalError):
        await journal.copy_to(tmp_path / "file" / "copy.sqlite")
    assert await journal.append([line(STREAMS[0], 2)]) == [Written(2)]
    await journal.close()


async def test_an_older_copy_stays_until_the_new_one_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = SqliteStore(tmp_path / "live.sqlite")
    await journal.append([line(STREAMS[0], 1)])
    copied = tmp_path / "copy.sqlite"
    await journal.copy_to(copied)
    before = copied.read_bytes()

    def broken(path: Path) -> None:
        raise sqlite3.DatabaseError("broken on purpose")

    with monkeypatch.context() as patch:
        patch.setattr(backup, "_check", broken)
        with pytest.raises(JournalError):
            await journal.copy_to(tmp_path / "copy.sqlite")
    assert copied.read_bytes() == before
    await journal.close()
    assert "copy.sqlite.part" not in [file.name for file in files_below(tmp_path)]


async def test_an_operator_asks_for_a_copy_in_the_folder_of_copies(tmp_path: Path) -> None:
    journal = SqliteStore(tmp_path / "live.sqlite")
    await journal.append([line(STREAMS[0], 1)])
    copied = copy_path(tmp_path, 1_700_000_000_000)
    await journal.copy_to(copied)
    await journal.close()
    assert copied == tmp_path / "backups" / "bluebear-20231114-221320.sqlite"
    assert len((await stored_entries(copied))[STREAMS[0]]) == 1
    with pytest.raises(JournalError):
        await SimulatedStore().copy_to(tmp_path / "copy")


# Without a server.


async def stopped(path: Path, count: int) -> Path:
    journal = SqliteStore(path)
    for seq in range(1, count + 1):
        await journal.append([line(STREAMS[0], seq)])
    await journal.close()
    return path


async def test_a_file_that_no_person_has_open_is_copied(tmp_path: Path) -> None:
    copied = tmp_path / "two.sqlite"
    copy_file(await stopped(tmp_path / "one.sqlite", 3), copied)
    assert len((await stored_entries(copied))[STREAMS[0]]) == 3


async def test_a_file_that_a_person_has_open_is_not(tmp_path: Path) -> None:
    journal = SqliteStore(tmp_path / "one.sqlite")
    with pytest.raises(NotOpened) as caught:
        copy_file(tmp_path / "one.sqlite", tmp_path / "two.sqlite")
    assert caught.value.code == "journal_in_use"
    await journal.close()


# And back.


def files_below(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


async def test_a_copy_replaces_the_journal_and_of_its_head(tmp_path: Path) -> None:
    journal = SqliteStore(tmp_path / "live.sqlite")
    await journal.append([line(STREAMS[0], 1)])
    copied = tmp_path / "copy.sqlite"
    await journal.copy_to(copied)
    await journal.append([line(STREAMS[0], 2)])
    await journal.close()
    stored = restore(copied, tmp_path / "live.sqlite", tmp_path / "aside")
    assert stored is not None
    assert [file.name for file in files_below(stored)] == ["live.sqlite", "live.sqlite.head"]
    assert len((await stored_entries(tmp_path / "live.sqlite"))[STREAMS[0]]) == 1
    assert len((await stored_entries(stored / "live.sqlite"))[STREAMS[0]]) == 2
    assert copied.exists()


async def test_where_nothing_was_nothing_is_put_away(tmp_path: Path) -> None:
    copy = await stopped(tmp_path / "copy.sqlite", 2)
    assert restore(copy, tmp_path / "new" / "live.sqlite", tmp_path / "aside") is None
    assert len((await stored_entries(tmp_path / "new" / "live.sqlite"))[STREAMS[0]]) == 2


@pytest.mark.parametrize("what", ["missing", "empty", "text", "other program", "newer", "older"])
async def test_what_is_no_copy_is_refused_and_changes_nothing(tmp_path: Path, what: str) -> None:
    live = await stopped(tmp_path / "live.sqlite", 2)
    before = live.read_bytes()
    copy = tmp_path / "copy.sqlite"
    code = "journal_foreign"
    match what:
        case "missing":
            code = "no_journal"
        case "empty":
            copy.touch()
        case "text":
            copy.write_text("Dear diary, " * 1000, encoding="utf-8")
        case "other program":
            with closing(sqlite3.connect(copy)) as made, made:
                made.execute("CREATE TABLE recipes (title TEXT)")
        case "older":
            with closing(sqlite3.connect(copy)) as made, made:
                made.execute("CREATE TABLE log (row INTEGER)")
                made.execute("CREATE TABLE segment (stream TEXT)")
            code = "journal_older"
        case _:
            await stopped(copy, 1)
            with closing(sqlite3.connect(copy)) as made, made:
                made.execute("UPDATE alembic_version SET version_num = '0099'")
            code = "journal_newer"
    with pytest.raises(NotOpened) as caught:
        restore(copy, live, tmp_path / "aside")
    assert caught.value.code == code
    assert live.read_bytes() == before
    assert all(not live.with_name(live.name + end).exists() for end in JOURNAL_FILES[1:-1])
