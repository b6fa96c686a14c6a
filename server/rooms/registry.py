"""The rooms in memory: creates, loads and closes them, lets clients in, hands lines to them.

It sends to members, or calls back: a room's row has changed, a person elsewhere has a note.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

from bluebear.protocol import Code, Done, Note, Version
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.server import limits
from bluebear.server.commands.acts import Enter, NewRoom, Write
from bluebear.server.commands.scene import RoomLine
from bluebear.server.net.rate_limits import put_recent
from bluebear.server.people.passwords import Guesses, Hashing
from bluebear.server.people.people import People, needs_store
from bluebear.server.room.creation import MakeRoom
from bluebear.server.room.game_setup import HasAccount
from bluebear.server.room.hosting import Admit, entry_method
from bluebear.server.room.state import SERVER_ACTOR, Phase, Privacy, Room
from bluebear.server.room.system_acts import lesson_progress
from bluebear.server.rooms import loading
from bluebear.server.rooms.active_room import (
    Resources,
    RoomHooks,
    RoomListener,
    RoomServices,
    guests_of,
    wants_snapshot,
)
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.house_bots import BotAssignment, BotDispatcher, BotRateLimit
from bluebear.server.rooms.lines import PendingLine
from bluebear.server.rooms.loading import NotLeaseHolder, RoomLeases, making_facts, room_line
from bluebear.server.rooms.records import Recorder
from bluebear.server.rooms.room_actor import RoomActor
from bluebear.server.rooms.timers import handover_of, pack_handover
from bluebear.server.runtime import Tasks, count, log, log_bug
from bluebear.server.sentences import say
from bluebear.server.store import Entry, JournalError, NoWriter, StreamId, Summary, rooms

OWNER_WAIT_SECONDS: Final = 5.0
"""A client waits this long for a room whose owner is about to be deposed."""
OWNER_POLL_SECONDS: Final = 0.1
OWNER_RETRY_MS: Final = 200
_TOUCH_MS: Final = 3600 * 1000
"""So often the time at which people were last in a room is stored, while they are there."""


class RoomRegistry:
    """Owned by the app."""

    def __init__(
        self,
        resources: Resources,
        people: People,
        listener: RoomListener,
        leases: RoomLeases | None,
    ) -> None:
        self.live: dict[str, RoomActor] = {}
        self.moving: set[str] = set()
        """Rooms on their way to another node: what is said in them is said again there."""
        self._resources = resources
        self.store, self.clock = store, clock = resources.store, resources.clock
        self.tasks = Tasks(resources.meter)
        self.back_ms = 0
        """When the server is back, once it makes no more rooms; 0: it makes some."""
        self.house = BotDispatcher(resources.fresh)
        self.hooks = RoomHooks()
        self._games = resources.games
        self._listener = listener
        self._pace = BotRateLimit() if resources.config.bounded else None
        self.leases = leases or RoomLeases(store)
        self.hashing = Hashing()
        self.recorder = Recorder(resources.writer, clock, Tasks(resources.meter), self.hooks)
        self._passwords = Guesses()
        self._loading: dict[str, asyncio.Future[RoomActor]] = {}
        self._idle_since: dict[str, float] = {}
        self._touched: dict[str, int] = {}
        self._services = RoomServices(
            resources=resources,
            people=people,
            hashing=self.hashing,
            tasks=self.tasks,
            house=self.house,
            owner=self,
            hooks=self.hooks,
            snapshot_every=limits.SNAPSHOT_EVERY
            if leases is None
            else limits.SNAPSHOT_EVERY_AMONG_SEVERAL,
        )
        # What is written there is stored nowhere, and concerns no feature.
        nowhere = NoWriter(store, resources.meter)
        self._for_lessons = replace(
            self._services, resources=replace(resources, writer=nowhere), hooks=RoomHooks()
        )
        self._lesson_of: dict[str, str] = {}
        """The room of each learner."""

    # Lines and members.

    def line(self, client: Connection, room: str, say_id: str, text: str, at: int | None) -> None:
        """A typed line of a member."""
        live = self.live.get(room)
        if room in self.moving:
            return
        if live is None:
            client.refuse(say_id, NotAllowed("not_in_room"))
        elif client.house_seat is not None and self._pace is not None:
            loop = asyncio.get_running_loop()
            wait = self._pace.wait(live.room, loop.time())
            if wait > 0:
                loop.call_later(wait, live.line, client, say_id, text, at)
            else:
                live.line(client, say_id, text, at)
        else:
            live.line(client, say_id, text, at)

    def rename(self, person: str, name: str, rooms: set[str]) -> None:
        """A person in these rooms has another name."""
        for live in filter(None, map(self.room, sorted(rooms))):
            live.rename(person, name)

    def note_account(self, person: str, rooms: set[str]) -> None:
        """A person in these rooms has an account from now on."""
        for live in filter(None, map(self.room, sorted(rooms))):
            if live.room.table.phase is Phase.OPEN:
                live.act(SERVER_ACTOR, Write.of(HasAccount(), {"whom": person}))

    def leave(self, client: Connection, room: str) -> None:
        """A member goes out of a room."""
        live = self.live.get(room)
        if room in self.moving:
            # It is in this room no longer, which is on its way to another node.
            if (number := client.number_of(room)) is not None:
                client.left(number)
            if live is not None:
                live.present.drop(client, asyncio.get_running_loop().time())
        elif live is not None:
            live.detach(client)

    def room(self, room: str) -> RoomActor | None:
        """A room that is in memory and has its first entry."""
        actor = self.live.get(room)
        return actor if actor is not None and actor.exists else None

    def version(self, client: Connection, room: str) -> Version | None:
        """The newest version of a room that is in memory, as a member counts."""
        actor = self.room(room)
        return None if actor is None else actor.version_for(client)

    async def lines(self, rooms: Collection[str]) -> Mapping[str, RoomLine]:
        """The lines of those rooms that are in memory."""
        actors = ((room, self.room(room)) for room in rooms)
        return {room: self._line(live) for room, live in actors if live is not None}

    def findable_line(self, room: str) -> RoomLine | None:
        """The line of a room in memory that is not private and has people in it, else None.

        One that is private costs as many steps as one that is not there.
        """
        live = self.live.get(room)
        return self._line(live) if live and live.present.here and live.is_findable else None

    def _line(self, live: RoomActor) -> RoomLine:
        here = live.present
        watchers = sum(live.room.seat_of(person) is None for person in here.here)
        return room_line(live.room, self._games, awake=here.awake, watchers=watchers)

    # Making.

    def check_makes_rooms(self) -> None:
        """NotAllowed (restarting) where the server is about to stop."""
        if self.back_ms:
            seconds = -(-self.back_ms // 1000)
            raise NotAllowed("restarting", seconds=seconds, retry_ms=self.back_ms)

    async def new_room(self, client: Connection, act: NewRoom, say_id: str) -> bool:
        """Make a room and bring its maker in; ends when that is answered: whether there is one."""
        fresh = self._resources.fresh(64)
        try:
            self.check_makes_rooms()
            hashed = await self.hashing.hash(act.password, client.person) if act.password else ""
            origin = await loading.play_beginning(self._games, act.fork) if act.fork else None
            number = await loading.free_number(self.live, self.store, fresh)
            await self.leases.claim_new(number)
        except Refusal as refusal:
            client.refuse(say_id, refusal)
            return False
        facts = making_facts(client, act, fresh, hashed, self._resources.pins)
        write = Write.of(MakeRoom(act.game, Privacy(act.privacy)), facts, played=origin)
        if act.lesson:
            self._leave_lesson(client.person)
            put_recent(self._lesson_of, client.person, number, limits.SPENDERS_MAX)
        live = RoomActor(number, None, self._for_lessons if act.lesson else self._services)
        self.live[number] = live
        over = asyncio.Event()
        live.submit(PendingLine(client.actor, client, say_id, write=write, enters=True, over=over))
        await over.wait()
        if not live.exists:
            self.live.pop(number, None)
            await self.leases.release(number)
        return live.exists

    def _leave_lesson(self, person: str) -> None:
        """A learner has one lesson at a time: all their connections leave the one before."""
        before = self.live.get(self._lesson_of.get(person, ""))
        if before is None:
            return
        for client in list(before.present.members):
            text = say("answer.lesson_left", client.lang)
            client.send(Note(room=client.number_of(before.id), code="left", text=text))
            before.detach(client)

    # Entering.

    def enter(self, client: Connection, act: Enter, say_id: str) -> None:
        """Bring a connection into a room, loading it if need be."""
        live = self.room(act.room)
        if live is not None and not live.closed and act.room not in self.moving:
            self._admit(client, live, act, say_id)
        else:
            self.tasks.start(self._load_and_enter(client, act, say_id))

    async def _load_and_enter(self, client: Connection, act: Enter, say_id: str) -> None:
        try:
            live = await self._find(client, act.room, say_id)
        except Refusal as refusal:
            client.refuse(say_id, refusal)
            return
        if live is not None:
            self._admit(client, live, act, say_id)

    async def _find(self, client: Connection, room: str, say_id: str = "") -> RoomActor | None:
        """The room in memory; None if another node has it, of which the client is notified.

        Raises NotAllowed.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + OWNER_WAIT_SECONDS
        while True:
            try:
                if room not in self.moving:
                    return await self.load(room)
            except NotLeaseHolder:
                url = await self.leases.address_of(room)
                if url:
                    client.redirect(room, url, say_id)
                    return None
            if loop.time() > until:
                raise NotAllowed("busy", retry_ms=OWNER_RETRY_MS)
            await asyncio.sleep(OWNER_POLL_SECONDS)

    def _admit(self, client: Connection, live: RoomActor, act: Enter, say_id: str) -> None:
        """Let a connection in that may enter and has not ended; an invite or password is noted."""
        if client.is_disconnected:
            return
        try:
            person, owner, now = client.person, client.owner, self.clock.now()
            method = entry_method(live.room, person, owner, act.invite, now)
        except Refusal as refusal:
            client.refuse(say_id, refusal)
            return
        if method == "open":
            number = live.attach(client)
            client.answer(Done(id=say_id, room=number, version=live.version_for(client)))
        elif method == "password":
            self.tasks.start(self._check_password(client, live, act, say_id))
        else:
            _write_admission(client, live, act, say_id)

    async def _check_password(
        self, client: Connection, live: RoomActor, act: Enter, say_id: str
    ) -> None:
        key = client.person, live.id
        try:
            self._passwords.check(key)
            if not act.password:
                raise NotAllowed("password_wanted")
            with self._passwords.attempt(key):
                stored = live.room.table.password or ""
                fits = await self.hashing.fits(stored, act.password, client.person)
            if not fits:
                raise NotAllowed("wrong_password")
        except Refusal as refusal:
            client.refuse(say_id, refusal)
        else:
            self._passwords.right(key)
            _write_admission(client, live, act, say_id)

    def take_assignment(self, client: Connection, assignment: BotAssignment) -> str | None:
        """A house bot comes to its seat: what it is called; None if it is not wanted any more."""
        live = self.room(assignment.room)
        if live is None or not self.house.seated(client, assignment):
            return None
        return live.room.name_of(assignment.seat)

    def attach(self, client: Connection, room: str) -> None:
        """A client who need not be admitted enters, also a room that is not in memory."""
        live = self.room(room)
        if live is not None:
            live.attach(client)
        else:
            self.tasks.start(self._load_and_attach(client, room))

    async def _load_and_attach(self, client: Connection, room: str) -> None:
        try:
            live = await self._find(client, room)
        except Refusal as refusal:
            log(logging.WARNING, "not brought into a room", room=room, why=refusal.code)
            return
        if live is not None and not client.is_disconnected:
            live.attach(client)

    async def load(self, room_id: str) -> RoomActor:
        """The room in memory. Raises NotAllowed: room_unknown, not_saved, version_gap."""
        live = self.room(room_id)
        if live is not None and not live.closed:
            return live
        waiting = self._loading.get(room_id)
        if waiting is not None:
            return await asyncio.shield(waiting)
        future: asyncio.Future[RoomActor] = asyncio.get_running_loop().create_future()
        self._loading[room_id] = future
        try:
            live = await self._load(room_id)
        except BaseException as problem:
            if isinstance(problem, Refusal):
                future.set_exception(problem)
                future.exception()
            else:
                future.cancel()
            raise
        else:
            future.set_result(live)
            return live
        finally:
            del self._loading[room_id]

    async def _load(self, room_id: str) -> RoomActor:
        handover = handover_of(await self.leases.claim(room_id))
        try:
            with needs_store(logging.ERROR, "room not loaded", room=room_id):
                loaded = await loading.read_room(self.store, self._games, room_id)
        except Refusal:
            raise
        except Exception as bug:  # the boundary: one room that cannot be folded is one trouble
            log_bug(bug, room=room_id)
            raise NotAllowed("internal", reference=room_id) from bug
        if loaded is None:
            raise NotAllowed("room_unknown")
        live = RoomActor(room_id, loaded.room, self._services, loaded.problem, loaded.delay)
        if handover is not None:
            live.timer.carry_on(handover)
        else:
            live.timer.was_here(self.leases.away_ms(room_id))
        self.live[room_id] = live
        count("rooms.loaded")
        # A server that died with its last entry stored no record of it; and an entry whose fate was
        # unknown was not shown in the list of rooms.
        self.recorder.look(live)
        self.changed(loading.summary_of(live.room, room_line(live.room, self._games)))
        return live

    # What rooms say.

    def committed(self, room: Room, entry: Entry, summary: Summary | None) -> None:
        table = room.table
        live = self.live[table.id]
        if table.lesson is not None:
            progress = lesson_progress(room, entry.at)
            if progress is not None:
                self.tasks.start(self._services.people.save_lesson(*progress))
            return
        if wants_snapshot(room, self._services.snapshot_every):
            self.tasks.start(self._keep_room(live))
        # A move has no facts, and is most of what is committed.
        for guest in guests_of(entry) if entry.facts else ():
            host = str(entry.facts.get("name", table.host))
            self.hooks.tell_invited(guest, host, live.id)
            self._listener.invited(guest, host, live.id)
        if summary is not None:
            self.changed(summary)
        if table.ending is not None:
            self.recorder.look(live)

    def changed(self, row: Summary | None = None) -> None:
        self.hooks.tell_changed(row)
        self._listener.changed()

    async def _keep_room(self, live: RoomActor) -> None:
        """Store what spectators see, so that a restart shows no more; not of a suspended room."""
        if not live.suspended and live.room.table.lesson is None:
            await loading.keep_room(self.store, self._games, live.delay.room or live.room)

    # Letting go.

    def lost(self, room: str) -> None:
        """See `RoomOwner`: the members of the room get the one in the journal.

        Until it is loaded they stay in this one, and their lines are refused as not saved.
        """
        count("rooms.lost")
        live = self.live[room]
        live.close()
        if not live.present.members:
            self.live.pop(live.id, None)
        self.tasks.start(self._bring_back(live))

    async def _bring_back(self, lost: RoomActor) -> None:
        restored: RoomActor | None = None
        while lost.present.members and restored is None:
            try:
                restored = await self.load(lost.id)
            except Refusal as refusal:
                if refusal.code != Code.NOT_SAVED:
                    break
                await asyncio.sleep(limits.DISK_RETRY_SECONDS)
        for client in list(lost.present.members):
            if restored is None:
                lost.detach(client)
            else:
                # Under its number still: lines that are on their way carry that.
                restored.attach(client, client.number_of(lost.id))
        if self.live.get(lost.id) is lost:
            del self.live[lost.id]

    async def sweep(self) -> None:
        """Let rooms without people leave memory, and note in which ones people are."""
        loop = asyncio.get_running_loop()
        for live in list(self.live.values()):
            if not live.idle or not live.exists:
                self._idle_since.pop(live.id, None)
                continue
            since = self._idle_since.setdefault(live.id, loop.time())
            if loop.time() - since >= limits.IDLE_ROOM_SECONDS:
                await self._keep_room(live)
                if live.idle:
                    live.close()
                    self.live.pop(live.id, None)
                    del self._idle_since[live.id]
                    await self.leases.release(live.id)
        await self._touch()

    async def let_go(self, live: RoomActor) -> bytes:
        """Take a room that rests out of memory, for another engine; its members hear nothing.

        What goes along with it.
        """
        handover = pack_handover(live.timer.handover_state())
        live.close()
        self.live.pop(live.id, None)
        await self._keep_room(live)
        return handover

    async def _touch(self) -> None:
        """Rooms with people in them are not closed, though nothing may be said in them."""
        now = self.clock.now()
        awake = [live.id for live in self.live.values() if live.exists and live.present.awake]
        self._touched = {each: self._touched.get(each, now) for each in awake}
        due = [each for each, at in self._touched.items() if now - at >= _TOUCH_MS]
        if not due:
            return
        try:
            for start in range(0, len(due), rooms.TOUCHED_AT_ONCE):
                some = [StreamId(each) for each in due[start : start + rooms.TOUCHED_AT_ONCE]]
                await self.store.write(rooms.touch, some, now)
        except JournalError as problem:
            log(logging.WARNING, "rooms not touched", why=str(problem))
            return
        self._touched.update(dict.fromkeys(due, now))

    def stop(self) -> None:
        """No line begins any more; what has begun is still written, with what it leads to."""
        for live in list(self.live.values()):
            live.close()

    async def close(self) -> None:
        """Keep a snapshot of every room; the writer is drained."""
        await self.tasks.close()
        await self.recorder.close()
        await self.save_all()

    async def save_all(self) -> int:
        """Keep a snapshot of every room in memory; how many there are."""
        rooms = [live for live in self.live.values() if live.exists]
        for live in rooms:
            await self._keep_room(live)
        return len(rooms)


def _write_admission(client: Connection, live: RoomActor, act: Enter, say_id: str) -> None:
    """Note an invite or a password that was right; the client enters with that entry."""
    write = Write.of(Admit(), {"name": client.name, "invite": act.invite})
    live.submit(PendingLine(client.actor, client, say_id, write=write, enters=True))
