"""Leases: which nodes share a store, which of them live, and which room is whose.

A node proves that it lives by heartbeats, timed by the store's own clock. A node without one for
`LEASE_SECONDS` may be deposed by another, and from then on stores nothing: every transaction that
writes checks the generation of its node, so a lease only tells when to look.

A room has at most one owner, and its `epoch` grows each time that it gets one. All are functions
over a connection in a transaction of their own; rows are locked in the order node, owner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Concatenate, Final, Literal, ParamSpec, TypeAlias, TypeVar

from sqlalchemy import Connection, delete, distinct, func, insert, or_, select, update

from bluebear.server.store.schema import (
    ALONE,
    ATTENDING,
    BEAT,
    NODE,
    OUTBOX,
    OWNER,
    PERSON,
    RESERVED,
    ROOM,
    Statement,
    upsert,
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
"""The lease of a node in its first `START_SECONDS`: a slow start is no death."""
START_SECONDS: Final = 10.0

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


# Every node asks these at each heartbeat, for each room and each line: they are built once.
_NOW: Final = Statement(
    "SELECT store_now()",
    postgres="SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint",
)
_IS_ALIVE: Final = NODE.c.state != "dead"
_LIVES: Final = select(NODE.c.id).where(_IS_ALIVE)
_IS_LIVING: Final = Statement("SELECT 1 FROM node WHERE id = ?1 AND state <> 'dead'")
_MY_STATE: Final = Statement(
    "SELECT state FROM node WHERE id = ?1 AND state <> 'dead'", lock=" FOR SHARE"
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
_OWNER: Final = Statement("""
SELECT node.id, node.address, owner.epoch FROM node JOIN owner ON owner.node = node.id
WHERE owner.room = ?1 AND state <> 'dead'""")
_OWNER_ROW: Final = Statement(
    "SELECT node, epoch, carried FROM owner WHERE room = ?1", lock=" FOR UPDATE"
)
_TAKE: Final = Statement("UPDATE owner SET node = ?2, epoch = ?3, carried = ?4 WHERE room = ?1")


def join(connection: Connection, name: str, address: str, version: str) -> Node | None:
    """Become a node, alive and with a heartbeat; None if a node of this name lives.

    One without a heartbeat for `LEASE_SECONDS` is dead from now on.
    """
    number = connection.execute(
        select(NODE.c.generation).where(NODE.c.id == ALONE).with_for_update()
    ).scalar_one()
    named = select(NODE.c.id).where(NODE.c.name == name, _IS_ALIVE).with_for_update()
    namesakes = connection.scalars(named).all()
    now = _now(connection)
    beats = select(BEAT.c.node).where(
        BEAT.c.node.in_(namesakes), BEAT.c.at > now - LEASE_SECONDS * 1000
    )
    if connection.scalars(beats).first() is not None:
        return None
    _bury(connection, namesakes)
    # A server that had the whole store writes no more.
    alone = {"generation": number + 1, "life": None}
    connection.execute(update(NODE).where(NODE.c.id == ALONE).values(alone))
    connection.execute(
        delete(NODE).where(
            NODE.c.state == "dead",
            NODE.c.id != ALONE,
            NODE.c.id.not_in(select(OWNER.c.node).where(OWNER.c.node.is_not(None))),
        )
    )
    made = Node(f"{name}.{number + 1}", 1)
    row = {"name": name, "address": address, "version": version, "state": "alive"}
    connection.execute(insert(NODE).values(id=made.id, generation=made.generation, **row))
    connection.execute(insert(BEAT).values(node=made.id, at=now, since=now))
    return made


def leave(connection: Connection, me: str) -> None:
    """Be dead from now on: the rooms that this node still owns are free."""
    alive = select(NODE.c.id).where(NODE.c.id == me, _IS_ALIVE).with_for_update()
    _bury(connection, connection.scalars(alive).all())


def _bury(connection: Connection, nodes: Sequence[str]) -> None:
    """A node that dies leaves to others what it was to send."""
    if not nodes:
        return
    dead = {"state": "dead", "generation": NODE.c.generation + 1}
    connection.execute(update(NODE).where(NODE.c.id.in_(nodes)).values(dead))
    for column in (BEAT.c.node, ATTENDING.c.node, RESERVED.c.node):
        connection.execute(delete(column.table).where(column.in_(nodes)))
    connection.execute(update(OUTBOX).where(OUTBOX.c.sender.in_(nodes)).values(sender=None))


def beat(connection: Connection, me: str) -> State:
    """Register a heartbeat; the node's state, by which it learns that it is to drain."""
    state = _require(connection, me)
    _BEAT.fetch(connection, me, _now(connection), int(GAP_SECONDS * 1000))
    return state


