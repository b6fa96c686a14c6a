"""Is every journal that was ever written still the rooms that it was, and can they be played on?

A journal that fails names rooms that a change of the rules or of the server would have lost.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from tests.journals import reader
from tests.journals.reader import Plain
from tests.journals.stored_journal import SUFFIX, name_of
from tests.support.fold_entries import fold_all

HERE: Final = Path(__file__).parent
SETS: Final = sorted(
    (path for path in HERE.iterdir() if list(path.glob(f"*{SUFFIX}"))),
    key=lambda folder: (len(folder.name), folder.name),
)
JOURNALS: Final = [path for folder in SETS for path in sorted(folder.glob(f"*{SUFFIX}"))]
RECORDS: Final = [path for folder in SETS for path in sorted(folder.glob("*.record"))]

journals = pytest.mark.parametrize(
    "packed", JOURNALS, ids=[f"{path.parent.name}-{name_of(path)}" for path in JOURNALS]
)
newest = pytest.mark.parametrize("packed", sorted(SETS[-1].glob(f"*{SUFFIX}")), ids=name_of)
"""The form of snapshots is not promised: only those of the newest set are read."""


def expected(packed: Path) -> Plain:
    """What was written down beside a journal."""
    beside = packed.with_name(f"{name_of(packed)}.json")
    result: Plain = json.loads(beside.read_text(encoding="utf-8"))
    return result


def again(tree: Plain) -> Plain:
    """A plain tree as a file has it: tuples are lists."""
    made: Plain = json.loads(json.dumps(tree))
    return made


@journals
async def test_a_server_finds_all_people_and_every_room_as_it_was(
    packed: Path, tmp_path: Path
) -> None:
    wanted = expected(packed)
    path = await reader.unpacked(packed, tmp_path)
    async with reader.serving(path) as app:
        people = await reader.people_of_server(app)
        rooms = await reader.rooms_of_server(app, wanted["rooms"])
    assert people == wanted["people"]
    for room_id, each in wanted["rooms"].items():
        assert again(reader.describe(rooms[room_id])) == each["about"]
        assert again(reader.describe(reader.through_a_snapshot(rooms[room_id]))) == each["about"]
    # The server has closed, and has written snapshots of its own into the file.
    for stored in await reader.stored(path):
        assert stored.snapshot_at == len(stored.entries)
        assert reader.room_of_snapshot(stored) == rooms[stored.id]


@journals
async def test_folding_from_the_first_entry_shows_and_tells_what_it_did(
    packed: Path, tmp_path: Path
) -> None:
    wanted = expected(packed)
    listed = await reader.stored(await reader.unpacked(packed, tmp_path))
    assert {each.id for each in listed} == set(wanted["rooms"])
    for stored in listed:
        room, seen = reader.folded(stored.entries)
        assert seen == wanted["rooms"][stored.id]["versions"]
        assert again(reader.describe(room)) == wanted["rooms"][stored.id]["about"]


@newest
async def test_a_stored_snapshot_is_the_room_that_the_entries_make(
    packed: Path, tmp_path: Path
) -> None:
    wanted = expected(packed)["rooms"]
    for stored in await reader.stored(await reader.unpacked(packed, tmp_path)):
        assert stored.snapshot_at == wanted[stored.id]["snapshot_at"]
        if stored.snapshot_at:
            entries = stored.entries[: stored.snapshot_at]
            assert reader.room_of_snapshot(stored) == fold_all(None, entries, reader.GAMES)


@journals
async def test_every_room_continues_as_it_would_have(packed: Path, tmp_path: Path) -> None:
    wanted = expected(packed)["rooms"]
    async with reader.serving(await reader.unpacked(packed, tmp_path)) as app:
        rooms = await reader.rooms_of_server(app, wanted)
    for room_id, room in rooms.items():
        assert again(reader.go_on(room)) == wanted[room_id]["next"]


@journals
async def test_finished_games_keep_their_records(packed: Path, tmp_path: Path) -> None:
    path = await reader.unpacked(packed, tmp_path)
    wanted = expected(packed)["rooms"]
    async with reader.serving(path) as app:
        rooms = await reader.rooms_of_server(app, wanted)
    for room_id, each in wanted.items():
        if each["record"]:
            text = packed.with_name(f"{each['record']}.record").read_text(encoding="utf-8")
            assert await reader.stored_record(path, each["record"]) == text
            assert reader.finished_record(rooms[room_id]) == text


@pytest.mark.parametrize("path", RECORDS, ids=[path.stem for path in RECORDS])
def test_a_record_is_verified_draw_by_draw(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert reader.check_record(text) == text


@pytest.mark.parametrize("folder", SETS, ids=[path.name for path in SETS])
def test_a_set_has_a_running_and_a_finished_game_of_every_game_of_its_day(folder: Path) -> None:
    rooms = [
        room for path in folder.glob(f"*{SUFFIX}") for room in expected(path)["rooms"].values()
    ]
    games = {room["about"]["game"] for room in rooms}
    assert games <= set(reader.GAMES)
    for game in games:
        of_game = [room for room in rooms if room["about"]["game"] == game]
        assert {"playing", "over"} <= {room["about"]["phase"] for room in of_game}
        running = [room for room in of_game if room["about"]["phase"] == "playing"]
        # Loading goes through a snapshot and what follows it, and there is something to undo.
        assert any(0 < room["snapshot_at"] < room["entries"] for room in running)
        assert any(room["about"]["past"] for room in running)
