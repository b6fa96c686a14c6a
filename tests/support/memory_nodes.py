"""Nodes over one store in memory: several servers in one loop, for simulation in virtual time.

What the nodes share is a `MemoryCluster`, whose clock is that of its store; each has a
`MemoryNodes` of its own, and writes through the journal that this gives it. Nothing here awaits, so
each call is done at once and whole, as one statement of a database is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from bluebear.server.store.nodes import (
    GAP_SECONDS,
    LEASE_SECONDS,
    Living,
    Node,
    Owner,
    Role,
    State,
)
from bluebear.server.store.types import Deposed, NotRead, NotSaved, StreamId
from tests.support.memory_disk import MemoryDisk
from tests.support.memory_store import Latencies, MemoryJournal


@dataclass(slots=True)
class _Row:
    """A node as the store has it; owned by the `MemoryCluster`. Times in its seconds."""

    id: str
    name: str
    role: Role
    address: str
    version: str
    beat: float
    since: float
    """Since when it has beaten without a gap."""
    generation: int = 1
    state: State = "alive"

    @property
    def is_dead(self) -> bool:
        return self.state == "dead"


@dataclass(slots=True)
class _Claim:
    """The node that has a room ("": none); owned by the `MemoryCluster`."""

    node: str
    epoch: int
    carried: bytes = b""


@dataclass(slots=True)
class MemoryCluster:
    """What the nodes of one store share; `now` is the store's clock, in seconds."""

    now: Callable[[], float]
    disk: MemoryDisk = field(default_factory=MemoryDisk)
    rows: dict[str, _Row] = field(default_factory=dict)
    claims: dict[StreamId, _Claim] = field(default_factory=dict)
    attending: dict[str, set[str]] = field(default_factory=dict)
    """At which nodes people are connected, by their ids."""
    reserved: dict[str, str] = field(default_factory=dict)
    """The nodes that have something for themselves, by its key."""
    numbers: count[int] = field(default_factory=lambda: count(1))

    def lives(self, node: str) -> bool:
        """Whether there is a node of this id that is not dead."""
        return node in self.rows and not self.rows[node].is_dead

    def kill(self, row: _Row) -> None:
        """Depose a node."""
        row.state = "dead"
        row.generation += 1
        for nodes in self.attending.values():
            nodes.discard(row.id)
        for key in [key for key, node in self.reserved.items() if node == row.id]:
            del self.reserved[key]


