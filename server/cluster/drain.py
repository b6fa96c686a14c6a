"""Gives the rooms of a node that ends to other nodes; clients follow."""

from __future__ import annotations

import asyncio
from typing import Final

from bluebear.server.cluster.room_leases import ClusterLeases
from bluebear.server.rooms.registry import RoomRegistry

REST_SECONDS: Final = 0.02
"""Between two looks at a room that ends what it does before it moves."""
AT_ONCE: Final = 8
"""Rooms that move side by side: each waits for a commit, and is loaded elsewhere."""


class Drain:
    """Owned by the node."""

    def __init__(self, rooms: RoomRegistry, leases: ClusterLeases) -> None:
        self._rooms = rooms
        self._leases = leases

    async def give_all(self) -> None:
        """Hand all rooms over; those that no node takes are released at the node's end."""
        turns = asyncio.Semaphore(AT_ONCE)
        rooms = [room for room, live in self._rooms.live.items() if live.exists]
        await asyncio.gather(*(self._give(turns, room) for room in rooms))

    async def _give(self, turns: asyncio.Semaphore, room: str) -> None:
        async with turns:
            if room in self._rooms.moving:
                return
            self._rooms.moving.add(room)
            url, members = self._leases.address, {}
            try:
                # A room does not announce that it rests: that would be after each line.
                while (live := self._rooms.room(room)) and (  # noqa: ASYNC110
                    live.closed or not live.at_rest
                ):
                    await asyncio.sleep(REST_SECONDS)
                if live is None:
                    return
                members = live.present.members
                url = await self._leases.hand_over(room, await self._rooms.let_go(live))
            finally:
                self._rooms.moving.discard(room)
                for client, member in list(members.items()):
                    client.redirect(room, url, number=member.audience.number)
