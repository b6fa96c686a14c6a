"""The journal and store in a PostgreSQL database, for one server process.

One connection, one thing at a time. Who opens the database becomes its owner by a generation of
his own; every writing statement carries it, so a server that was taken over stores nothing any
more. Nothing is ever cancelled: when a commit ends badly the connection is closed, and what became
of the commit is read on a new one, behind a new generation, which waits for whatever is in flight.
"""
# ruff: noqa: S608  # statements are joined of constants only; what is said is always a parameter

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

import asyncpg

from server import faults
from server.journal import pg_ratings, pg_rows, pg_schema
from server.journal.backup import Copied
from server.journal.base import Answer, JournalError, NotOpened, NotRead, NotSaved
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
from server.journal.head import Behind
from server.journal.store import Page, Rekeying, Window

_SNAPSHOTS_KEPT: Final = 2
_OWNER_LOCK: Final = 0x626C7565
"""The advisory lock of whoever has the database open: a courtesy, the generation is the proof."""

SETTINGS: Final[Mapping[str, str]] = {"synchronous_commit": "on", "fsync": "on"}
"""What makes `Written` true; looked at when the database is opened."""

_FAILED: Final = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError)
_CONNECT_SECONDS: Final = 10.0

_T = TypeVar("_T")
Connection: TypeAlias = "asyncpg.Connection[Any]"  # Any: the record class, the library's own


