"""A journal and store in memory, for tests and for the server in virtual time.

It keeps the contract and fails on request. Nothing here knows a thread or a clock: how long a
commit takes is said by its owner's `latency`, and slept on the running loop. Entries are kept
packed, so that what comes back is what a file would give.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TypeAlias

from server import faults
from server.journal.base import Answer, NotSaved
from server.journal.entry import (
    Append,
    Entry,
    Named,
    Outgoing,
    PersonRow,
    Place,
    Snapshot,
    StreamId,
    Summary,
    unpack,
)
from server.journal.fence import Judged, judge, settle
from server.journal.store import RESTING, Page, Rekeying, Window


@dataclass(frozen=True, slots=True)
class Latency:
    """How long one commit takes: seconds until it is synced, then seconds until it is answered.

    A crash in the first part loses the batch; in the second it is kept, and nobody was told.
    """

    sync: float
    answer: float


Latencies: TypeAlias = Callable[[], Latency]


class MemoryJournal:
    """A `Store` whose disk is this object: servers come and go, what is synced stays.

    `close` gives nothing away, and after a `crash` the next server uses the same journal. With
    `wants_rows` it is as a file of layout 1 that has just been opened.
    """

    def __init__(self, latency: Latencies | None = None, *, wants_rows: bool = False) -> None:
        self._latency = latency
        self._wants_rows = wants_rows
        self._bodies: dict[StreamId, list[bytes]] = {}
        self._said: dict[tuple[str, str], Place] = {}
        self._rooms: dict[StreamId, Summary] = {}
        self._outbox: dict[str, Outgoing] = {}
        self._people: dict[str, PersonRow] = {}
        self._keys: dict[str, str] = {}
        self._tokens: dict[str, str] = {}
        self._shape = 0
        self._snapshots: dict[StreamId, list[Snapshot]] = {}
        self._failures = 0
        self._life = 0
        self._turn = asyncio.Lock()

    def fail_next(self, commits: int) -> None:
        """Let the next `commits` commits fail with nothing stored, as on a full disk."""
        self._failures = commits

    def crash(self) -> None:
        """Lose what is not synced. Calls under way never return: a dead process gets no answer.

        Whoever simulates the crash ends the dead server's tasks.
        """
        self._life += 1
        self._turn = asyncio.Lock()

    async def append(self, batch: Sequence[Append]) -> list[Answer]:
        """See `Journal.append`."""
        async with self._own():
            judged = judge(batch, self)
            try:
                faults.hit("journal.before_insert")
                await self._commit(judged)
            except OSError as error:
                return settle(batch, judged, self, str(error))
            return judged.answers

    async def load(self, stream: StreamId, after: int = 0) -> list[Entry]:
        """See `Journal.load`."""
        async with self._own():
            bodies = self._bodies.get(stream, [])[after:]
            return [unpack(stream, seq, body) for seq, body in enumerate(bodies, after + 1)]

    async def snapshot(self, stream: StreamId) -> Snapshot | None:
        """See `Journal.snapshot`."""
        async with self._own():
            kept = self._snapshots.get(stream)
            return kept[-1] if kept else None

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """See `Journal.save_snapshot`."""
        async with self._own():
            head = self.head(snapshot.stream)
            if not 0 < snapshot.seq <= head:
                raise ValueError(f"a snapshot at {snapshot.seq}, but the newest entry is {head}")
            if self._fails():
                raise NotSaved("the disk is full (fail_next)")
            kept = {old.seq: old for old in self._snapshots.get(snapshot.stream, ())}
            kept[snapshot.seq] = snapshot
            self._snapshots[snapshot.stream] = [kept[seq] for seq in sorted(kept)[-2:]]

    async def summaries(self) -> list[Summary]:
        """See `Journal.summaries`."""
        async with self._own():
            return [self._rooms[stream] for stream in sorted(self._rooms)]

    async def find(self, actor: str, client_id: str) -> Place | None:
        """See `Journal.find`."""
        async with self._own():
            return self.place(actor, client_id)

    async def room(self, stream: StreamId) -> Summary | None:
        """See `Store.room`."""
        async with self._own():
            return self._rooms.get(stream)

    async def room_of_invite(self, hashed: str) -> Summary | None:
        """See `Store.room_of_invite`."""
        async with self._own():
            leading = [row for row in self._rooms.values() if hashed in row.invites]
            return min(leading, key=lambda row: row.stream, default=None)

    async def rooms_of(self, person: str, *, since: int, limit: int) -> list[Summary]:
        """See `Store.rooms_of`."""
        async with self._own():
            own = (row for row in self._rooms.values() if person in row.people)
            return _newest_first(row for row in own if _is_open(row, since))[:limit]

    async def window(self, window: Window) -> Page:
        """See `Store.window`."""
        async with self._own():
            rows = _newest_first(row for row in self._rooms.values() if _shows(window, row))
            first = window.page * window.size
            return Page(tuple(rows[first : first + window.size]), len(rows))

    async def touch(self, streams: Sequence[StreamId], at: int) -> None:
        """See `Store.touch`."""
        async with self._own():
            if streams and self._fails():
                raise NotSaved("the disk is full (fail_next)")
            for stream in streams:
                row = self._rooms.get(stream)
                if row is not None and row.at < at:
                    self._rooms[stream] = replace(row, at=at)

    async def person(self, person: str) -> PersonRow | None:
        """See `Store.person`."""
        async with self._own():
            return self._people.get(person)

    async def person_named(self, key: str) -> PersonRow | None:
        """See `Store.person_named`."""
        async with self._own():
            return self.holder_of_key(key)

    async def person_of_token(self, hashed: str) -> PersonRow | None:
        """See `Store.person_of_token`."""
        async with self._own():
            return self.holder_of_token(hashed)

    async def shape(self) -> int:
        """See `Store.shape`."""
        async with self._own():
            return self._shape

    async def rekey(self, shape: int, rekeying: Rekeying) -> int:
        """See `Store.rekey`."""
        async with self._own():
            if self._fails():
                raise NotSaved("the disk is full (fail_next)")
            people = (Named(p.id, p.name, p.key, p.used, p.kept) for p in self._people.values())
            keys = rekeying(one for one in people if one.key)
            for person, key in keys.items():
                self._people[person] = replace(self._people[person], key=key)
            self._keys = {row.key: row.id for row in self._people.values() if row.key}
            self._shape = shape
            return len(keys)

    async def counts(self) -> Mapping[str, int]:
        """See `Store.counts`."""
        async with self._own():
            counted = Counter(f"listed.{row.phase}" for row in self._rooms.values() if row.listed)
            return {"rooms": len(self._rooms), "people": len(self._people), **counted}

    async def outbox(self, now: int, limit: int) -> list[Outgoing]:
        """See `Store.outbox`."""
        async with self._own():
            waiting = sorted((each.due, each.id) for each in self._outbox.values())
            return [self._outbox[one] for due, one in waiting if due <= now][:limit]

    async def settle(self, gone: Sequence[str], later: Sequence[Outgoing]) -> None:
        """See `Store.settle`."""
        async with self._own():
            if (gone or later) and self._fails():
                raise NotSaved("the disk is full (fail_next)")
            for one in gone:
                self._outbox.pop(one, None)
            self._outbox |= {each.id: each for each in later}

    async def due(self, now: int, limit: int) -> list[StreamId]:
        """See `Store.due`."""
        async with self._own():
            waiting = sorted(
                (row.deadline, row.stream)
                for row in self._rooms.values()
                if row.deadline is not None and row.deadline <= now
            )
            return [stream for _, stream in waiting[:limit]]

    def wants_rows(self) -> bool:
        """See `Store.wants_rows`."""
        return self._wants_rows

    async def bring_in(self, rooms: Sequence[Summary], people: Sequence[PersonRow]) -> None:
        """See `Store.bring_in`."""
        async with self._own():
            if not self._wants_rows:
                raise ValueError("the rows are there")
            if self._fails():
                raise NotSaved("the disk is full (fail_next)")
            for row in rooms:
                there = self._rooms.get(row.stream)
                if there is None or there.seq <= row.seq:
                    self._rooms[row.stream] = row
            for person in people:
                known = self._people.get(person.id) or self.holder_of_key(person.key)
                if not (known or any(map(self.holder_of_token, person.tokens))):
                    self._put(person.id, person)
            self._wants_rows = False

    async def close(self) -> None:
        """See `Journal.close`."""
        async with self._own():
            pass

    async def _commit(self, judged: Judged) -> None:
        """Sync, between the two sleeps, what was judged fresh. Raises OSError when it fails."""
        life = self._life
        latency = self._latency() if self._latency else None
        if latency is not None:
            await asyncio.sleep(latency.sync)
            await self._live(life)
        if judged.rooms or judged.people:
            faults.hit("journal.before_rows")
        faults.hit("journal.before_commit")
        if judged.fresh and self._fails():
            raise OSError("the disk is full (fail_next)")
        for append, body in judged.fresh:
            entry = append.entry
            self._bodies.setdefault(entry.stream, []).append(body)
            if entry.client_id:
                self._said[entry.actor, entry.client_id] = (entry.stream, entry.seq)
        self._rooms |= judged.rooms
        self._outbox |= {each.id: each for append, _ in judged.fresh for each in append.outgoing}
        for person in judged.people:
            self._put(person, None)
        for person, row in judged.people.items():
            self._put(person, row)
        faults.hit("journal.after_commit")
        if latency is not None:
            await asyncio.sleep(latency.answer)
            await self._live(life)

    @asynccontextmanager
    async def _own(self) -> AsyncIterator[None]:
        """Wait for the turn; for ever, if the process dies meanwhile."""
        life = self._life
        async with self._turn:
            await self._live(life)
            yield

    async def _live(self, life: int) -> None:
        if life != self._life:
            await asyncio.get_running_loop().create_future()

    def _fails(self) -> bool:
        if self._failures == 0:
            return False
        self._failures -= 1
        return True

    def head(self, stream: StreamId) -> int:
        """See `Known.head`."""
        return len(self._bodies.get(stream, ()))

    def place(self, actor: str, client_id: str) -> Place | None:
        """See `Known.place`."""
        return self._said.get((actor, client_id))

    def holder_of_key(self, key: str) -> PersonRow | None:
        """See `Known.holder_of_key`."""
        return self._people.get(self._keys.get(key, ""))

    def holder_of_token(self, token: str) -> PersonRow | None:
        """See `Known.holder_of_token`."""
        return self._people.get(self._tokens.get(token, ""))

    def _put(self, person: str, row: PersonRow | None) -> None:
        before = self._people.pop(person, None)
        if before is not None:
            self._keys.pop(before.key, None)
            for token in before.tokens:
                self._tokens.pop(token, None)
        if row is not None:
            self._people[person] = row
            if row.key:
                self._keys[row.key] = person
            self._tokens.update(dict.fromkeys(row.tokens, person))


def _is_open(row: Summary, since: int) -> bool:
    return row.phase not in RESTING or row.at >= since


def _shows(window: Window, row: Summary) -> bool:
    return (
        row.listed
        and window.game in ("", row.game)
        and (not window.phases or row.phase in window.phases)
        and (row.free > 0 or not window.free)
        and _is_open(row, window.since)
    )


def _newest_first(rows: Iterable[Summary]) -> list[Summary]:
    return sorted(rows, key=lambda row: (-row.at, row.stream))
