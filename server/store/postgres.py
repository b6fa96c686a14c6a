"""The store in a PostgreSQL database: for one server process, or for one of its nodes.

One connection; jobs run in a greenlet on the loop. A writer has a row with a generation; every
transaction that writes locks it, so a writer that was deposed stores nothing any more. No statement
is ever cancelled: a commit that waits for a standby would be visible here and missing there. A
database that does not answer loses its connection instead, and what became of a group is read on
the next one, behind a new generation, which waits for whatever is in flight.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeVar
from uuid import uuid4

import asyncpg
from sqlalchemy import Connection, NullPool, create_engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.util import await_only, greenlet_spawn

from bluebear.server.runtime import fail_point
from bluebear.server.store import streams, upgrade
from bluebear.server.store.judge import AppendState, Packed, columns_of, plain
from bluebear.server.store.leases import Node, Nodes
from bluebear.server.store.schema import ALONE, call
from bluebear.server.store.store import Database, Job, Store, ended
from bluebear.server.store.types import (
    Append,
    Deposed,
    JournalError,
    NotOpened,
    StreamId,
)

_T = TypeVar("_T")

SETTINGS: Final[Mapping[str, str]] = {"synchronous_commit": "on", "fsync": "on"}
"""What makes `Written` true; looked at when the database is opened."""

_SCHEMA: Final = "bluebear"
_OWNER_LOCK: Final = 0x626C7565
"""The advisory lock of a server that has the database alone, shared by nodes: a courtesy, the
generation is the proof.
"""
_TABLES_LOCK: Final = 0x626C7566
"""The advisory lock under which tables are created: nodes may come at the same time."""

STATEMENT_SECONDS: Final = 10.0
"""A job of a store that takes longer has lost its database, and one that is away is waited for."""
BEAT_SECONDS: Final = 2.0
"""A heartbeat that takes longer is none; connecting for one has half of it, to try it twice."""
_LOCK_SECONDS: Final = 2.0
"""A database that was just closed is locked for a moment still."""
_LOCK_PAUSE: Final = 0.1
_IDLE_MS: Final = 1000
"""A process that stands still within a transaction holds up its successor for so long at most."""

_SERVER_SETTINGS: Final = {
    "search_path": _SCHEMA,
    "synchronous_commit": "on",
    "idle_in_transaction_session_timeout": str(_IDLE_MS),
    # A statement of many small parts is never worth compiling, and compiling takes 100 ms.
    "jit": "off",
}

_FENCE: Final = "SELECT 1 FROM node WHERE id = $1 AND generation = $2 FOR SHARE"
# Not by the generation: an earlier one may have come through without an answer.
_BARRIER: Final = (
    "UPDATE node SET generation = generation + 1"
    " WHERE id = $1 AND life IS NOT DISTINCT FROM $2 AND state <> 'dead' RETURNING generation"
)
_TAKE_OVER: Final = (
    "WITH peers AS (UPDATE node SET state = 'dead', generation = generation + 1"
    " WHERE id <> $1 AND state <> 'dead')"
    " UPDATE node SET generation = generation + 1, life = $2 WHERE id = $1 RETURNING generation"
)
_COLUMNS: Final = "unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bytea[])"
_INSERT: Final = f"INSERT INTO entry SELECT * FROM {_COLUMNS}"  # noqa: S608  # of constants only
# The predecessor is looked up one by one: it is never worth a hash of the whole table.
_APPEND: Final = f"""
WITH fence AS (SELECT 1 FROM node WHERE id = $6 AND generation = $7 FOR SHARE)
INSERT INTO entry
SELECT given.* FROM fence, {_COLUMNS} AS given(stream, seq, actor, client_id, body)
WHERE given.seq = 1 OR (
    SELECT true FROM entry AS last
    WHERE last.stream = given.stream AND last.seq = given.seq - 1)
