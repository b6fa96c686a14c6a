"""`python -m tests.journals.make_file NAME`: keep a journal file as the server of today lays it.

Where sets keep what rooms become, this keeps how a file lies on the disk: one that has rooms of
all games, public, unlisted and private, invites, people with other names than they came with, a
finished game, snapshots, and a log with a tail. README.md in each folder says who wrote it.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgpack

from server.journal import SqliteJournal, StreamId, pack
from tests.journals.make_journals import HERE, Evening, play_on_file, restart, table
from tests.journals.playing import Plan, Table, gathered
from tests.sim.world import World

Told: TypeAlias = dict[str, Any]  # Any: plain JSON

FILE: Final = "journal.db.gz"
TOLD: Final = "told.json"


async def evening(world: World) -> None:
    """A little of everything; the last lines are said after the last snapshots."""
    manhattan = await table(
        world, Plan("manhattan", ("Ayu", "Ben"), ("clock 60+5",), ("greedy",), "public")
    )
    alone = await table(world, Plan("railroad_ink", ("Gil",), privacy="public"))
    tokai = await table(world, Plan("tokai", ("Emi", "Fay")))
    tokugawa = await table(world, Plan("tokugawa", ("Hal", "Ivy"), ("clock 200+10",), greedy=0))
    private = await table(world, Plan("itc", ("Chie",), bots=("greedy",), privacy="private"))
    opened = Table(world, Plan("tokai", ("Kay", "Leo"), privacy="public"), await _two(world))
    await opened.sit()
    for line in ("/password over the river", "/invite", "/invite Ben"):
        await opened.do("Kay", line)
    for line in ("/invite", "/invite Dan"):
        await private.do("Chie", line)
    await alone.play()
    for one in (manhattan, tokai, tokugawa, private):
        await one.play(8)
    await tokai.do("Fay", "/nick Fumi")
    await restart(world)
    for one in (manhattan, tokai, tokugawa, private):
        await one.play(3)
    await opened.do("Leo", "/nick Leon")
    # Names that look alike: not by the keys of layout 3, but by those of later ones.
    await tokugawa.do("Hal", "/nick Bjørn")
    await tokugawa.do("Hal", "/register my own words")
    await tokugawa.do("Ivy", "/nick Bjorn")


async def _two(world: World) -> list[Any]:  # Any: people of the simulation
    await gathered(world, "Dan")
    return await gathered(world, "Kay", "Leo")


async def told_of(path: Path) -> Told:
    """What a file says through the journal's own look-ups, in digests."""
    streams = _streams(path)
    journal = SqliteJournal(path)
    summaries = {row.stream: row for row in await journal.summaries()}
    made: Told = {}
    for stream in streams:
        entries = await journal.load(stream)
        snapshot = await journal.snapshot(stream)
        row = summaries.pop(stream, None)
        for entry in entries:
            if entry.client_id:
                place = await journal.find(entry.actor, entry.client_id)
                assert place == (stream, entry.seq), entry
        made[stream] = {
            "entries": [_digest(pack(entry))[:8] for entry in entries],
            "snapshot": snapshot and [snapshot.seq, _digest(snapshot.body)],
            "summary": row and [row.seq, row.deadline, _digest(row.body)],
        }
    assert not summaries
    await journal.close()
    return made


def _streams(path: Path) -> list[StreamId]:
    connection = sqlite3.connect(path)
    found = {stream for (stream,) in connection.execute("SELECT stream FROM segment")}
    for (body,) in connection.execute("SELECT body FROM log"):
        found |= {logged[0] for logged in msgpack.unpackb(body)}
    connection.close()
    return sorted(map(StreamId, found))


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:32]


def main(argv: list[str]) -> int:
    """Write the file and what is to be said of it."""
    [name] = argv
    folder = HERE / name
    folder.mkdir()  # raises FileExistsError: a file is kept once
    asyncio.run(write(folder, evening))
    return 0


async def write(folder: Path, played: Evening) -> None:
    """The journal of an evening, packed, and what is told of it."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "journal.db"
        await asyncio.to_thread(play_on_file, path, played)
        (folder / FILE).write_bytes(gzip.compress(path.read_bytes(), mtime=0))
        text = json.dumps(await told_of(path), indent=1)
        (folder / TOLD).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
