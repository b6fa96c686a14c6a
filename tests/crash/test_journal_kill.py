"""Promise A1 for the journal alone: what was answered `Written` survives kill -9 at any point.

A writer process appends to a few rooms at once and says each answer on its standard output. The
parent kills it, at a random moment or at a fail point, then looks into the file. All rounds go
on with the same file.
"""

import asyncio
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from server import faults
from server.journal import (
    Answer,
    Append,
    Duplicate,
    Entry,
    GroupWriter,
    Snapshot,
    SqliteJournal,
    StreamId,
    Summary,
    Written,
)

ROUNDS = 20
ROOMS = tuple(StreamId(f"r{number}") for number in range(5))
ACTOR = "p:ayu"
SNAPSHOT_EVERY = 12
LOG_MAX_ENTRIES = 60
POINTS = (
    "journal.before_insert",
    "journal.before_commit",
    "journal.after_commit",
    "journal.before_snapshot",
    "journal.after_snapshot",
)
ROOT = Path(__file__).parents[2]


class _Room:
    """Appends entry after entry and says what was answered; owned by the writer process."""

    def __init__(self, name: StreamId, seq: int, writer: GroupWriter) -> None:
        self._name = name
        self._seq = seq
        self._writer = writer

    def submit(self) -> None:
        self._seq += 1
        said = Entry(self._name, self._seq, ACTOR, f"{self._name}-{self._seq}", ("/x",), {}, 0)
        summary = Summary(self._name, self._seq, b"%d" % self._seq, None)
        self._writer.submit(Append(said, summary), self._answered)

    def _answered(self, answer: Answer) -> None:
        if answer != Written(self._seq):
            raise AssertionError(f"{self._name} {self._seq}: {answer}")
        # Not through a buffer: what has been said must reach the parent although this dies.
        os.write(sys.stdout.fileno(), f"{self._name} {self._seq}\n".encode())
        self.submit()

    @property
    def saved(self) -> int:
        return self._seq - 1


def _stop(bug: Exception) -> None:
    sys.stderr.write(repr(bug))
    sys.stderr.flush()
    os._exit(3)


async def _write_until_killed(path: Path) -> None:
    faults.arm_from(os.environ.get(faults.ENVIRONMENT, ""))
    journal = SqliteJournal(path, log_max_entries=LOG_MAX_ENTRIES)
    writer = GroupWriter(journal, _stop)
    rooms = {name: _Room(name, len(await journal.load(name)), writer) for name in ROOMS}
    for room in rooms.values():
        room.submit()
    last = dict.fromkeys(ROOMS, 0)
    while True:
        await asyncio.sleep(0)
        # The last two rooms take no snapshots: their entries leave the log when it is too long.
        for name in ROOMS[:3]:
            saved = rooms[name].saved
            if saved >= last[name] + SNAPSHOT_EVERY:
                last[name] = saved
                await journal.save_snapshot(Snapshot(name, saved, b"%d" % saved))


def _run_and_kill(path: Path, rng: random.Random, *, point: str | None) -> dict[StreamId, int]:
    """One life of a writer; the newest number that it said of each room."""
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    if point is not None:
        environment[faults.ENVIRONMENT] = f"{point}:{rng.randint(1, 25)}:kill"
    said: dict[StreamId, int] = {}
    with subprocess.Popen(
        [sys.executable, __file__, str(path)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as writer:
        assert writer.stdout is not None
        assert writer.stderr is not None
        # At a random answer, hence somewhere in what the writer does at the same time.
        answers = rng.randint(1, 300) if point is None else None
        for number, answer in enumerate(writer.stdout, 1):
            room, seq = answer.split()
            said[StreamId(room)] = int(seq)
            if number == answers:
                writer.kill()
        complaint = writer.stderr.read()
    assert (writer.returncode, complaint) == (-9, "")
    return said


async def _check(path: Path, said: dict[StreamId, int]) -> None:
    journal = SqliteJournal(path)
    summaries = {summary.stream: summary for summary in await journal.summaries()}
    for room in ROOMS:
        entries = await journal.load(room)
        head = len(entries)
        assert head >= said.get(room, 0), f"an answered entry of {room} is lost"
        assert [one.seq for one in entries] == list(range(1, head + 1))
        assert [one.client_id for one in entries] == [f"{room}-{one.seq}" for one in entries]
        if not head:
            continue
        assert summaries[room] == Summary(room, head, b"%d" % head, None)
        snapshot = await journal.snapshot(room)
        assert snapshot is None or snapshot.body == b"%d" % snapshot.seq
        for again in (1, head):
            repeated = Entry(room, head + 1, ACTOR, f"{room}-{again}", ("/x",), {}, 0)
            assert await journal.append([Append(repeated)]) == [Duplicate(room, again)]
    await journal.close()


def test_nothing_that_was_answered_is_lost_by_a_kill() -> None:
    rng = random.Random(20261121)
    said: dict[StreamId, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        for number in range(ROUNDS):
            point = POINTS[number // 2 % len(POINTS)] if number % 2 else None
            said |= _run_and_kill(path, rng, point=point)
            asyncio.run(_check(path, said))
    assert min(said.values()) > LOG_MAX_ENTRIES


if __name__ == "__main__":
    asyncio.run(_write_until_killed(Path(sys.argv[1])))