ON CONFLICT DO NOTHING RETURNING stream"""  # noqa: S608  # of constants only
_HEADS: Final = (
    "SELECT each, (SELECT max(seq) FROM entry WHERE stream = each) FROM unnest($1::text[]) AS each"
)
_BY_CLIENT_ID: Final = (
    "SELECT actor, client_id, stream, seq FROM entry"
    " JOIN unnest($1::text[], $2::text[]) AS given(who, called)"
    " ON actor = who AND client_id = called"
)
DRIVER_FAILED: Final = (
    *(asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError),
    *(OSError, TimeoutError),
)
"""What a call of the driver raises when it did not end well."""
_REFUSED: Final = (
    *(asyncpg.InvalidAuthorizationSpecificationError, asyncpg.InvalidCatalogNameError),
    asyncpg.InterfaceError,
)
"""What connecting raises where the user, password, database or an option is wrong."""

_CONFLICTS: Final = frozenset({"23505", "40P01"})
"""The codes of a unique violation and of a deadlock."""


class PostgresStore(Store):
    """A `Store` in the database at `url`.

    Without a `node` it is that of a server which has the database alone, and creates the tables
    when they are missing; with one, that of a process which has joined others. `open` raises
    `NotOpened`; without it the first call opens.
    """

    def __init__(self, url: str, node: Node | None = None) -> None:
        database = Postgres(url, node)
        self.settings, self.patience = SETTINGS, STATEMENT_SECONDS
        self.writer = ALONE if node is None else node.id
        super().__init__(database, database.run, is_open=False)


def postgres_nodes(url: str) -> Nodes:
    """The nodes of the database at `url`; it creates the tables when they are missing."""
    database = Postgres(url, None, is_shared=True)
    nodes = Nodes(database, database.run, is_open=False)
    nodes.patience = STATEMENT_SECONDS
    return nodes


class Postgres(Database):
    """See `Database`. `is_shared`: it writes without a generation, as leases do."""

    failed: tuple[type[Exception], ...] = (SQLAlchemyError, *DRIVER_FAILED)
    connection: Connection

    def __init__(self, url: str, node: Node | None, *, is_shared: bool = False) -> None:
        self._id = ALONE if node is None else node.id
        self._generation = None if node is None else node.generation
        self._life = uuid4().hex if node is None else None
        self._is_alone = node is None and not is_shared
        self._is_shared = is_shared
        self.seconds = BEAT_SECONDS if is_shared else STATEMENT_SECONDS
        connecting = BEAT_SECONDS / 2 if is_shared else STATEMENT_SECONDS
        self._engine = create_engine(
            "postgresql+asyncpg://",
            connect_args={"async_creator_fn": partial(connect, url, connecting)},
            poolclass=NullPool,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            pool_reset_on_return=None,
        )
        self._is_connected = False
        self._was_open = False
        self._timer: asyncio.TimerHandle | None = None

    # How long it may take.

    async def run(self, job: Job[_T]) -> _T:
        """See `Runner`: where the database makes the job wait, the loop goes on."""
        self._start_timer()
        try:
            return await ended(asyncio.ensure_future(greenlet_spawn(job)))
        finally:
            self._stop_timer()

    def _start_timer(self) -> None:
        """From now on the database has so many seconds to answer."""
        self._stop_timer()
        self._timer = asyncio.get_running_loop().call_later(self.seconds, self._terminate)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _terminate(self) -> None:
        if not self.is_lost():
            self._driver.terminate()

    # Statements.

    @property
    def _driver(self) -> Any:  # Any: an asyncpg.Connection, whose calls are awaited in the greenlet
        return self.connection.connection.driver_connection

    def _run(self, statement: str) -> None:
        call(self._driver, "execute", statement)

    def _fetch(self, statement: str, *given: object) -> Sequence[Any]:  # Any: the driver's rows
        return list(call(self._driver, "fetch", statement, *given))

    def is_conflict(self, error: Exception) -> bool:
        error = getattr(error, "orig", None) or error
        return getattr(error, "sqlstate", None) in _CONFLICTS

    def is_lost(self) -> bool:
        if not self._is_connected or self.connection.invalidated:
            return True
        return bool(self._driver.is_closed())

    def begin(self) -> None:
        self._run("BEGIN")
        if self._is_shared or self._fetch(_FENCE, self._id, self._generation):
            return
        # A generation that was requested and given up has come through late, or this is over.
        self.recover()
        self._run("BEGIN")
        if not self._fetch(_FENCE, self._id, self._generation):
            raise _deposed()

    def commit(self) -> None:
        self._run("COMMIT")

    def rollback(self) -> None:
        self._run("ROLLBACK")

    def append(self, batch: Sequence[Append]) -> Sequence[int] | None:
        group = plain(batch)
        if not group:
            return None
        fail_point("store.before_insert")
        fail_point("store.before_commit")
        rows = self._fetch(_APPEND, *_columns(group), self._id, self._generation)
        fail_point("store.after_commit")
        stored = {row[0] for row in rows}
        return [number for number, each in enumerate(batch) if each.entry.stream in stored]

    def insert(self, group: Sequence[Packed]) -> None:
        self._fetch(_INSERT, *_columns(group))

    def look_up(self, batch: Sequence[Append]) -> AppendState:
        state = AppendState()
        batch_entries = [append.entry for append in batch]
        stream_ids = list({entry.stream for entry in batch_entries})
        state.heads = {stream: head or 0 for stream, head in self._fetch(_HEADS, stream_ids)}
        named = [entry for entry in batch_entries if entry.client_id]
        if named:
            given = [entry.actor for entry in named], [entry.client_id for entry in named]
            for actor, client_id, stream, seq in self._fetch(_BY_CLIENT_ID, *given):
                state.by_client_id[actor, client_id] = (StreamId(stream), seq)
        streams.add_rows(self.connection, batch, state)
        return state

    # Opening.

    def recover(self) -> None:
        """See `Database.recover`: a new connection, behind a new generation."""
        self._start_timer()
        self._let_go()
        try:
            self._open()
        except self.failed as error:
            self._let_go()
            raise NotOpened("journal_unusable", str(getattr(error, "orig", error))) from error
        except JournalError:
            self._let_go()
            raise

    def _open(self) -> None:
        self.connection = self._engine.connect()
        self._is_connected = True
        self._start_timer()
        if self._is_shared or self._is_alone:
            self._lock()
        if self._is_shared or self._generation is None:
            self._prepare()
        if self._is_shared:
            return
        if self._generation is None:
            self._generation = self._fetch(_TAKE_OVER, self._id, self._life)[0][0]
            return
        if not self._was_open and not self._is_alone:
            self._was_open = True
            return
        # It waits for what the connection before has sent, and ends its generation.
        if not (rows := self._fetch(_BARRIER, self._id, self._life)):
            raise _deposed()
        self._generation = rows[0][0]

    def _lock(self) -> None:
        """No node while a server has the database alone, and the other way round."""
        kind = "_shared" if self._is_shared else ""
        statement = f"SELECT pg_try_advisory_lock{kind}($1)"
        for _ in range(int(_LOCK_SECONDS / _LOCK_PAUSE)):
            if self._fetch(statement, _OWNER_LOCK)[0][0]:
                return
            await_only(asyncio.sleep(_LOCK_PAUSE))
            self._start_timer()
        raise NotOpened("journal_in_use", "another server has this database open")

    def _prepare(self) -> None:
        """Create the tables if they are missing; look at version and settings. Raises NotOpened."""
        self._run("BEGIN")
        self._fetch("SELECT pg_advisory_xact_lock($1)", _TABLES_LOCK)
        self._run(f"CREATE SCHEMA IF NOT EXISTS {_SCHEMA}")
        there = "SELECT to_regclass('alembic_version') IS NOT NULL, to_regclass('layout') IS NULL"
        is_there, is_new = self._fetch(there)[0]
        if not is_there and not is_new:
            raise NotOpened("journal_older", "tables from before 0.1.0")
        if not is_there:
            for statement in upgrade.creation(self._engine.dialect):
                self._run(statement)
        elif upgrade.readable(self._fetch(upgrade.READ), "the database") != upgrade.VERSION:
            upgrade.upgrade(self.connection)
        self._run("COMMIT")
        for name, value in SETTINGS.items():
            real = self._fetch(f"SHOW {name}")[0][0]
            if real != value:
                raise NotOpened("journal_unusable", f"{name} is {real}, not {value}")

    def _let_go(self) -> None:
        if self._is_connected:
            self._is_connected = False
            with suppress(*self.failed):
                self.connection.invalidate()
            self.connection.close()

    def close(self) -> None:
        if self._is_connected:
            self._is_connected = False
            with suppress(*self.failed):
                self.connection.close()
        self._engine.dispose()


async def connect(
    url: str, seconds: float = STATEMENT_SECONDS, **_: object
) -> asyncpg.Connection[asyncpg.Record]:
    """A connection to the database at `url`. Raises NotOpened and what `DRIVER_FAILED` lists."""
    try:
        return await asyncpg.connect(url, timeout=seconds, server_settings=_SERVER_SETTINGS)
    except _REFUSED as error:
        raise NotOpened("store_refused", str(error)) from error
    except ValueError as wrong:
        # The driver's text may have a part of a password.
        why = "what follows ? in the address is not understood"
        raise NotOpened("store_refused", why) from wrong


def _columns(group: Sequence[Packed]) -> list[tuple[object, ...]]:
    """The entries as one list for each column, in the order of their client ids.

    In one order everywhere, or two groups with the same client ids would wait crosswise.
    """
    ordered = sorted(group, key=lambda each: each[0].entry.client_id)
    return list(zip(*columns_of(ordered), strict=True))


def _deposed() -> Deposed:
    return Deposed("another server has taken this database over")
