"""The journal and store in a PostgreSQL database: for one server process, or for one of its nodes.

One connection, one thing at a time. Who writes has a row with a generation of his own; every
writing statement carries it, so who was taken over or deposed stores nothing any more. A group is
one statement, which stores what can be and says what it was; only what was refused is looked up.
After a commit whose end is unknown the connection is closed, and what became of it is read on a new
one, behind a new generation, which waits for whatever is in flight.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeAlias, TypeVar
from uuid import uuid4

import asyncpg

from bluebear.server import faults
from bluebear.server.store import pg_fence, pg_ratings, pg_rows, pg_schema, pg_writes
from bluebear.server.store.backup import Copied
from bluebear.server.store.head import Behind
from bluebear.server.store.judge import judge, packed, settle
from bluebear.server.store.nodes import Node
from bluebear.server.store.pg_link import (
    FAILED,
    SETTINGS,
    Connection,
    connect,
    is_certain,
    prepare,
    said,
    within,
)
from bluebear.server.store.pg_reads import PostgresReads, are_there, stored
from bluebear.server.store.types import (
    Answer,
    Append,
    Deposed,
    JournalError,
    NotOpened,
    NotRead,
    NotSaved,
    Outgoing,
    Snapshot,
    StreamId,
    Written,
)

_SNAPSHOTS_KEPT: Final = 2
_STATEMENT_SECONDS: Final = 10.0
"""A statement that takes longer has lost its database."""

_ATTEMPTS: Final = 5
"""So often a group is tried when others write the same streams and names at the same moment."""

_T = TypeVar("_T")
_Group: TypeAlias = Sequence[tuple[Append, bytes]]


class PostgresJournal(PostgresReads, pg_ratings.PostgresRatings):
    """A `Store` in the database at `url`.

    Without a `node` it is that of a server which has the database to itself, and makes the tables
    when they are missing; with one, that of a process which has joined others. `open` raises
    `NotOpened`; without it the first call opens.
    """

    def __init__(self, url: str, node: Node | None = None) -> None:
        self._url = url
        self.settings: Mapping[str, str | int] = SETTINGS
        self.behind: Behind | None = None
        self._connection: Connection | None = None
        self._is_alone = node is None
        self._id = pg_schema.ALONE if node is None else node.id
        self._life = uuid4().hex if node is None else ""
        self._generation = 0 if node is None else node.generation
        self._in_doubt = False
        self._closed = False
        self._turn = asyncio.Lock()

    # Opening and closing.

    async def open(self) -> None:
        """Become able to write. Raises NotOpened."""
        async with self._turn:
            await self._open()

    async def _open(self) -> Connection:
        if self._closed:
            raise JournalError("the journal is closed")
        if self._connection is not None:
            return self._connection
        connection = await connect(self._url)
        try:
            if self._is_alone:
                await self._take_over(connection)
        except FAILED as error:
            connection.terminate()
            raise NotOpened("journal_unusable", said(error)) from error
        except NotOpened:
            connection.terminate()
            raise
        self._connection = connection
        return connection

    async def _take_over(self, connection: Connection) -> None:
        if not await connection.fetchval("SELECT pg_try_advisory_lock($1)", pg_schema.OWNER_LOCK):
            raise NotOpened("journal_in_use", "another server has this database open")
        await prepare(connection)
        self._generation = await connection.fetchval(pg_fence.ALONE, self._id, self._life)

    async def copy_to(self, target: Path) -> Copied:
        """A database has tools of its own for that. Raises JournalError."""
        raise JournalError(f"not copied to {target}: a PostgreSQL database is copied by pg_dump")

    async def close(self) -> None:
        """See `Journal.close`."""
        async with self._turn:
            self._closed = True
            if self._connection is not None:
                with suppress(*FAILED):
                    await self._connection.close()
                self._connection = None

    # Entries.

    async def append(self, batch: Sequence[Append]) -> list[Answer]:
        """See `Journal.append`."""
        async with self._turn:
            answers: dict[int, Answer] = {}
            try:
                for numbers in _rounds(batch):
                    found = await self._append([batch[number] for number in numbers])
                    answers |= zip(numbers, found, strict=True)
            except (*FAILED, JournalError) as error:
                # Without its beginning the rest of a batch is not tried.
                left = [number for number in range(len(batch)) if number not in answers]
                found = await self._after(error, [batch[number] for number in left])
                answers |= zip(left, found, strict=True)
            return [answers[number] for number in range(len(batch))]

    async def _append(self, batch: Sequence[Append]) -> list[Answer]:
        """Answer a group in which no stream and no client id comes twice.

        Raises what the driver raises, and JournalError.
        """
        bodies = [packed(append) for append in batch]
        group = [
            (append, body)
            for append, body in zip(batch, bodies, strict=True)
            if not isinstance(body, NotSaved)
        ]
        found = iter(await self._answers(group))
        return [body if isinstance(body, NotSaved) else next(found) for body in bodies]

    async def _answers(self, group: _Group) -> list[Answer]:
        """Store what can be, and look up why the rest cannot."""
        answers: dict[StreamId, Answer] = {}
        left, gone = group, dict[StreamId, str]()
        for attempt in range(_ATTEMPTS):
            written = await self._store(await self._sure(), left, gone)
            if written is None and attempt and len(left) > 1:
                # A name goes from one of them to another, or somebody is quicker each time: they
                # come one by one.
                for each in left:
                    answers[each[0].entry.stream] = (await self._answers([each]))[0]
                left = []
                break
            answers |= {stream: Written(seq) for stream, seq in (written or {}).items()}
            left = [each for each in left if each[0].entry.stream not in answers]
            if not left:
                break
            appends = [append for append, _ in left]
            connection = await self._sure()
            known = await stored(connection, appends)
            if not written:
                await self._check(connection)
            judged = judge(appends, known)
            for append, answer in zip(appends, judged.answers, strict=True):
                if not isinstance(answer, Written):
                    answers[append.entry.stream] = answer
            left, gone = judged.fresh, _names_given_up(judged.fresh, known)
            if not left:
                break
        missed = NotSaved("others write the same at the same time")
        answers |= {append.entry.stream: missed for append, _ in left}
        return [answers[append.entry.stream] for append, _ in group]

    async def _store(
        self, connection: Connection, group: _Group, gone: Mapping[StreamId, str]
    ) -> dict[StreamId, int] | None:
        """Store what follows what is there; what that is, by stream.

        None: a name is somebody else's, or a rating was outrun, and nothing is stored.
        """
        self._in_doubt = True
        faults.hit("journal.before_insert")
        has_rows = any(_has_rows(append) for append, _ in group)
        if has_rows:
            faults.hit("journal.before_rows")
        faults.hit("journal.before_commit")
        # In one order everywhere, or two groups with the same client ids would wait for each other.
        ordered = sorted(group, key=_order)
        given: list[object] = [self._id, self._generation, *_entry_columns(ordered)]
        if has_rows:
            given += _row_columns(ordered, gone)
        statement = pg_writes.ENTRIES_AND_ROWS if has_rows else pg_writes.ENTRIES
        try:
            call = connection.fetch(statement, *given)
            found = await within(_STATEMENT_SECONDS, connection, call)
        except (asyncpg.UniqueViolationError, asyncpg.RaiseError):
            self._in_doubt = False
            return None
        faults.hit("journal.after_commit")
        self._in_doubt = False
        return {StreamId(row["stream"]): row["seq"] for row in found}

    async def _after(self, error: Exception, batch: Sequence[Append]) -> list[Answer]:
        """What entries get after a failure, by what the database says now."""
        if isinstance(error, Deposed):
            return [error for _ in batch]
        reason = said(error)
        if is_certain(error):
            self._in_doubt = False
        try:
            connection = await self._sure()
            known = await stored(connection, batch)
            there = await are_there(connection, batch)
        except Deposed as deposed:
            return [deposed for _ in batch]
        except (*FAILED, JournalError) as second:
            again = f"{reason}; then {said(second)}"
            return [NotSaved(again, certain=not self._in_doubt) for _ in batch]
        answers = settle(batch, judge(batch, known), known, reason)
        return [
            Written(append.entry.seq) if is_there else answer
            for append, is_there, answer in zip(batch, there, answers, strict=True)
        ]

    async def _sure(self) -> Connection:
        """The connection, with nothing in flight whose end is unknown. Raises JournalError."""
        connection = await self._open()
        if not self._in_doubt and not connection.is_closed():
            return connection
        connection.terminate()
        connection = self._connection = await connect(self._url)
        # It waits for what the old connection has sent, and ends its generation.
        call = connection.fetchval(pg_fence.BARRIER, self._id, self._life)
        generation = await within(_STATEMENT_SECONDS, connection, call)
        if generation is None:
            raise _deposed()
        if self._is_alone:
            await connection.fetchval("SELECT pg_try_advisory_lock($1)", pg_schema.OWNER_LOCK)
        self._generation = generation
        self._in_doubt = False
        return connection

    async def _check(self, connection: Connection) -> None:
        """See why nothing was stored. Raises Deposed when nothing ever will be any more.

        Else a barrier that was given up has come through late, and another one is wanted.
        """
        statement = "SELECT generation FROM node WHERE id = $1"
        if await connection.fetchval(statement, self._id) == self._generation:
            return
        if not await connection.fetchval(pg_fence.IS_MINE, self._id, self._life):
            raise _deposed()
        self._in_doubt = True

    # What is written beside them.

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """See `Journal.save_snapshot`."""
        given = snapshot.stream, snapshot.seq, snapshot.body, _SNAPSHOTS_KEPT

        async def write(connection: Connection) -> int | None:
            row = await connection.fetchrow(pg_writes.SNAPSHOT, self._id, self._generation, *given)
            assert row is not None  # there is always one
            return row["head"] if row["is_mine"] else None

        head = await self._change("snapshot", write)
        if not 0 < snapshot.seq <= head:
            raise ValueError(f"a snapshot at {snapshot.seq}, but the newest is {head}")

    async def touch(self, streams: Sequence[StreamId], at: int) -> None:
        """See `Store.touch`."""
        await self._say("touch", pg_writes.TOUCH, list(streams), at)

    async def outbox(self, now: int, limit: int) -> list[Outgoing]:
        """See `Store.outbox`."""
        found = await self._read(
            lambda connection: connection.fetch(
                pg_writes.OUTBOX, self._id, self._generation, now, limit
            )
        )
        return [Outgoing(row["id"], row["due"], bytes(row["body"])) for row in found]

    async def settle(self, gone: Sequence[str], later: Sequence[Outgoing]) -> None:
        """See `Store.settle`."""
        columns = _outgoing_columns(later)
        gone = list(set(gone) - set(columns[0]))
        await self._say("outbox", pg_writes.SETTLE, gone, *columns)

    async def _say(self, what: str, statement: str, *given: object) -> None:
        async def write(connection: Connection) -> bool | None:
            made = await connection.fetchval(statement, self._id, self._generation, *given)
            return made or None

        await self._change(what, write)

    async def _change(self, what: str, write: Callable[[Connection], Awaitable[_T | None]]) -> _T:
        """Run one writing statement; what it gives, None: it was not mine to send.

        Raises `NotSaved` when it did not end well.
        """
        async with self._turn:
            try:
                for _ in range(_ATTEMPTS):
                    connection = await self._sure()
                    self._in_doubt = True
                    faults.hit(f"journal.before_{what}")
                    made = await within(_STATEMENT_SECONDS, connection, write(connection))
                    faults.hit(f"journal.after_{what}")
                    self._in_doubt = False
                    if made is not None:
                        return made
                    await self._check(connection)
            except (*FAILED, NotOpened) as error:
                raise NotSaved(f"{what}: {said(error)}") from error
            raise NotSaved(f"{what}: its generation is another each time")

    async def _read(self, read: Callable[[Connection], Awaitable[_T]]) -> _T:
        async with self._turn:
            try:
                connection = await self._sure()
                return await within(_STATEMENT_SECONDS, connection, read(connection))
            except (*FAILED, JournalError) as error:
                raise NotRead(said(error)) from error


def _rounds(batch: Sequence[Append]) -> list[list[int]]:
    """Parts in which no stream and no client id comes twice, by their numbers in the batch.

    All of it is one, but where entries of one stream follow each other.
    """
    rounds: list[list[int]] = []
    here: set[object] = set()
    for number, append in enumerate(batch):
        entry = append.entry
        marks: set[object] = {entry.stream}
        if entry.client_id:
            marks.add((entry.actor, entry.client_id))
        if not rounds or here & marks:
            rounds.append([])
            here = set()
        here |= marks
        rounds[-1].append(number)
    return rounds


def _order(packed_append: tuple[Append, bytes]) -> tuple[str, str]:
    entry = packed_append[0].entry
    return entry.client_id, entry.stream


def _has_rows(append: Append) -> bool:
    rows = append.summary, append.person, append.outgoing or None, append.ratings or None
    return any(each is not None for each in rows)


def _entry_columns(group: _Group) -> list[object]:
    entries = [append.entry for append, _ in group]
    return [
        [entry.stream for entry in entries],
        [entry.seq for entry in entries],
        [entry.actor for entry in entries],
        [entry.client_id for entry in entries],
        [body for _, body in group],
    ]


def _row_columns(group: _Group, gone: Mapping[StreamId, str]) -> list[object]:
    appends = [append for append, _ in group]
    # Of several things that go out under one id, the last.
    going = {each.id: (append.entry.stream, each) for append in appends for each in append.outgoing}
    return [
        pg_rows.packed_rooms(each.summary for each in appends if each.summary is not None),
        pg_rows.packed_people(each.person for each in appends if each.person is not None),
        list(gone),
        list(gone.values()),
        [stream for stream, _ in going.values()],
        *_outgoing_columns(each for _, each in going.values()),
        pg_ratings.packed((each.entry.stream, row) for each in appends for row in each.ratings),
    ]


def _names_given_up(group: _Group, known: pg_rows.Stored) -> dict[StreamId, str]:
    """Whose row goes because somebody takes his name, by the stream of who takes it."""
    gone: dict[StreamId, str] = {}
    renamed = {append.person.id for append, _ in group if append.person is not None}
    for append, _ in group:
        claim = append.person
        holder = known.holder_of_key(claim.key) if claim is not None and claim.key else None
        if claim is not None and holder is not None and holder.id not in {claim.id, *renamed}:
            gone[append.entry.stream] = holder.id
    return gone


def _outgoing_columns(outgoing: Iterable[Outgoing]) -> tuple[list[str], list[int], list[bytes]]:
    """What goes out as columns; of several with one id the last."""
    rows = {each.id: each for each in outgoing}.values()
    return [row.id for row in rows], [row.due for row in rows], [row.body for row in rows]


def _deposed() -> Deposed:
    return Deposed("another server has taken this database over")
