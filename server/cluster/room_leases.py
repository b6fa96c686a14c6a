"""What is a node's: its life, by heartbeats, and its rooms.

Rooms are claimed before they are loaded, and released when they leave memory.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from bluebear.rules.core.refusal import NotAllowed
from bluebear.server.cluster.peers import Bus, Peers
from bluebear.server.people.people import needs_store
from bluebear.server.rooms.loading import NotLeaseHolder, RoomLeases
from bluebear.server.rooms.registry import RoomRegistry
from bluebear.server.runtime import Tasks, count, log, log_bug
from bluebear.server.store import Deposed, JournalError, Store, StreamId, leases, rooms
from bluebear.server.store.leases import BEAT_SECONDS, LEASE_SECONDS, Living, Node, Nodes

LATE_SECONDS: Final = 1.5
"""A node without a heartbeat for so long is late; `/healthz` says so."""
RETURN_SECONDS: Final = 30.0
"""Who was in a room of a node that was killed is back within this time."""
ADDRESSES_MAX: Final = 8
"""Addresses in a welcome."""


class Membership(RoomLeases):
    """A node among others: its life by heartbeats, and its rooms; owned by its process.

    It deposes nodes whose heartbeats stop. `unreached`: nodes (names) to which their addresses do
    not lead, and why; as last checked.
    """

    def __init__(self, nodes: Nodes, node: Node, address: str, store: Store, bus: Bus) -> None:
        super().__init__(store)
        self.nodes, self.node = nodes, node
        self.address = address
        """Where clients reach this node."""
        self.tasks = Tasks()
        self.peers = Peers(bus, self.tasks, node.id, nodes)
        self.drain_requested = asyncio.Event()
        """Set when an operator has asked this node to give its rooms away and end."""
        self.living: Sequence[Living] = ()
        """The living nodes, as read after the last heartbeat."""
        self.unreached: Mapping[str, str] = {}
        self._beat_at = 0.0
        self._late: set[str] = set()
        self._beats: asyncio.Task[None] | None = None
        self.epochs: dict[str, int] = {}
        """The rooms that are this node's, with their epochs."""
        self._last_beats: dict[str, float] = {}
        """Rooms of the node that was late last, with its last heartbeat (loop time)."""
        self._handover_states: dict[str, bytes] = {}
        """What rooms carry that no other node has taken."""
        self._doubtful: set[str] = set()
        """Rooms that may have been given away or not: to be claimed anew."""

    def start(self) -> None:
        """Send heartbeats from now on."""
        self._beat_at = asyncio.get_running_loop().time()
        self._beats = asyncio.get_running_loop().create_task(self._live())

    async def stop(self) -> None:
        """Send no more."""
        if self._beats is not None:
            self._beats.cancel()
            await asyncio.gather(self._beats, return_exceptions=True)

    async def look(self) -> None:
        """A heartbeat was sent, and `living` read."""
        self.peers.look(self.living)
        late = self.late()
        for each in (each for each in self.living if each.id in late - self._late):
            await self.note_late(each)
        self._late = late

    def deposed(self) -> None:
        """The node has been deposed; no heartbeat follows."""

    def troubles(self) -> list[str]:
        """What is wrong beside what an app sees itself."""
        is_late = asyncio.get_running_loop().time() - self._beat_at > LATE_SECONDS
        return [*(["store"] if is_late else ()), *(f"unreached: {each}" for each in self.unreached)]

    def late(self) -> set[str]:
        """The ids of the late nodes."""
        return {each.id for each in self.living if (each.beat_seconds or 0.0) > LATE_SECONDS}

    async def _live(self) -> None:
        while True:
            try:
                if await self.nodes.change(leases.beat) == "draining":
                    self.drain_requested.set()
                self._beat_at = asyncio.get_running_loop().time()
                self.living = await self.nodes.read(leases.living)
                await self._bury(self.living)
                await self.look()
            except Deposed as problem:
                log(logging.ERROR, "this node was deposed", why=str(problem))
                count("nodes.deposed")
                self.deposed()
                return
            except JournalError as problem:
                log(logging.WARNING, "no beat", why=str(problem))
            except Exception as problem:  # noqa: BLE001 - whatever a look does, this node lives on
                log_bug(problem)
            await asyncio.sleep(BEAT_SECONDS)

    async def _bury(self, living: Sequence[Living]) -> None:
        """Depose silent nodes; the store decides whether that may be."""
        for each in living:
            silent = each.beat_seconds is None or each.beat_seconds > LEASE_SECONDS
            if silent and each.id != self.node.id:
                if await self.nodes.change(leases.depose, each.id, each.generation):
                    log(logging.WARNING, "node deposed", node=each.id, name=each.name)
                    count("nodes.buried")

    # Rooms.

    def addresses(self) -> tuple[str, ...]:
        """Where clients reach nodes, this one first."""
        peers = [each.address for each in self.living if each.id != self.node.id]
        return (self.address, *peers)[:ADDRESSES_MAX]

    async def claim(self, room: str) -> bytes:
        """See `RoomLeases`. A guessed number claims nothing: such a room does not exist."""
        if room in self.epochs and room not in self._doubtful:
            return self._handover_states.pop(room, b"")
        with needs_store(logging.WARNING, "room not looked up", room=room):
            row = await self._store.read(rooms.room, StreamId(room))
        if row is None:
            raise NotAllowed("room_unknown")
        await self.claim_new(room)
        if room in self._handover_states:
            return self._handover_states.pop(room)
        try:
            return await self.nodes.change(leases.handover_state, StreamId(room))
        except JournalError as problem:
            log(logging.WARNING, "times of a room not read", room=room, why=str(problem))
            return b""

    async def claim_new(self, room: str) -> None:
        with needs_store(logging.WARNING, "room not claimed", room=room):
            epoch = await self.nodes.change(leases.claim, StreamId(room))
        self._doubtful.discard(room)
        if epoch is None:
            self.epochs.pop(room, None)
            self._handover_states.pop(room, None)
            raise NotLeaseHolder(room)
        self.epochs[room] = epoch

    async def release(self, room: str) -> None:
        epoch = self.epochs.pop(room, None)
        if epoch is None:
            return
        try:
            await self.nodes.change(leases.release, StreamId(room), epoch)
        except JournalError as problem:
            # It stays this node's until it ends or loads the room again.
            log(logging.WARNING, "room not released", room=room, why=str(problem))

    async def due(self, now: int, limit: int) -> list[str]:
        """See `RoomLeases`: those that are this node's already, and some without an owner."""
        due = await self._store.read(rooms.due, now, limit)
        leased = [str(room) for room in due if room in self.epochs]
        claimed = await self.nodes.change(leases.claim_due, now, limit)
        self.epochs.update({str(room): epoch for room, epoch in claimed.items()})
        return list(dict.fromkeys((*leased, *map(str, claimed))))

    async def address_of(self, room: str) -> str:
        with needs_store(logging.WARNING, "owner not read", room=room):
            owner = await self.nodes.read(leases.owner, StreamId(room))
        if owner is None and self.drain_requested.is_set():
            # A draining node gets no rooms: the room is claimed where its client comes next.
            peer = self._peer_for(room, self.living)
            return "" if peer is None else peer.address
        if owner is None or owner.node == self.node.id:
            return ""
        return "" if owner.node in self.late() else owner.address

    def away_ms(self, room: str) -> int | None:
        beat_at = self._last_beats.pop(room, None)
        away = 0.0 if beat_at is None else asyncio.get_running_loop().time() - beat_at
        return round(1000 * away) if 0.0 < away < RETURN_SECONDS else None

    async def note_late(self, node: Living) -> None:
        """A node may be about to be deposed: remember until when it had its rooms."""
        with suppress(JournalError):
            beat_at = asyncio.get_running_loop().time() - (node.beat_seconds or 0.0)
            rooms = await self.nodes.read(leases.owned, node.id)
            self._last_beats = dict.fromkeys(map(str, rooms), beat_at)

    async def hand_over(self, room: str, handover_state: bytes) -> str:
        """Give a room to another node, the same one for all; the address where it is then.

        That is this node's own where no other one takes it.
        """
        epoch = self.epochs.get(room)
        if epoch is None:
            return self.address
        self._handover_states[room] = handover_state
        try:
            to = self._peer_for(room, await self.nodes.read(leases.living))
            given: int | None = None
            if to is not None:
                move = StreamId(room), to.id, epoch, handover_state
                given = await self.nodes.change(leases.give, *move)
        except JournalError as problem:
            log(logging.WARNING, "room not given", room=room, why=str(problem))
            self._doubtful.add(room)
            return self.address
        if to is None or not given:
            return self.address
        self.epochs.pop(room, None)
        self._handover_states.pop(room, None)
        return to.address

    def _peer_for(self, room: str, living: Iterable[Living]) -> Living | None:
        """The node that is to have a room, one that is reached if any is; None: no other lives."""
        alive = [each for each in living if each.state == "alive" and each.id != self.node.id]
        reached = [each for each in alive if each.name not in self.unreached]
        peers = {each.name: each for each in reached or alive}
        return peers.get(chosen(room, peers) or "")


