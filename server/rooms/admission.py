"""Who may come into a room, and how: openly, by an invite, or by a password."""

from __future__ import annotations

import asyncio

from bluebear.rules.core.refusal import NotAllowed, Refusal
from bluebear.rules.core.visibility import require
from bluebear.server.commands.acts import Enter, Write
from bluebear.server.commands.scene import Speaker
from bluebear.server.people.passwords import Guesses, Hashing
from bluebear.server.room.hosting import Admit, is_barred
from bluebear.server.room.options import choice
from bluebear.server.room.state import Phase, Privacy, Room
from bluebear.server.rooms.connection import Connection
from bluebear.server.rooms.lines import PendingLine
from bluebear.server.rooms.room_actor import RoomActor


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


async def check_password(
    hashing: Hashing, guesses: Guesses, key: tuple[str, str], password: str, stored: str
) -> None:
    """Compare a password with the stored hash of a room's; `key` is person and room.

    Raises NotAllowed: password_wait, password_wanted, wrong_password, busy, too_much.
    """
    now = asyncio.get_running_loop().time()
    wait = guesses.wait(key, now)
    if wait > 0:
        seconds = int(wait) + 1
        raise NotAllowed("password_wait", seconds=seconds, retry_ms=seconds * 1000)
    if not password:
        raise NotAllowed("password_wanted")
    # Counted before it is known to be wrong: tries that come at once are so many tries.
    guesses.wrong(key, now)
    try:
        fits = await hashing.fits(stored, password, key[0])
    except Refusal:
        guesses.forgive(key)
        raise
    if not fits:
        raise NotAllowed("wrong_password")
    guesses.right(key)


def write_admission(client: Connection, live: RoomActor, act: Enter, say_id: str) -> None:
    """Note an invite or a password that was right; the client enters with that entry."""
    write = Write.of(Admit(), {"name": client.name, "invite": act.invite})
    live.submit(PendingLine(client.actor, client, say_id, write=write, enters=True))
