"""Whose rooms are: in one process all of them its own; among several each has one owner."""

from __future__ import annotations

from typing import Protocol

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.journal import Store


class NotMine(NotAllowed):
    """The room belongs to another process: whoever wanted something of it goes there."""

    def __init__(self, room: str) -> None:
        super().__init__("not_saved")
        self.room = room


class Owners(Protocol):
    """What an engine asks before it loads a room, and says when it lets go of one."""

    async def claim(self, room: str) -> bytes:
        """The room is this engine's from now on; what its owner before has handed along, if any.

        Raises NotMine, and NotAllowed (not_saved).
        """

    async def claim_new(self, room: str) -> None:
        """The same for a room that is about to be made."""

    async def release(self, room: str) -> None:
        """The room has left memory."""

    async def due(self, now: int, limit: int) -> list[str]:
        """Up to `limit` rooms of this engine whose deadline is not after `now`, in ms.

        Raises JournalError.
        """


class SoleOwner:
    """One process has all rooms of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def claim(self, room: str) -> bytes:
        """See `Owners`."""
        return b""

    async def claim_new(self, room: str) -> None:
        """See `Owners`."""

    async def release(self, room: str) -> None:
        """See `Owners`."""

    async def due(self, now: int, limit: int) -> list[str]:
        """See `Owners`."""
        return [str(room) for room in await self._store.due(now, limit)]
