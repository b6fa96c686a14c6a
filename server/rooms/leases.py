"""Which node has which room, and what goes along when a room becomes another node's."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.store import Store, rooms


class NotLeaseHolder(NotAllowed):
    """The room belongs to another node: clients that want something of it go there."""

    def __init__(self, room: str) -> None:
        super().__init__("not_saved")
        self.room = room


class RoomLeases:
    """Which rooms are this node's: all of a store, where it is the only one.

    The registry asks before it loads a room, and says when it lets go of one.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    async def claim(self, room: str) -> bytes:
        """The room is this node's from now on; what its owner before has handed along, if any.

        Raises NotLeaseHolder, and NotAllowed (not_saved).
        """
        return b""

    async def claim_new(self, room: str) -> None:
        """The same for a room that is about to be made."""

    async def release(self, room: str) -> None:
        """The room has left memory."""

    async def address_of(self, room: str) -> str:
        """Where the node is that has a room; "" while that may be this one soon.

        Raises NotAllowed (not_saved).
        """
        return ""

    def away_ms(self, room: str) -> int | None:
        """How long ago a node that was killed had a room, if that was just now."""
        return None

    async def due(self, now: int, limit: int) -> list[str]:
        """Up to `limit` rooms of this node whose deadline is not after `now`, in ms.

        Raises JournalError.
        """
        return [str(room) for room in await self._store.read(rooms.due, now, limit)]


class HandoverState(Struct, array_like=True, frozen=True):
    """For how many seconds the turn runs, the room is awake, and each absent person is absent.

    `here` are the people who were in the room, `voted_about` the absent ones about which a
    vote was held. `asleep_at` is since when (ms) the room was empty; None: it was not, up to `at`.
    """

    turn: float
    awake: float
    absent: dict[str, float]
    here: list[str]
    voted_about: list[str]
    asleep_at: int | None
    at: int


_DECODER: Final = msgspec.msgpack.Decoder(HandoverState)


def pack_handover(state: HandoverState) -> bytes:
    """As it is handed along."""
    return msgspec.msgpack.encode(state)


def handover_of(body: bytes) -> HandoverState | None:
    """The same, read; None where another version has written what this one cannot read."""
    try:
        return _DECODER.decode(body) if body else None
    except msgspec.DecodeError:
        return None
