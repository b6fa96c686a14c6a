"""Who may come into a room, and how: openly, by an invite, or by a password."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine
from typing import Any, Final

from bluebear.protocol import Code, Done
from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.rules.core.visibility import require
from bluebear.server.commands.acts import Enter, Write
from bluebear.server.commands.scene import Speaker
from bluebear.server.people.passwords import Guesses, Hashing
from bluebear.server.room.hosting import Admit, is_barred
from bluebear.server.room.options import choice
from bluebear.server.room.state import Phase, Privacy, Room
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.leases import NotLeaseHolder, RoomLeases
from bluebear.server.rooms.lines import PendingLine
from bluebear.server.rooms.room_actor import RoomActor
from bluebear.server.runtime import Clock, Tasks


class Admission:
    """Lets people into rooms that are in memory; owned by the engine."""

    def __init__(
        self,
        clock: Clock,
        hashing: Hashing,
        tasks: Tasks,
    ) -> None:
        self._clock = clock
        self._hashing = hashing
        self._start = tasks.start
        self._passwords = Guesses()

    def admit(self, client: Connection, live: RoomActor, act: Enter, say_id: str) -> None:
        """Let a connection in that may enter and has not ended; an invite or password is noted."""
        if client.is_disconnected:
            return
        try:
            method = entry_method(live.room, client.speaker, act.invite, self._clock.now())
        except Refusal as refusal:
            client.refuse(say_id, refusal)
            return
        if method == "open":
            number = live.attach(client)
            client.answer(Done(id=say_id, room=number, version=live.version_for(client)))
        elif method == "password":
            self._start(self._check_password(client, live, act, say_id))
        else:
            _write_admission(client, live, act, say_id)

    async def _check_password(
        self, client: Connection, live: RoomActor, act: Enter, say_id: str
    ) -> None:
        key, now = (client.person, live.id), asyncio.get_running_loop().time()
        wait = self._passwords.wait(key, now)
        hashed = live.room.table.password or ""
        if wait > 0:
            seconds = int(wait) + 1
            refusal: Refusal | None = NotAllowed(
                "password_wait", seconds=seconds, retry_ms=seconds * 1000
            )
        elif not act.password:
            refusal = NotAllowed("password_wanted")
        else:
            # Counted before it is known to be wrong: tries that come at once are so many tries.
            self._passwords.wrong(key, now)
            refusal = await self._compare(hashed, act.password, client.person)
            if refusal is not None and refusal.code != Code.WRONG_PASSWORD:
                self._passwords.forgive(key)
        if refusal is None:
            self._passwords.right(key)
            _write_admission(client, live, act, say_id)
        else:
            client.refuse(say_id, refusal)

    async def _compare(self, hashed: str, password: str, by: str) -> Refusal | None:
        try:
            fits = await self._hashing.fits(hashed, password, by)
        except Refusal as busy:
            return busy
        return None if fits else NotAllowed("wrong_password")


def entry_method(room: Room, speaker: Speaker, invite: str, now: int) -> str:
    """How a person may enter: `open`, `invite` or `password`. Raises NotAllowed."""
    table, person = room.table, speaker.person
    if is_barred(room, person, speaker.owner):
        raise NotAllowed("room_unknown")
    seated = room.seat_of(person) is not None
    runs_it = person in (table.host_person, table.owner)
    may_return = seated or runs_it or person in require(table.admitted)
    if not seated and table.phase in (Phase.PLAYING, Phase.PAUSED):
        watch = choice(table, "watch")
        if watch == "none" and not runs_it:
            raise NotAllowed("no_watching")
        if watch == "invited" and not may_return and not invite:
            raise NotAllowed("no_watching")
    if may_return:
        return "open"
    stored = require(table.invites).get(invite)
    live_invite = stored is not None and stored.expires > now
    if table.privacy is Privacy.PRIVATE and not live_invite:
        raise NotAllowed("room_unknown")
    if table.locked:
        return "password"
    return "invite" if live_invite else "open"


def _write_admission(client: Connection, live: RoomActor, act: Enter, say_id: str) -> None:
    write = Write.of(Admit(), {"name": client.name, "invite": act.invite})
    live.submit(PendingLine(client.actor, client, say_id, write=write, enters=True))


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

    async def find(self, client: Connection, room: str, say_id: str = "") -> RoomActor | None:
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
