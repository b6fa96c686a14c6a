"""Nodes over a PostgreSQL database; each call is one statement, whole in itself.

They go over a connection of their own, so that a beat never waits for a commit. A statement whose
end is unknown is asked for again by whoever wants to know: what it says is true whenever it comes.
"""

# ruff: noqa: S608  # statements are joined of constants only; what is said is always a parameter

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final, TypeAlias

import asyncpg

from bluebear.server.store.nodes import (
    GAP_SECONDS,
    LEASE_SECONDS,
    Living,
    Node,
    Owner,
    Role,
    State,
)
from bluebear.server.store.pg_link import (
    FAILED,
    Connection,
    connect,
    is_certain,
    prepare,
    said,
    within,
)
from bluebear.server.store.pg_schema import ALONE, OWNER_LOCK
from bluebear.server.store.types import (
    Deposed,
    JournalError,
    NotOpened,
    NotRead,
    NotSaved,
    StreamId,
)

_STATEMENT_SECONDS: Final = 2.0
"""A beat that takes longer is none."""

_NAME_ATTEMPTS: Final = 5
"""So often a name is taken from who has it, when several want it at once."""

_Rows: TypeAlias = Sequence[asyncpg.Record]

# A node that goes takes with it where people were, and leaves to others what it was to send.
_BURIED: Final = """
unbeaten AS (DELETE FROM beat WHERE node IN (SELECT id FROM buried)),
unattended AS (DELETE FROM attending WHERE node IN (SELECT id FROM buried)),
unreserved AS (DELETE FROM reserved WHERE node IN (SELECT id FROM buried)),
unsent AS (UPDATE outbox SET sender = '' WHERE sender IN (SELECT id FROM buried))"""

_JOIN: Final = f"""
WITH buried AS (
    UPDATE node SET state = 'dead', generation = generation + 1
    WHERE name = $1 AND state <> 'dead' RETURNING id),
{_BURIED},
-- Who had the whole database writes no more.
alone AS (UPDATE node SET generation = generation + 1, life = '' WHERE id = '{ALONE}'),
forgotten AS (
    DELETE FROM node WHERE state = 'dead' AND id <> '{ALONE}'
        AND NOT EXISTS (SELECT FROM owner WHERE owner.node = node.id)),
made AS (
    INSERT INTO node (id, generation, name, role, address, version)
    SELECT $1 || '.' || nextval('node_number'), 1, $1, $2, $3, $4
    WHERE (SELECT count(*) FROM buried) >= 0 RETURNING id, generation),
beaten AS (INSERT INTO beat SELECT id, clock_timestamp(), clock_timestamp() FROM made)
SELECT id, generation FROM made"""

_LEAVE: Final = f"""
WITH buried AS (
    UPDATE node SET state = 'dead', generation = generation + 1
    WHERE id = $1 AND state <> 'dead' RETURNING id),
{_BURIED}
SELECT count(*) FROM buried"""

_BEAT: Final = f"""
WITH me AS (SELECT id, state FROM node WHERE id = $1 AND state <> 'dead'),
beaten AS (
    INSERT INTO beat SELECT id, clock_timestamp(), clock_timestamp() FROM me
    ON CONFLICT (node) DO UPDATE SET at = excluded.at, since = CASE
        WHEN excluded.at - beat.at > '{GAP_SECONDS} s' THEN excluded.at ELSE beat.since END)
SELECT state FROM me"""

_LIVING: Final = f"""
SELECT id, generation, name, role, address, version, state,
    extract(epoch FROM clock_timestamp() - at)::float8 AS beat_seconds
FROM node LEFT JOIN beat ON beat.node = node.id
WHERE state <> 'dead' AND id <> '{ALONE}' ORDER BY name"""

_DEPOSE: Final = f"""
WITH buried AS (
    UPDATE node SET state = 'dead', generation = generation + 1
    WHERE id = $2 AND generation = $3 AND state <> 'dead'
        AND NOT EXISTS (
            SELECT FROM beat WHERE beat.node = $2
                AND at > clock_timestamp() - interval '{LEASE_SECONDS} s')
        AND EXISTS (
            SELECT FROM beat JOIN node AS me ON me.id = beat.node AND me.state <> 'dead'
            WHERE me.id = $1 AND at > clock_timestamp() - interval '{GAP_SECONDS} s'
                AND since <= clock_timestamp() - interval '{LEASE_SECONDS} s')
    RETURNING id),
{_BURIED}
SELECT EXISTS (SELECT FROM buried)"""

_DRAIN: Final = (
    "UPDATE node SET state = 'draining' WHERE name = $1 AND name <> '' AND state <> 'dead'"
    " RETURNING id"
)

_OWNER: Final = """
SELECT node.id, node.address, owner.epoch FROM owner JOIN node ON node.id = owner.node
WHERE owner.room = $1 AND node.state <> 'dead'"""

# Who is dead stays dead, so that a node is known to be is true of it however old the look is.
_IS_FREE: Final = "owner.node IN (SELECT '' UNION ALL SELECT id FROM node WHERE state = 'dead')"
_MINE: Final = "me AS (SELECT id FROM node WHERE id = $1 AND state = 'alive' FOR SHARE)"

