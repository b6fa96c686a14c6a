"""Does a file that an older server has left have all that it had, when it is opened today?"""

import gzip
import json
import sqlite3
from pathlib import Path

import pytest

from server.bringing import bring_in
from server.journal import PEOPLE, PersonRow, SqliteJournal, StreamId
from server.journal.layout import SCHEMA
from server.people.finding import person_named
from server.people.names import SHAPE
from tests.journals.make_file import FILE, TOLD, Told, told_of

HERE = Path(__file__).parent
LAYOUTS = {"file1": 1, "file2": 2, "file3": 3}


def unpacked(folder: Path, name: str = "file1") -> Path:
    path = folder / "journal.db"
    path.write_bytes(gzip.decompress((HERE / name / FILE).read_bytes()))
    return path


def written_down(name: str = "file1") -> Told:
    told: Told = json.loads((HERE / name / TOLD).read_text(encoding="utf-8"))
    return told


def layout_of(path: Path) -> int:
    connection = sqlite3.connect(path)
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    connection.close()
    return int(version)


@pytest.mark.parametrize("name", LAYOUTS)
async def test_every_entry_snapshot_id_and_row_of_an_older_layout_is_there(
    tmp_path: Path, name: str
) -> None:
    path = unpacked(tmp_path, name)
    assert layout_of(path) == LAYOUTS[name]
    assert await told_of(path) == written_down(name)
    assert layout_of(path) > LAYOUTS[name]
    assert await told_of(path) == written_down(name)


def test_of_every_older_layout_a_file_is_kept() -> None:
    """Whoever changes the layout keeps a file of the one before, made by its own server."""
    assert sorted(LAYOUTS.values()) == list(range(1, SCHEMA))


async def test_who_had_one_token_in_layout_2_comes_back_by_it(tmp_path: Path) -> None:
    path = unpacked(tmp_path, "file2")
    connection = sqlite3.connect(path)
    before = connection.execute("SELECT id, name, key, token, used FROM person").fetchall()
    connection.close()
    journal = SqliteJournal(path)
    assert not journal.wants_rows()
    assert (await journal.counts())["people"] == len(before) == 11
    for person, name, key, token, used in before:
        row = await journal.person_of_token(token)
        assert row is not None
        assert (row.id, row.name, row.key, row.tokens, row.used) == (
            person,
            name,
            key,
            (token,),
            used,
        )
        assert await journal.person_named(key) == row
    await journal.close()


async def test_names_of_layout_3_that_look_alike_by_todays_keys_are_all_kept(
    tmp_path: Path,
) -> None:
    journal = SqliteJournal(unpacked(tmp_path, "file3"))
    assert await journal.shape() == 0
    await bring_in(journal)
    assert await journal.shape() == SHAPE
    for name, key in (("Bjørn", "bjorn"), ("Bjorn", "=Bjorn"), ("Emi", "ernl"), ("FUMI", "furnl")):
        row = await person_named(journal, name)
        assert row is not None
        assert (row.name.casefold(), row.key) == (name.casefold(), key)
    found = await person_named(journal, "Bjørn")
    assert found is not None
    assert found.kept, "who has registered goes before a guest"
    await journal.close()


async def test_its_rooms_are_found_as_before(tmp_path: Path) -> None:
    journal = SqliteJournal(unpacked(tmp_path, "file2"))
    assert await journal.due(1_700_000_201_113, 9) == [StreamId("782395")]
    for row in await journal.summaries():
        assert await journal.room(row.stream) == row
        for invite in row.invites:
            assert await journal.room_of_invite(invite) == row
    await journal.close()


async def test_it_wants_rows_and_gets_them_once(tmp_path: Path) -> None:
    path = unpacked(tmp_path)
    journal = SqliteJournal(path)
    assert journal.wants_rows()
    came = [one for one in await journal.load(PEOPLE) if one.lines[0].startswith("@guest ")]
    people = [
        PersonRow(
            id=str(one.facts["person"]),
            seq=0,
            name=one.lines[0].partition(" ")[2],
            key=one.lines[0].partition(" ")[2].casefold(),
            human=bool(one.facts["human"]),
            tokens=(str(one.facts["token"]),),
            used=one.at,
        )
        for one in came
    ]
    await journal.bring_in(await journal.summaries(), people)
    await journal.close()

    journal = SqliteJournal(path)
    assert not journal.wants_rows()
    assert (await journal.counts())["people"] == len(people) == 11
    assert await journal.person_named("kay") == next(one for one in people if one.name == "Kay")
    assert await journal.due(1_700_000_200_786, 9) == [StreamId("782395")]
    await journal.close()
    assert await told_of(path) == written_down()
