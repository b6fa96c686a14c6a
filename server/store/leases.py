"""Leases: which nodes share a store, which of them live, and which room is whose.

A node proves that it lives by heartbeats, timed by the store's own clock. A node without one for
`LEASE_SECONDS` may be deposed by another, and from then on stores nothing: every transaction that
writes checks the generation of its node, so a lease only tells when to look.

A room has at most one owner, and its `epoch` grows each time that it gets one. All are functions
over a connection in a transaction of their own; rows are locked in the order node, owner.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Concatenate, Final, Literal, ParamSpec, TypeAlias, TypeVar

from sqlalchemy import Connection

from bluebear.server.runtime import count
from bluebear.server.store.schema import (
    ALONE,
    ATTENDING,
    Statement,
    columns,
    insert,
)
from bluebear.server.store.store import Store
from bluebear.server.store.types import Deposed, JournalError, NotOpened, StreamId

BEAT_SECONDS: Final = 0.5
"""Between two heartbeats of a node."""

GAP_SECONDS: Final = 1.0
"""Between two heartbeats, at most, for them to be without a gap: one may be late by its turn."""

LEASE_SECONDS: Final = 2.0
"""A node without a heartbeat for so long may be deposed, by one that has had them all that time."""

START_LEASE_SECONDS: Final = 6.0
"""The lease until a node has had no gap for `START_SECONDS`: a slow start is no death."""
START_SECONDS: Final = 5.0

State: TypeAlias = Literal["alive", "draining", "dead"]
"""A draining node gives its rooms away and gets no others; a dead one stores nothing any more."""


_P = ParamSpec("_P")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Node:
    """A node that has joined: `id` is never used again, `generation` is what it writes with."""

    id: str
    generation: int


@dataclass(frozen=True, slots=True)
class Living:
    """A node that is not dead, as the others see it.

    `name` is what it was started under, by which its rooms return to it; `version` is that of its
    program. `beat_seconds` is how long ago its last heartbeat was, None: none is registered.
    """

    id: str
    generation: int
    name: str
    address: str
    version: str
    state: State
    beat_seconds: float | None
    stats: str | None = None
    """What it has last reported of itself."""


@dataclass(frozen=True, slots=True)
class Attendant:
    """A person at a node: since when (ms), why they do not answer (None: they do), and the ids of
    the rooms that they are in, the latest first.
    """

    person: str
    since: int
    away: str | None
    rooms: Sequence[str]


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner of a room: a node that is not dead, its address, and since which epoch."""

    node: str
    address: str
    epoch: int


# Every node asks most of these at each heartbeat, for each room, person and line.
_NOW: Final = Statement(
    "SELECT store_now()", postgres="SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
)
_STATE_NOW, _STATE, _STATE_ALONE = (
    Statement("SELECT state, generation FROM node WHERE id = ?1 AND state <> 'dead'", lock=lock)
    for lock in ("", " FOR SHARE", " FOR UPDATE")
)
_BEAT: Final = Statement("""
INSERT INTO beat (node, at, since) VALUES (?1, ?2, ?2) ON CONFLICT (node) DO UPDATE SET
at = excluded.at, since = CASE WHEN excluded.at - beat.at > ?3 THEN excluded.at ELSE beat.since END
""")
_LIVING: Final = Statement("""
SELECT node.id, generation, name, address, version, state,
CAST(?2 - beat.at AS double precision) / 1000, stats
FROM node LEFT JOIN beat ON beat.node = node.id WHERE state <> 'dead' AND node.id <> ?1
ORDER BY name""")
_GENERATION: Final = Statement("SELECT generation FROM node WHERE id = ?1", lock=" FOR UPDATE")
_NAMESAKE: Final = Statement(
    "SELECT id FROM node WHERE name = ?1 AND state <> 'dead'", lock=" FOR UPDATE"
)
_HAS_BEAT: Final = Statement("SELECT 1 FROM beat WHERE node = ?1 AND at > ?2")
_FENCE_OFF: Final = Statement("UPDATE node SET generation = ?2, life = NULL WHERE id = ?1")
_FORGET_DEAD: Final = Statement("""
DELETE FROM node WHERE state = 'dead' AND id <> ?1
AND id NOT IN (SELECT node FROM owner WHERE node IS NOT NULL)""")
_JOIN: Final = Statement("""
INSERT INTO node (id, generation, name, address, version, state)
VALUES (?1, ?2, ?3, ?4, ?5, 'alive')""")
_UNCLAIM: Final = Statement("UPDATE outbox SET sender = NULL WHERE sender = ?1")
_BURY: Final = (
    Statement("UPDATE node SET state = 'dead', generation = generation + 1 WHERE id = ?1"),
    Statement("DELETE FROM beat WHERE node = ?1"),
    Statement("DELETE FROM attending WHERE node = ?1"),
    _UNCLAIM,
)
_REPORT: Final = Statement("UPDATE node SET stats = ?2 WHERE id = ?1 AND state <> 'dead'")
_BEATS: Final = Statement("SELECT node, at, since FROM beat WHERE node IN (?1, ?2)")
_DRAIN: Final = Statement("""
UPDATE node SET state = 'draining' WHERE name = ?1 AND name <> '' AND state <> 'dead'
RETURNING id""")

