"""Stores the records of games that are over, with what features store beside them.

That is stored in the commit of the record. Where another record was stored first it is computed
again, so that a game counts once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from bluebear.rules.core.game import Game
from bluebear.server.commands.acts import RecordSection
from bluebear.server.limits import DISK_RETRY_SECONDS, RECORD_SECONDS
from bluebear.server.room.snapshot import record_of
from bluebear.server.room.state import SERVER_ACTOR, Room, links_of
from bluebear.server.rooms.active_room import RoomHooks
from bluebear.server.rooms.room_actor import RoomActor
from bluebear.server.runtime import Clock, Tasks, count
from bluebear.server.store import (
    RECORD_PREFIX,
    Append,
    Entry,
    GroupWriter,
    NotRead,
    NotSaved,
    Outrun,
    StreamId,
)

_T = TypeVar("_T")
_PRIVATE: Final = "private"


class Recorder:
    """Owned by the registry, which waits for `tasks` while the writer is open."""

    def __init__(self, writer: GroupWriter, clock: Clock, tasks: Tasks, hooks: RoomHooks) -> None:
        self._writer = writer
        self._clock = clock
        self.tasks = tasks
        self._hooks = hooks

    async def close(self) -> None:
        """Wait for records; those that take too long are stored when their rooms are loaded."""
        await self.tasks.close(RECORD_SECONDS)

    def look(self, live: RoomActor) -> None:
        """Store the record of a game that is over; a second one of the same game is refused."""
        room, game = live.room, live.game
        if room.table.ending is None or live.recorded == room.table.game_id:
            return
        live.recorded = room.table.game_id
        if game is not None and room.head is not None:
            live.recording = self.tasks.start(self._store_record(live, room, game))

    async def _store_record(
        self,
        live: RoomActor,
        room: Room,
        game: Game[Any],  # Any: each game has a state class of its own
    ) -> None:
        """Until the disk takes it, also where that is full for long; then notify the room."""
        plain, is_alone = self._entry(room, game), False
        while True:
            section = await _as_soon_as_read(lambda: self._section(room, plain.at))
            if section is None:
                append = Append(plain)
            else:
                entry = replace(plain, facts={**plain.facts, **section.facts})
                append = Append(entry, ratings=tuple(section.rows))
            answer = await self._writer.store(append, alone=is_alone)
            if isinstance(answer, Outrun):
                continue
            if not isinstance(answer, NotSaved):
                break
            count("journal.record_not_saved")
            # What the disk does not take is no reason to refuse the lines that come with it.
            is_alone = True
            await asyncio.sleep(DISK_RETRY_SECONDS)
        if section is not None and not live.closed:
            write = await _as_soon_as_read(section.announce)
            if write is not None:
                live.act(SERVER_ACTOR, write)

    async def _section(self, room: Room, at: int) -> RecordSection | None:
        """What a feature stores beside a record; one of them at most has something. Raises NotRead.

        It is asked again where another record was stored meanwhile.
        """
        for feature in self._hooks.record_section:
            section = await feature.record_section(room, at)
            if section is not None:
                return section
        return None

    def _entry(self, room: Room, game: Game[Any]) -> Entry:  # Any: as above
        table = room.table
        return Entry(
            stream=StreamId(RECORD_PREFIX + table.game_id),
            seq=1,
            actor="server",
            client_id="",
            lines=(record_of(room, game, frozenset()),),
            facts={
                "room": table.id,
                "private": table.privacy.value == _PRIVATE,
                "times": [link.at for link in links_of(room.recorded)],
            },
            at=self._clock.now(),
        )


async def _as_soon_as_read(read: Callable[[], Coroutine[Any, Any, _T]]) -> _T:
    """What is read, as soon as the disk can be read."""
    while True:
        try:
            return await read()
        except NotRead:
            await asyncio.sleep(DISK_RETRY_SECONDS)
