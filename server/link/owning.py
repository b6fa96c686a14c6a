"""Which rooms are this node's: claimed before they are loaded, released when they leave memory."""

from __future__ import annotations

import logging

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.link.finder import chosen
from bluebear.server.observe import log
from bluebear.server.rooms.leases import NotLeaseHolder
from bluebear.server.store import JournalError, Store, StreamId
from bluebear.server.store.nodes import Nodes


class Owning:
    """The `RoomLeases` of one engine among several, and its handovers; owned by its node."""

    def __init__(self, nodes: Nodes, store: Store, own: str) -> None:
        self._nodes = nodes
        self._store = store
        self._own = own
        self.epochs: dict[str, int] = {}
        """The rooms that are this node's, with their epochs."""
        self._carried: dict[str, bytes] = {}
        """What rooms carry that nobody has taken."""
        self._doubtful: set[str] = set()
        """Rooms of which nobody knows whether they were given: to be claimed anew."""

    async def claim(self, room: str) -> bytes:
        """See `RoomLeases`. A guessed number claims nothing: such a room does not exist."""
        if room in self.epochs and room not in self._doubtful:
            return self._carried.pop(room, b"")
        try:
            known = await self._store.room(StreamId(room))
        except JournalError as problem:
            raise NotAllowed("not_saved") from problem
        if known is None:
            raise NotAllowed("room_unknown")
        await self.claim_new(room)
        if room in self._carried:
            return self._carried.pop(room)
        try:
            return await self._nodes.carried(StreamId(room))
        except JournalError as problem:
            log(logging.WARNING, "times of a room not read", room=room, why=str(problem))
            return b""

    async def claim_new(self, room: str) -> None:
        """See `RoomLeases`."""
        try:
            epoch = await self._nodes.claim(StreamId(room))
        except JournalError as problem:
            log(logging.WARNING, "room not claimed", room=room, why=str(problem))
            raise NotAllowed("not_saved") from problem
        self._doubtful.discard(room)
        if epoch is None:
            self.epochs.pop(room, None)
            self._carried.pop(room, None)
            raise NotLeaseHolder(room)
        self.epochs[room] = epoch

    async def release(self, room: str) -> None:
        """See `RoomLeases`."""
        epoch = self.epochs.pop(room, None)
        if epoch is None:
            return
        try:
            await self._nodes.release(StreamId(room), epoch)
        except JournalError as problem:
            # It stays this node's until it ends or loads the room again.
            log(logging.WARNING, "room not released", room=room, why=str(problem))

    async def due(self, now: int, limit: int) -> list[str]:
        """See `RoomLeases`: those that are this node's already, and some that are nobody's."""
        found = await self._store.due(now, limit)
        mine = [str(room) for room in found if room in self.epochs]
        claimed = await self._nodes.claim_due(now, limit)
        self.epochs.update({str(room): epoch for room, epoch in claimed.items()})
        return list(dict.fromkeys((*mine, *map(str, claimed))))

    async def give_up(self, room: str, carried: bytes) -> bool:
        """See `Keeper`."""
        epoch = self.epochs.get(room)
        try:
            if epoch is None or not await self._nodes.release(StreamId(room), epoch, carried):
                return False
        except JournalError as problem:
            log(logging.WARNING, "room not given up", room=room, why=str(problem))
            self._carried[room] = carried
            self._doubtful.add(room)
            return False
        self.epochs.pop(room, None)
        return True

    async def hand_over(self, room: str, carried: bytes) -> bool:
        """See `Keeper`: to whom all agree on, without this node."""
        epoch = self.epochs.get(room)
        if epoch is None:
            return False
        self._carried[room] = carried
        try:
            living = await self._nodes.living()
            others = {
                each.name: each.id
                for each in living
                if each.role == "engine" and each.state == "alive" and each.id != self._own
            }
            name = chosen(room, others)
            given = name and await self._nodes.give(StreamId(room), others[name], epoch, carried)
        except JournalError as problem:
            log(logging.WARNING, "room not given", room=room, why=str(problem))
            self._doubtful.add(room)
            return False
        if not given:
            return False
        self.epochs.pop(room, None)
        self._carried.pop(room, None)
        return True