_OWNER: Final = Statement("""
SELECT node.id, node.address, owner.epoch FROM node JOIN owner ON owner.node = node.id
WHERE owner.room = ?1 AND state <> 'dead'""")
_OWNED: Final = Statement("SELECT room, epoch FROM owner WHERE node = ?1")
_OWNER_ROW: Final = Statement(
    "SELECT node, epoch, carried FROM owner WHERE room = ?1", lock=" FOR UPDATE"
)
_FIRST_OWNER: Final = Statement("INSERT INTO owner (room, node, epoch) VALUES (?1, ?2, 1)")
_TAKE: Final = Statement("UPDATE owner SET node = ?2, epoch = ?3, carried = ?4 WHERE room = ?1")
_DUE: Final = Statement(
    """
SELECT room.stream FROM room LEFT JOIN owner ON owner.room = room.stream
WHERE room.deadline IS NOT NULL AND room.deadline <= ?1
AND (owner.node IS NULL OR owner.node NOT IN (SELECT id FROM node WHERE state <> 'dead'))
ORDER BY room.deadline, room.stream LIMIT ?2""",
    lock=" FOR UPDATE OF room SKIP LOCKED",
)
_CHANGE_OWNED: Final = Statement("""
UPDATE owner SET node = ?4, epoch = ?5, carried = ?6 WHERE room = ?1 AND node = ?2 AND epoch = ?3
RETURNING room""")
_HANDOVER: Final = Statement(
    "SELECT carried FROM owner WHERE room = ?1 AND node = ?2", lock=" FOR UPDATE"
)
_TAKE_HANDOVER: Final = Statement("UPDATE owner SET carried = NULL WHERE room = ?1 AND node = ?2")
_UNRESERVE: Final = Statement("DELETE FROM owner WHERE room = ?1 AND node = ?2")

_FORGET_ATTENDING: Final = Statement(
    "DELETE FROM attending WHERE node = ?1 AND person IN (SELECT value FROM json_each(?2))"
)
_ATTENDANTS: Final = Statement("""
SELECT node, name, person, since, away, CAST(rooms AS text)
FROM attending JOIN person AS who ON who.id = attending.person
WHERE person IN (SELECT value FROM json_each(?2)) AND node <> ?1 ORDER BY node, person""")
_ONLINE: Final = Statement(
    "SELECT id, name FROM person WHERE id IN (SELECT person FROM attending) ORDER BY id LIMIT ?1"
)
_ONLINE_COUNT: Final = Statement("SELECT count(DISTINCT person) FROM attending")


def join(connection: Connection, name: str, address: str, version: str) -> Node | None:
    """Become a node, alive and with a heartbeat; None if a node of this name lives.

    One without a heartbeat for `LEASE_SECONDS` is dead from now on.
    """
    [(number,)] = _GENERATION.fetch(connection, ALONE)
    namesakes = _NAMESAKE.fetch(connection, name)
    now = _now(connection)
    for (namesake,) in namesakes:
        if _HAS_BEAT.fetch(connection, namesake, now - int(LEASE_SECONDS * 1000)):
            return None
        _bury(connection, namesake)
        count("nodes.buried")
    # A server that had the whole store writes no more, and leaves what it was to send.
    _FENCE_OFF.fetch(connection, ALONE, number + 1)
    _UNCLAIM.fetch(connection, ALONE)
    _FORGET_DEAD.fetch(connection, ALONE)
    made = Node(f"{name}.{number + 1}", 1)
    _JOIN.fetch(connection, made.id, made.generation, name, address, version)
    _BEAT.fetch(connection, made.id, now, 0)
    return made


