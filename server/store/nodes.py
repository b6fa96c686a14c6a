"""What a process has of the nodes of a store; see `leases`, whose functions these methods name.

They go over a store of their own, so that a heartbeat never waits for a commit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from bluebear.server.store import leases
from bluebear.server.store.leases import Living, Node, Owner, Role, State
from bluebear.server.store.store import Store
from bluebear.server.store.types import JournalError, NotOpened, StreamId

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Nodes:
    """One process among the nodes of a store; owned by that process, and used after `join`.

    Every read raises `NotRead`, every other call `NotSaved`, when the store cannot be reached; then
    it may yet turn out to be done, so who repeats it gets the same answer as the first time. A node
    that is dead gets `Deposed` for whatever it wants to change.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._node: Node | None = None

    @property
    def id(self) -> str:
        """The id of the node that this process has joined as."""
        if self._node is None:
            raise RuntimeError("the node has not joined")
        return self._node.id

    async def join(self, name: str, *, role: Role, address: str, version: str) -> Node:
        """See `leases.join`. Raises `NotOpened` when the store cannot be used."""
        await self._store.open()
        try:
            self._node = await self._store.write(leases.join, name, role, address, version)
        except JournalError as error:
            raise NotOpened("journal_unusable", str(error)) from error
        if self._node is None:
            raise NotOpened("node_lives", name)
        return self._node

    async def leave(self) -> None:
        """See `leases.leave`."""
        await self._change(leases.leave)

    async def beat(self) -> State:
        """See `leases.beat`."""
        return await self._change(leases.beat)

    async def living(self) -> list[Living]:
        """See `leases.living`."""
        return await self._store.read(leases.living)

    async def depose(self, node: str, generation: int) -> bool:
        """See `leases.depose`."""
        return await self._change(leases.depose, node, generation)

    async def drain(self, name: str) -> bool:
        """See `leases.drain`."""
        return await self._store.write(leases.drain, name)

    async def owner(self, room: StreamId) -> Owner | None:
        """See `leases.owner`."""
        return await self._store.read(leases.owner, room)

    async def claim(self, room: StreamId) -> int | None:
        """See `leases.claim`."""
        return await self._change(leases.claim, room)

    async def claim_due(self, now: int, limit: int) -> Mapping[StreamId, int]:
        """See `leases.claim_due`."""
        return await self._change(leases.claim_due, now, limit)

    async def give(self, room: StreamId, to: str, epoch: int, carried: bytes = b"") -> int | None:
        """See `leases.give`."""
        return await self._change(leases.give, room, to, epoch, carried)

    async def release(self, room: StreamId, epoch: int, carried: bytes = b"") -> bool:
        """See `leases.release`."""
        return await self._change(leases.release, room, epoch, carried)

    async def carried(self, room: StreamId) -> bytes:
        """See `leases.handover_state`."""
        return await self._change(leases.handover_state, room)

    async def reserve(self, key: str) -> bool:
        """See `leases.reserve`."""
        return await self._change(leases.reserve, key)

    async def unreserve(self, key: str) -> None:
        """See `leases.unreserve`."""
        await self._change(leases.unreserve, key)

    async def owned(self, node: str) -> Mapping[StreamId, int]:
        """See `leases.owned`."""
        return await self._store.read(leases.owned, node)

    async def attend(self, come: Sequence[str], left: Sequence[str]) -> None:
        """See `leases.attend`."""
        await self._change(leases.attend, come, left)

    async def where(self, people: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """See `leases.where`."""
        return await self._store.read(leases.where, people)

    async def crowd(self, limit: int) -> tuple[list[tuple[str, str]], int]:
        """See `leases.crowd`."""
        return await self._store.read(leases.crowd, limit)

    async def close(self) -> None:
        """Close the connection to the store; the node stays what it is."""
        await self._store.close()

    async def _change(
        self, change: Callable[Concatenate[Connection, str, _P], _T], *args: _P.args, **_: _P.kwargs
    ) -> _T:
        return await self._store.write(change, self.id, *args, **_)