def report(connection: Connection, me: str, stats: str) -> None:
    """Store what this node reports of itself."""
    connection.execute(update(NODE).where(NODE.c.id == me, _IS_ALIVE).values(stats=stats))


def living(connection: Connection) -> list[Living]:
    """All nodes that are not dead, by name."""
    return [Living(*row) for row in _LIVING.fetch(connection, ALONE, _now(connection))]


def depose(connection: Connection, me: str, node: str, generation: int) -> bool:
    """Declare a node dead that had no heartbeat for `LEASE_SECONDS`; returns whether it was done.

    Refused if its generation has changed, or if the caller had no heartbeat itself: then the store
    was away, not the node.
    """
    target = select(NODE.c.id).where(NODE.c.id == node, NODE.c.generation == generation, _IS_ALIVE)
    is_there = connection.execute(target.with_for_update()).first() is not None
    _require(connection, me)
    now = _now(connection)
    beats = {
        row.node: row for row in connection.execute(select(BEAT).where(BEAT.c.node.in_((me, node))))
    }
    caller, other = beats.get(me), beats.get(node)
    if not is_there or caller is None or now - caller.at > GAP_SECONDS * 1000:
        return False
    if now - caller.since < LEASE_SECONDS * 1000:
        return False
    if other is not None:
        is_new = other.at - other.since < START_SECONDS * 1000
        if now - other.at <= (START_LEASE_SECONDS if is_new else LEASE_SECONDS) * 1000:
            return False
    _bury(connection, [node])
    return True


def drain(connection: Connection, name: str) -> bool:
    """Ask the node of this name to give its rooms away and end; False: no such node lives."""
    named = update(NODE).where(NODE.c.name == name, NODE.c.name != "", _IS_ALIVE)
    return connection.execute(named.values(state="draining")).rowcount > 0


# Rooms.


def owner(connection: Connection, room: StreamId) -> Owner | None:
    """A room's owner; None: it has none, or a dead one."""
    rows = _OWNER.fetch(connection, room)
    return Owner(*rows[0]) if rows else None


def owned(connection: Connection, node: str) -> dict[StreamId, int]:
    """The rooms of a node and their epochs; of a dead one those that were not claimed since."""
    rows = connection.execute(select(OWNER.c.room, OWNER.c.epoch).where(OWNER.c.node == node))
    return {StreamId(row.room): row.epoch for row in rows}


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
        connection.execute(insert(OWNER).values(room=room, node=me, epoch=1))
        return 1
    [(node, epoch, state_then)] = rows
    if node != me and (state != "alive" or not is_free(connection, node)):
        return None
    # Only a node that released the room has handed over its state, never a dead one.
    handover = state_then if node in (None, me) else None
    _TAKE.fetch(connection, room, me, epoch + 1, handover)
    return int(epoch) + 1


def is_free(connection: Connection, node: str | None) -> bool:
    """Whether a room of this node may be claimed by another."""
    return node is None or not _IS_LIVING.fetch(connection, node)


def claim_due(connection: Connection, me: str, now: int, limit: int) -> dict[StreamId, int]:
    """Take up to `limit` rooms whose deadline is not after `now`, the soonest first.

    Of those that are free or a dead node's; their epochs. Two nodes that claim at the same time
    get different ones, and one of them perhaps fewer than there are.
    """
    if _require(connection, me) != "alive":
        return {}
    due = (
        select(ROOM.c.stream)
        .outerjoin(OWNER, OWNER.c.room == ROOM.c.stream)
        .where(
            ROOM.c.deadline.is_not(None),
            ROOM.c.deadline <= now,
            or_(OWNER.c.node.is_(None), OWNER.c.node.not_in(_LIVES)),
        )
        .order_by(ROOM.c.deadline, ROOM.c.stream)
        .limit(limit)
        .with_for_update(of=ROOM, skip_locked=True)
    )
    epochs = {room: claim(connection, me, room) for room in connection.scalars(due).all()}
    return {StreamId(room): epoch for room, epoch in epochs.items() if epoch is not None}