# What a room carries is of him who let go of it, not of the dead: it is long past by then.
_TAKE: Final = f"""
ON CONFLICT (room) DO UPDATE SET node = excluded.node, epoch = owner.epoch + 1,
    carried = CASE owner.node WHEN '' THEN owner.carried ELSE '' END WHERE {_IS_FREE}"""

_CLAIM: Final = f"""
WITH {_MINE}
INSERT INTO owner SELECT $2, id, 1 FROM me{_TAKE}
RETURNING epoch"""

_OWN_EPOCH: Final = (
    "UPDATE owner SET epoch = epoch + 1 WHERE room = $1 AND node = $2 RETURNING epoch"
)

_CLAIM_DUE: Final = f"""
WITH {_MINE},
due AS (
    SELECT stream FROM room LEFT JOIN owner ON owner.room = room.stream
    WHERE deadline <= $2 AND (owner.node IS NULL OR {_IS_FREE})
    ORDER BY deadline, stream LIMIT $3 FOR UPDATE OF room SKIP LOCKED)
INSERT INTO owner SELECT stream, id, 1 FROM due, me{_TAKE}
RETURNING room, epoch"""

_CARRIED: Final = """
WITH found AS (
    SELECT room, carried FROM owner WHERE room = $1 AND node = $2 AND carried <> '' FOR UPDATE),
taken AS (UPDATE owner SET carried = '' FROM found WHERE owner.room = found.room)
SELECT carried FROM found"""

_GIVE: Final = """
WITH me AS (SELECT FROM node WHERE id = $1 AND state <> 'dead' FOR SHARE),
other AS (SELECT FROM node WHERE id = $2 AND state = 'alive' FOR SHARE)
UPDATE owner SET node = $2, epoch = epoch + 1, carried = $5 FROM me, other
WHERE room = $3 AND node = $1 AND epoch = $4 RETURNING epoch"""

_RELEASE: Final = """
WITH me AS (SELECT FROM node WHERE id = $1 AND state <> 'dead' FOR SHARE)
UPDATE owner SET node = '', carried = $4 FROM me
WHERE room = $2 AND node = $1 AND epoch = $3 RETURNING room"""

_RESERVE: Final = f"""
WITH {_MINE}
INSERT INTO reserved SELECT $2, id FROM me
ON CONFLICT (key) DO UPDATE SET node = excluded.node
WHERE reserved.node = excluded.node
    OR reserved.node NOT IN (SELECT id FROM node WHERE state <> 'dead') RETURNING key"""

_UNRESERVE: Final = "DELETE FROM reserved WHERE key = $2 AND node = $1"

_ATTEND: Final = """
WITH me AS (SELECT id FROM node WHERE id = $1 AND state <> 'dead' FOR SHARE),
gone AS (
    DELETE FROM attending USING me
    WHERE node = me.id AND person = ANY ($3::text[]) AND NOT person = ANY ($2::text[])),
come AS (
    INSERT INTO attending SELECT DISTINCT each, id FROM me, unnest($2::text[]) AS each
    ON CONFLICT DO NOTHING)
SELECT EXISTS (SELECT FROM me)"""

_WHERE: Final = """
SELECT person, array_agg(node ORDER BY node) AS nodes FROM attending
WHERE person = ANY ($1::text[]) GROUP BY person"""

_CROWD: Final = """
WITH here AS (SELECT DISTINCT person AS id FROM attending)
SELECT id, name, (SELECT count(*) FROM here) AS total
FROM here JOIN person USING (id) ORDER BY id LIMIT $1"""


