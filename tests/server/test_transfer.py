"""From one store into another: what is moved, what is noticed, and `bluebear migrate` itself."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from bluebear.rules.core.phrases import LANGS
from bluebear.server.features.ratings import queries
from bluebear.server.ops import transfer
from bluebear.server.ops.transfer import PAGE, Differs, Moved, compare, is_empty, move
from bluebear.server.sentences import say
from bluebear.server.store import (
    Append,
    Entry,
    NotSaved,
    Outgoing,
    PersonRow,
    RatingRow,
    Snapshot,
    SqliteStore,
    StreamId,
    Summary,
    outbox,
    people,
    person_stream,
    ratings,
    rooms,
    streams,
)
from bluebear.server.store.backup import JOURNAL, lock_folder
from tests.journals.reader import unpacked
from tests.postgres import IN_MEMORY, MISSING, private_postgres, programs
from tests.support import stored_rows
from tests.support.simulated_store import SimulatedStore

STORED_SET = Path(__file__).parents[1] / "journals" / "set1" / "house.jsonl.gz"
ROOM = StreamId("r1")
DONE, FAILED, UNUSABLE = 0, 1, 2


async def a_store() -> SimulatedStore:
    """One with something of everything, and more entries than a page."""
    store = SimulatedStore()
    person = PersonRow("p-ayu", 1, "Ayu", "ayu", True, ("t-ayu",), 1_000)
    entry = Entry(person_stream("p-ayu"), 1, "server", "", ("@guest",), {}, 1_000)
    going = (Outgoing("o-1", 50, b"out"), Outgoing("o-2", 90_000, b"later"))
    rating = RatingRow("p-ayu", "tokai", 2, 1, 1_500, b"rated")
    await store.append(
        [Append(entry, None, person), Append(line("record:g1", 1), ratings=(rating,))]
    )
    for seq in range(1, 8):
        row = Summary(
            ROOM, seq, b"row", None, phase="open", people=("p-ayu", "p-ben"), invites=("i-1",)
        )
        outgoing = going if seq == 4 else ()
        await store.append([Append(line(ROOM, seq), row if seq == 3 else None, outgoing=outgoing)])
    await store.append([Append(line(f"s{number}", 1)) for number in range(PAGE)])
    await store.write(streams.save_snapshot, Snapshot(ROOM, 5, b"packed"))
    await store.write(rooms.touch, [ROOM], 7_000)
    return store


def line(stream: str, seq: int) -> Entry:
    sent = (f"/say {seq}",)
    return Entry(StreamId(stream), seq, "p:ayu", f"{stream}-{seq}", sent, {"a": [1]}, seq, "")


async def all_of(data: Path) -> dict[StreamId, list[Entry]]:
    """What lies in a data folder."""
    journal = SqliteStore(data / JOURNAL)
    results = {
        each: await journal.read(streams.load, each)
        for each in await journal.read(streams.names, "", "", 10_000)
    }
    await journal.close()
    return results


def rooms_of(data: Path) -> list[Summary]:
    async def read() -> list[Summary]:
        journal = SqliteStore(data / JOURNAL)
        result = await journal.read(stored_rows.all_rooms)
        await journal.close()
        return result

    return asyncio.run(read())


async def test_everything_is_moved_and_is_the_same() -> None:
    source, target = await a_store(), SimulatedStore()
    assert await is_empty(target)
    await move(source, target, moved := Moved())
    assert (moved.streams, moved.entries, moved.rooms) == (PAGE + 3, PAGE + 9, 1)
    assert not await is_empty(target)
    assert await target.read(rooms.room, ROOM) == await source.read(rooms.room, ROOM)
    assert await target.read(rooms.of_invite, "i-1") == await source.read(rooms.room, ROOM)
    assert await target.read(people.of_token, "t-ayu") is not None
    assert await target.read(ratings.read, ("p-ayu", "tokai", 2)) is not None
    assert [each.id for each in await target.read(stored_rows.outgoing)] == ["o-1", "o-2"]


async def test_a_move_that_was_interrupted_continues() -> None:
    source, target = await a_store(), SimulatedStore()
    await target.append([Append(line(ROOM, seq)) for seq in range(1, 3)])
    target.fail_next(1)
    with pytest.raises(NotSaved):
        await move(source, target, Moved())
    await move(source, target, Moved())
    await move(source, target, Moved())
    assert await target.read(streams.load, ROOM) == await source.read(streams.load, ROOM)
    assert await target.read(stored_rows.counts) == await source.read(stored_rows.counts)


@pytest.mark.parametrize(
    ("spoiled", "what"),
    [
        (Append(line("s3", 2)), "entry s3 2"),
        (Append(line(person_stream("p-ayu"), 2)), "entry person:p-ayu 2"),
        (Append(line("r1", 8), Summary(ROOM, 8, b"", None)), "entry r1 8"),
    ],
)
async def test_what_has_more_than_it_should_is_named(spoiled: Append, what: str) -> None:
    source, target = await a_store(), SimulatedStore()
    await move(source, target, Moved())
    await compare(source, target, seen := Moved())
    assert seen.rooms == 1
    await target.append([spoiled])
    with pytest.raises(Differs) as refused:
        await compare(source, target, Moved())
    assert refused.value.what == what


async def test_rows_that_are_not_the_same_are_named() -> None:
    source = await a_store()
    ayu = await source.read(people.person, "p-ayu")
    assert ayu is not None
    for what in (
        "room r1",
        "person p-ayu",
        "snapshot r1 6",
        "outbox o-1",
    ):
        target = SimulatedStore()
        await move(source, target, Moved())
        match what:
            case "room r1":
                await target.write(rooms.touch, [ROOM], 8_000)
            case "person p-ayu":
                target.disk.rows("UPDATE person SET used = 2000 WHERE id = 'p-ayu'")
            case "snapshot r1 6":
                await target.write(streams.save_snapshot, Snapshot(ROOM, 6, b""))
            case _:
                await target.write(outbox.settle, ["o-1"], ())
        with pytest.raises(Differs) as refused:
            await compare(source, target, Moved())
        assert refused.value.what == what


async def test_an_entry_that_is_another_one_is_not_written_over() -> None:
    source, target = await a_store(), SimulatedStore()
    await target.append([Append(Entry(ROOM, 1, "p:ayu", "", ("/other",), {}, 1))])
    await move(source, target, Moved())
    with pytest.raises(Differs):
        await compare(source, target, Moved())


@pytest.mark.skipif(programs() is None, reason=MISSING)
@pytest.mark.slow_loop
def test_a_stored_journal_enters_a_database_and_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, back = tmp_path / "old", tmp_path / "back"
    old.mkdir()
    asyncio.run(unpacked(STORED_SET, tmp_path)).rename(old / JOURNAL)
    with (
        tempfile.TemporaryDirectory(prefix="bluebear-pg-", dir=IN_MEMORY) as folder,
        private_postgres(Path(folder)) as url,
    ):
        assert transfer.main(["migrate", str(old), url]) == DONE
        output = capsys.readouterr().out
        assert transfer.main(["migrate", str(old), url]) == UNUSABLE
        refused = capsys.readouterr().err
        assert transfer.main(["migrate", str(old), url, "--resume"]) == DONE
        assert transfer.main(["migrate", url, str(back)]) == DONE
    target = "postgresql:///postgres"
    for lang in LANGS:
        assert say("migrate.not_empty", lang, target=target) in refused
        shown = {"source": str(old), "target": target, "rooms": len(rooms_of(back))}
        entries = sum(len(entries) for entries in asyncio.run(all_of(back)).values())
        assert say("migrate.done", lang, None, **shown, entries=entries) in output
    assert asyncio.run(all_of(old)) == asyncio.run(all_of(back))


def test_a_store_in_use_or_without_anything_is_refused_with_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty, full, target = tmp_path / "empty", tmp_path / "full", tmp_path / "target"
    for each in (empty, full):
        each.mkdir()
    asyncio.run(unpacked(STORED_SET, tmp_path)).rename(full / JOURNAL)
    assert transfer.main(["migrate", str(empty), str(target)]) == UNUSABLE
    output = capsys.readouterr().err
    assert all(say("backup.no_journal", lang, path=str(empty)) in output for lang in LANGS)
    with lock_folder(full):
        assert transfer.main(["migrate", str(full), str(target)]) == UNUSABLE
    output = capsys.readouterr().err
    assert all(say("migrate.in_use", lang, place=str(full)) in output for lang in LANGS)
    nowhere = f"postgresql://ayu:secret@/nowhere?host={tmp_path}"
    assert transfer.main(["migrate", str(full), nowhere]) == UNUSABLE
    output = capsys.readouterr().err
    shown = say("migrate.not_opened", "en", place="postgresql:///nowhere")
    assert shown in output
    assert "secret" not in output


@pytest.mark.parametrize(
    ("statements", "code"),
    [
        (("CREATE TABLE log (x)", "CREATE TABLE segment (x)"), "journal_older"),
        (("UPDATE alembic_version SET version_num = '0099'",), "journal_newer"),
    ],
)
def test_a_journal_of_another_version_is_refused_by_each_command_on_a_stopped_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], statements: tuple[str, ...], code: str
) -> None:
    if code == "journal_newer":
        asyncio.run(SqliteStore(tmp_path / JOURNAL).close())
    with closing(sqlite3.connect(tmp_path / JOURNAL)) as opened, opened:
        for statement in statements:
            opened.execute(statement)
    assert transfer.main(["migrate", str(tmp_path), str(tmp_path / "target")]) == UNUSABLE
    assert queries.main(["ratings", "--data", str(tmp_path)]) == UNUSABLE
    output = capsys.readouterr().err
    assert all(output.count(say(f"serve.{code}", lang, path=str(tmp_path))) == 2 for lang in LANGS)


async def test_a_broken_target_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    source, target = await a_store(), SimulatedStore()
    positions = {"source": "a", "target": "b"}
    target.fail_next(1)
    assert await transfer._move(source, target, positions, resume=False) == FAILED
    output = capsys.readouterr().err
    assert all(say("migrate.failed", lang, target="b") in output for lang in LANGS)
    await target.append([Append(line("s1", 1)), Append(line("s1", 2))])
    assert await transfer._move(source, target, positions, resume=True) == FAILED
    output = capsys.readouterr().err
    wanted = {"source": "a", "target": "b", "what": "entry s1 2"}
    assert all(say("migrate.differs", lang, None, **wanted) in output for lang in LANGS)
