"""Games by days, in rooms that may be asleep: woken when the store says that a time is up."""

from __future__ import annotations

import logging
from collections.abc import Container
from typing import Protocol

from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.commands.acts import Write
from bluebear.server.limits import DUE_AT_ONCE, ROOMS_UNFINISHED_PER_PERSON
from bluebear.server.observe import log
from bluebear.server.people.people import People
from bluebear.server.room.options import by_days
from bluebear.server.room.state import SERVER_ACTOR, Phase
from bluebear.server.room.system_acts import Vacation
from bluebear.server.rooms.leases import NotLeaseHolder, RoomLeases
from bluebear.server.rooms.room_actor import RoomActor
from bluebear.server.runtime import Clock
from bluebear.server.store import JournalError, Store, rooms


class RoomLoader(Protocol):
    """Brings rooms into memory: the registry."""

    async def load(self, room_id: str) -> RoomActor:
        """The room in memory. Raises NotAllowed: room_unknown, not_saved, version_gap."""


class CorrespondenceTimer:
    """Owned by the registry."""

    def __init__(
        self,
        store: Store,
        owners: RoomLeases,
        clock: Clock,
        people: People,
        rooms: RoomLoader,
    ) -> None:
        self._store = store
        self._owners = owners
        self._clock = clock
        self._people = people
        self._rooms = rooms

    async def wake(self) -> None:
        """Ring in the rooms whose time is up, as the store has it."""
        try:
            due = await self._owners.due(self._clock.now(), DUE_AT_ONCE)
        except JournalError as problem:
            log(logging.WARNING, "due rooms not read", why=str(problem))
            return
        for room in due:
            try:
                live = await self._rooms.load(room)
                await self._spare_the_away(live)
            except Refusal as refusal:
                log(logging.WARNING, "due room not woken", room=room, why=refusal.code)
                continue
            if by_days(live.room.table):
                live.ring()

    async def _spare_the_away(self, live: RoomActor) -> None:
        """Give people on vacation that time, also where the room had not received it."""
        now = self._clock.now()
        for chair in list(live.room.seats.values()):
            late = chair.deadline is not None and chair.deadline <= now
            if late and chair.person is not None and by_days(live.room.table):
                until = (await self._people.preferences(chair.person)).away_until(now)
                if until > now:
                    _note_vacation(live, chair.person, until)

    async def be_away(self, person: str, until: int, in_memory: Container[str]) -> None:
        """A person is on vacation until then, or back: their games by days follow."""
        for room in await rooms_to_tell(self._store, person, self._clock.now(), in_memory):
            try:
                await self.be_away_in(room, person, until)
            except NotLeaseHolder:
                continue

    async def be_away_in(self, room: str, person: str, until: int) -> None:
        """The same for one of their rooms. Raises NotAllowed."""
        live = await self._rooms.load(room)
        if by_days(live.room.table) and live.room.table.phase in (Phase.PLAYING, Phase.PAUSED):
            _note_vacation(live, person, until)


def _note_vacation(live: RoomActor, person: str, until: int) -> None:
    seat = live.room.seat_of(person)
    if seat is not None and live.room.seats[seat].away_until != (until or None):
        live.act(SERVER_ACTOR, Write.of(Vacation(seat, until)))


async def rooms_to_tell(
    store: Store, person: str, now: int, in_memory: Container[str]
) -> list[str]:
    """The rooms that may wait for a person by days. Raises NotAllowed (not_saved)."""
    most = ROOMS_UNFINISHED_PER_PERSON * 10
    try:
        rows = await store.read(rooms.rooms_of, person, since=now, limit=most)
    except JournalError as problem:
        raise NotAllowed("not_saved") from problem
    relevant = (row for row in rows if row.deadline is not None or row.stream in in_memory)
    return [str(row.stream) for row in relevant]
