"""One process among the nodes of a store; what it asks and changes there are functions of `leases`.

They go over a store of their own, so that a heartbeat never waits for a commit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from bluebear.server.store import leases
from bluebear.server.store.leases import Node
from bluebear.server.store.store import Store
from bluebear.server.store.types import JournalError, NotOpened

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Nodes:
    """Owned by the process, which owns a node once it has joined.

    `read` raises `NotRead`, `change` `NotSaved`, when the store cannot be reached; then it may yet
    turn out to be done, so who repeats it gets the same answer as the first time. A node that is
    dead gets `Deposed` for whatever it wants to change.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._node: Node | None = None

    @property
    def id(self) -> str:
        """The id of the node that this process has joined as."""
        if self._node is None:
            raise RuntimeError("the node has not joined")
        return self._node.id

    async def join(self, name: str, *, address: str, version: str) -> Node:
        """See `leases.join`. Raises `NotOpened` when the store cannot be used."""
        await self.store.open()
        try:
            self._node = await self.store.write(leases.join, name, address, version)
        except JournalError as error:
            raise NotOpened("journal_unusable", str(error)) from error
        if self._node is None:
            raise NotOpened("node_lives", name)
        return self._node

    async def read(
        self, query: Callable[Concatenate[Connection, _P], _T], *args: _P.args, **more: _P.kwargs
    ) -> _T:
        """The result of a query."""
        return await self.store.read(query, *args, **more)

    async def change(
        self,
        change: Callable[Concatenate[Connection, str, _P], _T],
        *args: _P.args,
        **more: _P.kwargs,
    ) -> _T:
        """The result of a change that this node makes."""
        return await self.store.write(change, self.id, *args, **more)