def leave(connection: Connection, me: str) -> None:
    """Be dead from now on: the rooms that this node still owns are free."""
    if _STATE_ALONE.fetch(connection, me):
        _bury(connection, me)


def _bury(connection: Connection, node: str) -> None:
    """A node that dies leaves to others what it was to send."""
    for statement in _BURY:
        statement.fetch(connection, node)


def beat(connection: Connection, me: str) -> State:
    """Register a heartbeat; the node's state, by which it learns that it is to drain."""
    state = _require(connection, me)
    _BEAT.fetch(connection, me, _now(connection), int(GAP_SECONDS * 1000))
    return state


def report(connection: Connection, me: str, stats: str) -> None:
    """Store what this node reports of itself."""
    _REPORT.fetch(connection, me, stats)


def living(connection: Connection) -> list[Living]:
    """All nodes that are not dead, by name."""
    return [Living(*row) for row in _LIVING.fetch(connection, ALONE, _now(connection))]


def depose(connection: Connection, me: str, node: str, generation: int) -> bool:
    """Declare a node dead that had no heartbeat for `LEASE_SECONDS`; returns whether it was done.

    Refused if its generation has changed, or if the caller had no heartbeat itself: then the store
    was away, not the node.
    """
    is_there = any(then == generation for _, then in _STATE_ALONE.fetch(connection, node))
    _require(connection, me)
    now = _now(connection)
    beats = {of: times for of, *times in _BEATS.fetch(connection, me, node)}
    if not is_there or me not in beats:
        return False
    at, since = beats[me]
    if now - at > GAP_SECONDS * 1000 or now - since < LEASE_SECONDS * 1000:
        return False
    if node in beats:
        at, since = beats[node]
        is_new = at - since < START_SECONDS * 1000
        if now - at <= (START_LEASE_SECONDS if is_new else LEASE_SECONDS) * 1000:
            return False
    _bury(connection, node)
    return True


def drain(connection: Connection, name: str) -> bool:
    """Ask the node of this name to give its rooms away and end; False: no such node lives."""
    return bool(_DRAIN.fetch(connection, name))


# Rooms.


def owner(connection: Connection, room: StreamId) -> Owner | None:
    """A room's owner; None: it has none, or a dead one."""
    rows = _OWNER.fetch(connection, room)
    return Owner(*rows[0]) if rows else None


def owned(connection: Connection, node: str) -> dict[StreamId, int]:
    """The rooms of a node and their epochs; of a dead one those that were not claimed since."""
    return {StreamId(room): epoch for room, epoch in _OWNED.fetch(connection, node)}


def claim(connection: Connection, me: str, room: StreamId) -> int | None:
    """Take a room that is free or a dead node's; its epoch, None: another node owns it.

    Its owner gets the next epoch: what was sent under the one before, with unknown result, is
    refused from now on. A draining node gets none that it does not own.
    """
    state = _require(connection, me)
    rows = _OWNER_ROW.fetch(connection, room)
    if not rows:
        if state != "alive":
            return None
        _FIRST_OWNER.fetch(connection, room, me)
        return 1
    [(node, epoch, state_then)] = rows
    if node != me and (state != "alive" or not is_free(connection, node)):
        return None
    # What a dead node was handed is of no use any more.
    handover = state_then if node == me else None
    _TAKE.fetch(connection, room, me, epoch + 1, handover)
    return int(epoch) + 1


def is_free(connection: Connection, node: str | None) -> bool:
    """Whether a room of this node may be claimed by another."""
    return node is None or not _STATE_NOW.fetch(connection, node)


def claim_due(connection: Connection, me: str, now: int, limit: int) -> dict[StreamId, int]:
    """Take up to `limit` rooms whose deadline is not after `now`, the soonest first.

    Of those that are free or a dead node's; their epochs. Two nodes that claim at the same time
    get different ones, and one of them perhaps fewer than there are.
    """
    if _require(connection, me) != "alive":
        return {}
    rooms = [StreamId(room) for (room,) in _DUE.fetch(connection, now, limit)]
    epochs = {room: claim(connection, me, room) for room in rooms}
    return {room: epoch for room, epoch in epochs.items() if epoch is not None}