class PostgresNodes:
    """A `Nodes` in the database at `url`; it makes the tables when they are missing."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: Connection | None = None
        self._node: Node | None = None
        self._turn = asyncio.Lock()

    async def join(self, name: str, *, role: Role, address: str, version: str) -> Node:
        """See `Nodes.join`."""
        async with self._turn:
            try:
                connection = await self._connected()
                await prepare(connection)
                made = await _joined(connection, name, role, address, version)
            except FAILED as error:
                self._let_go()
                raise NotOpened("journal_unusable", said(error)) from error
            except NotOpened:
                self._let_go()
                raise
        self._node = made
        return made

    async def leave(self) -> None:
        """See `Nodes.leave`."""
        await self._change(_LEAVE, self._id)

    async def beat(self) -> State:
        """See `Nodes.beat`."""
        found = await self._change(_BEAT, self._id)
        if not found:
            raise self._deposed()
        state: State = found[0]["state"]
        return state

    async def living(self) -> list[Living]:
        """See `Nodes.living`."""
        return [Living(**row) for row in await self._look(_LIVING)]

    async def depose(self, node: str, generation: int) -> bool:
        """See `Nodes.depose`."""
        [row] = await self._change(_DEPOSE, self._id, node, generation)
        if not row[0]:
            await self._check()
        return bool(row[0])

    async def drain(self, name: str) -> bool:
        """See `Nodes.drain`."""
        return bool(await self._change(_DRAIN, name))

    async def owner(self, room: StreamId) -> Owner | None:
        """See `Nodes.owner`."""
        found = await self._look(_OWNER, room)
        return Owner(*found[0].values()) if found else None

    async def claim(self, room: StreamId) -> int | None:
        """See `Nodes.claim`."""
        found = await self._change(_CLAIM, self._id, room)
        if not found:
            await self._check()
            found = await self._change(_OWN_EPOCH, room, self._id)
        return found[0]["epoch"] if found else None

    async def claim_due(self, now: int, limit: int) -> Mapping[StreamId, int]:
        """See `Nodes.claim_due`."""
        found = await self._change(_CLAIM_DUE, self._id, now, limit)
        if not found:
            await self._check()
        return {StreamId(row["room"]): row["epoch"] for row in found}

    async def give(self, room: StreamId, to: str, epoch: int, carried: bytes = b"") -> int | None:
        """See `Nodes.give`."""
        found = await self._change(_GIVE, self._id, to, room, epoch, carried)
        if not found:
            await self._check()
        return found[0]["epoch"] if found else None

    async def release(self, room: StreamId, epoch: int, carried: bytes = b"") -> bool:
        """See `Nodes.release`."""
        found = await self._change(_RELEASE, self._id, room, epoch, carried)
        if not found:
            await self._check()
        return bool(found)

    async def carried(self, room: StreamId) -> bytes:
        """See `Nodes.carried`."""
        found = await self._change(_CARRIED, room, self._id)
        return bytes(found[0]["carried"]) if found else b""

    async def reserve(self, key: str) -> bool:
        """See `Nodes.reserve`."""
        found = await self._change(_RESERVE, self._id, key)
        if not found:
            await self._check()
        return bool(found)

    async def unreserve(self, key: str) -> None:
        """See `Nodes.unreserve`."""
        await self._change(_UNRESERVE, self._id, key)

    async def owned(self, node: str) -> Mapping[StreamId, int]:
        """See `Nodes.owned`."""
        statement = "SELECT room, epoch FROM owner WHERE node = $1 AND node <> ''"
        found = await self._look(statement, node)
        return {StreamId(row["room"]): row["epoch"] for row in found}

    async def attend(self, come: Sequence[str], gone: Sequence[str]) -> None:
        """See `Nodes.attend`."""
        [row] = await self._change(_ATTEND, self._id, list(come), list(gone))
        if not row[0]:
            raise self._deposed()

    async def where(self, people: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """See `Nodes.where`."""
        found = await self._look(_WHERE, list(people))
        return {row["person"]: tuple(row["nodes"]) for row in found}

    async def crowd(self, limit: int) -> tuple[list[tuple[str, str]], int]:
        """See `Nodes.crowd`."""
        found = await self._look(_CROWD, limit)
        people = [(row["id"], row["name"]) for row in found]
        return people, found[0]["total"] if found else 0

    async def close(self) -> None:
        """See `Nodes.close`."""
        async with self._turn:
            if self._connection is not None:
                with suppress(*FAILED):
                    await within(_STATEMENT_SECONDS, self._connection, self._connection.close())
                self._connection = None

    @property
    def _id(self) -> str:
        if self._node is None:
            raise RuntimeError("the node has not joined")
        return self._node.id

    async def _check(self) -> None:
        """Raises Deposed when this node is dead."""
        if not await self._change("SELECT FROM node WHERE id = $1 AND state <> 'dead'", self._id):
            raise self._deposed()

    def _deposed(self) -> Deposed:
        return Deposed(f"{self._id} is dead")

    async def _look(self, statement: str, *given: object) -> _Rows:
        try:
            return await self._fetch(statement, *given)
        except (*FAILED, JournalError) as error:
            raise NotRead(said(error)) from error

    async def _change(self, statement: str, *given: object) -> _Rows:
        try:
            return await self._fetch(statement, *given)
        except (*FAILED, JournalError) as error:
            raise NotSaved(said(error), certain=False) from error

    async def _fetch(self, statement: str, *given: object) -> _Rows:
        async with self._turn:
            connection = await self._connected()
            try:
                call = connection.fetch(statement, *given)
                return await within(_STATEMENT_SECONDS, connection, call)
            except FAILED as error:
                if not is_certain(error):
                    self._let_go()
                raise

    async def _connected(self) -> Connection:
        if self._connection is not None and not self._connection.is_closed():
            return self._connection
        self._connection = connection = await connect(self._url)
        # As long as one node is connected, no server may have the database to itself.
        if not await connection.fetchval("SELECT pg_try_advisory_lock_shared($1)", OWNER_LOCK):
            self._let_go()
            raise NotOpened("journal_in_use", "a server has this database to itself")
        return connection

    def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None


async def _joined(connection: Connection, *given: str) -> Node:
    for _ in range(_NAME_ATTEMPTS - 1):
        with suppress(asyncpg.UniqueViolationError):
            return Node(*(await connection.fetch(_JOIN, *given))[0].values())
    return Node(*(await connection.fetch(_JOIN, *given))[0].values())
