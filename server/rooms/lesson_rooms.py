"""The rooms of lessons, whose entries are written nowhere: one for each learner.

How far a learner has come is stored with the person, so that the lesson can be opened there again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from bluebear.server.limits import SPENDERS_MAX
from bluebear.server.net.rate_limits import put_recent
from bluebear.server.room.state import Room
from bluebear.server.room.system_acts import lesson_progress
from bluebear.server.rooms.active_room import RoomHooks, RoomServices
from bluebear.server.rooms.members import left_note
from bluebear.server.rooms.room_actor import RoomActor
from bluebear.server.sentences import say
from bluebear.server.store import Append, Entry, GroupWriter, Summary, Written
from bluebear.server.store.group_writer import Done


class _NoWriter(GroupWriter):
    """Answers each entry as written, with the loop's next turn as a journal does."""

    def __init__(self) -> None:
        """It has no journal."""

    def submit(self, append: Append, done: Done) -> None:
        asyncio.get_running_loop().call_soon(done, Written(append.entry.seq))


class LessonRooms:
    """Owned by the registry, which has them among its rooms `live`; a `RoomOwner` of these."""

    def __init__(self, services: RoomServices, live: Mapping[str, RoomActor]) -> None:
        resources = replace(services.resources, writer=_NoWriter())
        hooks = RoomHooks()
        self._services = replace(services, resources=resources, owner=self, hooks=hooks)
        self._live = live
        self._of_learner: dict[str, str] = {}

    def open(self, person: str, number: str) -> RoomActor:
        """A room for a person's lesson; the one before it is left by all their connections."""
        before = self._live.get(self._of_learner.get(person, ""))
        if before is not None:
            for client in list(before.present.members):
                text = say("answer.lesson_left", client.lang)
                client.send(left_note(before.number_of(client), text))
                before.detach(client)
        put_recent(self._of_learner, person, number, SPENDERS_MAX)
        return RoomActor(number, None, self._services)

    def committed(self, room: Room, entry: Entry, summary: Summary | None) -> None:
        """Save the step that a learner has come to."""
        progress = lesson_progress(room, entry.at)
        if progress is not None:
            self._services.tasks.start(self._services.people.save_lesson(*progress))

    def lost(self, room: str) -> None:
        """See `RoomOwner`: all entries count as written."""