def chosen(room: str, names: Iterable[str]) -> str | None:
    """Which of these is to have a room: by rendezvous, so that few change when a node comes."""

    def weight(name: str) -> bytes:
        return hashlib.blake2b(f"{name} {room}".encode(), digest_size=8).digest()

    return max(names, key=weight, default=None)


REST_SECONDS: Final = 0.02
"""Between two looks at a room that ends what it does before it moves."""
AT_ONCE: Final = 8
"""Rooms that move side by side: each waits for a commit, and is loaded elsewhere."""


async def give_all(rooms: RoomRegistry, node: Membership) -> None:
    """Hand all rooms over; those that no node takes are released at the node's end."""
    turns = asyncio.Semaphore(AT_ONCE)
    existing = [room for room, live in rooms.live.items() if live.exists]
    await asyncio.gather(*(_give(rooms, node, turns, room) for room in existing))


async def _give(rooms: RoomRegistry, node: Membership, turns: asyncio.Semaphore, room: str) -> None:
    async with turns:
        if room in rooms.moving:
            return
        rooms.moving.add(room)
        url, members = node.address, {}
        try:
            # A room does not announce that it rests: that would be after each line.
            while (live := rooms.room(room)) and (  # noqa: ASYNC110
                live.closed or not live.at_rest
            ):
                await asyncio.sleep(REST_SECONDS)
            if live is None:
                return
            members = live.present.members
            url = await node.hand_over(room, await rooms.let_go(live))
        finally:
            rooms.moving.discard(room)
            for client, member in list(members.items()):
                client.redirect(room, url, number=member.audience.number)
