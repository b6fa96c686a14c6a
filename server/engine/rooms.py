"""Rooms in memory: making, loading, entering, and letting go of them."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from protocol import Code, Done, Version
from rules.core.refusal import NotAllowed, Refusal
from rules.core.vision import held
from server.caller import Caller
from server.commands.acts import Enter, NewRoom, Write
from server.commands.scene import RoomLine
from server.engine.live import Job, LiveRoom
from server.journal import JournalError, Json
from server.limits import (
    DISK_RETRY_SECONDS,
    EMPTY_ROOM_SECONDS,
    IDLE_ROOM_SECONDS,
    ROOM_TRIES_PER_MINUTE,
)
from server.observe import LOG, count, log
from server.people.passwords import Guesses, hash_password, password_fits
from server.room.actor import Actor
from server.room.hosting import Admit
from server.room.making import MakeRoom, new_game_facts
from server.room.options import choice
from server.room.state import Phase, Privacy, Room

if TYPE_CHECKING:
    from server.app import App

_NUMBERS: Final = 900_000
_FIRST_NUMBER: Final = 100_000


class Rooms:
    """The live rooms by id; owned by the app."""

    def __init__(self, app: App) -> None:
        self._app = app
        self.live: dict[str, LiveRoom] = {}
        self._loading: dict[str, list[asyncio.Future[LiveRoom]]] = {}
        self._idle_since: dict[str, float] = {}
        self._passwords = Guesses()
        self._numbers = Guesses(ROOM_TRIES_PER_MINUTE)

    # Making.

    def new_room(self, caller: Caller, act: NewRoom, say_id: str) -> None:
        """Make a room: its first entry is `/newroom`."""
        if act.password:
            self._app.tasks.start(self._new_room_locked(caller, act, say_id))
        else:
            self._make(caller, act, say_id, "")

    async def _new_room_locked(self, caller: Caller, act: NewRoom, say_id: str) -> None:
        self._make(caller, act, say_id, await hash_password(act.password))

    def _make(self, caller: Caller, act: NewRoom, say_id: str, hashed: str) -> None:
        fresh = self._app.fresh(64)
        try:
            room_id = self._free_number(fresh)
        except Refusal as refusal:
            self._app.reception.refuse(caller, say_id, refusal)
            return
        facts: dict[str, Json] = {
            **new_game_facts(fresh),
            "name": caller.name,
            "kind": "human" if caller.human else "bot",
        }
        if hashed:
            facts["hash"] = hashed
        live = LiveRoom(room_id, None, self._app)
        self.live[room_id] = live
        write = Write.of(MakeRoom(act.game, Privacy(act.privacy)), facts)

        def made() -> None:
            if not caller.gone:
                live.attach(caller)

        actor = Actor.of_person(caller.person)
        live.submit(Job(actor, caller, say_id, make=lambda: write, then=made))

    def _free_number(self, fresh: bytes) -> str:
        """Six digits that no room ever had; random, so that nobody finds rooms by counting."""
        start = int.from_bytes(fresh[-8:], "big")
        for step in range(_NUMBERS):
            number = str(_FIRST_NUMBER + (start + step * 7919) % _NUMBERS)
            if number not in self.live and not self._app.directory.had(number):
                return number
        raise NotAllowed("full_server")

    # Entering.

    def missed(self, person: str) -> int:
        """Somebody has tried a room that he may not know of; seconds that he has to wait now."""
        now = asyncio.get_running_loop().time()
        wait = self._numbers.wait(person, now)
        if wait <= 0:
            self._numbers.wrong(person, now)
        return int(wait)

    def enter(self, caller: Caller, act: Enter, say_id: str) -> None:
        """Bring a connection into a room, loading it if need be."""
        wait = self._numbers.wait(caller.person, asyncio.get_running_loop().time())
        if wait > 0:
            # Whoever has guessed too often learns nothing from a number that exists.
            self._app.reception.refuse(caller, say_id, NotAllowed("room_unknown"))
            return
        live = self.live.get(act.room)
        if live is not None and live.exists and not live.closed:
            self._admit(caller, live, act, say_id)
        else:
            self._app.tasks.start(self._load_and_enter(caller, act, say_id))

    async def _load_and_enter(self, caller: Caller, act: Enter, say_id: str) -> None:
        try:
            live = await self.load(act.room)
        except Refusal as refusal:
            self._app.reception.refuse(caller, say_id, refusal)
            return
        if not caller.gone:
            self._admit(caller, live, act, say_id)

    async def load(self, room_id: str) -> LiveRoom:
        """The room in memory. Raises NotAllowed: room_unknown, not_saved, version_gap."""
        live = self.live.get(room_id)
        if live is not None and live.exists and not live.closed:
            return live
        waiting = self._loading.get(room_id)
        if waiting is not None:
            future: asyncio.Future[LiveRoom] = asyncio.get_running_loop().create_future()
            waiting.append(future)
            return await future
        self._loading[room_id] = []
        try:
            live = await self._load(room_id)
        except Refusal as refusal:
            for other in self._loading[room_id]:
                other.set_exception(refusal)
            raise
        else:
            for other in self._loading[room_id]:
                other.set_result(live)
            return live
        finally:
            del self._loading[room_id]

    async def _load(self, room_id: str) -> LiveRoom:
        try:
            room = await self._app.registry.load_room(room_id)
        except JournalError as problem:
            log(logging.ERROR, "room not loaded", room=room_id, why=str(problem))
            raise NotAllowed("not_saved") from problem
        except Refusal:
            raise
        except Exception as bug:  # the boundary: one room that cannot be folded is one trouble
            LOG.error("bug", exc_info=bug, extra={"fields": {"room": room_id}})
            count("bugs")
            raise NotAllowed("internal", reference=room_id) from bug
        if room is None:
            raise NotAllowed("room_unknown")
        live = LiveRoom(room_id, room, self._app)
        self.live[room_id] = live
        count("rooms.loaded")
        self._app.loaded(live)
        return live

    def _admit(self, caller: Caller, live: LiveRoom, act: Enter, say_id: str) -> None:
        """Let somebody in who may come in; who spends an invite or knows a password is noted."""
        try:
            step = self._way_in(caller, live.room, act)
        except Refusal as refusal:
            self._app.reception.refuse(caller, say_id, refusal)
            return
        if step == "open":
            self._attach(caller, live, say_id)
        elif step == "password":
            self._app.tasks.start(self._check_password(caller, live, act, say_id))
        else:
            self._write_admission(caller, live, act, say_id)

    def _way_in(self, caller: Caller, room: Room, act: Enter) -> str:
        """How somebody comes in: `open`, `invite` or `password`; NotAllowed if not at all."""
        table, person = room.table, caller.person
        if person in held(table.banned):
            raise NotAllowed("room_unknown")
        seated = room.seat_of(person) is not None
        known = seated or person == table.host_person or person in held(table.admitted)
        if not seated and table.phase in (Phase.PLAYING, Phase.PAUSED):
            watch = choice(table, "watch")
            if watch == "none" and person != table.host_person:
                raise NotAllowed("no_watching")
            if watch == "invited" and not known and not act.invite:
                raise NotAllowed("no_watching")
        if known:
            return "open"
        invite = held(table.invites).get(act.invite)
        live_invite = invite is not None and invite.expires > self._app.clock.now()
        if table.privacy is Privacy.PRIVATE and not live_invite:
            raise NotAllowed("room_unknown")
        if table.locked:
            return "password"
        return "invite" if live_invite else "open"

    async def _check_password(
        self, caller: Caller, live: LiveRoom, act: Enter, say_id: str
    ) -> None:
        key, now = (caller.person, live.id), asyncio.get_running_loop().time()
        wait = self._passwords.wait(key, now)
        hashed = live.room.table.password or ""
        if wait > 0:
            refusal = NotAllowed("password_wait", seconds=int(wait) + 1)
        elif not act.password:
            refusal = NotAllowed("password_wanted")
        elif await password_fits(hashed, act.password):
            self._passwords.right(key)
            self._write_admission(caller, live, act, say_id)
            return
        else:
            self._passwords.wrong(key, now)
            refusal = NotAllowed("wrong_password")
        self._app.reception.refuse(caller, say_id, refusal)

    def _write_admission(self, caller: Caller, live: LiveRoom, act: Enter, say_id: str) -> None:
        write = Write.of(Admit(), {"name": caller.name, "invite": act.invite})

        def admitted() -> None:
            if not caller.gone:
                live.attach(caller)

        actor = Actor.of_person(caller.person)
        live.submit(Job(actor, caller, say_id, make=lambda: write, then=admitted))

    def _attach(self, caller: Caller, live: LiveRoom, say_id: str) -> None:
        number = live.attach(caller)
        caller.answer(Done(id=say_id, room=number, version=Version(live.room.version)))

    # Letting go.

    def forget(self, live: LiveRoom) -> None:
        """Drop a room whose state is not known any more; its members get the one in the journal.

        Until it is loaded they stay where they are, and hear that nothing can be saved.
        """
        live.close()
        self.live.pop(live.id, None)
        self._app.tasks.start(self._bring_back(live))

    async def _bring_back(self, lost: LiveRoom) -> None:
        found: LiveRoom | None = None
        while lost.present.members and found is None:
            try:
                found = await self.load(lost.id)
            except Refusal as refusal:
                if refusal.code != Code.NOT_SAVED:
                    break
                await asyncio.sleep(DISK_RETRY_SECONDS)
        for caller in list(lost.present.members):
            lost.detach(caller)
            if found is not None:
                found.attach(caller)

    async def sweep(self) -> None:
        """Let rooms without people leave memory, and close those that never began or are over."""
        loop = asyncio.get_running_loop()
        for live in list(self.live.values()):
            if not live.idle or not live.exists:
                self._idle_since.pop(live.id, None)
                continue
            since = self._idle_since.setdefault(live.id, loop.time())
            if loop.time() - since >= IDLE_ROOM_SECONDS:
                await self._app.registry.save_room(live.room)
                if live.idle:
                    live.close()
                    self.live.pop(live.id, None)
                    del self._idle_since[live.id]
        now = self._app.clock.now()
        for line in list(self._app.directory):
            if line.id not in self.live and is_stale(line, now):
                self._app.directory.drop(line.id)


def is_stale(line: RoomLine, now: int) -> bool:
    """Whether an empty room is closed: nothing is being played and nobody came for long."""
    resting = line.phase in (Phase.OPEN, Phase.OVER, Phase.FROZEN)
    return resting and now - line.at > EMPTY_ROOM_SECONDS * 1000