def give(
    connection: Connection, me: str, room: StreamId, to: str, epoch: int, handover: bytes = b""
) -> int | None:
    """Hand a room over to another node that is alive; the new epoch.

    None: it is not this node's since that epoch, or the other takes none. `handover` goes along.
    """
    _require(connection, me)
    if [state for state, _ in _STATE.fetch(connection, to)] != ["alive"]:
        return None
    row = _CHANGE_OWNED.fetch(connection, room, me, epoch, to, epoch + 1, handover or None)
    return epoch + 1 if row else None


def release(connection: Connection, me: str, room: StreamId, epoch: int) -> bool:
    """Let a room be free; False: it was not this node's since that epoch."""
    _require(connection, me)
    return bool(_CHANGE_OWNED.fetch(connection, room, me, epoch, None, epoch, None))


def handover_state(connection: Connection, me: str, room: StreamId) -> bytes:
    """Take the handover state of this node's room; b"" the next time."""
    _require(connection, me)
    for (state,) in _HANDOVER.fetch(connection, room, me):
        if state is not None:
            _TAKE_HANDOVER.fetch(connection, room, me)
            return bytes(state)
    return b""


def reserve(connection: Connection, me: str, key: str) -> bool:
    """Have a key for this node alone, as long as it lives; False: another node has it.

    It is claimed as a room is, and no room is called so.
    """
    return claim(connection, me, StreamId(key)) is not None


def unreserve(connection: Connection, me: str, key: str) -> None:
    """Let a key be free again."""
    _UNRESERVE.fetch(connection, key, me)


# People.


def attend(connection: Connection, me: str, here: Sequence[Attendant], left: Sequence[str]) -> None:
    """Register the people who are connected at this node from now on, and those (ids) who left."""
    _require(connection, me)
    changed = sorted({*(each.person for each in here), *left})
    _FORGET_ATTENDING.fetch(connection, me, json.dumps(changed))
    rows = sorted(here, key=lambda each: each.person)
    insert(
        connection,
        ATTENDING,
        ({**columns(each), "node": me, "rooms": tuple(each.rooms)} for each in rows),
    )


def attendants(
    connection: Connection, me: str, of: Sequence[str]
) -> list[tuple[str, str, Attendant]]:
    """Nodes other than this one that have these people, with the names, and what they have."""
    rows = _ATTENDANTS.fetch(connection, me, json.dumps(of))
    return [
        (node, name, Attendant(person, since, away, tuple(json.loads(rooms))))
        for node, name, person, since, away, rooms in rows
    ]


def list_online(connection: Connection, limit: int) -> tuple[list[tuple[str, str]], int]:
    """Ids and names of up to `limit` connected people, by id; and the number of all."""
    [(total,)] = _ONLINE_COUNT.fetch(connection)
    return [(of, name) for of, name in _ONLINE.fetch(connection, limit)], total


def _require(connection: Connection, me: str) -> State:
    """The state of this node until the transaction ends. Raises Deposed when it is dead."""
    for state, _ in _STATE.fetch(connection, me):
        result: State = state
        return result
    raise Deposed(f"{me} is dead")


def _now(connection: Connection) -> int:
    """The store's clock, in milliseconds."""
    [(now,)] = _NOW.fetch(connection)
    return int(now)


class Nodes(Store):
    """One process among the nodes of a store: a node, once it has joined.

    This store is its own, so that a heartbeat never waits for a commit. Where a change raises
    `NotSaved` it may yet turn out to be done, so who repeats it gets the same answer as the first
    time. A node that is dead gets `Deposed` for whatever it wants to change.
    """

    _node: Node | None = None

    @property
    def id(self) -> str:
        """The id of the node that this process has joined as."""
        if self._node is None:
            raise RuntimeError("the node has not joined")
        return self._node.id

    async def join(self, name: str, *, address: str, version: str) -> Node:
        """See the function `join`. Raises `NotOpened` when the store cannot be used."""
        await self.open()
        try:
            self._node = await self.write(join, name, address, version)
        except JournalError as error:
            raise NotOpened("journal_unusable", str(error)) from error
        if self._node is None:
            raise NotOpened("node_lives", name)
        return self._node

    async def change(
        self,
        change: Callable[Concatenate[Connection, str, _P], _T],
        *args: _P.args,
        **more: _P.kwargs,
    ) -> _T:
        """The result of a change that this node makes."""
        return await self.write(change, self.id, *args, **more)
