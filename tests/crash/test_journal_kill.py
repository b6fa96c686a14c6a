"""Promise A1 for the journal alone: what was answered `Written` survives kill -9 at any point.

So do the rows that come with it: they are those of the newest entry that has one, never of
another. Every second entry of a room brings a row; a person keeps changing between two names.

A writer process appends to a few rooms at once and says each answer on its standard output. The
parent kills it, at a random moment or at a fail point, then looks into the file. All rounds go
on with the same file.
"""

import asyncio
import logging
import os
import random
import signal
import sys
import tempfile
from pathlib import Path

from bluebear.server.store import (
    Answer,
    Append,
    Duplicate,
    Entry,
    GroupWriter,
    PersonRow,
    Snapshot,
    SqliteStore,
    StreamId,
    Summary,
    Window,
    Written,
    people,
    person_stream,
    rooms,
    streams,
)
from tests.support import faults, stored_rows
from tests.tools.servers import begin_piped, python

ROUNDS = 20
ROOMS = tuple(StreamId(f"r{number}") for number in range(5))
PERSON = "p1"
STREAMS = (*ROOMS, person_stream(PERSON))
ACTOR = "p:ayu"
SNAPSHOT_EVERY = 12
LOG_MAX_ENTRIES = 60
POINTS = (
    "store.before_insert",
    "store.before_rows",
    "store.before_commit",
    "store.after_commit",
    "store.before_write",
    "store.after_write",
)


def _summary(room: StreamId, seq: int) -> Summary:
    return Summary(
        room,
        seq,
        b"%d" % seq,
        seq,
        listed=seq % 3 > 0,
        game="tokai",
        phase="open" if seq % 4 == 1 else "playing",
        at=seq,
        people=(PERSON, f"p{seq}"),
        invites=(f"{room}-{seq}",),
    )


def _person(seq: int) -> PersonRow:
    return PersonRow(PERSON, seq, "Ayu", f"key{seq % 2}", True, (f"token{seq}", f"other{seq}"), seq)


class _Room:
    """Appends entry after entry and says what was answered; owned by the writer process."""

    def __init__(self, name: StreamId, seq: int, writer: GroupWriter) -> None:
        self._name = name
        self._seq = seq
        self._writer = writer

    def submit(self) -> None:
        self._seq += 1
        entry = Entry(self._name, self._seq, ACTOR, f"{self._name}-{self._seq}", ("/x",), {}, 0)
        if self._name in ROOMS:
            summary = _summary(self._name, self._seq) if self._seq % 2 else None
            append = Append(entry, summary)
        else:
            append = Append(entry, None, _person(self._seq))
        self._writer.submit(append, self._answered)

    def _answered(self, answer: Answer) -> None:
        if answer != Written(self._seq):
            raise AssertionError(f"{self._name} {self._seq}: {answer}")
        # Not through a buffer: what has been said must reach the parent although this dies.
        os.write(sys.stdout.fileno(), f"{self._name} {self._seq}\n".encode())
        self.submit()

    @property
    def saved(self) -> int:
        return self._seq - 1


class _Stop(logging.Handler):
    """Ends the process where a bug is logged."""

    def emit(self, record: logging.LogRecord) -> None:
        sys.stderr.write(self.format(record))
        sys.stderr.flush()
        os._exit(3)


async def _write_until_killed(path: Path) -> None:
    faults.arm_from(os.environ.get(faults.ENVIRONMENT, ""))
    journal = SqliteStore(path)
    logging.getLogger("bluebear").addHandler(_Stop(logging.ERROR))
    writer = GroupWriter(journal)
    rooms = {
        name: _Room(name, len(await journal.read(streams.load, name)), writer) for name in STREAMS
    }
    for room in rooms.values():
        room.submit()
    last = dict.fromkeys(ROOMS[:3], 0)
    while True:
        await asyncio.sleep(0)
        for name in last:
            saved = rooms[name].saved
            if saved >= last[name] + SNAPSHOT_EVERY:
                last[name] = saved
                await journal.write(streams.save_snapshot, Snapshot(name, saved, b"%d" % saved))