class MemoryNodes:
    """One of the nodes of a cluster; a `Nodes`, and the `Fence` of its journal.

    While `is_cut` there is no way to the store for anything that this node does.
    """

    def __init__(self, cluster: MemoryCluster) -> None:
        self.is_cut = False
        self._cluster = cluster
        self._row: _Row | None = None
        self._generation = 0

    def journal(self, latency: Latencies | None = None) -> MemoryJournal:
        """What this node writes through, once it has joined."""
        return MemoryJournal(latency, disk=self._cluster.disk, fence=self)

    # The fence.

    @property
    def node(self) -> str:
        """See `Fence.node`."""
        return self._joined_row().id

    @property
    def is_deposed(self) -> bool:
        """See `Fence.is_deposed`."""
        return self._joined_row().generation != self._generation

    def renew(self) -> None:
        """See `Fence.renew`."""
        if not self.is_deposed:
            self._joined_row().generation += 1
            self._generation += 1

    def may_send_for(self, sender: str) -> bool:
        """See `Fence.may_send_for`."""
        return sender == self.node or not self._cluster.lives(sender)

    # Nodes.

    async def join(self, name: str, *, role: Role, address: str, version: str) -> Node:
        """See `Nodes.join`."""
        self._reach()
        cluster = self._cluster
        for row in cluster.rows.values():
            if row.name == name and not row.is_dead:
                cluster.kill(row)
        now = cluster.now()
        made = _Row(f"{name}.{next(cluster.numbers)}", name, role, address, version, now, now)
        cluster.rows[made.id] = made
        self._row = made
        self._generation = made.generation
        return Node(made.id, made.generation)

    async def leave(self) -> None:
        """See `Nodes.leave`."""
        self._reach()
        if not self._joined_row().is_dead:
            self._cluster.kill(self._joined_row())

    async def beat(self) -> State:
        """See `Nodes.beat`."""
        row = self._able()
        now = self._cluster.now()
        if now - row.beat > GAP_SECONDS:
            row.since = now
        row.beat = now
        return row.state

    async def living(self) -> list[Living]:
        """See `Nodes.living`."""
        self._look()
        now = self._cluster.now()
        rows = [row for row in self._cluster.rows.values() if not row.is_dead]
        return [
            Living(
                *(row.id, row.generation, row.name, row.role, row.address, row.version, row.state),
                beat_seconds=now - row.beat,
            )
            for row in sorted(rows, key=lambda row: row.name)
        ]

    async def depose(self, node: str, generation: int) -> bool:
        """See `Nodes.depose`."""
        row, other, now = self._able(), self._cluster.rows.get(node), self._cluster.now()
        if now - row.beat > GAP_SECONDS or now - row.since < LEASE_SECONDS:
            return False
        if other is None or other.is_dead or other.generation != generation:
            return False
        if now - other.beat <= LEASE_SECONDS:
            return False
        self._cluster.kill(other)
        return True

    async def drain(self, name: str) -> bool:
        """See `Nodes.drain`."""
        self._reach()
        for row in self._cluster.rows.values():
            if row.name == name and not row.is_dead:
                row.state = "draining"
                return True
        return False

    async def owner(self, room: StreamId) -> Owner | None:
        """See `Nodes.owner`."""
        self._look()
        claim = self._cluster.claims.get(room)
        if claim is None or not self._cluster.lives(claim.node):
            return None
        return Owner(claim.node, self._cluster.rows[claim.node].address, claim.epoch)

    async def claim(self, room: StreamId) -> int | None:
        """See `Nodes.claim`."""
        row = self._able()
        claim = self._cluster.claims.get(room)
        if claim is not None and claim.node == row.id:
            claim.epoch += 1
            return claim.epoch
        if row.state != "alive" or not self._is_free(room):
            return None
        return self._take(room, row.id)

    async def claim_due(self, now: int, limit: int) -> Mapping[StreamId, int]:
        """See `Nodes.claim_due`."""
        row = self._able()
        if row.state != "alive":
            return {}
        free = [room for room in self._cluster.disk.due(now) if self._is_free(room)]
        return {room: self._take(room, row.id) for room in free[:limit]}

    async def give(self, room: StreamId, to: str, epoch: int, carried: bytes = b"") -> int | None:
        """See `Nodes.give`."""
        row, other = self._able(), self._cluster.rows.get(to)
        if not self._has(row, room, epoch) or other is None or other.state != "alive":
            return None
        epoch = self._take(room, to)
        self._cluster.claims[room].carried = carried
        return epoch

    async def release(self, room: StreamId, epoch: int, carried: bytes = b"") -> bool:
        """See `Nodes.release`."""
        if not self._has(self._able(), room, epoch):
            return False
        claim = self._cluster.claims[room]
        claim.node, claim.carried = "", carried
        return True

    async def carried(self, room: StreamId) -> bytes:
        """See `Nodes.carried`."""
        claim = self._cluster.claims.get(room)
        if claim is None or claim.node != self._able().id:
            return b""
        carried, claim.carried = claim.carried, b""
        return carried

    async def reserve(self, key: str) -> bool:
        """See `Nodes.reserve`."""
        row = self._able()
        if row.state != "alive":
            return False
        return self._cluster.reserved.setdefault(key, row.id) == row.id

    async def unreserve(self, key: str) -> None:
        """See `Nodes.unreserve`."""
        if self._cluster.reserved.get(key) == self._able().id:
            del self._cluster.reserved[key]

    async def owned(self, node: str) -> Mapping[StreamId, int]:
        """See `Nodes.owned`."""
        self._look()
        claims = self._cluster.claims.items()
        return {room: claim.epoch for room, claim in claims if claim.node == node}

    async def attend(self, come: Sequence[str], removed: Sequence[str]) -> None:
        """See `Nodes.attend`."""
        row = self._able()
        for person in come:
            self._cluster.attending.setdefault(person, set()).add(row.id)
        for person in removed:
            self._cluster.attending.get(person, set()).discard(row.id)

    async def where(self, people: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """See `Nodes.where`."""
        self._look()
        result = {person: self._cluster.attending.get(person) for person in people}
        return {person: tuple(sorted(nodes)) for person, nodes in result.items() if nodes}

    async def crowd(self, limit: int) -> tuple[list[tuple[str, str]], int]:
        """See `Nodes.crowd`."""
        self._look()
        here = sorted(person for person, nodes in self._cluster.attending.items() if nodes)
        rows = (self._cluster.disk.people.get(person) for person in here)
        named = [(row.id, row.name) for row in rows if row is not None]
        return named[:limit], len(here)

    async def close(self) -> None:
        """See `Nodes.close`."""

    def _is_free(self, room: StreamId) -> bool:
        claim = self._cluster.claims.get(room)
        return claim is None or not self._cluster.lives(claim.node)

    def _take(self, room: StreamId, node: str) -> int:
        claim = self._cluster.claims.setdefault(room, _Claim("", 0))
        if claim.node:
            claim.carried = b""
        claim.node = node
        claim.epoch += 1
        return claim.epoch

    def _has(self, row: _Row, room: StreamId, epoch: int) -> bool:
        claim = self._cluster.claims.get(room)
        return claim is not None and (claim.node, claim.epoch) == (row.id, epoch)

    def _joined_row(self) -> _Row:
        if self._row is None:
            raise RuntimeError("the node has not joined")
        return self._row

    def _able(self) -> _Row:
        """The node's own row, to change something. Raises NotSaved, and Deposed when it is dead."""
        self._reach()
        row = self._joined_row()
        if row.is_dead:
            raise Deposed(f"{row.id} is dead")
        return row

    def _reach(self) -> None:
        if self.is_cut:
            raise NotSaved("there is no way to the store")

    def _look(self) -> None:
        if self.is_cut:
            raise NotRead("there is no way to the store")
