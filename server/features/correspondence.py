"""Games by days: `/vacation`, and rooms that are woken when the store says that a time is up."""

from __future__ import annotations

import logging
from functools import partial

from bluebear.rules.core.refusal import NotUnderstood, Refusal
from bluebear.rules.core.slots import fold
from bluebear.server.cluster.peers import NodeMessage
from bluebear.server.commands.acts import Tell, Write
from bluebear.server.commands.command import Command, Topic, anywhere
from bluebear.server.features.feature import OFF, ROW_BYTES, Context, Feature, Services
from bluebear.server.limits import DUE_AT_ONCE, ROOMS_UNFINISHED_PER_PERSON
from bluebear.server.people.account import ended_vacation, with_vacation
from bluebear.server.people.people import needs_store
from bluebear.server.room.options import day_of
from bluebear.server.room.state import SERVER_ACTOR, Phase, by_days
from bluebear.server.room.system_acts import Vacation
from bluebear.server.rooms.loading import NotLeaseHolder
from bluebear.server.rooms.registry import RoomRegistry
from bluebear.server.rooms.room_actor import RoomActor
from bluebear.server.runtime import log
from bluebear.server.sentences import say
from bluebear.server.store import JournalError, rooms


class VacationChanged(NodeMessage, frozen=True):
    """A person is on vacation until then (ms), or back (0)."""

    person: str
    until: int


class Correspondence(Feature):
    """The games by days of this node, and the vacations of its people."""

    name = "correspondence"
    is_basic = True
    topic = Topic.PEOPLE

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        services.bus.hears(
            VacationChanged, lambda message: be_away(services.rooms, message.person, message.until)
        )

    def every_minute(self) -> None:
        """Hook: ring in the rooms whose time is up."""
        self.services.tasks.start(wake_due(self.services.rooms))

    @Command("vacation days?", anywhere(), names=("休暇",))
    async def vacation(self, ctx: Context, days: str = "") -> Tell:
        """`/vacation`: a number of days, or a word for "off"; "" shows the vacation."""
        people, person = self.services.people, ctx.connection.person
        count, now = _days(fold(days)), self.services.clock.now()
        ctx.connection.pay(ROW_BYTES)
        if count is None:
            current = await people.preferences(person)
        else:
            end = partial(ended_vacation, now=now)
            change = partial(with_vacation, days=count, now=now) if count else end
            current = await people.update_preferences(person, change)
            until = current.away_until(now)
            self.bus.tell(VacationChanged(person, until))
            await be_away(self.services.rooms, person, until)
        until, left = current.away_until(now), current.days_left(now)
        if until:
            return Tell("own", say("answer.vacation", ctx.lang, day=day_of(until), left=left))
        return Tell("own", say("answer.no_vacation", ctx.lang, left=left))


def _days(text: str) -> int | None:
    """0 for the end of a vacation; None for no text. Raises NotUnderstood (bad_word)."""
    if not text:
        return None
    if text in OFF:
        return 0
    number = text.removesuffix("日").removesuffix("d")
    if not (number.isascii() and number.isdigit() and 0 < len(number) < 4 and int(number)):
        raise NotUnderstood("bad_word", argument="days", given=text, candidates=("7", "off"))
    return int(number)


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
    with needs_store(logging.WARNING, "rooms not looked up"):
        rows = await registry.store.read(rooms.rooms_of, person, since=now, limit=most)
    relevant = (row for row in rows if row.deadline is not None or row.stream in registry.live)
    return [str(row.stream) for row in relevant]
