"""Power loss: what a disk holds that has kept some of what was not synced, and not the rest.

The journal runs on a recording file system (apsw's, in place of the module of the library); from
what was written and synced, in order, a machine's disk is rebuilt as it could be found after the
power went at any moment. A write that was not synced is there, is not, or is torn in sectors.

    python -m tests.tools.crash.power_loss --images 500
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias, cast
from unittest import mock

import apsw

from bluebear.server.store import (
    Append,
    Entry,
    Snapshot,
    SqliteStore,
    StreamId,
    Summary,
    Written,
    streams,
)
from tests.support import stored_rows
from tests.tools.crash.apsw_driver import Driver

SECTOR: Final = 512
COMMITS: Final = 120
STREAMS: Final = tuple(StreamId(f"r{number}") for number in range(4))
_CHECKPOINT_PAGES: Final = 40
"""Small, so that a short run sees the log written back into the file again and again."""


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes were written; they are sure to be there after the next sync of their file."""

    file: str
    at: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Cut:
    """A file was made so long."""

    file: str
    size: int


@dataclass(frozen=True, slots=True)
class Sync:
    """A file was synced."""

    file: str


@dataclass(frozen=True, slots=True)
class Deleted:
    """A file was deleted."""

    file: str


@dataclass(frozen=True, slots=True)
class Answered:
    """A client was notified that an entry is written."""

    stream: StreamId
    seq: int


Happened: TypeAlias = Write | Cut | Sync | Deleted | Answered


