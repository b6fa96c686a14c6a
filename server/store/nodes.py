"""The contract of nodes: who of several processes over one store lives, and which room is whose.

A node is one process from its joining to its end; who starts again joins as another one. It proves
that it lives by beats, which are timed by the store's own clock. Who has not beaten for
`LEASE_SECONDS` may be deposed by another one, and from then on stores nothing: every statement that
writes checks the generation of the node that sends it, so a lease only says when to look.

A room has at most one owner, and its `epoch` grows each time that it gets one. It changes hands in
three ways: from nobody to who claims it, from its owner to whom he gives it, from a node that is
dead to who claims it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias

from bluebear.server.store.types import StreamId

BEAT_SECONDS: Final = 0.5
"""How often a node beats."""

GAP_SECONDS: Final = 1.0
"""Between two beats, at most, for them to be without a gap: one may be late by its whole turn."""

LEASE_SECONDS: Final = 2.0
"""Who has not beaten for so long may be deposed, by one who has, all that time."""

Role: TypeAlias = Literal["engine", "edge"]
"""What a node is for: rooms, or connections."""

State: TypeAlias = Literal["alive", "draining", "dead"]
"""A draining node gives its rooms away and gets no others; a dead one stores nothing any more."""


@dataclass(frozen=True, slots=True)
class Node:
    """Who somebody has joined as: `id` is never used again, `generation` is what he writes with."""

    id: str
    generation: int


@dataclass(frozen=True, slots=True)
class Living:
    """A node that is not dead, as the others see it.

    `name` is what it was started under, by which its rooms go to it again; `version` is that of its
    program. `beat_seconds` is how long ago it last beat, None: it is not known to have.
    """

    id: str
    generation: int
    name: str
    role: Role
    address: str
    version: str
    state: State
    beat_seconds: float | None


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose a room is: a node that is not dead, where it is spoken to, and since which epoch."""

    node: str
    address: str
    epoch: int


class Nodes(Protocol):
    """One process among the nodes of a store; owned by that process, and used after `join`.

    Every read raises `NotRead`, every other call `NotSaved`, when the store cannot be reached; then
    it may yet turn out to be done, so who asks again gets the same answer as the first time. A node
    that is dead gets `Deposed` for whatever it wants to change.
    """

    async def join(self, name: str, *, role: Role, address: str, version: str) -> Node:
        """Become a node, alive and beating. Raises `NotOpened` when the store cannot be used.

        Who had this name before is dead from now on: he was started anew.
        """

    async def leave(self) -> None:
        """Be dead from now on: the rooms that are still this node's are anybody's."""

    async def beat(self) -> State:
        """Say that this node lives; what state it is in, by which it learns that it is to drain."""

    async def living(self) -> list[Living]:
        """All nodes that are not dead, by name."""

    async def depose(self, node: str, generation: int) -> bool:
        """Make a node dead that has not beaten for `LEASE_SECONDS`; whether it was done.

        Not if its generation is another by now, and not by a node that has itself not beaten for so
        long without a gap: when it is the store that was away, nobody is to blame.
        """

    async def drain(self, name: str) -> bool:
        """Ask the node of this name to give its rooms away and end; False: no such node lives."""

    async def owner(self, room: StreamId) -> Owner | None:
        """Whose the room is; None: nobody's, or that of a dead node."""

    async def claim(self, room: StreamId) -> int | None:
        """Take a room that is nobody's or a dead node's; its epoch, None: another has it.

        Who has it already gets its next epoch: whatever was sent under the one before, and nobody
        knows the end of, is refused from now on. A draining node gets none that it does not have.
        """

    async def claim_due(self, now: int, limit: int) -> Mapping[StreamId, int]:
        """Take up to `limit` rooms whose deadline is not after `now` (ms), the soonest first.

        Of those that are nobody's or a dead node's; their epochs. Two who ask at once get
        different ones, and one of them perhaps fewer than there are: he gets them when he asks
        again.
        """

    async def give(self, room: StreamId, to: str, epoch: int, carried: bytes = b"") -> int | None:
        """Hand this node's room to another node that is alive; the new epoch.

        None: it is not this node's since that epoch, or the other takes none. `carried` goes along.
        """

    async def release(self, room: StreamId, epoch: int, carried: bytes = b"") -> bool:
        """Let this node's room be nobody's; False: it was not this node's since that epoch.

        Whoever claims it gets `carried`.
        """

    async def carried(self, room: StreamId) -> bytes:
        """What came along with this node's room, once: the next time there is nothing."""

    async def reserve(self, key: str) -> bool:
        """Have something for this node alone, as long as it lives; False: another node has it."""

    async def unreserve(self, key: str) -> None:
        """Let it be anybody's again."""

    async def owned(self, node: str) -> Mapping[StreamId, int]:
        """The rooms of a node and their epochs; of a dead one those that nobody has claimed yet."""

    async def attend(self, come: Sequence[str], gone: Sequence[str]) -> None:
        """Say who (ids) is connected at this node from now on, and who is not any more."""

    async def where(self, people: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """At which nodes these people are connected; whoever is at none is left out."""

    async def crowd(self, limit: int) -> tuple[list[tuple[str, str]], int]:
        """Ids and names of up to `limit` people who are connected anywhere, by id; and how many
        there are in all.
        """

    async def close(self) -> None:
        """Let go of the connection to the store; the node stays what it is."""
