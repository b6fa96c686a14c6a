"""Data read back from files: records that a person has edited, and the journal's own bytes."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from bluebear.rules.core.phrases import LANGS
from bluebear.rules.core.record import (
    RecordError,
    explain,
    format_record,
    parse_record,
    replay,
    verify,
)
from bluebear.server.room.snapshot import dump_room, load_room
from bluebear.server.store import Entry, StreamId, pack, unpack
from tests.fuzz.lines import world
from tests.fuzz.target import Target
from tests.server.commands.fixtures import GAMES

_RECORDS: Final = Path(__file__).parents[1] / "rules"
_BEGINNING: Final = 40
"""Lines of a record that an input begins with; a game's end is as far as its beginning."""
_REPLAYED_MAX: Final = 60


def record_target() -> Target:
    """A record as text: read, written again, replayed, verified."""
    return Target(
        "record",
        "records that somebody has edited: read, written again, replayed, verified, explained",
        _record,
        (),
        _record_seeds,
        lambda: (
            b"@undo 1\n",
            b"@seat 1 x\n",
            b"@resign 2\n",
            b"@clock 1 ",
            b"= 00\n",
            b"--\n",
            b" ; ",
            b"end void\n",
        ),
        runs=150,
    )


def _record(data: bytes) -> None:
    try:
        _read_and_replay(data.decode("utf-8", "replace"))
    except RecordError as wrong:
        reported = [explain(wrong, lang, None) for lang in LANGS]
        if not all(reported):
            raise AssertionError(f"nothing is said about {wrong!r}") from wrong


def _read_and_replay(text: str) -> None:
    record = parse_record(text)
    assert parse_record(format_record(record)) == record
    game = GAMES.get(record.head.game)
    if game is not None and len(record.lines) <= _REPLAYED_MAX:
        replay(game, record)
        verify(game, record)


@cache
def _record_seeds() -> list[bytes]:
    made = []
    for folder in sorted(_RECORDS.glob("*/records")):
        text = min(folder.glob("*.record"), key=lambda path: path.stat().st_size).read_text("utf-8")
        lines = text.splitlines(keepends=True)
        made += ["".join(lines[:_BEGINNING]).encode(), "".join(lines[:9]).encode()]
    return made


def entry_target() -> Target:
    """An entry as the journal has it: what is read is written again as it was."""
    return Target(
        "entry",
        "an entry's bytes in the journal: read and written again",
        _entry,
        (ValueError, TypeError),
        lambda: [pack(each) for stage in ("open", "playing", "three") for each in _entries(stage)],
        runs=600,
    )


def _entries(stage: str) -> list[Entry]:
    return world(stage, "duel").entries


def _entry(data: bytes) -> None:
    entry = unpack(StreamId("1"), 1, data)
    body = pack(entry)
    assert pack(unpack(StreamId("1"), 1, body)) == body


def snapshot_target() -> Target:
    """A room's snapshot: a room, or one of the errors that make a server fold from the start."""
    return Target(
        "snapshot",
        "a room's snapshot in the journal: a room, or an error that leads to the entries",
        _snapshot,
        (ValueError,),
        _snapshots,
        runs=300,
    )


def _snapshot(data: bytes) -> None:
    room = load_room(data, GAMES)
    assert load_room(dump_room(room, GAMES), GAMES) == room


@cache
def _snapshots() -> list[bytes]:
    made = []
    for key in ("duel", "manhattan", "sealed"):
        for stage in ("open", "playing", "over"):
            room = world(stage, key).room
            assert room is not None
            made.append(dump_room(room, GAMES))
    return made