class _File(apsw.VFSFile):
    """Notes what is done to a file, and does it."""

    def __init__(self, log: list[Happened], name: Any, flags: list[int]) -> None:  # Any: apsw's
        super().__init__("", name, flags)
        self._log = log
        self._name = Path(name.filename() if isinstance(name, apsw.URIFilename) else name).name

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802  # Any: a buffer
        self._log.append(Write(self._name, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._log.append(Cut(self._name, newsize))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        super().xSync(flags)
        self._log.append(Sync(self._name))


class _Files(apsw.VFS):
    """A file system that notes everything."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "")
        self.log: list[Happened] = []

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802  # Any: apsw's
        return _File(self.log, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        self.log.append(Deleted(Path(filename).name))
        super().xDelete(filename, syncdir)


@contextmanager
def recorded_files(name: str = "bluebear-recording") -> Iterator[list[Happened]]:
    """Let the journal's files be opened on a file system that notes everything."""
    files = _Files(name)

    def connect(path: Path, **_: object) -> sqlite3.Connection:
        return cast("sqlite3.Connection", Driver(path, name))

    try:
        with mock.patch.object(sqlite3, "connect", connect):
            yield files.log
    finally:
        files.unregister()


def entry(stream: StreamId, seq: int) -> Entry:
    """The entry that this run writes at a place."""
    text = f"/x {stream} {seq} {'.' * (seq * 37 % 300)}"
    return Entry(stream, seq, "p:ayu", f"{stream}-{seq}", (text,), {}, seq)


def summary(stream: StreamId, seq: int) -> Summary:
    """The row that comes with it."""
    return Summary(stream, seq, b"%d" % seq, None, listed=True, game="tokai", phase="open", at=seq)


async def write(path: Path, log: list[Happened], chance: random.Random, commits: int) -> None:
    """Write entries in groups, snapshots between them; note each answer when it comes."""
    journal = SqliteStore(path)
    small = f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}"
    await journal.read(lambda connection: connection.exec_driver_sql(small))
    heads = dict.fromkeys(STREAMS, 0)
    for _ in range(commits):
        some = chance.sample(STREAMS, chance.randint(1, len(STREAMS)))
        batch = [
            Append(entry(stream, heads[stream] + 1), summary(stream, heads[stream] + 1))
            for stream in some
        ]
        answers = await journal.append(batch)
        for stream, answer in zip(some, answers, strict=True):
            heads[stream] += 1
            assert answer == Written(heads[stream]), answer
            log.append(Answered(stream, heads[stream]))
        if chance.random() < 0.1:
            stream = some[0]
            await journal.write(
                streams.save_snapshot, Snapshot(stream, heads[stream], b"%d" % heads[stream])
            )
    await journal.close()


def image(log: Sequence[Happened], moment: int, chance: random.Random) -> Mapping[str, bytes]:
    """The files as they may be found when the power went after so many happenings."""
    disk = _Disk()
    for happened in log[:moment]:
        disk.take(happened)
    return disk.files_after(chance)


@dataclass(slots=True)
class _Disk:
    """What is sure to be there, and what may be; owned by the making of one image."""

    sure: dict[str, bytearray] = field(default_factory=dict)
    maybe: dict[str, list[Write | Cut]] = field(default_factory=dict)

    def take(self, happened: Happened) -> None:
        match happened:
            case Write(file=file) | Cut(file=file):
                self.maybe.setdefault(file, []).append(happened)
            case Sync(file=file):
                for each in self.maybe.pop(file, []):
                    _apply(self.sure.setdefault(file, bytearray()), each)
            case Deleted(file=file):
                self.sure.pop(file, None)
                self.maybe.pop(file, None)
            case Answered():
                pass

    def files_after(self, chance: random.Random) -> Mapping[str, bytes]:
        files = {name: bytearray(data) for name, data in self.sure.items()}
        for file, pending in self.maybe.items():
            data = files.setdefault(file, bytearray())
            share = chance.choice((0.0, 0.2, 0.5, 0.8, 1.0))
            for each in pending:
                if chance.random() < share:
                    _apply(data, _torn(each, chance) if chance.random() < 0.3 else each)
        return {name: bytes(data) for name, data in files.items()}


def _torn(each: Write | Cut, chance: random.Random) -> Write | Cut:
    """The first sectors of a write only."""
    if isinstance(each, Cut):
        return each
    sectors = -(-len(each.data) // SECTOR)
    return Write(each.file, each.at, each.data[: SECTOR * chance.randrange(sectors + 1)])


def _apply(data: bytearray, each: Write | Cut) -> None:
    if isinstance(each, Cut):
        if each.size < len(data):
            del data[each.size :]
        else:
            data.extend(bytes(each.size - len(data)))
        return
    if len(data) < each.at:
        data.extend(bytes(each.at - len(data)))
    data[each.at : each.at + len(each.data)] = each.data


async def faults_of(files: Mapping[str, bytes], log: Sequence[Happened]) -> list[str]:
    """What is wrong with a disk that was found, given what had been answered by then."""
    answered = dict.fromkeys(STREAMS, 0)
    for happened in log:
        if isinstance(happened, Answered):
            answered[happened.stream] = happened.seq
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            (Path(folder) / name).write_bytes(data)
        path = Path(folder) / "journal.db"
        if not any(answered.values()) and len(files.get("journal.db", b"")) < 2 * 4096:
            return []  # the file itself was being created; no client had a reply yet
        try:
            return await _look(path, answered)
        except Exception as error:  # noqa: BLE001 - whatever it is, the file cannot be used
            return [f"cannot be used: {error!r}"]


async def _look(path: Path, answered: Mapping[StreamId, int]) -> list[str]:
    with closing(sqlite3.connect(path)) as plain:
        (sound,) = plain.execute("PRAGMA integrity_check").fetchone()
    results = [] if sound == "ok" else [f"not sound: {sound}"]
    journal = SqliteStore(path)
    rows = {row.stream: row for row in await journal.read(stored_rows.all_rooms)}
    for stream, newest in answered.items():
        entries = await journal.read(streams.load, stream)
        if len(entries) < newest:
            results.append(f"{stream}: {newest} was answered, {len(entries)} are there")
        if entries != [entry(stream, seq) for seq in range(1, len(entries) + 1)]:
            results.append(f"{stream}: other entries than were written")
        if entries and rows.get(stream) != summary(stream, len(entries)):
            results.append(f"{stream}: {len(entries)} entries, and the row says {rows.get(stream)}")
        snapshot = await journal.read(streams.snapshot, stream)
        if snapshot is not None and snapshot.body != b"%d" % snapshot.seq:
            results.append(f"{stream}: another snapshot than was written")
    await journal.close()
    return results


def run(seed: int, images: int, commits: int = COMMITS) -> tuple[list[str], int]:
    """Record one run and look at so many disks; what is wrong, and how much was recorded."""
    chance = random.Random(seed)
    results: list[str] = []
    with tempfile.TemporaryDirectory() as folder, recorded_files() as happened:
        asyncio.run(write(Path(folder) / "journal.db", happened, chance, commits))
    for number in range(images):
        moment = chance.randint(1, len(happened))
        files = image(happened, moment, random.Random(f"{seed} {number}"))
        faults = asyncio.run(faults_of(files, happened[:moment]))
        results += [f"seed {seed}, image {number}, after {moment}: {fault}" for fault in faults]
    return results, len(happened)


def main(argv: Sequence[str]) -> int:
    """Look at as many disks as are asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.crash.power_loss",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--images", type=int, default=500)
    parser.add_argument("--seed", type=int, default=20261122)
    given = parser.parse_args(argv)
    result, recorded = run(given.seed, given.images)
    for fault in result:
        print(fault)
    print(f"{given.images} disks out of {recorded} happenings, {len(result)} faults")
    return 1 if result else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
