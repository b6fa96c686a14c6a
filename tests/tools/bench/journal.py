"""What an entry costs in the journal: processor time of the loop and of the journal's thread.

    python -m tests.tools.bench.journal --rooms 1,12,25,100 --seconds 2
    python -m tests.tools.bench.journal --postgres      beside a private PostgreSQL on the same disk

Every room has one entry in flight and submits the next when the last is answered, so a group
has up to as many entries as there are rooms. `us/entry` is without the cost of the rooms, which
a run on a journal that does nothing has measured: `rooms us`. `theirs us` is what the processes of
the database have worked for an entry. Judges nothing.
"""

import argparse
import asyncio
import importlib.util
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from bluebear.server.store import (
    Answer,
    Append,
    Entry,
    GroupWriter,
    Snapshot,
    SqliteStore,
    Store,
    StreamId,
    Summary,
    Written,
    streams,
)
from tests.support.simulated_store import SimulatedStore
from tests.tools.bench.database import Database, database

WARM_UP_SECONDS = 0.3


@dataclass
class Room:
    """Submits entry after entry until it is told to stop; owned by one run."""

    stream: StreamId
    writer: GroupWriter
    every_summary: bool
    seq: int = 0
    running: bool = True
    waits: list[float] = field(default_factory=list)
    submitted: float = 0.0
    next_snapshot: int = 2

    def submit(self) -> None:
        self.seq += 1
        self.submitted = time.perf_counter()
        entry = Entry(
            self.stream,
            self.seq,
            f"p:{self.stream}-{self.seq % 4}",
            f"b3f1c0d2e4a59687-{self.seq}",
            ("/build 3 frankfurt 5",),
            {},
            1_800_000_000_000 + self.seq,
        )
        summary = Summary(self.stream, self.seq, b"s" * 120, None) if self.every_summary else None
        self.writer.submit(Append(entry, summary), self.answered)

    def answered(self, answer: Answer) -> None:
        if not isinstance(answer, Written):
            raise TypeError(f"{self.stream} {self.seq}: {answer}")
        self.waits.append(time.perf_counter() - self.submitted)
        if self.running:
            self.submit()


class Idle(SimulatedStore):
    """Answers at once and keeps nothing: what remains is the cost of the rooms."""

    async def append(self, batch: Sequence[Append]) -> list[Answer]:
        await asyncio.sleep(0)
        return [Written(append.entry.seq) for append in batch]


@dataclass(frozen=True)
class Row:
    """What one run has measured."""

    entries: int
    commits: int
    cpu_seconds: float
    commit_seconds: float
    waits: list[float]
    their_seconds: float = 0.0

    @property
    def us(self) -> float:
        return self.cpu_seconds / self.entries * 1e6

    def wait_ms(self, fraction: float) -> float:
        return self.waits[int(len(self.waits) * fraction)] * 1e3


async def measure(
    journal: Store,
    options: argparse.Namespace,
    rooms_wanted: int,
    seconds: float,
    theirs: Callable[[], float] = lambda: 0.0,
) -> Row:
    writer = GroupWriter(journal)
    rooms = [
        Room(StreamId(f"r{number}"), writer, options.summaries) for number in range(rooms_wanted)
    ]
    for room in rooms:
        room.submit()
    await asyncio.sleep(WARM_UP_SECONDS)
    for room in rooms:
        room.waits.clear()
    entries, commits, commit_seconds = writer.entries, writer.commits, writer.commit_times.seconds
    theirs_began = theirs()
    began = resource.getrusage(resource.RUSAGE_SELF)
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        await asyncio.sleep(0.01)
        for room in rooms if options.snapshots else ():
            if room.seq >= room.next_snapshot:
                room.next_snapshot = room.seq + options.snapshots
                await journal.write(
                    streams.save_snapshot, Snapshot(room.stream, room.seq - 1, b"s" * 2000)
                )
    ended = resource.getrusage(resource.RUSAGE_SELF)
    row = Row(
        writer.entries - entries,
        writer.commits - commits,
        ended.ru_utime - began.ru_utime + ended.ru_stime - began.ru_stime,
        writer.commit_times.seconds - commit_seconds,
        sorted(wait for room in rooms for wait in room.waits),
        theirs() - theirs_began,
    )
    for room in rooms:
        room.running = False
    await writer.close()
    await journal.close()
    return row


async def compare(
    path: Path, options: argparse.Namespace, rooms: int, postgres: Database | None
) -> list[str]:
    alone = await measure(Idle(), argparse.Namespace(summaries=False, snapshots=0), rooms, 0.5)
    sqlite = await measure(SqliteStore(path), options, rooms, options.seconds)
    lines = [_format("sqlite", rooms, sqlite, alone)]
    if postgres is not None:
        from bluebear.server.store.postgres import PostgresStore

        journal = PostgresStore(postgres.url)
        await journal.open()
        row = await measure(journal, options, rooms, options.seconds, postgres.cpu_seconds)
        lines.append(_format("postgres", rooms, row, alone))
    return lines


def _format(name: str, rooms: int, row: Row, alone: Row) -> str:
    return (
        f"{name:8} {rooms:6} {row.entries:9} {row.entries / row.commits:9.1f} {alone.us:9.1f}"
        f" {row.us - alone.us:9.1f} {row.their_seconds / row.entries * 1e6:9.1f}"
        f" {row.commit_seconds / row.commits * 1e3:10.2f}"
        f" {row.wait_ms(0.5):8.2f} {row.wait_ms(0.99):8.2f}"
    )


def run(options: argparse.Namespace) -> None:
    print(
        "journal   rooms   entries     group  rooms us  us/entry theirs us"
        "  ms/commit   p50 ms   p99 ms"
    )
    for rooms in options.rooms:
        # A database of its own for each row, as each has a file of its own.
        with (
            tempfile.TemporaryDirectory(dir=options.folder) as folder,
            database(options.folder) if options.postgres else nullcontext() as result,
        ):
            sent = asyncio.run(compare(Path(folder) / "journal.db", options, rooms, result))
            print("\n".join(sent), flush=True)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument(
        "--rooms",
        type=lambda text: [int(component) for component in text.split(",")],
        default=[1, 12, 25, 100],
        help="numbers of rooms, as 1,25",
    )
    parser.add_argument("--seconds", type=float, default=2.0, help="measured time of each row")
    parser.add_argument("--summaries", action="store_true", help="a summary with every entry")
    parser.add_argument(
        "--snapshots", type=int, default=0, metavar="N", help="a snapshot about every N entries"
    )
    parser.add_argument("--folder", type=Path, help="where the file lies: the disk to measure")
    parser.add_argument("--postgres", action="store_true", help="measure PostgreSQL beside it")
    parser.add_argument("--asyncio", action="store_true", help="do not use uvloop")
    options = parser.parse_args(arguments)
    if not options.asyncio and importlib.util.find_spec("uvloop"):
        import uvloop

        uvloop.install()
    run(options)


if __name__ == "__main__":
    main(sys.argv[1:])