def give(
    connection: Connection, me: str, room: StreamId, to: str, epoch: int, handover: bytes = b""
) -> int | None:
    """Hand a room over to another node that is alive; the new epoch.

    None: it is not this node's since that epoch, or the other takes none. `handover` goes along.
    """
    _require(connection, me)
    other = select(NODE.c.id).where(NODE.c.id == to, NODE.c.state == "alive")
    if connection.execute(other.with_for_update(read=True)).first() is None:
        return None
    change = {"node": to, "epoch": epoch + 1, "carried": handover or None}
    return epoch + 1 if _change_owned(connection, me, room, epoch, change) else None


def release(
    connection: Connection, me: str, room: StreamId, epoch: int, handover: bytes = b""
) -> bool:
    """Let a room be free; False: it was not this node's since that epoch.

    The node that claims it gets `handover`.
    """
    _require(connection, me)
    return _change_owned(connection, me, room, epoch, {"node": None, "carried": handover or None})


def _change_owned(
    connection: Connection, me: str, room: StreamId, epoch: int, change: Mapping[str, Any]
) -> bool:
    is_owned = OWNER.c.room == room, OWNER.c.node == me, OWNER.c.epoch == epoch
    return connection.execute(update(OWNER).where(*is_owned).values(**change)).rowcount == 1


def handover_state(connection: Connection, me: str, room: StreamId) -> bytes:
    """Take the handover state of this node's room; b"" the next time."""
    _require(connection, me)
    is_owned = OWNER.c.room == room, OWNER.c.node == me
    state = connection.execute(
        select(OWNER.c.carried).where(*is_owned).with_for_update()
    ).scalar_one_or_none()
    if state is not None:
        connection.execute(update(OWNER).where(*is_owned).values(carried=None))
    return bytes(state or b"")


def reserve(connection: Connection, me: str, key: str) -> bool:
    """Have a key for this node alone, as long as it lives; False: another node has it."""
    if _require(connection, me) != "alive":
        return False
    statement = select(RESERVED.c.node).where(RESERVED.c.key == key).with_for_update()
    node = connection.execute(statement).scalar_one_or_none()
    if node not in (None, me) and not is_free(connection, node):
        return False
    upsert(connection, RESERVED, [{"key": key, "node": me}])
    return True


def unreserve(connection: Connection, me: str, key: str) -> None:
    """Let a key be free again."""
    connection.execute(delete(RESERVED).where(RESERVED.c.key == key, RESERVED.c.node == me))


# People.


def attend(connection: Connection, me: str, here: Sequence[Attendant], left: Sequence[str]) -> None:
    """Register the people who are connected at this node from now on, and those (ids) who left."""
    _require(connection, me)
    changed = ATTENDING.c.person.in_({*(each.person for each in here), *left})
    connection.execute(delete(ATTENDING).where(ATTENDING.c.node == me, changed))
    if here:
        rows = [{**asdict(each), "node": me} for each in sorted(here, key=lambda each: each.person)]
        connection.execute(insert(ATTENDING), rows)


def attendants(
    connection: Connection, me: str, of: Sequence[str]
) -> list[tuple[str, str, Attendant]]:
    """Nodes other than this one that have these people, with the names, and what they have."""
    rows = select(PERSON.c.name, ATTENDING).join(PERSON, PERSON.c.id == ATTENDING.c.person)
    far = rows.where(ATTENDING.c.person.in_(of), ATTENDING.c.node != me)
    return [
        (row.node, row.name, Attendant(row.person, row.since, row.away, row.rooms))
        for row in connection.execute(far.order_by(ATTENDING.c.node))
    ]


def list_online(connection: Connection, limit: int) -> tuple[list[tuple[str, str]], int]:
    """Ids and names of up to `limit` connected people, by id; and the number of all."""
    total = connection.execute(select(func.count(distinct(ATTENDING.c.person)))).scalar_one()
    people = (
        select(PERSON.c.id, PERSON.c.name)
        .where(PERSON.c.id.in_(select(ATTENDING.c.person)))
        .order_by(PERSON.c.id)
        .limit(limit)
    )
    return [(row.id, row.name) for row in connection.execute(people)], total


def _require(connection: Connection, me: str) -> State:
    """The state of this node until the transaction ends. Raises Deposed when it is dead."""
    for (state,) in _MY_STATE.fetch(connection, me):
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
