"""Loads rooms that this node may have, and tells clients where the others are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine
from typing import Any, Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.rooms.leases import NotLeaseHolder, RoomLeases
from bluebear.server.rooms.members import MemberConnection
from bluebear.server.rooms.room_actor import RoomActor

OWNER_WAIT_SECONDS: Final = 5.0
"""A client waits this long for a room whose owner is about to be deposed."""
OWNER_POLL_SECONDS: Final = 0.1
OWNER_RETRY_MS: Final = 200


class RoomFinder:
    """Owned by the registry, whose `load` loads a room; `moving` are those on their way."""

    def __init__(
        self,
        load: Callable[[str], Coroutine[Any, Any, RoomActor]],
        leases: RoomLeases,
        moving: Collection[str],
    ) -> None:
        self._load = load
        self._leases = leases
        self._moving = moving

    async def find(self, client: MemberConnection, room: str, say_id: str = "") -> RoomActor | None:
        """The room in memory; None if another node has it, of which the client is notified.

        Raises NotAllowed.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + OWNER_WAIT_SECONDS
        while True:
            try:
                if room not in self._moving:
                    return await self._load(room)
            except NotLeaseHolder:
                url = await self._leases.address_of(room)
                if url:
                    client.redirect(room, url, say_id)
                    return None
            if loop.time() > until:
                raise NotAllowed("busy", retry_ms=OWNER_RETRY_MS)
            await asyncio.sleep(OWNER_POLL_SECONDS)
