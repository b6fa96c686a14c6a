"""Makes rooms for connections, within the bounds of a person and of an address."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from weakref import WeakValueDictionary

from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.cluster.peers import Peers
from bluebear.server.commands.acts import NewRoom
from bluebear.server.commands.scene import RoomLine
from bluebear.server.limits import ROOMS_OPEN_PER_PERSON, ROOMS_UNFINISHED_PER_PERSON
from bluebear.server.lookups import LookUps
from bluebear.server.net.rate_limits import Cost
from bluebear.server.people.audit import Audit
from bluebear.server.room.state import Phase
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.registry import RoomRegistry


class RoomMaker:
    """Owned by the app."""

    def __init__(
        self,
        rooms: RoomRegistry,
        look_ups: LookUps,
        audit: Audit,
        peers: Peers,
    ) -> None:
        self._rooms = rooms
        self._look_ups = look_ups
        self._audit = audit
        self._peers = peers
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def make(self, connection: Connection, act: NewRoom, say_id: str) -> bool:
        """Make a room and let its maker enter; whether there is one, else the refusal was sent.

        One at a time for each person, also across nodes, so that their rooms are counted exactly.
        """
        person = connection.person
        turn = self._turns.setdefault(person, asyncio.Lock())
        async with turn:
            try:
                self._audit.check_open()
                self._rooms.check_makes_rooms()
                async with self._peers.only_here(f"rooms {person}"):
                    check_may_make(person, await self._look_ups.my_rooms(person))
                    return await self._paid(connection, act, say_id)
            except Refusal as refusal:
                connection.refuse(say_id, refusal)
                return False

    async def _paid(self, connection: Connection, act: NewRoom, say_id: str) -> bool:
        connection.spend(Cost.ROOM)
        made = await self._rooms.new_room(connection, act, say_id)
        if not made:
            connection.refund(Cost.ROOM)
        return made


def check_may_make(person: str, rooms: Iterable[RoomLine]) -> None:
    """NotAllowed (too_many_rooms, too_many_games) if a person has too many rooms for one more."""
    fresh = running = 0
    for room in rooms:
        fresh += room.host_person == person and room.phase == Phase.OPEN
        running += person in room.persons and room.phase in (Phase.PLAYING, Phase.PAUSED)
    if fresh >= ROOMS_OPEN_PER_PERSON:
        raise NotAllowed("too_many_rooms", most=ROOMS_OPEN_PER_PERSON)
    if running >= ROOMS_UNFINISHED_PER_PERSON:
        raise NotAllowed("too_many_games", most=ROOMS_UNFINISHED_PER_PERSON)