class PostgresJournal(pg_ratings.PostgresRatings):
    """A `Store` in the database at `url`; its tables are made when they are missing.

    `open` raises `NotOpened`; without it the first call opens.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self.settings: Mapping[str, str | int] = SETTINGS
        self.behind: Behind | None = None
        self._connection: Connection | None = None
        self._generation = 0
        self._in_doubt = False
        self._closed = False
        self._turn = asyncio.Lock()

    # Opening and closing.

    async def open(self) -> None:
        """Become the owner of the database. Raises NotOpened."""
        async with self._turn:
            await self._open()

    async def _open(self) -> Connection:
        if self._closed:
            raise JournalError("the journal is closed")
        if self._connection is not None:
            return self._connection
        connection = await self._connect()
        try:
            if not await connection.fetchval("SELECT pg_try_advisory_lock($1)", _OWNER_LOCK):
                raise NotOpened("journal_in_use", "another server has this database open")
            await _prepare(connection)
            self._generation = await connection.fetchval(
                "UPDATE node SET generation = generation + 1 WHERE id = 'engine'"
                " RETURNING generation"
            )
        except _FAILED as error:
            connection.terminate()
            raise NotOpened("journal_unusable", str(error)) from error
        except NotOpened:
            connection.terminate()
            raise
        self._connection = connection
        return connection

    async def _connect(self) -> Connection:
        try:
            made: Connection = await asyncpg.connect(
                self._url,
                timeout=_CONNECT_SECONDS,
                server_settings={"search_path": pg_schema.SCHEMA, "synchronous_commit": "on"},
            )
        except (*_FAILED, ValueError) as error:
            raise NotOpened("journal_unusable", str(error) or type(error).__name__) from error
        return made

    async def copy_to(self, target: Path) -> Copied:
        """A database has tools of its own for that. Raises JournalError."""
        raise JournalError(f"not copied to {target}: a PostgreSQL database is copied by pg_dump")

    async def close(self) -> None:
        """See `Journal.close`."""
        async with self._turn:
            self._closed = True
            if self._connection is not None:
                with suppress(*_FAILED):
                    await self._connection.close()
                self._connection = None

    # Entries.

    async def append(self, batch: Sequence[Append]) -> list[Answer]:
        """See `Journal.append`."""
        async with self._turn:
            judged: Judged | None = None
            try:
                connection = await self._sure()
                judged = judge(batch, await _stored(connection, batch))
                if judged.fresh:
                    await self._store(connection, judged)
                return judged.answers
            except (*_FAILED, JournalError) as error:
                return await self._read_back(batch, judged, str(error) or type(error).__name__)

    async def _store(self, connection: Connection, judged: Judged) -> None:
        self._in_doubt = True
        faults.hit("journal.before_insert")
        if judged.rooms or judged.people:
            faults.hit("journal.before_rows")
        faults.hit("journal.before_commit")
        entries = [append.entry for append, _ in judged.fresh]
        write = "write_group($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
        ratings = [pg_ratings.packed(judged.ratings.values())] if judged.ratings else []
        is_mine = await connection.fetchval(
            f"SELECT CASE WHEN {write} THEN put_ratings($12) ELSE false END"
            if ratings
            else f"SELECT {write}",
            self._generation,
            [entry.stream for entry in entries],
            [entry.seq for entry in entries],
            [entry.actor for entry in entries],
            [entry.client_id for entry in entries],
            [body for _, body in judged.fresh],
            pg_rows.packed_rooms(judged.rooms.values()),
            pg_rows.packed_people(judged.people),
            *_columns(each for append, _ in judged.fresh for each in append.outgoing),
            *ratings,
        )
        faults.hit("journal.after_commit")
        self._in_doubt = False
        if not is_mine:
            raise _deposed()

    async def _read_back(
        self, batch: Sequence[Append], judged: Judged | None, reason: str
    ) -> list[Answer]:
        """What the batch gets after a failure, by what the database says now."""
        if judged is None:
            return [NotSaved(reason) for _ in batch]
        try:
            connection = await self._sure()
            return settle(batch, judged, await _stored(connection, batch), reason)
        except (*_FAILED, JournalError) as error:
            self._in_doubt = True
            return [NotSaved(f"{reason}; then {error}", certain=False) for _ in batch]

    async def _sure(self) -> Connection:
        """The connection, with nothing in flight whose end is unknown. Raises JournalError."""
        connection = await self._open()
        if not self._in_doubt and not connection.is_closed():
            return connection
        connection.terminate()
        connection = self._connection = await self._connect()
        # The barrier: it waits for what the old connection has sent, and ends its generation.
        generation = await connection.fetchval(
            "UPDATE node SET generation = generation + 1 WHERE id = 'engine' AND generation = $1"
            " RETURNING generation",
            self._generation,
        )
        if generation is None:
            raise _deposed()
        await connection.fetchval("SELECT pg_try_advisory_lock($1)", _OWNER_LOCK)
        self._generation = generation
        self._in_doubt = False
        return connection

    async def load(self, stream: StreamId, after: int = 0) -> list[Entry]:
        """See `Journal.load`."""
        found = await self._read(
            lambda connection: connection.fetch(
                "SELECT seq, body FROM entry WHERE stream = $1 AND seq > $2 ORDER BY seq",
                *(stream, after),
            )
        )
        return [unpack(stream, row["seq"], bytes(row["body"])) for row in found]

    async def find(self, actor: str, client_id: str) -> Place | None:
        """See `Journal.find`."""
        found = await self._read(
            lambda connection: connection.fetchrow(
                "SELECT stream, seq FROM entry"
                " WHERE actor = $1 AND client_id = $2 AND client_id <> ''",
                *(actor, client_id),
            )
        )
        return None if found is None else (StreamId(found["stream"]), found["seq"])

    # Snapshots.

    async def snapshot(self, stream: StreamId) -> Snapshot | None:
        """See `Journal.snapshot`."""
        found = await self._read(
            lambda connection: connection.fetchrow(
                "SELECT seq, body FROM snapshot WHERE stream = $1 ORDER BY seq DESC LIMIT 1",
                stream,
            )
        )
        return None if found is None else Snapshot(stream, found["seq"], bytes(found["body"]))

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """See `Journal.save_snapshot`."""
        async with self._turn:
            what = f"snapshot of {snapshot.stream}"
            connection = await self._ready_to(what)
            head = await connection.fetchval(
                "SELECT coalesce(max(seq), 0) FROM entry WHERE stream = $1", snapshot.stream
            )
            if not 0 < snapshot.seq <= head:
                raise ValueError(f"a snapshot at {snapshot.seq}, but the newest is {head}")
            faults_between = ("journal.before_snapshot", "journal.after_snapshot")
            call = connection.fetchval(
                "SELECT write_snapshot($1, $2, $3, $4, $5)",
                *(self._generation, snapshot.stream, snapshot.seq, snapshot.body, _SNAPSHOTS_KEPT),
            )
            await self._change(what, call, faults_between)

    # Rooms.

    async def summaries(self) -> list[Summary]:
        """See `Journal.summaries`."""
        statement = f"SELECT {pg_rows.ROOM} FROM room ORDER BY stream"
        found = await self._read(lambda connection: connection.fetch(statement))
        return list(map(pg_rows.summary, found))

    async def room(self, stream: StreamId) -> Summary | None:
        """See `Store.room`."""
        return await self._room(f"SELECT {pg_rows.ROOM} FROM room WHERE stream = $1", stream)

    async def room_of_invite(self, hashed: str) -> Summary | None:
        """See `Store.room_of_invite`."""
        return await self._room(pg_rows.ROOM_OF_INVITE, hashed)

    async def _room(self, statement: str, given: str) -> Summary | None:
        found = await self._read(lambda connection: connection.fetchrow(statement, given))
        return None if found is None else pg_rows.summary(found)

    async def rooms_of(self, person: str, *, since: int, limit: int) -> list[Summary]:
        """See `Store.rooms_of`."""
        found = await self._read(
            lambda connection: connection.fetch(pg_rows.ROOMS_OF, person, since, limit)
        )
        return list(map(pg_rows.summary, found))

    async def window(self, window: Window) -> Page:
        """See `Store.window`."""
        count, page, given = pg_rows.window_statements(window)

        async def read(connection: Connection) -> Page:
            total = await connection.fetchval(count, *given)
            first = window.page * window.size
            found = await connection.fetch(page, *given, window.size, first)
            return Page(tuple(map(pg_rows.summary, found)), total)

        return await self._read(read)

    async def touch(self, streams: Sequence[StreamId], at: int) -> None:
        """See `Store.touch`."""
        async with self._turn:
            connection = await self._ready_to("touch")
            call = connection.fetchval(
                "SELECT touch_rooms($1, $2, $3)", self._generation, list(streams), at
            )
            await self._change("touch", call, ("journal.before_touch", "journal.after_touch"))

    async def outbox(self, now: int, limit: int) -> list[Outgoing]:
        """See `Store.outbox`."""
        found = await self._read(
            lambda connection: connection.fetch(
                "SELECT id, due, body FROM outbox WHERE due <= $1 ORDER BY due, id LIMIT $2",
                *(now, limit),
            )
        )
        return [Outgoing(row["id"], row["due"], bytes(row["body"])) for row in found]

    async def settle(self, gone: Sequence[str], later: Sequence[Outgoing]) -> None:
        """See `Store.settle`."""
        async with self._turn:
            connection = await self._ready_to("outbox")
            call = connection.fetchval(
                "SELECT settle_outbox($1, $2, $3, $4, $5)",
                *(self._generation, list(gone), *_columns(later)),
            )
            await self._change("outbox", call, ("journal.before_outbox", "journal.after_outbox"))

    async def due(self, now: int, limit: int) -> list[StreamId]:
        """See `Store.due`."""
        found = await self._read(lambda connection: connection.fetch(pg_rows.DUE, now, limit))
        return [StreamId(row["stream"]) for row in found]

    async def counts(self) -> Mapping[str, int]:
        """See `Store.counts`."""
        statement = "SELECT name, number FROM tally WHERE number <> 0"
        found = await self._read(lambda connection: connection.fetch(statement))
        return {"rooms": 0, "people": 0} | {row["name"]: row["number"] for row in found}

    # People.

    async def person(self, person: str) -> PersonRow | None:
        """See `Store.person`."""
        return await self._person("id = $1", person)

    async def person_named(self, key: str) -> PersonRow | None:
        """See `Store.person_named`."""
        return await self._person("key = $1 AND key <> ''", key)

    async def person_of_token(self, hashed: str) -> PersonRow | None:
        """See `Store.person_of_token`."""
        return await self._person("id = (SELECT person FROM token WHERE hash = $1)", hashed)

    async def _person(self, whose: str, value: str) -> PersonRow | None:
        statement = f"SELECT {pg_rows.PERSON} FROM person WHERE {whose}"
        found = await self._read(lambda connection: connection.fetchrow(statement, value))
        return None if found is None else pg_rows.person(found)

    async def shape(self) -> int:
        """See `Store.shape`."""
        return await self._read(lambda connection: connection.fetchval(pg_rows.SHAPE))

    async def rekey(self, shape: int, rekeying: Rekeying) -> int:
        """See `Store.rekey`."""
        found = await self._read(lambda connection: connection.fetch(pg_rows.NAMED))
        keys = rekeying(Named(*row) for row in found)
        async with self._turn:
            connection = await self._ready_to("keys")
            call = pg_rows.rekey(connection, self._generation, shape, keys)
            await self._change("keys", call, ("journal.sends_rekey", "journal.after_rekey"))
        return len(keys)

    # Old files, of which there are none here.

    def wants_rows(self) -> bool:
        """See `Store.wants_rows`."""
        return False

    async def bring_in(self, rooms: Sequence[Summary], people: Sequence[PersonRow]) -> None:
        """See `Store.bring_in`."""
        raise ValueError("the rows are there")

    async def _read(self, read: Callable[[Connection], Awaitable[_T]]) -> _T:
        async with self._turn:
            try:
                return await read(await self._sure())
            except (*_FAILED, NotSaved) as error:
                raise NotRead(str(error) or type(error).__name__) from error

    async def _ready_to(self, what: str) -> Connection:
        try:
            return await self._sure()
        except (*_FAILED, NotOpened) as error:
            raise NotSaved(f"{what}: {error}") from error

    async def _change_all(self, what: str, statement: str, *given: object) -> None:
        async with self._turn:
            connection = await self._ready_to(what)
            call = connection.fetchval(statement, self._generation, *given)
            await self._change(what, call, (f"journal.before_{what}", f"journal.after_{what}"))

    async def _change(self, what: str, call: Awaitable[bool], points: tuple[str, str]) -> None:
        """Run one writing statement. Raises `NotSaved` when it did not end well."""
        self._in_doubt = True
        try:
            faults.hit(points[0])
            is_mine = await call
            faults.hit(points[1])
        except _FAILED as error:
            raise NotSaved(f"{what}: {error}") from error
        self._in_doubt = False
        if not is_mine:
            raise _deposed()


def _columns(outgoing: Iterable[Outgoing]) -> tuple[list[str], list[int], list[bytes]]:
    """What goes out as columns; of several with one id the last."""
    rows = {each.id: each for each in outgoing}.values()
    return [row.id for row in rows], [row.due for row in rows], [row.body for row in rows]


def _deposed() -> NotSaved:
    return NotSaved("another server has taken this database over")


async def _prepare(connection: Connection) -> None:
    """See to the tables and settings of a database. Raises NotOpened."""
    async with connection.transaction():
        await connection.execute(f"CREATE SCHEMA IF NOT EXISTS {pg_schema.SCHEMA}")
        if await connection.fetchval("SELECT to_regclass('layout')") is None:
            await connection.execute(pg_schema.TABLES)
            await connection.execute(pg_schema.FUNCTIONS)
        await connection.execute(pg_schema.SHAPE_TABLE)
        await pg_ratings.prepare(connection)
        version = await connection.fetchval("SELECT version FROM layout")
    if version > pg_schema.LAYOUT:
        raise NotOpened("journal_newer", f"layout {version}; this program knows {pg_schema.LAYOUT}")
    for name, value in SETTINGS.items():
        real = await connection.fetchval(f"SHOW {name}")
        if real != value:
            raise NotOpened("journal_unusable", f"{name} is {real}, not {value}")


async def _stored(connection: Connection, batch: Sequence[Append]) -> pg_rows.Stored:
    """What is stored of all that a batch speaks of."""
    stored = pg_rows.Stored()
    entries = [append.entry for append in batch]
    for row in await connection.fetch(pg_rows.HEADS, list({each.stream for each in entries})):
        stored.heads[row["stream"]] = row["head"] or 0
    said = [each for each in entries if each.client_id]
    if said:
        actors, called = [each.actor for each in said], [each.client_id for each in said]
        for row in await connection.fetch(pg_rows.PLACES, actors, called):
            place = StreamId(row["stream"]), row["seq"]
            stored.places[row["actor"], row["client_id"]] = place
    keys, tokens = pg_rows.claims_of(batch)
    if keys or tokens:
        for row in await connection.fetch(pg_rows.HOLDERS, keys, tokens):
            found = pg_rows.person(row)
            if found.key:
                stored.by_key[found.key] = found
            stored.by_token.update(dict.fromkeys(found.tokens, found))
    stored.ratings = await pg_ratings.stored_seqs(connection, batch)
    return stored
