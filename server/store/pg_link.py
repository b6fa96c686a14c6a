"""Connections to PostgreSQL, and a database made ready for this program.

Nothing is ever cancelled: a commit that waits for a standby would be seen here and be missing
there. What takes too long loses its connection instead, and what became of it is found out on
another one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping
from typing import Any, Final, TypeAlias, TypeVar

import asyncpg

from bluebear.server.store.pg_schema import LAYOUT, OLDEST, SCHEMA, STEPS, TABLES
from bluebear.server.store.types import JournalError, NotOpened

FAILED: Final = (
    OSError,
    TimeoutError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)
"""What a call of the driver raises when it did not end well."""

SETTINGS: Final[Mapping[str, str]] = {"synchronous_commit": "on", "fsync": "on"}
"""What makes `Written` true; looked at when the database is opened."""

_CONNECT_SECONDS: Final = 10.0
_STEPS_LOCK: Final = 0x626C7566
"""The advisory lock of whoever makes the tables: nodes may come at the same time."""

_T = TypeVar("_T")
Connection: TypeAlias = "asyncpg.Connection[Any]"  # Any: the record class, the library's own


async def connect(url: str) -> Connection:
    """A connection of one's own. Raises NotOpened."""
    settings = {
        "search_path": SCHEMA,
        "synchronous_commit": "on",
        # A statement of many small parts is never worth compiling, and compiling takes 100 ms.
        "jit": "off",
    }
    try:
        made: Connection = await asyncpg.connect(
            url, timeout=_CONNECT_SECONDS, server_settings=settings
        )
    except (*FAILED, ValueError) as error:
        raise NotOpened("journal_unusable", said(error)) from error
    return made


async def within(seconds: float, connection: Connection, call: Awaitable[_T]) -> _T:
    """What the call gives; a connection that has not answered by then is closed, which raises."""
    timer = asyncio.get_running_loop().call_later(seconds, connection.terminate)
    try:
        return await call
    finally:
        timer.cancel()


async def prepare(connection: Connection) -> None:
    """See to a database's tables and settings. Raises NotOpened, and what the driver raises."""
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", _STEPS_LOCK)
        await connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        if await connection.fetchval("SELECT to_regclass('layout')") is None:
            await connection.execute(TABLES)
        version = await connection.fetchval("SELECT version FROM layout")
        if version > LAYOUT:
            raise NotOpened("journal_newer", f"layout {version}; this program knows {LAYOUT}")
        if version < OLDEST:
            raise NotOpened("journal_older", f"layout {version}, from before {OLDEST}")
        done = await connection.fetchval("SELECT steps FROM layout")
        for number, step in enumerate(STEPS[done:], done + 1):
            await connection.execute(step)
            await connection.execute("UPDATE layout SET steps = $1", number)
    for name, value in SETTINGS.items():
        real = await connection.fetchval(f"SHOW {name}")
        if real != value:
            raise NotOpened("journal_unusable", f"{name} is {real}, not {value}")


def said(error: Exception) -> str:
    """What an error says, for logs; some say nothing."""
    return str(error) or type(error).__name__


def is_certain(error: Exception) -> bool:
    """Whether the database itself has refused the statement: then it has stored nothing."""
    if isinstance(error, JournalError):
        return False
    # What ends the connection may have ended it behind the commit.
    ends = asyncpg.PostgresConnectionError, asyncpg.OperatorInterventionError
    return isinstance(error, asyncpg.PostgresError) and not isinstance(error, ends)
