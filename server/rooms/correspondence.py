"""Games by days, in rooms that may be asleep: woken when the store says that a time is up."""

from __future__ import annotations

import logging

from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server.commands.acts import Write
from bluebear.server.limits import DUE_AT_ONCE, ROOMS_UNFINISHED_PER_PERSON
from bluebear.server.room.state import SERVER_ACTOR, Phase, by_days
from bluebear.server.room.system_acts import Vacation
from bluebear.server.rooms.leases import NotLeaseHolder
from bluebear.server.rooms.registry import RoomRegistry
from bluebear.server.rooms.room_actor import RoomActor
from bluebear.server.runtime import log
from bluebear.server.store import JournalError, rooms


async def wake_due(registry: RoomRegistry) -> None:
    """Ring in the rooms of this node whose time is up, as the store has it."""
    try:
        due = await registry.leases.due(registry.clock.now(), DUE_AT_ONCE)
    except JournalError as problem:
        log(logging.WARNING, "due rooms not read", why=str(problem))
        return
    for room in due:
        try:
            live = await registry.load(room)
            await _spare_the_away(live)
        except Refusal as refusal:
            log(logging.WARNING, "due room not woken", room=room, why=refusal.code)
            continue
        if by_days(live.room.table):
            live.ring()


async def _spare_the_away(live: RoomActor) -> None:
    """Give people on vacation that time, also where the room had not received it."""
    now = live.services.resources.clock.now()
    for chair in list(live.room.seats.values()):
        late = chair.deadline is not None and chair.deadline <= now
        if late and chair.person is not None and by_days(live.room.table):
            preferences = await live.services.people.preferences(chair.person)
            until = preferences.away_until(now)
            if until > now:
                _note_vacation(live, chair.person, until)


async def be_away(registry: RoomRegistry, person: str, until: int) -> None:
    """A person is on vacation until then, or back: their games by days follow."""
    for room in await _rooms_of(registry, person):
        try:
            live = await registry.load(room)
        except NotLeaseHolder:
            continue
        if by_days(live.room.table) and live.room.table.phase in (Phase.PLAYING, Phase.PAUSED):
            _note_vacation(live, person, until)


def _note_vacation(live: RoomActor, person: str, until: int) -> None:
    seat = live.room.seat_of(person)
    if seat is not None and live.room.seats[seat].away_until != (until or None):
        live.act(SERVER_ACTOR, Write.of(Vacation(seat, until)))


async def _rooms_of(registry: RoomRegistry, person: str) -> list[str]:
    """The rooms that may wait for a person by days. Raises NotAllowed (not_saved)."""
    most, now = ROOMS_UNFINISHED_PER_PERSON * 10, registry.clock.now()
    try:
        rows = await registry.store.read(rooms.rooms_of, person, since=now, limit=most)
    except JournalError as problem:
        raise NotAllowed("not_saved") from problem
    relevant = (row for row in rows if row.deadline is not None or row.stream in registry.live)
    return [str(row.stream) for row in relevant]
