"""Does a file that an older server has left have all that it had, when it is opened today?"""

import gzip
import json
import sqlite3
from pathlib import Path

from server.journal import PEOPLE, PersonRow, SqliteJournal, StreamId
from tests.journals.make_file import FILE, TOLD, Told, told_of

FOLDER = Path(__file__).parent / "file1"


def unpacked(folder: Path) -> Path:
    path = folder / "journal.db"
    path.write_bytes(gzip.decompress((FOLDER / FILE).read_bytes()))
    return path


def written_down() -> Told:
    told: Told = json.loads((FOLDER / TOLD).read_text(encoding="utf-8"))
    return told


def layout_of(path: Path) -> int:
    connection = sqlite3.connect(path)
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    connection.close()
    return int(version)


async def test_every_entry_snapshot_id_and_row_of_layout_1_is_there(tmp_path: Path) -> None:
    path = unpacked(tmp_path)
    assert layout_of(path) == 1
    assert await told_of(path) == written_down()
    assert layout_of(path) > 1
    assert await told_of(path) == written_down()


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