def _run_and_kill(path: Path, rng: random.Random, *, point: str | None) -> dict[StreamId, int]:
    """One life of a writer; the newest number that it said of each room."""
    faults_at = "" if point is None else f"{point}:{rng.randint(1, 25)}:kill"
    # At a random answer, hence somewhere in what the writer does at the same time.
    answers = rng.randint(1, 300) if point is None else None
    sent: dict[StreamId, int] = {}
    log, writer = begin_piped(
        python("tests.crash.test_journal_kill", str(path)), more={faults.ENVIRONMENT: faults_at}
    )
    try:
        with log:
            for number, answer in enumerate(log, 1):
                sent |= _newest(answer)
                if number == answers:
                    writer.kill()
        assert writer.wait() == -signal.SIGKILL
    finally:
        writer.kill()
        writer.wait()
    return sent


def _newest(answer: str) -> dict[StreamId, int]:
    """What a writer says of a room. ValueError for what else it says: it complains."""
    room, seq = answer.split()
    return {StreamId(room): int(seq)}


async def _check(path: Path, acknowledged: dict[StreamId, int]) -> None:
    journal = SqliteStore(path)
    summaries = {summary.stream: summary for summary in await journal.read(stored_rows.all_rooms)}
    for room in STREAMS:
        entries = await journal.read(streams.load, room)
        head = len(entries)
        assert head >= acknowledged.get(room, 0), f"an answered entry of {room} is lost"
        assert [one.seq for one in entries] == list(range(1, head + 1))
        assert [one.client_id for one in entries] == [f"{room}-{one.seq}" for one in entries]
        if not head:
            continue
        for again in (1, head):
            repeated = Entry(room, head + 1, ACTOR, f"{room}-{again}", ("/x",), {}, 0)
            assert await journal.append([Append(repeated)]) == [Duplicate(room, again)]
        if room not in ROOMS:
            await _check_person(journal, head)
            continue
        assert summaries[room] == _summary(room, head - (head + 1) % 2)
        snapshot = await journal.read(streams.snapshot, room)
        assert snapshot is None or snapshot.body == b"%d" % snapshot.seq
    await _check_indexes(journal, list(summaries.values()))
    await journal.close()


async def _check_person(journal: SqliteStore, head: int) -> None:
    row = _person(head)
    assert await journal.read(people.person, PERSON) == row
    assert await journal.read(people.named, row.key) == row
    assert await journal.read(people.named, f"key{(head + 1) % 2}") is None
    assert await journal.read(people.of_token, f"token{head}") == row
    assert await journal.read(people.of_token, f"other{head}") == row
    assert await journal.read(people.of_token, f"token{head - 1}") is None


async def _check_indexes(journal: SqliteStore, rows: list[Summary]) -> None:
    """Whatever rooms are found by says what their rows say."""
    newest = sorted(rows, key=lambda row: (-row.at, row.stream))
    assert await journal.read(rooms.rooms_of, PERSON, since=0, limit=99) == newest
    for row in rows:
        assert await journal.read(rooms.of_invite, row.invites[0]) == row
        assert await journal.read(rooms.of_invite, f"{row.stream}-{row.seq - 2}") is None
    listed = [row for row in newest if row.listed]
    assert (await journal.read(rooms.window, Window())).rows == tuple(listed)
    counts = await journal.read(stored_rows.counts)
    assert counts["rooms"] == len(rows)
    for phase in ("open", "playing"):
        assert counts.get(f"listed.{phase}", 0) == sum(row.phase == phase for row in listed)
    soonest = sorted(rows, key=lambda row: (row.deadline or 0, row.stream))
    assert await journal.read(rooms.due, 10**9, 99) == [row.stream for row in soonest]


def test_nothing_that_was_answered_is_lost_by_a_kill() -> None:
    rng = random.Random(20261121)
    sent: dict[StreamId, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        for number in range(ROUNDS):
            point = POINTS[number // 2 % len(POINTS)] if number % 2 else None
            sent |= _run_and_kill(path, rng, point=point)
            asyncio.run(_check(path, sent))
    assert min(sent.values()) > 2 * SNAPSHOT_EVERY


if __name__ == "__main__":
    asyncio.run(_write_until_killed(Path(sys.argv[1])))
